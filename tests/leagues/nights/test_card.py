"""Table cards with a code to scan, after which one tap lets a phone score that table."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.games.services import scoring, sharing
from scorekeeper.games.services.offline_start import WaitingStart, start_waiting
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.games.services.table_file import read_text
from scorekeeper.games.store.models import GameRow, PlayerRow
from scorekeeper.leagues.nights import closing, removal, tables
from scorekeeper.leagues.nights.tables import card_word
from scorekeeper.rules.commands import EnterHand
from scorekeeper.web.extensions import db
from scorekeeper.web.headers import SECRET
from scorekeeper.web.request_log import without_secrets
from tests.support.league_night import DIRECTOR, NAMES, Hall, buttons, open_hall
from tests.support.page import Page, way_named, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.phone import Phone

HAND = {"bidder": 0, "bid": 4, "points": {"high": 0, "low": 0, "jack": 0, "game": 0}}


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a night with eight people seated at two tables for three rounds."""
    hall = open_hall(app, client)
    hall.check_in(*NAMES[:8])
    hall.draw()
    return hall


@pytest.fixture
def guest(new_phone: Callable[[], Phone]) -> Phone:
    """Return a phone without a role in the league, such as a player's phone."""
    return new_phone()


def card(hall: Hall, number: int) -> str:
    """Return the address on the card of table `number`."""
    with hall.app.app_context():
        return f"{hall.path}/cards/{number}/{card_word(hall.row(), number, str(hall.app.secret_key))}"


def test_a_scan_and_one_tap_open_the_board(hall: Hall, guest: Phone) -> None:
    """After scanning a table's card, one tap opens the page on which that table's game is scored.

    The card's token is in neither that page's address nor the server's log.
    """
    address = card(hall, 2)
    page = guest.see(address)
    assert page.h1 == "Table 2"
    assert "Score this table" in page.text
    board = guest.submit(page, address)
    assert board.path == f"/games/{hall.tables()[1].game}"
    assert board.all("form")
    assert address.rsplit("/", 1)[1] not in without_secrets(f'"GET {address} HTTP/1.1" 200')
    assert guest.get(address).headers["Cache-Control"] == SECRET["Cache-Control"]


def test_without_the_card_the_page_of_a_table_says_how_to_score_it(hall: Hall, guest: Phone) -> None:
    told = "scan the card on your table"
    tables = [f"{hall.path}/tables/{table.id}" for table in hall.tables()[:2]]
    assert told in guest.see(tables[0]).text
    assert told not in hall.desk.see(tables[0]).text
    guest.submit(guest.see(card(hall, 2)), card(hall, 2))
    assert told not in guest.see(tables[1]).text


def test_opening_a_card_starts_nothing(hall: Hall, guest: Phone) -> None:
    response = guest.get(card(hall, 1))
    assert "scorekeeper_device" not in response.headers.get("Set-Cookie", "")
    assert not any(table.game for table in hall.tables())


def test_a_second_phone_scores_the_same_game(hall: Hall, guest: Phone, new_phone: Callable[[], Phone]) -> None:
    address = card(hall, 1)
    first = guest.submit(guest.see(address), address)
    other = new_phone()
    page = other.see(address)
    assert "Already being scored" in page.text
    assert other.submit(page, address).path == first.path


def test_a_repeated_request_starts_one_game(hall: Hall, guest: Phone) -> None:
    address = card(hall, 1)
    page = guest.see(address)
    assert guest.submit(page, address).path == guest.submit(page, address).path
    assert sum(bool(table.game) for table in hall.tables()) == 1


def test_a_card_opens_its_own_table_only(hall: Hall, guest: Phone) -> None:
    one, two = card(hall, 1), card(hall, 2)
    page = guest.see(one)
    guest.submit(page, one, 404, table=hall.tables()[1].id)
    assert not hall.tables()[1].game
    guest.see(two.replace("/cards/2/", "/cards/1/"), 404)
    assert "This card no longer works" in guest.see(f"{hall.path}/cards/1/made-up", 404).text


def test_old_cards_and_cards_of_a_closed_night_do_not_work(hall: Hall, guest: Phone) -> None:
    old = card(hall, 1)
    page = guest.see(old)
    desk = hall.at_desk()
    hall.desk.submit(desk, f"{hall.path}/new-cards")
    guest.see(old, 404)
    guest.submit(page, old, 404)
    fresh = card(hall, 1)
    hall.desk.submit(desk, f"{hall.path}/new-cards")
    guest.see(fresh)
    with hall.app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
    page = guest.see(fresh, 404)
    assert "The night is closed" in page.text
    assert way_named(page, "All tables") == hall.path, "it can be scanned the morning after, too"


