"""Count how often people meet as partners and as opponents, so that anyone can check the seating."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from scorekeeper.leagues.schedule.plan import RoundPlan, Seats

Pair = tuple[int, int]
"""Two people, the lower id first."""


@dataclass(frozen=True, slots=True)
class Met:
    """How often two people sat at the same table, as partners and as opponents."""

    partners: int = 0
    opponents: int = 0


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures that show how good a seating is.

    `partners_most` and `opponents_most` are the most times that any two people met as partners or as opponents.
    `partners_repeated` and `opponents_repeated` count the meetings after the first of each pair. `byes_least` and
    `byes_most` are the fewest and the most byes of the people who attended every round; both are 0 if nobody did.
    """

    partners_most: int
    partners_repeated: int
    opponents_most: int
    opponents_repeated: int
    byes_least: int
    byes_most: int


def repeat_matrix(rounds: Sequence[RoundPlan]) -> Mapping[Pair, Met]:
    """Return how often each pair met in these rounds; pairs that never met are left out."""
    partners, opponents = _partners(rounds), _opponents(rounds)
    return {pair: Met(partners[pair], opponents[pair]) for pair in sorted({*partners, *opponents})}


def earlier_meetings(nights: Sequence[Sequence[RoundPlan]]) -> Mapping[Pair, Met]:
    """Return how often each pair met on `nights`. The meetings of the last night count double.

    `nights` has the rounds of each night, oldest night first.
    """
    return repeat_matrix([plan for night in (*nights, *nights[-1:]) for plan in night])


def partners_from(rounds: Sequence[RoundPlan], earlier: Mapping[Pair, Met]) -> int:
    """Return how many pairs of partners in these rounds were already partners on earlier nights.

    `earlier` has how often each pair met on those nights.
    """
    return sum(pair in earlier and earlier[pair].partners > 0 for pair in _partners(rounds))


def byes(rounds: Sequence[RoundPlan]) -> Mapping[int, tuple[int, int]]:
    """Return how often each person sat out, as (byes, rounds attended) by person id."""
    out = Counter(person for plan in rounds for person in plan.byes)
    there = Counter(person for plan in rounds for person in plan.present)
    return {person: (out[person], there[person]) for person in sorted(there)}


def figures(rounds: Sequence[RoundPlan]) -> Figures:
    """Return how often partners and opponents meet, and how often people sit out, in these rounds."""
    partners, opponents = _partners(rounds), _opponents(rounds)
    all_along = [out for out, there in byes(rounds).values() if there == len(rounds)] or [0]
    return Figures(
        partners_most=max(partners.values(), default=0),
        partners_repeated=sum(partners.values()) - len(partners),
        opponents_most=max(opponents.values(), default=0),
        opponents_repeated=sum(opponents.values()) - len(opponents),
        byes_least=min(all_along),
        byes_most=max(all_along),
    )


def _partners(rounds: Sequence[RoundPlan]) -> Counter[Pair]:
    return Counter(
        pair for plan in rounds for table in plan.tables for side in table.sides for pair in _pairs_within(side)
    )


def _opponents(rounds: Sequence[RoundPlan]) -> Counter[Pair]:
    return Counter(
        _pair(one, other)
        for plan in rounds
        for table in plan.tables
        for side, against in combinations(table.sides, 2)
        for one in side
        for other in against
    )


def _pairs_within(side: Seats) -> Iterator[Pair]:
    return (_pair(one, other) for one, other in combinations(side, 2))


def _pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)
