"""Seating designs. The seating uses a design if one fits the night, so that no search is needed.

`FIRST_ROUNDS` has published designs. `seatings.json` has the best schedules known for 9 to 24 people whose partners
rotate, where a design isn't best or doesn't fit. They come from much longer searches than a night can wait for, from
first rounds shifted around a circle, and for 9 people and 9 rounds from a whist tournament over the field of nine
elements. The order of rounds is chosen so that nobody sits out twice in a row.

Choose which units (people or fixed teams) sit out in each round, fairly within the night, then over the season.

Make the seating of the rounds that have not started. A unit is a person, or a team whose members stay together.
"""

import json
import math
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

from scorekeeper.leagues.schedule.plan import (
    ByeCredit,
    Met,
    Pair,
    Rotation,
    RoundPlan,
    TablePlan,
    Unit,
    byes,
    repeat_matrix,
    seating_of,
    table_sizes,
    teams_kind,
)
from scorekeeper.leagues.schedule.search import (
    COLD,
    EARLIER_PARTNERS,
    STEPS,
    Layout,
    MeetingCounts,
    anneal,
    greedy,
    layout_of,
    separate,
)
from scorekeeper.rules.phrase import Phrase, RuleViolation

FIRST_ROUNDS: Mapping[int, tuple[int, ...]] = {
    8: (1, 3, 7, 0, 4, 6, 2, 5),
    12: (2, 5, 7, 11, 8, 3, 4, 1, 9, 10, 6, 0),
    13: (7, 1, 2, 4, 3, 6, 12, 8, 5, 10, 11, 9),
    16: (11, 1, 8, 0, 5, 2, 3, 7, 12, 6, 15, 14, 4, 9, 10, 13),
    17: (11, 14, 7, 12, 1, 13, 2, 4, 8, 16, 3, 10, 15, 9, 5, 6),
    20: (14, 1, 2, 18, 7, 5, 11, 0, 17, 19, 8, 3, 6, 16, 9, 10, 12, 4, 13, 15),
    21: (7, 1, 19, 11, 10, 17, 15, 16, 3, 12, 9, 20, 6, 8, 13, 5, 18, 2, 14, 4),
    24: (3, 22, 10, 16, 0, 7, 8, 12, 23, 9, 11, 19, 2, 4, 14, 5, 15, 21, 6, 1, 20, 13, 18, 17),
}
"""First round of a whist tournament, by number of people.

Each round lists the people's numbers, four for each table. The first and third of the four are partners.
"""


def whist_rounds(people: int, rounds: int) -> list[list[int]] | None:
    """Return the seats of each round from a published design for tables of four; None if no design fits.

    Each round lists the numbers of people, from 0: four for each table, in seat order. A person whose number isn't
    listed sits out that round. If there are more rounds than the design has, the design starts over.
    """
    first = FIRST_ROUNDS.get(people)
    if first is None:
        return None
    around = people if people % 4 else people - 1
    return [[(number + r) % around if number < around else number for number in first] for r in range(rounds)]


def best_known_rounds(people: int, rounds: int) -> list[list[int]] | None:
    """Return the seats of each round from the best schedule known for tables of four; None if there is none.

    Each round lists all the people's numbers, from 0: four for each table, in seat order, then those who sit out.
    """
    schedule = _seatings().get(f"{people}x{rounds}")
    if schedule is None:
        return None
    return [[ord(letter) - ord("a") for letter in one] for one in schedule.split()]


@cache
def _seatings() -> Mapping[str, str]:
    """Return the stored schedules by "PEOPLExROUNDS". A round is a word with a letter for each person, from "a"."""
    return json.loads(Path(__file__).with_name("seatings.json").read_text(encoding="ascii"))  # type: ignore[no-any-return]


