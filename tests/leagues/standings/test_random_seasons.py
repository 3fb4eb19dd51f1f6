"""Five hundred random seasons, for which two calculations give the same standings, in any order of the games."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.leagues.standings.rows import NightSums
from scorekeeper.leagues.standings.table import standings, team_standings
from tests.leagues.standings import second_calculation
from tests.leagues.standings.random_seasons import any_season, any_settings
from tests.leagues.standings.second_calculation import SUMS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorekeeper.leagues.standings.rows import StandingRow

SEASONS = 500
BATCHES = 10
NUMBERS = ("place", "unit", "value", *SUMS, "played")


def test_every_sum_of_a_night_is_calculated_a_second_time() -> None:
    elsewhere = {"byes"}  # a bye gives points, games or wins, which are compared
    missing = set(NightSums._fields[1:]) - elsewhere - set(NUMBERS)
    assert not missing, f"calculate {missing} a second time: in SUMS and _night of second_calculation.py"


def _plain(rows: Iterable[StandingRow]) -> list[dict[str, Any]]:
    """Convert rows of the app's standings to the dicts that the second calculation makes.

    This way, the results of both calculations can be compared.
    """
    return [
        {key: getattr(row if hasattr(row, key) else row.sums, key) for key in NUMBERS}
        | {
            "dropped": row.dropped,
            "ties": [
                (
                    frozenset(tie.units),
                    tie.tied_on,
                    tie.rule,
                    dict(zip(tie.units, tie.values, strict=bool(tie.rule))),
                    tie.skipped,
                    tie.leaders,
                )
                for tie in row.ties
            ],
        }
        for row in rows
    ]


@pytest.mark.parametrize(
    "batch", [pytest.param(batch, marks=[pytest.mark.slow] if batch > 1 else []) for batch in range(BATCHES)]
)
def test_a_second_calculation_gives_the_same_standings(batch: int) -> None:
    """A second calculation gives the same ranks, numbers, dropped nights and tie-breakers as the app.

    The order in which the app gets the games doesn't matter.
    """
    split = shared = below = dropped = 0
    for seed in range(batch, SEASONS, BATCHES):
        chance = Random(seed)
        played, settings = any_season(chance), any_settings(chance)
        shuffled = chance.sample(played, len(played))
        tags = {person: f"p{person * 7 % 101}" for person in range(100)}
        for fast, judge in ((standings, second_calculation.people), (team_standings, second_calculation.teams)):
            rows = fast(shuffled, settings, season=f"season {seed}", tags=tags)
            assert _plain(rows) == judge(played, settings, f"season {seed}", tags), f"seed {seed}"
            assert rows == fast(played, settings, season=f"season {seed}", tags=tags)
            split += sum(bool(tie.rule) for row in rows for tie in row.ties)
            shared += sum(not tie.rule for row in rows for tie in row.ties)
            below += sum(row.place is None for row in rows)
            dropped += sum(bool(row.dropped) for row in rows)
    # All of these cases must occur.
    assert min(split, shared, below, dropped) > 20
