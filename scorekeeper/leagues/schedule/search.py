"""Search for a good seating where no published design fits.

Simulated annealing: two people in one round swap seats, always if that lowers the cost and sometimes if it raises it,
less and less often as the search goes on. The cost is the sum of a cost for each pair of people, which depends on how
often the two met, including in tonight's past rounds: being partners twice costs most, being opponents twice costs
less, being both once costs a little, and each further meeting costs more. Meetings on earlier nights of the season add
less to each meeting tonight, so that they decide between seatings that are equally good tonight (`EARLIER_PARTNERS`,
`EARLIER_OPPONENTS`). The number of steps is fixed, not the time, so the same seed gives the same seating on any
machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from random import Random

from msgspec import Struct

PARTNERS_AGAIN, OPPONENTS_AGAIN, BOTH = 240, 40, 1
EARLIER_PARTNERS, EARLIER_OPPONENTS = (0, 14, 28, 39), (0, 2, 4, 6)
"""Cost of each meeting tonight as partners or as opponents, by the level (0 to 3) of such meetings on earlier nights.

Level 0 means that two people met no more often than the average pair; a higher level means more meetings. All these
costs are below the cost of being opponents twice.
"""
HOT, COLD = 16.0, 2.5
STEPS = 120_000

Rounds = Sequence[Sequence[int]]
"""For each round, the number of the person or team in each seat."""

_ONE_PARTNER = 32
"""Number that each meeting of two people as partners adds to their code. Each meeting as opponents adds 1.

A code is one number that says how often two people met, as partners and as opponents.
"""
_TONIGHT = _ONE_PARTNER * _ONE_PARTNER
"""Divisor that splits a code into the meetings tonight (the remainder) and on earlier nights (the quotient).

