"""The results of random nights in every format, calculated a second time and compared."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.leagues.money.queries import money_page
from scorekeeper.leagues.results.queries import night_results
from tests.leagues.results.random_nights import PLANS, Evening, play
from tests.leagues.standings import second_calculation

if TYPE_CHECKING:
    from flask import Flask

    from scorekeeper.leagues.results.pages import NightResults, ResultTable

SEEDS = 6


def _plain(table: ResultTable) -> list[dict[str, Any]]:
    return [
        {
            "place": line.rank,
            "people": {person.name for person in line.people},
            "points": line.values["Points"],
            "games": line.values["Games"],
            "wins": line.values["Wins"],
            "losses": line.values["Losses"],
            "difference": line.values["Point differential"],
            "sets": line.values["Sets"],
        }
        for line in table.lines
    ]


def _judged(evening: Evening, *, teams: bool) -> list[dict[str, Any]]:
    """Calculate the night's ranking a second time, and return its rows, best first.

    If `teams` is True, rank the teams of fixed partners, otherwise the single players.
    """
    settings = replace(
        evening.settings,
        min_games=0,
        drop_nights=0,
        handicap="none",
        subs="sub",
        ties=tuple(rule for rule in evening.settings.ties if rule != "draw"),
    )
    judge = second_calculation.teams if teams else second_calculation.people
    keys = ("place", "points", "games", "wins", "losses", "difference", "sets")
    return [
        {key: row[key] for key in keys}
        | {"people": {evening.names[person] for person in row["unit"]}, "points": _rounded(row["points"])}
        for row in judge(evening.played, settings, evening.season, evening.tags)
    ]


def _rounded(points: Fraction) -> float:
    return round(float(points) + 1e-9, 2)


def _check_bracket(evening: Evening, page: NightResults) -> None:
    """Check the ranking after a knockout, in which a team's rank depends only on the round in which it lost.

    A team's rank is one more than the number of teams that lost later or never.
    """
    never = 99
    (table,) = page.tables
    fell = {frozenset(evening.names[one] for one in team): evening.lost.get(team, never) for team in evening.teams}
    assert len(table.lines) == len(fell)
    for line in table.lines:
        own = fell[frozenset(person.name for person in line.people)]
        assert line.rank == 1 + sum(other > own for other in fell.values())
        games = [g for g in evening.played if not g.bye and evening.names[g.person] == line.people[0].name]
        assert line.values["Games"] == len(games) + (
            len([g for g in evening.played if g.bye and evening.names[g.person] == line.people[0].name])
            if evening.settings.bye != "nothing" and (games or evening.settings.bye == "points")
            else 0
        )
        assert line.values["Wins"] == sum(g.won for g in games) + (
            len([g for g in evening.played if g.bye and evening.names[g.person] == line.people[0].name])
            if evening.settings.bye == "points" and evening.settings.bye_wins
            else 0
        )


def _check_honors(evening: Evening, page: NightResults) -> None:
    honors = {honor.key: honor for honor in page.honors}
    games = [game for game in evening.played if not game.bye]
    together: dict[frozenset[int], list[Any]] = {}
    for game in games:
        if game.partners and game.person < min(game.partners):
            together.setdefault(frozenset((game.person, *game.partners)), []).append(game)
    if together:
        most = max(map(len, together.values()))
        values = {
            pair: (Fraction(sum(g.points for g in its), len(its)), sum(g.points - g.points_against for g in its))
            for pair, its in together.items()
            if len(its) >= min(evening.settings.min_games, most / 2)
        }
        best = [pair for pair, value in values.items() if value == max(values.values())]
        assert honors["partners"].number == _rounded(max(values.values())[0])
        assert len(honors["partners"].holders) + honors["partners"].more == len(best)
        assert {holder.name for holder in honors["partners"].holders} <= {_joined(evening, pair) for pair in best}
    assert ("partners" in honors) == bool(together)
    top = max(game.points for game in games)
    sides = {(g.round, g.table, frozenset((g.person, *g.partners))) for g in games if g.points == top}
    assert ("points" in honors) == (len(sides) <= 3)
    points = honors["points"].holders if "points" in honors else ()
    assert "points" not in honors or (honors["points"].number, len(points)) == (top, len(sides))
    holders = [(holder.name, holder.where) for holder in points]
    assert set(holders) <= {(_joined(evening, side), f"round {at}, table {table}") for at, table, side in sides}
    assert [where for _name, where in holders] == sorted(where for _name, where in holders)
    if evening.sets:
        cost = max(cost for *_where, cost in evening.sets)
        biggest = [(at, table, who) for at, table, who, lost in evening.sets if lost == cost]
        assert honors["set"].number == -cost
        assert len(honors["set"].holders) + honors["set"].more == len(biggest)
        assert {(h.name, h.where) for h in honors["set"].holders} <= {
            (evening.names[who], f"round {at}, table {table}") for at, table, who in biggest
        }
    assert bool(evening.paper) == ("set" in honors and bool(honors["set"].note))


def _joined(evening: Evening, people: frozenset[int]) -> str:
    return " and ".join(evening.names[person] for person in sorted(people))


@pytest.mark.parametrize("kind", PLANS)
@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.slow] if seed else []) for seed in range(SEEDS)]
)
def test_a_second_calculation_gives_the_same_results(app: Flask, kind: str, seed: int) -> None:
    """A second calculation gives the same rankings, honors and prizes as the results page.

    In a knockout, the second calculation gives the same bracket.
    """
    with app.app_context():
        evening = play(kind, seed)
        page = night_results(evening.night)
        receipt = money_page(evening.night, None)
    assert page.final
    assert [prize.why for prize in page.prizes if prize.why] == [why for _place, _who, why in receipt.reasons]
    if kind == "knockout":
        _check_bracket(evening, page)
    else:
        keys = [table.key for table in page.tables]
        assert keys == (["partners", "people"] if evening.teams else ["people"])
        for table in page.tables:
            assert _plain(table) == _judged(evening, teams=table.key == "partners")
    first = page.tables[0]
    assert page.winners == tuple(line for line in first.lines if line.rank == 1)
    subs = {evening.names[g.person]: evening.names[g.sub_for] for g in evening.played if g.sub_for is not None}
    shown = {person.name: person.sub_for for line in first.lines for person in line.people if person.sub_for}
    assert shown == subs
    _check_honors(evening, page)
    _check_prizes(page)


def _prize(rank: int | None) -> str:
    return {1: "1st place prize", 2: "2nd place prize", 3: "3rd place prize"}.get(rank or 0, f"Prize for place {rank}")


def _check_prizes(page: NightResults) -> None:
    """Check that each prize belongs to the rank that the results page shows."""
    ranks = {person.name: line.rank for line in page.tables[0].lines for person in line.people}
    assert page.prizes
    for prize in page.prizes:
        assert prize.reason == _prize(ranks[prize.name])
    assert {name for name, rank in ranks.items() if rank == 1} <= {prize.name for prize in page.prizes}
