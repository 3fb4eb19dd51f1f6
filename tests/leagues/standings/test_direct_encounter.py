"""Head to head in random round robins, against an independent reading of FIDE's direct encounter.

The articles are 6.2 and 6.3 of the tie-break regulations (FIDE Handbook C.07, March 2026). Points among the tied
players become wins minus losses, which orders players in the same way if all of them have met.
"""

from __future__ import annotations

from itertools import combinations, product
from random import Random
from typing import TYPE_CHECKING

import pytest

from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.table import standings
from tests.leagues.standings.games import game

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from scorekeeper.games.logic.statistics.hands import Played

Results = dict[tuple[int, int], int]
"""Results by pair of players: 1 if the first won, -1 if the second won, and 0 if the game was tied."""
SETTINGS = StandingSettings(order="wins", ties=("head_to_head",), met_all=True, reapply=True)
ENUMERATED = 5
"""Most missing games of which all results are tried."""


def _round_robin(chance: Random) -> Results:
    """Return the coin flips of 4 to 12 players. In two of three seasons, some games are missing or tied."""
    missing, tied = chance.choice(((0, 0), (0.3, 0), (0.3, 0.1)))
    return {
        pair: 0 if chance.random() < tied else chance.choice((1, -1))
        for pair in combinations(range(1, chance.randint(4, 12) + 1), 2)
        if chance.random() >= missing
    }


def _played(results: Results) -> list[Played]:
    return [
        record
        for number, ((one, other), result) in enumerate(results.items())
        for record in game(1, number, (one,), (other,), (5 + result, 5 - result), drawn=result == 0)
    ]


def _scores(tied: Collection[int], results: Mapping[tuple[int, int], int]) -> dict[int, int]:
    scores = dict.fromkeys(tied, 0)
    for (one, other), result in results.items():
        if one in scores and other in scores:
            scores[one] += result
            scores[other] -= result
    return scores


def _always_first(tied: Collection[int], results: Results, open_pairs: list[tuple[int, int]]) -> int | None:
    """Return the player who is first alone whatever the results of the missing games; None if there is none.

    Up to a few missing games, all their results are tried. Beyond that, the worst case of each player is.
    """
    if len(open_pairs) <= ENUMERATED:
        cases = [dict(zip(open_pairs, outcome, strict=True)) for outcome in product((1, 0, -1), repeat=len(open_pairs))]
    else:
        # Against each rival in turn, the player loses everything and the rival wins everything.
        cases = [
            {(a, b): -1 if a == one or (b == rival and b != one) else 1 for a, b in open_pairs}
            for one in tied
            for rival in tied
        ]
    first: set[int] = set()
    for case in cases:
        scores = _scores(tied, results | case)
        best = [one for one in tied if scores[one] == max(scores.values())]
        if len(best) > 1:
            return None
        first.add(best[0])
    return first.pop() if len(first) == 1 else None


def _direct_encounter(tied: list[int], results: Results) -> list[list[int]]:
    """Return the tied players in groups, best first. Players in a group stay tied."""
    if len(tied) == 1:
        return [tied]
    open_pairs = [pair for pair in combinations(sorted(tied), 2) if pair not in results]
    if not open_pairs:
        scores = _scores(tied, results)
        groups = [[one for one in tied if scores[one] == value] for value in sorted(set(scores.values()), reverse=True)]
    else:
        groups, rest = [], tied
        while len(rest) > 1:
            # The next rank of the same standings: those ranked before only count as opponents.
            first = _next_first(tied, rest, results, open_pairs)
            if first is None:
                break
            groups.append([first])
            rest = [one for one in rest if one != first]
        groups.append(rest)
    if len(groups) == 1:
        return groups
    return [smaller for group in groups for smaller in _direct_encounter(group, results)]


def _next_first(tied: list[int], rest: list[int], results: Results, open_pairs: list[tuple[int, int]]) -> int | None:
    if rest == tied:
        return _always_first(tied, results, open_pairs)
    lost = {one: sum(one in pair for pair in open_pairs) for one in rest}
    scores = _scores(tied, results)
    for one in rest:
        if all(scores[one] - lost[one] > scores[other] + lost[other] for other in rest if other != one):
            return one
    return None


def _expected(results: Results) -> list[list[int]]:
    wins = dict.fromkeys({one for pair in results for one in pair}, 0)
    for (one, other), result in results.items():
        if result:
            wins[one if result > 0 else other] += 1
    return [
        group
        for value in sorted(set(wins.values()), reverse=True)
        for group in _direct_encounter([one for one in wins if wins[one] == value], results)
    ]


@pytest.mark.parametrize("seasons", [range(200), pytest.param(range(200, 10_000), marks=pytest.mark.slow)])
def test_random_round_robins(seasons: range) -> None:
    again = sure = 0
    for seed in seasons:
        results = _round_robin(Random(seed))
        rows = standings(_played(results), SETTINGS, season="any")
        groups: dict[int | None, set[int]] = {}
        for row in rows:
            groups.setdefault(row.place, set()).add(row.person)
        assert list(groups.values()) == [set(group) for group in _expected(results)], f"seed {seed}"
        again += any(tie.rule in tie.tied_on for row in rows for tie in row.ties)
        sure += any(tie.leaders for row in rows for tie in row.ties)
    # Both articles must have decided something.
    assert min(again, sure) > 3