A code is one number that says how often two people met (see `_ONE_PARTNER`). The quotient is 4 times the level (0 to 3)
of earlier meetings as partners, plus the level of earlier meetings as opponents.
"""
_LEVELS = len(EARLIER_PARTNERS)
_CODES = _TONIGHT * _LEVELS * _LEVELS


class Layout(Struct, frozen=True):
    """The seats of a round, numbered from 0 across all tables.

    Each field has one item per seat. `table` has the seat's table, from 0. `partners` and `opponents` have the seats of
    the person's partners and opponents.
    """

    table: tuple[int, ...]
    partners: tuple[tuple[int, ...], ...]
    opponents: tuple[tuple[int, ...], ...]


def layout_of(sizes: Sequence[int], teams: Callable[[int], int]) -> Layout:
    """Return the layout of the seats for tables of these sizes.

    `teams` returns the number of sides of a table of a given size. With two sides, every second seat is a partner. With
    as many sides as seats, nobody has a partner.
    """
    table: list[int] = []
    partners: list[tuple[int, ...]] = []
    opponents: list[tuple[int, ...]] = []
    for number, size in enumerate(sizes):
        first, sides = len(table), teams(size)
        for seat in range(size):
            others = [s for s in range(size) if s != seat]
            side = [s for s in others if s % sides == seat % sides]
            partners.append(tuple(first + s for s in side))
            opponents.append(tuple(first + s for s in others if s not in side))
        table += [number] * size
    return Layout(tuple(table), tuple(partners), tuple(opponents))


class MeetingCounts:
    """The number of times that any two of `count` people met, tonight and on earlier nights.

    People are numbered from 0.
    """

    def __init__(self, count: int) -> None:
        self.codes = [[0] * count for _ in range(count)]

    def after(self, rounds: Rounds, layout: Layout) -> MeetingCounts:
        """Return a copy of these counts with the meetings of `rounds` added."""
        other = MeetingCounts(0)
        other.codes = [row[:] for row in self.codes]
        for seating in rounds:
            other.sat(seating, layout)
        return other

    def met(self, one: int, other: int, *, partners: int = 0, opponents: int = 0) -> None:
        """Add meetings of the people with the numbers `one` and `other`. Negative counts subtract meetings."""
        code = self.codes[one][other] + partners * _ONE_PARTNER + opponents
        self.codes[one][other] = self.codes[other][one] = code

    def knew(self, one: int, other: int, *, partners: int, opponents: int) -> None:
        """Set how often two people met on earlier nights. Call this only once for each pair.

        `partners` and `opponents` are levels from 0 to 3. Level 0 means that the two met no more often than the average
        pair.
        """
        self.met(one, other, opponents=_TONIGHT * (_LEVELS * partners + opponents))

    def sat(self, seating: Sequence[int], layout: Layout) -> None:
        """Add all meetings of one round. `seating` has the person in each seat of `layout`."""
        for seat, one in enumerate(seating):
            for s in layout.partners[seat]:
                if s < seat:
                    self.met(one, seating[s], partners=1)
            for s in layout.opponents[seat]:
                if s < seat:
                    self.met(one, seating[s], opponents=1)

    def cost(self) -> int:
        """Return the total cost of these meetings. Repeated meetings cost more."""
        return sum(_COST[code] for one, row in enumerate(self.codes) for code in row[:one])

    @property
    def nobody(self) -> bool:
        """Return whether no two people have met tonight yet."""
        return not any(code % _TONIGHT for row in self.codes for code in row)

    @property
    def knows_earlier(self) -> bool:
        """Return whether any two people met more often than the average pair on earlier nights."""
        return any(code >= _TONIGHT for row in self.codes for code in row)

    @property
    def partners(self) -> int:
        """Return the number of tonight's meetings as partners."""
        return sum(code % _TONIGHT // _ONE_PARTNER for one, row in enumerate(self.codes) for code in row[:one])

    @property
    def partners_again(self) -> int:
        """Return the number of tonight's meetings as partners, without the first meeting of each pair."""
        again = (code % _TONIGHT // _ONE_PARTNER - 1 for one, row in enumerate(self.codes) for code in row[:one])
        return sum(filter(lambda times: times > 0, again))


class SearchResult(Struct, frozen=True, order=True):
    """A seating and its cost. `rounds` has the person in each seat, for each round. Results sort by cost."""

    cost: int
    partners_again: int
    rounds: list[list[int]]


def greedy(playing: Rounds, layout: Layout, before: MeetingCounts, rng: Random) -> list[list[int]]:
    """Return the person in each seat, for each round. Each seat in turn gets the person who costs least there.

    `playing` has the people who play in each round, and `before` the meetings so far.
    """
    meetings = before.after((), layout)
    rounds = []
    for people in playing:
        left = list(people)
        rng.shuffle(left)
        seating: list[int] = []
        for seat in range(len(layout.table)):
            partners = [seating[s] for s in layout.partners[seat] if s < seat]
            opponents = [seating[s] for s in layout.opponents[seat] if s < seat]
            costs = [
                sum(_PARTNER_MORE[row[p]] for p in partners) + sum(_OPPONENT_MORE[row[p]] for p in opponents)
                for row in (meetings.codes[person] for person in left)
            ]
            seating.append(left.pop(costs.index(min(costs))))
        meetings.sat(seating, layout)
        rounds.append(seating)
    return rounds


def anneal(
    start: Rounds, layout: Layout, before: MeetingCounts, rng: Random, *, hot: float = HOT, steps: int = STEPS
) -> SearchResult:
    """Return the cheapest seating found by trying about `steps` swaps of two people (simulated annealing).

    Each person plays in the same rounds as in `start`. `hot` is the temperature at the beginning. A higher temperature
    accepts more swaps that make the seating worse, so that the result resembles `start` less.
    """
    rounds = [list(seating) for seating in start]
    meetings = before.after(rounds, layout)
    codes, partners, opponents = meetings.codes, layout.partners, layout.opponents
    partner_less, opponent_less = _PARTNER_LESS, _OPPONENT_LESS
    draw, seats = rng.random, len(layout.table)
    cost = best = meetings.cost()
    best_rounds = [seating[:] for seating in rounds]
    # A look that finds nothing to improve takes a third of the time of weighing a swap.
    left = whole = 3 * steps
    while left > 0 and best > 0:
        left -= 1
        seating = rounds[int(draw() * len(rounds))]
        one = int(draw() * seats)
        row = codes[seating[one]]
        gone = 0
        for s in partners[one]:
            gone += partner_less[row[seating[s]]]
        for s in opponents[one]:
            gone += opponent_less[row[seating[s]]]
        if gone == 0:
            continue
        left -= 2
        other = int(draw() * seats)
        change = _weighed(codes, layout, seating, one, other, gone)
        if change is None or (change > 0 and draw() >= math.exp(-change / (COLD + (hot - COLD) * left / whole))):
            continue
        _exchange(meetings, seating, layout, one, other)
        cost += change
        if cost < best:
            best = cost
            best_rounds = [seating[:] for seating in rounds]
    return SearchResult(best, before.after(best_rounds, layout).partners_again, best_rounds)


def separate(rounds: list[list[int]], layout: Layout, apart: Collection[int], before: MeetingCounts) -> None:
    """Change `rounds` so that no two people in `apart` share a table. Each change is the swap that costs least.

    There must be at least as many tables as people in `apart`.
    """
    for seating in rounds:
        while True:
            at = [layout.table[seat] for seat, person in enumerate(seating) if person in apart]
            crowded = next((table for table in at if at.count(table) > 1), None)
            if crowded is None:
                break
            one = next(s for s, person in enumerate(seating) if layout.table[s] == crowded and person in apart)
            costs = []
            for other, table in enumerate(layout.table):
                if table not in at:
                    seating[one], seating[other] = seating[other], seating[one]
                    costs.append((before.after(rounds, layout).cost(), other))
                    seating[one], seating[other] = seating[other], seating[one]
            other = min(costs)[1]
            seating[one], seating[other] = seating[other], seating[one]


def _weighed(
    codes: Sequence[Sequence[int]], layout: Layout, seating: Sequence[int], one: int, other: int, gone: int
) -> int | None:
    """Return the change in cost if the people in the seats `one` and `other` swap; None if that changes no meeting.

    `gone` is the change in cost from removing the person in seat `one` from the table. It is used only if the two seats
    are at different tables.
    """
    partners, opponents = layout.partners, layout.opponents
    row_a, row_b = codes[seating[one]], codes[seating[other]]
    if layout.table[one] == layout.table[other]:
        if one == other or other not in opponents[one] or not partners[one]:
            return None
        change = 0
        for s in partners[one]:
            p = seating[s]
            change += _TO_OPPONENT[row_a[p]] + _TO_PARTNER[row_b[p]]
        for s in partners[other]:
            p = seating[s]
            change += _TO_OPPONENT[row_b[p]] + _TO_PARTNER[row_a[p]]
        return change
    change = gone
    for s in partners[one]:
        change += _PARTNER_MORE[row_b[seating[s]]]
    for s in opponents[one]:
        change += _OPPONENT_MORE[row_b[seating[s]]]
    for s in partners[other]:
        p = seating[s]
        change += _PARTNER_LESS[row_b[p]] + _PARTNER_MORE[row_a[p]]
    for s in opponents[other]:
        p = seating[s]
        change += _OPPONENT_LESS[row_b[p]] + _OPPONENT_MORE[row_a[p]]
    return change


def _exchange(meetings: MeetingCounts, seating: list[int], layout: Layout, one: int, other: int) -> None:
    """Swap the people in the seats `one` and `other`, and update `meetings`."""
    same_table = layout.table[one] == layout.table[other]
    for seat, goes, comes in ((one, seating[one], seating[other]), (other, seating[other], seating[one])):
        for s in layout.partners[seat]:
            meetings.met(goes, seating[s], partners=-1, opponents=same_table)
            meetings.met(comes, seating[s], partners=1, opponents=-same_table)
        if not same_table:
            for s in layout.opponents[seat]:
                meetings.met(goes, seating[s], opponents=-1)
                meetings.met(comes, seating[s], opponents=1)
    seating[one], seating[other] = seating[other], seating[one]


def _cost(code: int) -> int:
    earlier, tonight = divmod(code, _TONIGHT)
    partners, opponents = divmod(tonight, _ONE_PARTNER)
    again = PARTNERS_AGAIN * math.comb(partners, 2) + OPPONENTS_AGAIN * math.comb(opponents, 2)
    before = partners * EARLIER_PARTNERS[earlier // _LEVELS] + opponents * EARLIER_OPPONENTS[earlier % _LEVELS]
    return again + before + (BOTH if partners and opponents else 0)


def _change(by: int) -> list[int]:
    """Return a list whose item `i` is the change in cost when the code `i` is increased by `by`.

    A code is a number that says how often two people met (see `_ONE_PARTNER` and `_TONIGHT`). The change is 0 if the
    increased code would be out of range.
    """
    return [_COST[code + by] - _COST[code] if 0 <= code + by < _CODES else 0 for code in range(_CODES)]


_COST = [_cost(code) for code in range(_CODES)]
_PARTNER_MORE, _PARTNER_LESS = _change(_ONE_PARTNER), _change(-_ONE_PARTNER)
_OPPONENT_MORE, _OPPONENT_LESS = _change(1), _change(-1)
_TO_OPPONENT, _TO_PARTNER = _change(1 - _ONE_PARTNER), _change(_ONE_PARTNER - 1)