def test_an_unused_score_link_ends_with_the_night(hall: Hall, guest: Phone) -> None:
    """When a night is closed, unused score links, which let another phone score a game, stop working.

    A link still counts as unused if somebody opened its page before the closing, but didn't tap the button on it.
    """
    with hall.app.app_context():
        game = tables.start_table(night=hall.night, table=hall.tables()[0].id, device=DIRECTOR, client_id="begin")
        secret = sharing.make_link(public_id=game, device=DIRECTOR)
    asked = guest.see(f"/score/{secret}")
    with hall.app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
    guest.submit(asked, "/score", 404)
    guest.see(f"/games/{game}/table", 403)
    assert "Unused score link removed." in guest.see(f"/games/{game}/log").text


def play_out(hall: Hall, game: str) -> None:
    """Play `game` to its end."""
    with hall.app.app_context():
        for number in range(6):
            request = ClientRequest(DIRECTOR, f"hand-{number}", None)
            scoring.act(public_id=game, command=EnterHand(HAND), request=request)


@pytest.fixture
def over(hall: Hall, guest: Phone) -> Page:
    """Return the page of the finished game of table 1, on the phone that scored it."""
    address = card(hall, 1)
    board = guest.submit(guest.see(address), address)
    assert way_named(board, "Tonight's tables") is None
    play_out(hall, hall.tables()[0].game)
    return guest.see(board.path)


def test_a_finished_game_links_to_its_result_and_to_the_night(hall: Hall, guest: Phone, over: Page) -> None:
    table = hall.tables()[0]
    assert way_named(over, "Tonight's tables") == hall.path
    way = way_named(over, "Confirm score")
    assert way == f"{hall.path}/tables/{table.id}"
    page = guest.see(way)
    assert way_named(page, "See all tables") is None
    page = guest.submit(page, f"{way}/confirmations", side=0)
    page = guest.submit(page, f"{way}/confirmations", side=1, seat=1)
    assert "Each side says so" not in page.text
    assert way_named(page, "See all tables") == hall.path


def test_a_finished_game_is_not_played_again(hall: Hall, guest: Phone, over: Page) -> None:
    """A finished league game offers no rematch, because another game wouldn't count for the league."""
    assert "Play again" not in buttons(over)
    fields = over.form(over.all("form")[0].get("action", "")).values
    refused = guest.post(f"{over.path}/rematch", data=fields, headers={"Origin": "http://localhost"})
    assert refused.status_code == 422
    assert "wouldn't count for the league" in Page(refused).text
    for phone in (guest, hall.desk):
        assert way_named(phone.see("/"), "Continue") is None


def test_another_game_started_without_a_signal_is_not_the_leagues(app: Flask, client: Phone, over: Page) -> None:
    """If a phone starts a rematch of a league game offline, the rematch is saved as the phone's own game.

    An older version of the page offered such rematches, which don't belong to the league.
    """
    record = read_text(client.get(f"{over.path}/record.json").data)
    start = WaitingStart("started-on-the-phone", record, datetime.now(UTC), after=over.path.split("/")[2])
    with app.app_context():
        start_waiting(public_id="bcdfghjkmn", start=start, device="a" * 64)
        row = db.session().scalars(select(GameRow).where(GameRow.public_id == "bcdfghjkmn")).one()
        people = db.session().scalars(select(PlayerRow.person_id).where(PlayerRow.id.in_(row.players))).all()
    assert (row.device, row.rematch_of, people) == ("a" * 64, None, [None] * 4)


def test_a_phone_that_scored_finds_the_results_of_a_closed_night(hall: Hall, guest: Phone, over: Page) -> None:
    """After a night is closed, a phone that scored a game finds a link to the night's results on the game's page.

    The page for people who only watch the game doesn't change, because the game itself didn't change.
    """
    shared = guest.see(over.path.replace("/games/", "/watch/"))
    assert way_named(shared, "Tonight's tables") == hall.path
    with hall.app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
    page = guest.see(over.path)
    assert "This night is closed." in page.text
    assert "You're watching" not in page.text
    assert way_named(page, "Results of the night") == f"{hall.path}/results"
    assert way_named(hall.desk.see(over.path), "Results of the night") == f"{hall.path}/results"
    again = guest.see(shared.path)
    assert (again.response.headers["ETag"], again.text) == (shared.response.headers["ETag"], shared.text)


