"""The page that shows how the games of a season would have ended with other rules."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.games.store.models import GameRow
from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.nights import closing
from scorekeeper.leagues.nights.tables import start_table
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.leagues.statistics import queries
from scorekeeper.leagues.statistics.queries import _apart_from_seats
from scorekeeper.rules.commands import ChangeRules, Concede, EnterHand
from scorekeeper.rules.events import GameStarted
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import replay
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.table import table_at
from scorekeeper.web.extensions import db, writing
from tests.support.league import ALL_FOUR, Hall, make_hall
from tests.support.page import way_named, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from scorekeeper.rules.commands import Command
    from tests.support.page import Page
    from tests.support.phone import Phone

FOUR = ("Ann", "Bob", "Cid", "Dee")
EIGHT = (*FOUR, "Eve", "Fay", "Gus", "Hal")


def rows_of(page: Page) -> list[list[str]]:
    """Return the rows of the table: what the rule changes (after its sentence), two numbers, and the dealer's share."""
    return [[words(cell) for cell in row] for row in page.all("table")[0].iter("tr")][1:]


def close(app: Flask, hall: Hall, night: str) -> None:
    """Close a night."""
    with app.app_context():
        closing.close_night(night=night, device=hall.device, anyway=True)


def act(hall: Hall, game: str, command: Command, number: int) -> None:
    """Change a game. `number` tells apart requests for one game."""
    with hall.book():
        request = ClientRequest(hall.device, f"{game}-more-{number}", None)
        scoring.act(public_id=game, command=command, request=request)


@pytest.fixture
def season(app: Flask, client: Phone) -> Hall:
    """Return a league with an open night, and a closed one of two games of six hands."""
    hall = make_hall(app, client, EIGHT)
    night = hall.night((EIGHT[:4], ()), (EIGHT[4:], ()), close=False)
    for table in (0, 1):
        hall.hands(night, bidder=table, table=table)
    close(app, hall, night)
    hall.hands(hall.night((FOUR, ()), close=False), 0)
    return hall


def test_a_director_compares_the_games_of_closed_nights(client: Phone, season: Hall) -> None:
    """Both games end 24 to 0 after six hands. To 15 they end after four, and to 31 they aren't over.

    Two games are too few to say how often the dealer's side wins.
    """
    address = f"{season.season}/other-rules"
    assert address in [a.get("href") for a in season.standings().all("a")]
    page = client.see(address)
    assert "2 of 2 games with recorded hands." in page.text
    ours, *others = rows_of(page)
    assert ours == ["As played: To 21, bid to go out, win by 2", "6.0", "6", "–"]
    told = {row[0]: row[1:] for row in others}
    assert told["Played to 15. same winners"] == ["4.0", "4", "–"]
    assert told["Played to 31. 2 not over yet"] == ["6.0+", "6+", "–"]
    assert told["Defenders score nothing. same winners"] == ["6.0", "6", "–"]


def test_the_page_weighs_a_time_limit(app: Flask, client: Phone, season: Hall) -> None:
    """Of three games, two take six hands, and one ten, which the other side led after six. A limit lets most finish."""
    night = season.night((FOUR, ()), close=False)
    game = season.hands(night, 0, count=4)
    for number in range(6):
        act(season, game, EnterHand({"bidder": 1, "bid": 4, "points": dict.fromkeys(ALL_FOUR, 1)}), number)
    close(app, season, night)
    page = client.see(f"{season.season}/other-rules")
    limits = [[words(cell) for cell in row] for row in page.all("table")[1].iter("tr")][1:]
    assert limits == [["6 hands 1 different winner", "1"], ["10 hands same winners", "0"]]
    assert rows_of(page)[0][2] == "10"


