"""Choose which units (people or fixed teams) sit out in each round, fairly within the night, then over the season."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from scorekeeper.leagues.schedule.plan import RoundPlan, Unit
from scorekeeper.leagues.schedule.repeats import byes
from scorekeeper.leagues.schedule.rotation import ByeCredit


def sitting_out(
    units: Sequence[Unit], count: int, rounds: int, past: Sequence[RoundPlan], credit: ByeCredit
) -> list[frozenset[int]]:
    """Choose the `count` units that sit out in each of the next `rounds`. Return their indexes in `units`, by round.

    `past` are tonight's rounds so far. `credit` has the byes and rounds of each person on other nights of the season.
    """
    had = byes(past)
    tonight = [_mean([had.get(person, (0, 0)) for person in unit]) for unit in units]
    all_along = [out for out, there in tonight if there == len(past)]
    floor = min(all_along or [out for out, _ in tonight], default=Fraction(0))
    night = [out if there == len(past) else max(out, floor) for out, there in tonight]
    before = [_mean([credit.get(person, (0, 0)) for person in unit]) for unit in units]
    season = [(b[0] + t[0], b[1] + t[1]) for b, t in zip(before, tonight, strict=True)]
    last = {person for plan in past[-1:] for person in plan.byes}
    just = {i for i, unit in enumerate(units) if last.intersection(unit)}
    chosen: list[frozenset[int]] = []
    extra = [0] * len(units)

    def turn(i: int) -> tuple[Fraction, bool, Fraction, int]:
        out, attended = season[i]
        return night[i] + extra[i], i in just, (out + extra[i] + Fraction(1, 2)) / (attended + rounds), i

    for _ in range(rounds):
        just = set(sorted(range(len(units)), key=turn)[:count])
        for i in just:
            extra[i] += 1
        chosen.append(frozenset(just))
    return chosen


def _mean(had: Sequence[tuple[int, int]]) -> tuple[Fraction, Fraction]:
    """Return the average number of byes and of rounds attended, for people who stay together as a team.

    `had` holds a pair (byes, rounds attended) for each of them.
    """
    return Fraction(sum(out for out, _ in had), len(had)), Fraction(sum(there for _, there in had), len(had))
