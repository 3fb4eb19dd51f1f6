"""Make the seating of the rounds still to come."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random

from scorekeeper.leagues.schedule.designs import circle_rounds, whist_rounds
from scorekeeper.leagues.schedule.plan import RoundPlan, TablePlan, Unit
from scorekeeper.leagues.schedule.repeats import repeat_matrix
from scorekeeper.leagues.schedule.rotation import ByeCredit, Rotation, table_sizes
from scorekeeper.leagues.schedule.search import COLD, STEPS, Layout, MeetingCounts, anneal, greedy, layout_of
from scorekeeper.leagues.schedule.sitting_out import sitting_out
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

AGAIN = 2
"""How often the search restarts, for half as long, while partners meet again who need not."""


def draw_rest(
    people: Sequence[int],
    rounds_left: int,
    past: Sequence[RoundPlan],
    how: Rotation,
    seed: int,
    bye_credit: ByeCredit | None = None,
    *,
    steps: int = STEPS,
) -> tuple[RoundPlan, ...]:
    """Return `rounds_left` rounds for the people who are here now, following the `past` rounds, which stay unchanged.

    Each person has a seat or a bye in every round; byes follow `sitting_out`. Partners repeat as little as possible,
    then opponents: from a published design on a fresh night if one fits, else from a search bounded by `steps`. The
    same seed gives the same seating, whatever the order of people and units.

    Raises `RuleViolation`: "people" if someone is listed twice, "too_few" if no table can be filled.
    """
    here = sorted(people)
    if len(set(here)) != len(here):
        raise RuleViolation("people", Phrase("Someone is on the list twice."), field="people")
    if rounds_left < 1:
        return ()
    rng = Random(seed)  # noqa: S311 -- a repeatable seating, not a secret
    units, waiting = _units(here, how)
    rng.shuffle(units)
    fixed = how.together == "fixed"
    sizes = table_sizes(len(units), (2,) if fixed else how.sizes, each=how.sizes[0] // 2 if fixed else 1)
    layout = layout_of(sizes, alone=how.together != "rotate")
    out = sitting_out(units, len(units) - sum(sizes), rounds_left, past, bye_credit or {})
    seatings = _best(out, len(units), sizes, layout, _before(units, past), rng, steps)
    plans = []
    for seating, byes in zip(seatings, out, strict=True):
        tables = [[units[i] for i in row] for row in _cut(seating, sizes)]
        rng.shuffle(tables)
        placed = tuple(_table(number, table, how, rng) for number, table in enumerate(tables, start=1))
        plans.append(RoundPlan(placed, tuple(sorted([*waiting, *(person for i in byes for person in units[i])]))))
    return tuple(plans)


def _units(here: Sequence[int], how: Rotation) -> tuple[list[Unit], list[int]]:
    """Return the units that move together, in an order independent of the input, and the people left over.

    "fixed" teams of `how.units` stay together. People without their whole team are teamed up, lowest id first; anyone
    still left over sits out.
    """
    if how.together != "fixed":
        return [(person,) for person in here], []
    whole = [tuple(sorted(unit)) for unit in how.units if set(unit) <= set(here)]
    placed = {person for unit in whole for person in unit}
    single = [person for person in here if person not in placed]
    side = how.sizes[0] // 2
    full = len(single) - len(single) % side
    return sorted(whole + [tuple(single[i : i + side]) for i in range(0, full, side)]), single[full:]


def _before(units: Sequence[Unit], past: Sequence[RoundPlan]) -> MeetingCounts:
    """Return how often the units already met; teams have met when any two of their members have."""
    index = {person: i for i, unit in enumerate(units) for person in unit}
    met: dict[tuple[int, int], tuple[int, int]] = {}
    for (one, other), times in repeat_matrix(past).items():
        if one in index and other in index and index[one] != index[other]:
            pair = (index[one], index[other])
            partners, opponents = met.get((min(pair), max(pair)), (0, 0))
            met[min(pair), max(pair)] = max(partners, times.partners), max(opponents, times.opponents)
    meetings = MeetingCounts(len(units))
    for (one, other), (partners, opponents) in met.items():
        meetings.met(one, other, partners=partners, opponents=opponents)
    return meetings


def _best(
    out: Sequence[frozenset[int]],
    units: int,
    sizes: Sequence[int],
    layout: Layout,
    before: MeetingCounts,
    rng: Random,
    steps: int,
) -> list[list[int]]:
    """Return the cheapest seating: an improved design or a search, restarted while partners repeat needlessly."""
    playing = [[i for i in range(units) if i not in byes] for byes in out]
    unavoidable = _unavoidable(out, units, layout, before)
    designed = _designed(out, units, sizes, layout) if before.nobody else None
    found = []
    if designed is not None:
        found.append(anneal(designed, layout, before, rng, hot=COLD, steps=steps // 4))
    for length in (steps, *[steps // 2] * AGAIN):
        if found and found[-1].cost == 0:
            break
        found.append(anneal(greedy(playing, layout, before, rng), layout, before, rng, steps=length))
        if min(found).partners_again <= unavoidable:
            break
    return min(found).rounds


def _unavoidable(out: Sequence[frozenset[int]], units: int, layout: Layout, before: MeetingCounts) -> int:
    """Return how many repeated partners are unavoidable because there are too few pairs."""
    to_come = len(out) * sum(map(len, layout.partners)) // 2
    return max(before.partners_again, before.partners + to_come - units * (units - 1) // 2)


def _designed(
    out: Sequence[frozenset[int]], units: int, sizes: Sequence[int], layout: Layout
) -> list[list[int]] | None:
    """Return the rounds of a published design, renumbered to match the byes, or None if none fits."""
    alone = not any(layout.partners)
    if set(sizes) == {2} and alone:
        rounds: list[list[int]] | None = circle_rounds(units, len(out))
    elif set(sizes) == {4} and not alone:
        rounds = whist_rounds(units, len(out))
    else:
        return None
    if rounds is None:
        return None
    order: dict[int, int] = {}
    for seating, byes in zip(rounds, out, strict=True):
        idle = set(range(units)).difference(seating)
        for number, unit in zip(sorted(idle), sorted(byes), strict=True):
            if order.setdefault(number, unit) != unit:
                return None
    if len(set(order.values())) < len(order):
        return None
    numbers = (number for number in range(units) if number not in order)
    order.update(zip(numbers, sorted(set(range(units)).difference(order.values())), strict=True))
    return [[order[number] for number in seating] for seating in rounds]


def _cut(seating: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Split a row of seats into tables."""
    seats = iter(seating)
    return [list(islice(seats, size)) for size in sizes]


def _table(number: int, units: Sequence[Unit], how: Rotation, rng: Random) -> TablePlan:
    """Return a table with a random first seat; fixed partners get every other seat."""
    if how.together == "fixed":
        sides = [rng.sample(unit, len(unit)) for unit in units]
        return TablePlan(number, tuple(person for row in zip(*sides, strict=True) for person in row))
    people = [unit[0] for unit in units]
    turn = rng.randrange(len(people))
    return TablePlan(number, tuple(people[turn:] + people[:turn]), "alone" if how.together == "alone" else "partners")
