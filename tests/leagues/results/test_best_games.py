"""The game of the night: the games of a night by how far the chances of winning moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.logic.game_odds import chances, game_odds
from scorekeeper.games.services import scoring, sharing
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.insight.odds import SolvingError, solved
from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.nights import tables
from scorekeeper.leagues.results import best_games, views
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.rules.commands import ChangeRules, Concede, EnterHand
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.web.extensions import db
from scorekeeper.web.rate_limit import NEW_ODDS
from tests.support.league import ALL_FOUR, Hall, make_hall
from tests.support.page import way_named, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")
RUNAWAY = (0,) * 6
COMEBACK = (1, 1, 1, 1, 0, 0, 0, 0, 0, 0)
"""Bidders of a game's hands, in each of which the bidder's side takes all four points."""


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a league of eight people with a season."""
    return make_hall(app, client, NAMES)


def open_night(hall: Hall) -> str:
    """Open a night with two tables, and return its public id."""
    return hall.night((NAMES[:4], ()), (NAMES[4:], ()), close=False)


def play(hall: Hall, night: str, table: int, bidders: Sequence[int]) -> str:
    """Play a game at a table, counted from 0, and return the game's public id.

    `bidders` has the seat of the bidder of each hand.
    """
    with hall.book():
        at = tables_of(db.session(), night_at(db.session(), night))[table]
        game = tables.start_table(night=night, table=at.id, device=hall.device, client_id=f"tap-{at.id}", key="k")
        for number, bidder in enumerate(bidders):
            data = {"bidder": bidder, "bid": 4, "points": dict.fromkeys(ALL_FOUR, bidder % 2)}
            request = ClientRequest(hall.device, f"hand-{at.id}-{number}", None)
            scoring.act(public_id=game, command=EnterHand(data), request=request)
    return game


def rows(page: Page) -> list[list[str]]:
    """Return the cells of each game on the page."""
    return [[words(cell) for cell in row] for row in page.one("tbody")]


def test_the_game_whose_chances_moved_most_comes_first(hall: Hall) -> None:
    night = open_night(hall)
    play(hall, night, 0, RUNAWAY)
    game = play(hall, night, 1, COMEBACK)
    results = hall.phone.see(f"/nights/{night}/results")
    page = hall.phone.see(way_named(results, "Game of the night") or "")
    first, second = rows(page)
    assert first[0] == "Round 1, table 2 Eve and Gus beat Fay and Hal, 24 to 16"
    assert second[0] == "Round 1, table 1 Ann and Cid beat Bob and Dee, 24 to 0"
    assert int(first[1]) > int(second[1])
    assert int(first[2].rstrip("%")) < 10 < int(second[2].rstrip("%"))
    story = words(page.one("p", class_="notice"))
    assert story.startswith(
        "Round 1, table 2. Eve and Gus beat Fay and Hal 24 to 16. After hand 4, their chances were only"
    )
    assert "2 of 2 games with recorded hands." in page.text
    odds = hall.phone.see(f"/games/{game}/odds")
    assert f"{first[2]}, after hand 4" in [words(each) for each in odds.all("dd")]


def test_the_numbers_are_those_of_the_game(hall: Hall) -> None:
    """The quick calculation for many games gives the same chances as the page of one game."""
    night = open_night(hall)
    play(hall, night, 1, COMEBACK)
    with hall.app.app_context():
        found = best_games.games_of(night)
        ((_table, game),) = found.games
        known = solved(game.table)
        assert known is not None
        hands = game_odds(game, *known, 0)
        assert chances(game, known[1]) == tuple((each.before, each.after) for each in hands)
        (told,) = best_games.best_games_page(found).games
    chart = hall.phone.see(f"/games/{told.id}/odds").all("table")[0]
    swings = [int(text.split("+")[1]) for text in map(words, chart.iter("td")) if text.startswith(("A +", "B +"))]
    assert told.moved == sum(swings)