def test_with_enough_games_the_page_says_how_often_the_dealer_won(
    client: Phone, season: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first dealer is the same seat at both tables; so the side of the dealer won one of the two games."""
    monkeypatch.setattr(queries, "ENOUGH", 2)
    told = {row[0]: row[-1] for row in rows_of(client.see(f"{season.season}/other-rules"))}
    assert told["As played: To 21, bid to go out, win by 2"] == "50%"
    assert told["Played to 31. 2 not over yet"] == "–"


def test_undecided_games_leave_the_dealers_share_open(
    app: Flask, client: Phone, season: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two games would be over if the defenders scored nothing, and one would not, so nobody knows the share."""
    monkeypatch.setattr(queries, "ENOUGH", 2)
    night = season.night((FOUR, ()), close=False)
    game = season.hands(night, 0, count=0)
    shared = {"bidder": 0, "bid": 2, "points": ALL_FOUR | {"jack": 1, "game": 1}}
    swept = {"bidder": 1, "bid": 4, "points": dict.fromkeys(ALL_FOUR, 1)}
    for number, hand in enumerate([shared] * 8 + [swept] * 2):
        act(season, game, EnterHand(hand), number)
    close(app, season, night)
    told = {row[0]: row[-1] for row in rows_of(client.see(f"{season.season}/other-rules"))}
    assert told["Defenders score nothing. 1 not over yet"] == "–"


def test_tables_of_four_and_five_have_the_same_rules() -> None:
    """The number of players decides whether a partner is called, so both kinds of games are compared together."""
    rules = PRESETS["ten-point-52"]
    seatings = (next(each for each in rules.seatings if each.kind == kind) for kind in ("partners", "called"))
    four, five = (
        replay([GameStarted(table.rules, tuple(range(1, table.players + 1)), table.sides, 0)])
        for table in (table_at(rules, seating) for seating in seatings)
    )
    assert five.table.called
    assert four.table.rules != five.table.rules
    assert _apart_from_seats(four) == _apart_from_seats(five)


def test_a_different_winner_is_counted(app: Flask, client: Phone) -> None:
    """At 16 to 0 a game to 15 would have been over; but the other side won it 24 to 16."""
    hall = make_hall(app, client)
    night = hall.night((FOUR, ()), close=False)
    game = hall.hands(night, 0, count=4)
    for number in range(6):
        act(hall, game, EnterHand({"bidder": 1, "bid": 4, "points": dict.fromkeys(ALL_FOUR, 1)}), number)
    close(app, hall, night)
    told = [row[0] for row in rows_of(client.see(f"{hall.season}/other-rules"))]
    assert "Played to 15. 1 different winner" in told


def test_games_with_other_rules_are_left_out(app: Flask, client: Phone, season: Hall) -> None:
    """Of three games, the one whose rules were changed, and the one that was given up, aren't compared."""
    for change in (ChangeRules(with_options(PRESETS["setback-21"], {"win_by": 1})), Concede(0)):
        night = season.night((FOUR, ()), close=False)
        game = season.hands(night, 0, count=5)
        act(season, game, change, 0)
        if isinstance(change, ChangeRules):
            act(season, game, EnterHand({"bidder": 0, "bid": 4, "points": dict.fromkeys(ALL_FOUR, 0)}), 1)
        close(app, season, night)
    page = client.see(f"{season.season}/other-rules")
    assert "2 of 4 games with recorded hands. Left out: games that ended early or had other rules" in page.text


def test_games_with_a_called_partner_are_compared(app: Flask, client: Phone) -> None:
    """The number of players decides whether a partner is called, so these games have the season's rules."""
    five = {"night-together": "called", "size-0": "5"}
    hall = make_hall(app, client, (*FOUR, "Eve"), of="ten-point-52", preset="ten-point-52", **five)
    night = hall.night(((*FOUR, "Eve"), ()), close=False)
    with hall.book():
        table = tables_of(db.session(), night_at(db.session(), night))[0]
        game = start_table(night=night, table=table.id, device=hall.device, client_id="tap", key="k")
    moon = {"bidder": 0, "bid": 10, "partner": None, "taken": [10, 0]}
    for number in range(6):
        act(hall, game, EnterHand(moon), number)
    close(app, hall, night)
    assert len(rows_of(client.see(f"{hall.season}/other-rules"))) > 1


def test_a_deleted_game_is_not_compared(app: Flask, client: Phone, season: Hall) -> None:
    with app.app_context(), writing() as session:
        session.execute(update(GameRow).values(deleted_at=datetime.now(UTC)))
    assert not client.see(f"{season.season}/other-rules").all("table")


def test_others_may_not_read_it(new_phone: Callable[[], Phone], season: Hall) -> None:
    assert new_phone().get(f"{season.season}/other-rules").status_code == 403


def test_without_hands_there_is_nothing_to_compare(app: Flask, client: Phone) -> None:
    hall = make_hall(app, client)
    hall.night((FOUR, (8, 21)))
    page = client.see(f"{hall.season}/other-rules")
    assert not page.all("table")
    assert "After the first closed night with recorded hands" in page.text


def test_the_newest_games_are_compared(client: Phone, season: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "MOST_EVENTS", 13)
    page = client.see(f"{season.season}/other-rules")
    assert "1 of 2 games with recorded hands. Left out:" in page.text


def test_one_night_can_be_compared_alone(app: Flask, client: Phone, season: Hall) -> None:
    """The page leads to each closed night of the season. A night that is open or of another season isn't found."""
    night = season.night((FOUR, ()), close=False)
    season.hands(night, 0)
    close(app, season, night)
    page = client.see(f"{season.season}/other-rules")
    address = way_named(page, "Night 3") or ""
    assert address.endswith(f"?night={night}")
    alone = client.see(address)
    assert "Night 3" in alone.text
    assert "1 of 1 game with recorded hands." in alone.text
    assert "3 of 3 games with recorded hands." in page.text
    assert way_named(alone, "All nights") == page.path
    assert way_named(page, "Night 2") is None, "it is still open"
    assert client.get(f"{season.season}/other-rules?night=nothing").status_code == 404