def circle_rounds(units: int, rounds: int) -> list[list[int]]:
    """Return the seats of each round for that many players or teams (units), which are numbered from 0.

    Each round lists the numbers of the units. The first two units play each other, then the next two, and so on. Every
    two units meet once before any two meet again. If `units` is odd, number `r` sits out in round `r` (modulo `units`).
    """
    around = units if units % 2 else units - 1
    seatings = []
    for r in range(rounds):
        seating = [] if units % 2 else [r % around, units - 1]
        for step in range(1, (around + 1) // 2):
            seating += [(r + step) % around, (r - step) % around]
        seatings.append(seating)
    return seatings


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


NOBODY: Mapping[Pair, Met] = {}
MOST_LEVEL = len(EARLIER_PARTNERS) - 1
AGAIN = 2
"""Most restarts of the search, each with half of the steps. It restarts while more partners repeat than necessary."""
MANY = 24
"""With this many units or more, and earlier nights to consider, the first search takes only half of the steps."""


def draw_rest(
    people: Sequence[int],
    rounds_left: int,
    past: Sequence[RoundPlan],
    how: Rotation,
    seed: int,
    bye_credit: ByeCredit | None = None,
    *,
    earlier: Mapping[Pair, Met] = NOBODY,
    steps: int = STEPS,
) -> tuple[RoundPlan, ...]:
    """Return `rounds_left` more rounds for the people who are here now. The `past` rounds stay unchanged.

    Each person has a seat or a bye in every round. `sitting_out` chooses the byes. The seating avoids repeated partners
    first, then repeated opponents, and then the partners and opponents of `earlier` nights. The best schedule known or
    a published design is used if one fits and nobody has met yet tonight. Otherwise, the seating is searched; `steps`
    limits the search. The same seed gives the same seating, whatever the order of people and units.

    Raises `RuleViolation` with one of these codes: "people" if someone is listed twice, "too_few" if no table can be
    filled, or "table_kept" if someone keeps a table that does not exist or two people keep the same table.
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
    size = how.team_size
    sizes = table_sizes(len(units), (how.sizes[0] // size,) if fixed else how.sizes, each=size if fixed else 1)
    # The seats are those of units, so that fixed partners are one.
    layout = layout_of(sizes, lambda seats: seats if fixed else seating_of(seats, how.kind_at(seats)).sides)
    out = sitting_out(units, len(units) - sum(sizes), rounds_left, past, bye_credit or {})
    before = _before(units, past, earlier)
    known = None
    if not past and set(sizes) == {4} and any(layout.partners):
        known = best_known_rounds(len(units), rounds_left)
    if known:
        known, out = _in_turn(known, out)
    seatings = _best(out, len(units), sizes, layout, before, rng, steps, known)
    kept = _kept(units, how, len(sizes))
    separate(seatings, layout, {i for i, unit in enumerate(units) if unit in kept}, before)
    plans = []
    for seating, resting in zip(seatings, out, strict=True):
        tables = [[units[i] for i in row] for row in _cut(seating, sizes)]
        rng.shuffle(tables)
        numbered = enumerate(_in_order(tables, kept), start=1)
        placed = tuple(_table(number, table, how, rng) for number, table in numbered)
        plans.append(RoundPlan(placed, tuple(sorted([*waiting, *(person for i in resting for person in units[i])]))))
    return tuple(plans)


def _units(here: Sequence[int], how: Rotation) -> tuple[list[Unit], list[int]]:
    """Return the units that move together, and the people left over. The order of the input makes no difference.

    The "fixed" teams of `how.units` stay together. People whose team isn't complete sit out.
    """
    if how.together != "fixed":
        return [(person,) for person in here], []
    whole = sorted(tuple(sorted(unit)) for unit in how.units if set(unit) <= set(here))
    placed = {person for unit in whole for person in unit}
    return whole, [person for person in here if person not in placed]


def _before(units: Sequence[Unit], past: Sequence[RoundPlan], earlier: Mapping[Pair, Met]) -> MeetingCounts:
    """Return how often the units have met so far.

    Tonight's meetings come from the `past` rounds. On `earlier` nights, only the meetings above the average of all
    pairs count.
    """
    meetings = MeetingCounts(len(units))
    for (one, other), times in _by_unit(units, repeat_matrix(past)).items():
        meetings.met(one, other, partners=times.partners, opponents=times.opponents)
    known = _by_unit(units, earlier)
    pairs = math.comb(len(units), 2) or 1
    # Late in a season everybody has met: only those who met more often than usual are kept apart.
    partners = sum(times.partners for times in known.values()) // pairs
    opponents = sum(times.opponents for times in known.values()) // pairs
    for (one, other), times in known.items():
        meetings.knew(
            one,
            other,
            partners=min(max(times.partners - partners, 0), MOST_LEVEL),
            opponents=min(max(times.opponents - opponents, 0), MOST_LEVEL),
        )
    return meetings


def _by_unit(units: Sequence[Unit], matrix: Mapping[Pair, Met]) -> Mapping[tuple[int, int], Met]:
    """Return how often each two units met. A key has the indexes of both units in `units`, lower index first.

    `matrix` has how often any two people met. If units are teams, a value has the most meetings of any two of their
    members.
    """
    index = {person: i for i, unit in enumerate(units) for person in unit}
    met: dict[tuple[int, int], Met] = {}
    for (one, other), times in matrix.items():
        if one in index and other in index and index[one] != index[other]:
            pair = min(index[one], index[other]), max(index[one], index[other])
            known = met.get(pair, Met())
            met[pair] = Met(max(known.partners, times.partners), max(known.opponents, times.opponents))
    return met


def _best(
    out: Sequence[frozenset[int]],
    units: int,
    sizes: Sequence[int],
    layout: Layout,
    before: MeetingCounts,
    rng: Random,
    steps: int,
    known: list[list[int]] | None,
) -> list[list[int]]:
    """Return the cheapest seating found: the person in each seat, for each round.

    If a schedule is `known` or a published design fits, it is improved first. If the improved seating isn't perfect, or
    if there is none, a few searches follow. They stop once the number of repeated partners can't be lowered. A known
    schedule is searched again only because of earlier nights. `out` has the units that sit out in each round.
    """
    playing = [[i for i in range(units) if i not in byes] for byes in out]
    unavoidable = _unavoidable(out, units, layout, before)
    designed = known or (_designed(out, units, sizes, layout) if before.nobody else None)
    found = []
    if designed is not None:
        found.append(anneal(designed, layout, before, rng, hot=COLD, steps=steps // 4))
    first = steps // 2 if units >= MANY and before.knows_earlier else steps
    for length in (first, *[steps // 2] * AGAIN):
        if found and (found[-1].cost == 0 or (known and not before.knows_earlier)):
            break
        found.append(anneal(greedy(playing, layout, before, rng), layout, before, rng, steps=length))
        if min(found).partners_again <= unavoidable:
            break
    return min(found).rounds


def _unavoidable(out: Sequence[frozenset[int]], units: int, layout: Layout, before: MeetingCounts) -> int:
    """Return a lower bound for the number of repeated partners tonight, whatever the seating.

    Repeats can't be avoided if they happened in past rounds, or if there are too few pairs that haven't been partners
    yet. `out` has the units that sit out in each round.
    """
    to_come = len(out) * sum(map(len, layout.partners)) // 2
    return max(before.partners_again, before.partners + to_come - units * (units - 1) // 2)


def _designed(
    out: Sequence[frozenset[int]], units: int, sizes: Sequence[int], layout: Layout
) -> list[list[int]] | None:
    """Return the rounds of a published design, renumbered so that the units in `out` sit out; None if none fits."""
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
    for seating, resting in zip(rounds, out, strict=True):
        idle = set(range(units)).difference(seating)
        for number, unit in zip(sorted(idle), sorted(resting), strict=True):
            if order.setdefault(number, unit) != unit:
                return None
    if len(set(order.values())) < len(order):
        return None
    numbers = (number for number in range(units) if number not in order)
    order.update(zip(numbers, sorted(set(range(units)).difference(order.values())), strict=True))
    return [[order[number] for number in seating] for seating in rounds]


def _in_turn(known: list[list[int]], out: Sequence[frozenset[int]]) -> tuple[list[list[int]], list[frozenset[int]]]:
    """Return the seats of each round of a known schedule and the units that sit out, renumbered for tonight's units.

    Each number of the schedule becomes a unit with as many byes in `out`. The units that were to sit out first get the
    numbers that do so first.
    """
    seats = 4 * (len(known[0]) // 4)

    def turns(byes: Sequence[Collection[int]]) -> list[int]:
        rounds = {one: [r for r, idle in enumerate(byes) if one in idle] for one in range(len(known[0]))}
        return sorted(rounds, key=lambda one: (-len(rounds[one]), rounds[one], one))

    idle = [one[seats:] for one in known]
    unit = dict(zip(turns(idle), turns(out), strict=True))
    rounds = [[unit[number] for number in one[:seats]] for one in known]
    return rounds, [frozenset(unit[number] for number in one) for one in idle]


def _kept(units: Sequence[Unit], how: Rotation, tables: int) -> dict[Unit, int]:
    """Return the number of the table that each unit keeps. Units that change tables are left out.

    Raises `RuleViolation` with the code "table_kept" for a number above `tables`, or for a table that two units keep.
    """
    kept: dict[Unit, int] = {}
    for unit in units:
        # By number, because two partners may keep the same table.
        for number, person in {how.tables[person]: person for person in unit if person in how.tables}.items():
            if not 1 <= number <= tables:
                message = Phrase(
                    "%(name)s stays at table %(number)s, but the last one is %(tables)s. "
                    "Choose another table for them.",
                    name=how.names[person],
                    number=number,
                    tables=tables,
                )
                raise RuleViolation("table_kept", message)
            if unit in kept or number in kept.values():
                message = Phrase("Two players can't both keep table %(number)s.", number=number)
                raise RuleViolation("table_kept", message)
            kept[unit] = number
    return kept


def _in_order(tables: Sequence[list[Unit]], kept: Mapping[Unit, int]) -> list[list[Unit]]:
    """Return the tables in the order of their numbers.

    A table with a unit from `kept` gets the number that is given there. The other tables get the remaining numbers, in
    the order of `tables`.
    """
    fixed = {kept[unit]: table for table in tables for unit in table if unit in kept}
    others = (table for table in tables if table not in fixed.values())
    return [fixed[number] if number in fixed else next(others) for number in range(1, len(tables) + 1)]


def _cut(seating: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Return the people of each table. `seating` lists the people of all tables, and `sizes` has the table sizes."""
    seats = iter(seating)
    return [list(islice(seats, size)) for size in sizes]


def _table(number: int, units: Sequence[Unit], how: Rotation, rng: Random) -> TablePlan:
    """Return a table with its people in seats that respect the rules for partners.

    Fixed partners sit at equal distances, in a random order. Other people keep their order, starting at a random seat.
    """
    if how.together == "fixed":
        sides = [rng.sample(unit, len(unit)) for unit in units]
        seats = tuple(person for row in zip(*sides, strict=True) for person in row)
        return TablePlan(number, seats, teams_kind(len(units)))
    people = [unit[0] for unit in units]
    turn = rng.randrange(len(people))
    return TablePlan(number, tuple(people[turn:] + people[:turn]), how.kind_at(len(people)))