def test_the_card_moves_on_to_the_next_round(hall: Hall, guest: Phone) -> None:
    """After one table has started round 2, the cards of all tables lead to round 2 instead of round 1."""
    one, two = card(hall, 1), card(hall, 2)
    page = guest.see(one)
    assert [h2.text for h2 in page.all("h2")] == ["Round 1", "Round 2"]
    with hall.app.app_context():
        tables.tell_result(night=hall.night, table=hall.tables()[1].id, totals=(21, 13), device=DIRECTOR)
    guest.submit(page, one, table=hall.tables()[2].id)
    assert [h2.text for h2 in guest.see(two).all("h2")] == ["Round 2", "Round 3"]
    assert [h2.text for h2 in guest.see(one).all("h2")] == ["Round 2"]


def test_a_table_that_played_on_paper_still_enters_its_score_once_others_go_on(hall: Hall, guest: Phone) -> None:
    """Its card leads to round 2 and also takes the score of round 1, until the table starts round 2."""
    two = card(hall, 2)
    late, now = hall.tables()[1], hall.tables()[3]
    with hall.app.app_context():
        tables.tell_result(night=hall.night, table=hall.tables()[2].id, totals=(21, 13), device=DIRECTOR)
    page = guest.see(two)
    assert [words(h2) for h2 in page.all("h2")] == ["Round 2", "Round 1"]
    final: dict[str, Any] = {"table": late.id, "act": "final", "points-0": "17", "points-1": "21"}
    guest.submit(page, two, **final)
    assert (hall.tables()[1].points, hall.tables()[3].game) == ((17, 21), "")
    assert [words(h2) for h2 in guest.see(two).all("h2")] == ["Round 2", "Round 3"]
    with hall.app.app_context():
        removal.remove_result(night=hall.night, table=late.id, device=DIRECTOR, reason="wrong table")
    guest.submit(guest.see(two), two, table=now.id)
    assert [words(h2) for h2 in guest.see(two).all("h2")] == ["Round 2"]


def test_the_card_still_offers_a_game_in_progress_once_the_next_round_has_begun(
    hall: Hall, guest: Phone, new_phone: Callable[[], Phone]
) -> None:
    """A slow table plays on while another one has a score of round 2: any phone still joins its game from the card."""
    one = card(hall, 1)
    game = guest.submit(guest.see(one), one).path
    with hall.app.app_context():
        tables.tell_result(night=hall.night, table=hall.tables()[3].id, totals=(21, 13), device=DIRECTOR)
    other = new_phone()
    for phone in (guest, other):
        page = phone.see(one)
        assert [words(h2) for h2 in page.all("h2")] == ["Round 1", "Round 2"]
        main = [words(button) for button in page.all("button", class_="main") if "Save" not in words(button)]
        assert main == ["Score this tableAlready being scored. Your phone will join in."]
    assert other.submit(page, one, table=hall.tables()[0].id).path == game
    assert hall.tables()[2].game == "", "nobody started round 2 by mistake"
    play_out(hall, hall.tables()[0].game)
    assert [words(h2) for h2 in other.see(one).all("h2")] == ["Round 2", "Round 3"]


def test_the_card_shows_the_next_game_before_the_result_to_confirm(hall: Hall, guest: Phone, over: Page) -> None:
    """After a game, the page of a table's card first offers to score the next game, then to confirm the last result.

    Only the button for the next game looks like the main button.
    """
    page = guest.see(card(hall, 1))
    assert [h2.text for h2 in page.all("h2")] == ["Round 2", "Round 1"]
    main = [words(button) for button in page.all("button", class_="main") if "Save" not in words(button)]
    assert main == ["Score this table"]
    assert sum(button.startswith("Confirm for ") for button in buttons(page)) == 2


def test_after_the_last_round_the_card_asks_to_confirm(hall: Hall, guest: Phone) -> None:
    for table in hall.tables():
        with hall.app.app_context():
            tables.tell_result(night=hall.night, table=table.id, totals=(21, 13), device=DIRECTOR)
    page = guest.see(card(hall, 1))
    main = [words(button) for button in page.all("button", class_="main")]
    assert [button[:12] for button in main] == ["Confirm for "] * 2