def test_a_game_that_nobody_may_watch_is_left_out(hall: Hall) -> None:
    night = open_night(hall)
    play(hall, night, 0, RUNAWAY)
    game = play(hall, night, 1, COMEBACK)
    before = hall.phone.get(f"/nights/{night}/results/games").headers["ETag"]
    with hall.app.app_context():
        sharing.set_watching(public_id=game, device=hall.device, allowed=False)
    page = hall.phone.see(f"/nights/{night}/results/games")
    assert hall.phone.get(f"/nights/{night}/results/games").headers["ETag"] != before
    assert [row[0][:17] for row in rows(page)] == ["Round 1, table 1 "]
    assert "1 of 2 games with recorded hands." in page.text


def test_without_hands_the_page_says_so_and_no_link_leads_to_it(hall: Hall) -> None:
    night = hall.night((NAMES[:4], (21, 13)))
    assert way_named(hall.phone.see(f"/nights/{night}/results"), "Game of the night") is None
    assert (
        "No finished game of this night has recorded hands yet."
        in hall.phone.see(f"/nights/{night}/results/games").text
    )


def test_a_game_that_was_conceded_is_left_out(hall: Hall) -> None:
    night = open_night(hall)
    play(hall, night, 0, RUNAWAY)
    game = play(hall, night, 1, RUNAWAY[:3])
    with hall.app.app_context():
        scoring.act(public_id=game, command=Concede(0), request=ClientRequest(hall.device, "enough", None))
    page = hall.phone.see(f"/nights/{night}/results/games")
    assert "1 of 2 games with recorded hands. Left out: games that ended early" in page.text


def test_a_game_whose_rules_changed_is_left_out(hall: Hall) -> None:
    """Changed rules make a replay expensive, and chances by one set of rules would be wrong."""
    night = open_night(hall)
    play(hall, night, 0, RUNAWAY)
    game = play(hall, night, 1, RUNAWAY[:3])
    with hall.app.app_context():
        for target in (19, 21):
            rules = with_options(PRESETS["setback-21"], {"target": target})
            request = ClientRequest(hall.device, f"to-{target}", None)
            scoring.act(public_id=game, command=ChangeRules(rules), request=request)
    play(hall, night, 1, RUNAWAY)
    page = hall.phone.see(f"/nights/{night}/results/games")
    assert "1 of 2 games with recorded hands." in page.text


def test_chances_by_new_rules_count_toward_the_limit_of_all_pages(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    night = open_night(hall)
    play(hall, night, 0, RUNAWAY)
    spent: list[object] = []
    monkeypatch.setattr(views, "spend", lambda limit, _who: spent.append(limit))
    monkeypatch.setattr(best_games, "is_solved", lambda _table: False)
    hall.phone.see(f"/nights/{night}/results/games")
    assert NEW_ODDS in spent


def test_while_a_game_plays_no_link_leads_to_the_page(hall: Hall) -> None:
    night = open_night(hall)
    play(hall, night, 0, RUNAWAY[:2])
    assert way_named(hall.phone.see(f"/nights/{night}/results"), "Game of the night") is None
    assert "No finished game" in hall.phone.see(f"/nights/{night}/results/games").text


def test_no_link_leads_to_a_page_without_chances(app: Flask, client: Phone) -> None:
    """Chances aren't calculated for games with a fixed number of hands."""
    hall = make_hall(app, client, NAMES, **{"night-format": "fixed_hands"})
    night = open_night(hall)
    play(hall, night, 0, (0,) * 8)
    results = hall.phone.see(f"/nights/{night}/results")
    assert "Ann" in results.text
    assert way_named(results, "Game of the night") is None


def test_a_busy_server_says_so(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another page calculates chances, this one doesn't wait, and its answer isn't cached."""
    night = open_night(hall)
    play(hall, night, 0, RUNAWAY)

    def busy(_table: object) -> None:
        raise SolvingError

    with monkeypatch.context() as patch:
        patch.setattr(best_games, "solved", busy)
        assert hall.phone.get(f"/nights/{night}/results/games").status_code == 503
    assert len(rows(hall.phone.see(f"/nights/{night}/results/games"))) == 1


def test_long_games_are_left_out(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    night = open_night(hall)
    play(hall, night, 0, RUNAWAY)
    play(hall, night, 1, COMEBACK)
    monkeypatch.setattr(best_games, "MOST_EVENTS", 10)
    assert len(rows(hall.phone.see(f"/nights/{night}/results/games"))) == 1
