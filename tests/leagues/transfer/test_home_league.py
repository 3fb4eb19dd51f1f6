"""A league made from a home table (people who play outside leagues); the test counts the standings itself."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from scorekeeper.games.store.models import GameRow
from scorekeeper.web.extensions import db
from tests.games.test_our_table_count import Evenings
from tests.games.test_table_sharing import link
from tests.support.game import CLEAN, FOUR, contents, play, play_all, start
from tests.support.naive_count import Counted, hands_of, run_of, winner_of
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.naive_count import Told
    from tests.support.page import Page
    from tests.support.phone import Phone

HERE, MAKE = "/table/league", "/table/leagues"
COUNTED = ("Points", "Games", "Wins", "Losses", "Ties", "Sets", "Point differential", "Nights")


def preview(phone: Phone, rules: str = "") -> Page:
    """Return the page that previews the league before it is made.

    `rules` is the parameter in the page's address that selects the rules of the games.
    """
    return phone.see(f"{HERE}?rules={rules}")


def seasons_of(league: Page) -> list[str]:
    """Return the addresses of the seasons that a league's page links to."""
    links = (str(each.get("href")).partition("#")[0] for each in league.all("a"))
    return list(dict.fromkeys(link for link in links if link.startswith("/seasons/") and link.count("/") == 2))


def standings(phone: Phone, season: str) -> dict[str, list[int]]:
    """Return a dict of each person's numbers in the exported standings, by name.

    `COUNTED` has the column headings in the order of the numbers.
    """
    rows = csv.DictReader(io.StringIO(phone.get(f"{season}/people.csv").data.decode("utf-8-sig")))
    return {row["Name"]: [int(row[column]) for column in COUNTED] for row in rows}


def counted(told: list[Told]) -> dict[str, list[int]]:
    """Count each person's numbers from the records of games.

    Return a dict of the numbers by name. `COUNTED` has the column headings in the order of the numbers.
    """
    games = Counted(told).games
    lines: dict[str, list[int]] = {}
    nights: dict[str, set[int]] = {}
    for game in games:
        totals = run_of(game)[-1]
        for side, team in enumerate(game.teams):
            seats = game.record["sides"][side]
            bidders = {number: hand["bidder"] for number, hand in enumerate(game.record["hands"], start=1)}
            sets = sum(not made and bidders[number] in seats for number, _name, _bid, made in hands_of(game))
            winner = winner_of(game)
            own = [totals[side], 1, winner == side, winner == 1 - side, winner is None, sets]
            for name in team:
                before = lines.setdefault(name, [0] * 7)
                more = [*own, totals[side] - totals[1 - side]]
                lines[name] = [one + other for one, other in zip(before, more, strict=True)]
                nights.setdefault(name, set()).add(game.evening)
    return {name: [*line, len(nights[name])] for name, line in lines.items()}


@pytest.mark.slow
def test_the_standings_equal_a_naive_count_and_the_table_keeps_its_games(app: Flask, client: Phone) -> None:
    told = Evenings(app, client).told
    before = client.see("/table").one("main")
    page = preview(client)
    assert "1 hidden game" in page.text
    assert "2 games that weren't finished" in page.text
    league = client.submit(page, MAKE, name="Thursdays")
    (season,) = seasons_of(league)
    assert standings(client, season) == counted(told)
    assert words(client.see("/table").one("main")) == words(before)
    with app.app_context():
        games = db.session.scalars(select(GameRow)).all()
        assert [
            sum(game.home_table_id is not None for game in games),
            sum(game.elsewhere is True for game in games),
        ] == [
            len(told),
            len(Counted(told).games),
        ]


@pytest.mark.slow
def test_each_ruleset_is_a_season_and_one_can_be_chosen(client: Phone) -> None:
    play_all(client, start(client), CLEAN)
    play_all(client, start(client, rules={"target": "7"}), CLEAN[:2])
    play_all(client, start(client, ("Ann", "Zed"), seating="2", dealer=1), ((0, 4, "AAAA"),) * 6)
    page = preview(client)
    choices = [str(each.get("value")) for each in page.one("select", name="rules").findall("option")]
    league = client.submit(page, MAKE, name="Everything")
    one, two = seasons_of(league)
    assert {len(standings(client, season)) for season in (one, two)} == {5, 4}
    only = client.submit(preview(client, choices[-1]), MAKE, name="Short games")
    (season,) = seasons_of(only)
    assert [line[:3] for line in standings(client, season).values()] == [[8, 1, 1], [8, 1, 1], [0, 1, 0], [0, 1, 0]]


def test_the_same_form_makes_one_league(app: Flask, client: Phone) -> None:
    play_all(client, start(client), CLEAN)
    page = preview(client)
    league = client.submit(page, MAKE, name="Once")
    before = contents(app)
    assert client.submit(page, MAKE, name="Once").path == league.path
    assert contents(app) == before


def test_what_was_not_shown_does_not_happen(app: Flask, client: Phone) -> None:
    play_all(client, start(client), CLEAN)
    page = preview(client)
    play_all(client, start(client), CLEAN)
    before = contents(app)
    again = client.submit(page, MAKE, 422, name="Thursdays")
    assert contents(app) == before
    client.submit(again, MAKE, name="Thursdays")


def test_a_league_needs_a_name_and_a_game(app: Flask, client: Phone) -> None:
    board = start(client)
    assert not preview(client).all("input", name="seen")
    for hand in CLEAN:
        board = play(client, board, *hand)
    before = contents(app)
    client.submit(preview(client), MAKE, 422, name=" ")
    assert contents(app) == before


@pytest.mark.parametrize("score", [True, False])
def test_only_phones_that_may_score_make_a_league(client: Phone, new_phone: Callable[[], Phone], score: bool) -> None:
    play_all(client, start(client), CLEAN)
    other = new_phone()
    assert other.get(HERE).status_code == 404
    path = link(client, "1" if score else "")
    other.submit(other.see(path), "/table/join")
    assert other.get(HERE).status_code == (200 if score else 403)


@pytest.mark.slow
def test_a_merged_person_with_a_new_name_is_one_player(client: Phone) -> None:
    play_all(client, start(client), CLEAN)
    play_all(client, start(client, ("Anne", "Bob", "Cid", "Dee"), sure="Anne"), CLEAN)
    ann, anne = (next(each for each in _people(client) if each[0] == name)[1] for name in ("Ann", "Anne"))
    client.submit(client.see(anne), f"{anne}/merge", into=ann.rsplit("/", 1)[-1], sure="1")
    league = client.submit(preview(client), MAKE, name="Thursdays")
    (season,) = seasons_of(league)
    assert {name: line[1] for name, line in standings(client, season).items()} == dict.fromkeys(FOUR, 2)


def _people(phone: Phone) -> list[tuple[str, str]]:
    """Return the name and the address of each person at the home table."""
    links = phone.see("/table").one("table", class_="numbers").findall("tbody/tr/th/a")
    return [(words(each), str(each.get("href")).replace("players", "people")) for each in links]
