"""Table cards: scan one, tap once, and the phone scores that table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.services import scoring, sharing
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.nights import closing, tables
from scorekeeper.leagues.nights.card_tokens import card_word
from scorekeeper.rules.commands import EnterHand
from scorekeeper.web.headers import SECRET
from scorekeeper.web.request_log import without_secrets
from tests.support.league_night import DIRECTOR, NAMES, Hall, open_hall
from tests.support.page import way_named, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.phone import Phone

HAND = {"bidder": 0, "bid": 4, "points": {"high": 0, "low": 0, "jack": 0, "game": 0}}


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a night with eight people at two tables, three rounds seated."""
    hall = open_hall(app, client)
    hall.check_in(*NAMES[:8])
    hall.draw()
    return hall


@pytest.fixture
def guest(new_phone: Callable[[], Phone]) -> Phone:
    """Return a phone of a player at a table."""
    return new_phone()


def card(hall: Hall, number: int) -> str:
    """Return the address on a table's card."""
    with hall.app.app_context():
        return f"{hall.path}/cards/{number}/{card_word(hall.row(), number, str(hall.app.secret_key))}"


def test_a_scan_and_one_tap_open_the_board(hall: Hall, guest: Phone) -> None:
    """The token is neither in the board's address nor in any log."""
    address = card(hall, 2)
    page = guest.see(address)
    assert page.h1 == "Table 2"
    assert "Score this table" in page.text
    board = guest.submit(page, address)
    assert board.path == f"/games/{hall.tables()[1].game}"
    assert board.all("form")
    assert address.rsplit("/", 1)[1] not in without_secrets(f'"GET {address} HTTP/1.1" 200')
    assert guest.get(address).headers["Cache-Control"] == SECRET["Cache-Control"]


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
    """Only the director can change a game of a closed night."""
    with hall.app.app_context():
        game = tables.start_table(night=hall.night, table=hall.tables()[0].id, device=DIRECTOR, client_id="begin")
        secret = sharing.make_link(public_id=game, device=DIRECTOR)
    asked = guest.see(f"/score/{secret}")
    with hall.app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
    guest.submit(asked, "/score", 404)
    guest.see(f"/games/{game}/table", 403)
    assert "Unused score link removed." in guest.see(f"/games/{game}/log").text


def test_a_finished_game_links_back_to_the_night(hall: Hall, guest: Phone) -> None:
    """Another game there would not count, so the page shows the result and then the next seats."""
    address = card(hall, 1)
    board = guest.submit(guest.see(address), address)
    table = hall.tables()[0]
    assert way_named(board, "Tonight's tables") is None
    with hall.app.app_context():
        for number in range(6):
            scoring.act(
                public_id=table.game, command=EnterHand(HAND), request=ClientRequest(DIRECTOR, f"hand-{number}", None)
            )
    board = guest.see(board.path)
    way = way_named(board, "Tonight's tables")
    assert way == f"{hall.path}/tables/{table.id}"
    assert [button.get("class") for button in board.all("button") if words(button) == "Play again"] == ["quiet"]
    page = guest.see(way)
    assert way_named(page, "See all tables") is None
    page = guest.submit(page, f"{way}/confirmations", side=0)
    page = guest.submit(page, f"{way}/confirmations", side=1, seat=1)
    assert "Each side says so" not in page.text
    assert way_named(page, "See all tables") == hall.path


def test_the_card_moves_on_to_the_next_round(hall: Hall, guest: Phone) -> None:
    """Once other tables have started a later round, the card opens that round."""
    one, two = card(hall, 1), card(hall, 2)
    page = guest.see(one)
    assert [h2.text for h2 in page.all("h2")] == ["Round 1", "Round 2"]
    guest.submit(page, one, table=hall.tables()[2].id)
    assert [h2.text for h2 in guest.see(two).all("h2")] == ["Round 2", "Round 3"]
    assert [h2.text for h2 in guest.see(one).all("h2")] == ["Round 2"]
