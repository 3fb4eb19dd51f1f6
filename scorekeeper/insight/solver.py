"""Calculate the chances at every score, by the rules themselves.

Limit the processor time and the memory that a calculation may take, so that a page can't be made expensive.

Solve equations in which a value for each state of a game depends on the values for the states one hand later.

The value is, for example, the probability that a side wins. A side that is set loses points, so a game can return to an
earlier state. The equations can't be solved one by one then. Instead, all of them are applied again and again, until
the values hardly change.

Calculate win probabilities before a hand from the win probabilities after the hand, for all states of a game.

All states are calculated at once, in arrays with an axis for the total of each side. In every state, seat 0 deals the
next hand. The side of seat 0 has the first axis, and the others follow in the order in which they deal.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from itertools import combinations_with_replacement, product
from time import thread_time
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from scorekeeper.insight.model import Model
from scorekeeper.rules.scoring import AfterHand, Hand, Tally, ending_of, score_hand
from scorekeeper.rules.table import Table, dealer_after


class TooLongError(Exception):
    """The calculation takes too long, or needs arrays that are too large."""


class Effort:
    """What a calculation may take: `seconds` of processor time of this thread, and `cells` numbers in an array."""

    def __init__(self, seconds: float, cells: int) -> None:
        self._until = thread_time() + seconds
        self._cells = cells

    def check(self, cells: int = 0) -> None:
        """Raise `TooLongError` if the time is over, or if an array of `cells` numbers would be too large."""
        if cells > self._cells or thread_time() > self._until:
            raise TooLongError


Numbers = NDArray[np.float64]
Step = Callable[[Numbers], Numbers]
"""A function that calculates the values for all states from the values for the states one hand later."""

CLOSE = 1e-10
"""Largest accepted error of an exact solution. The error is estimated from the changes in the last two rounds."""
FEWEST_ROUNDS = 24
"""Minimum number of rounds. A round applies `Step` once, so a distant state has an effect only after some rounds."""
ROUNDING = 100
"""If the changes no longer shrink from round to round, they must be this many times smaller than `CLOSE`.

So small changes can only come from rounding.
"""
MOST_ROUNDS = 5_000
"""Number of rounds after which `solve` gives up and assumes that the game never ends."""


class EndlessError(Exception):
    """With these probabilities of hands, a game practically never ends."""


def solve(
    step: Step, guess: Numbers, matters: Any = ..., effort: Effort | None = None, close: float = CLOSE
) -> Numbers:
    """Return the values for all states that `step` hardly changes any more: by less than `close` in all further rounds.

    The calculation starts from the values in `guess`. `matters` is an array index that selects the values that must be
    accurate. By default, all values must be accurate. Raises `EndlessError` if the calculation takes too long, because
    a game practically never ends. Raises `TooLongError` if it takes more than `effort` allows.
    """
    values, before = guess, 0.0
    for number in range(1, MOST_ROUNDS):
        if effort is not None:
            effort.check()
        new = step(values)
        changed = float(np.abs(new[matters] - values[matters]).max())
        # All changes to come, if each is smaller than the one before by the same factor.
        to_come = changed * changed / (before - changed) if changed < before else ROUNDING * changed
        if number >= FEWEST_ROUNDS and to_come < close:
            return new
        values, before = new, changed
    raise EndlessError


class Counts(NamedTuple):
    """What decides whether a game is over, in addition to the totals.

    `sets` holds how often each side was set, in the order of the axes. `hands` is the number of hands played. `level`
    means that one more hand has to settle a tie. A field that the rules don't use has its default value.
    """

    sets: tuple[int, ...] = ()
    hands: int = 0
    level: bool = False


def kept_counts(table: Table, counts: Counts) -> Counts:
    """Return `counts`, with the default value in each field that the rules of the table don't use."""
    rules = table.rules
    return Counts(
        counts.sets if rules.max_sets is not None else (),
        min(counts.hands, rules.hands_limit or 0) if rules.finish == "fixed_hands" else 0,
        counts.level and rules.finish == "highest" and rules.tie_break_round == "decides",
    )


class _HandKind(NamedTuple):
    """What decides whether a hand ends the game, in addition to the totals after the hand and the `Counts` before it.

    `bidder` is the axis of the side that won the bid. `bid` is "pitch" or "moon", or "" if the bid was a number. `made`
    is whether the bid was made. `from_zero` is whether the bidder's side had zero points or more before the hand, and
    is always True if the bid was a number.
    """

    bidder: int
    bid: str
    made: bool
    from_zero: bool


class _Ends(Struct, frozen=True):
    """Whether hands of one kind end the game, as arrays with a value for each combination of totals after the hand.

    The values of `goes_on` say whether the game isn't over. `won` has such an array for each side: its values are 1 if
    that side has won, the same part of 1 for each side if the game ended without a winner, and otherwise 0. The values
    of `level` say whether one more hand has to settle a tie.
    """

    goes_on: NDArray[np.bool_]
    won: Numbers
    level: NDArray[np.bool_]

    def turned(self, bidder: int) -> "_Ends":
        """Return the same for the side with the axis `bidder`. These are for axis 0."""
        axes = np.roll(range(self.goes_on.ndim), bidder)
        won = np.roll(self.won, bidder, axis=0).transpose(0, *axes + 1)
        return _Ends(self.goes_on.transpose(axes), won, self.level.transpose(axes))


class _Change(NamedTuple):
    """What some hands do to the total of the bidder's side. Hands with the same effect share one `_Change`.

    `rows` maps each total before the hand to the total after the hand. It is an array of indexes, stored as bytes so
    that it can be part of a dict's key. `bidder`, `bid` and `made` are as in `_HandKind`.
    """

    bidder: int
    bid: str
    made: bool
    rows: bytes


class HandSteps:
    """The effect of every possible next hand on every state of a game at a table.

    `totals` is the range of totals that are calculated. As an approximation, a side below the range has lost, and a
    side above the range has won. In a wide range, the game nearly always ends before that matters. `counts` maps each
    possible `Counts` to its index in the arrays. Raises `TooLongError` if it takes more than `effort`
    allows.
    """

    def __init__(
        self, table: Table, model: Model, totals: range, counts: Mapping[Counts, int], effort: Effort | None = None
    ) -> None:
        self.table = table
        self.totals = totals
        self.counts = counts
        self.passed = sum(chance.p for chance in model.chances if chance.hand.thrown_in)
        self.changes: dict[_Change, dict[tuple[int, ...], float]] = defaultdict(lambda: defaultdict(float))
        alike: dict[Hand, float] = defaultdict(float)
        for chance in model.chances:
            if not chance.hand.thrown_in:
                # Which of the side's players bid doesn't matter.
                alike[chance.hand._replace(bidder=table.side_of[chance.hand.bidder or 0])] += chance.p
        hands = {}
        for hand, p in alike.items():
            if effort is not None:
                effort.check()
            change, points = self._change(hand)
            self.changes[change][points] += p
            hands[change[:3]] = hand
        outside = self._outside()
        self.ends: dict[tuple[_HandKind, Counts], _Ends] = {}
        known: dict[tuple[_HandKind, Counts], _Ends] = {}
        for (kind, hand), before in product(hands.items(), counts):
            for from_zero in (False, True) if kind[1] else (True,):
                ends = _HandKind(kind[0], kind[1], kind[2], from_zero)
                # All sides have the same rules, so it is enough to ask them about a bidder with the first axis.
                asked = ends._replace(bidder=0), before._replace(sets=_turned_sets(before.sets, ends.bidder))
                if asked not in known:
                    known[asked] = self._ends(hand, *asked, effort)
                self.ends[ends, before] = known[asked].turned(ends.bidder)
        self.whole = {each: outside.copy() for each in self.ends}

    def step(self, values: Numbers) -> Numbers:
        """Return the values before one more hand, calculated from `values`, the values after that hand.

        The values are win probabilities and expected numbers of hands, in an array like `WinOdds.values`.
        """
        before = np.zeros_like(values)
        before[-1] = 1.0
        turned = _turned(values)
        for counts, place in self.counts.items():
            if self.passed:
                turns = self.table.side_of[dealer_after(self.table, 0, thrown_in=True)] != 0
                before[:, place] += self.passed * (turned[:, self._turned_place(counts)] if turns else values[:, place])
            after = {kind: self._after(kind, counts, turned) for kind, asked in self.ends if asked == counts}
            for change, points in self.changes.items():
                before[:, place] += self._carried(change, points, after)
        return before

    def _carried(
        self, change: _Change, points: Mapping[tuple[int, ...], float], after: Mapping[_HandKind, Numbers]
    ) -> Numbers:
        """Return the values before the hands that cause `change`, times their probabilities, for all totals.

        `points` has the probabilities of the points of the other sides, in the order of the axes. `after` has the
        values after each kind of hand, for all totals after the hand.
        """
        axis, size = change.bidder, len(self.totals)

        def moved(*, from_zero: bool) -> Numbers:
            values = after[_HandKind(*change[:3], from_zero)]
            shape = [size] * len(values)
            shape[axis] = values.shape[-1]
            mixed, share = np.zeros((len(values), *shape)), np.empty(shape)
            for others, p in points.items():
                window = [slice(added, added + size) for added in others]
                window.insert(axis, slice(None))
                for each, found in zip(values, mixed, strict=True):
                    np.add(found, np.multiply(each[tuple(window)], p, out=share), out=found)
            carried: Numbers = mixed.take(np.frombuffer(change.rows, np.intp), axis=1 + axis)
            return carried

        carried = moved(from_zero=True)
        if change.bid:
            below = (slice(None),) * (1 + axis) + (slice(-self.totals[0]),)
            carried[below] = moved(from_zero=False)[below]
        return carried

    def _outside(self) -> Numbers:
        """Return an array for the results of `_after`, with the values for totals above the range.

        Each axis has as many more rows as a hand has points, and a last one for totals below the range.
        """
        size, sides = len(self.totals), len(self.table.sides)
        above = np.indices((size + self.table.most_scored + 1,) * sides) >= size
        won: Numbers = above / np.maximum(above.sum(axis=0), 1)
        won[-1] = 0.0
        return won

    def _after(self, kind: _HandKind, before: Counts, turned: Numbers) -> Numbers:
        """Return the win probabilities and expected numbers of hands for all totals after a hand.

        `kind` is the kind of the hand, and `before` holds the counts before the hand. `turned` has the values for the
        next hand, which the next side deals, but with the axes of this hand. The result has more rows at the end of
        each axis, for totals outside the range (see `_outside`).
        """
        ends, whole = self.ends[kind, before], self.whole[kind, before]
        sets = _sets_after(kind, before)
        values = turned[:, self._turned_place(Counts(sets, before.hands + 1))]
        if ends.level.any():
            settled = turned[:, self._turned_place(Counts(sets, before.hands + 1, level=True))]
            values = np.where(ends.level, settled, values)
        inside: Any = (slice(None), *[slice(len(self.totals))] * len(whole))
        after = whole[inside]
        np.multiply(values, ends.goes_on, out=after)
        after[:-1] += ends.won[:-1]
        # A bidder below the range has lost. Its chance at the lowest total is divided among the others.
        below: Any = (slice(None),) * (1 + kind.bidder)
        lost = whole[(*below, 0)].copy()
        chances = [*lost[:-1], 1 - lost[:-1].sum(axis=0)]
        lost[:-1] += chances[kind.bidder] / (len(lost) - 1)
        lost[[kind.bidder, -1]] = 0.0
        whole[(*below, -1)] = lost
        return whole

    def _turned_place(self, counts: Counts) -> int:
        """Return the index in the arrays for `counts` after the deal has passed to the next side.

        If a game with such counts is always over, the result is 0, and is not used.
        """
        return self.counts.get(kept_counts(self.table, counts._replace(sets=_turned_sets(counts.sets, 1))), 0)

    def _change(self, hand: Hand) -> tuple[_Change, tuple[int, ...]]:
        """Return what `hand` does to each total of the bidder's side, and the points of each other side.

        The points of the bidder's side may depend on its total, but on nobody else's. Those of the others don't depend
        on any total.
        """
        side, nothing = self.table.side_of[hand.bidder or 0], (0,) * len(self.table.sides)
        added, made, delta = [], False, nothing
        for total in self.totals:
            scored = score_hand(self.table, Tally((*nothing[:side], total, *nothing[side + 1 :]), nothing), hand)
            made, delta = bool(scored.made), scored.delta
            added.append(delta[side])
        # Totals below the range have the last row in `_outside`, and those above it the rows before that.
        rows = (np.arange(len(added)) + added).clip(-1, len(added)).astype(np.intp)
        change = _Change(side, hand.bid if isinstance(hand.bid, str) else "", made, rows.tobytes())
        return change, delta[:side] + delta[side + 1 :]

    def _ends(self, hand: Hand, kind: _HandKind, counts: Counts, effort: Effort | None) -> _Ends:
        """Return whether `hand`, which is of this `kind`, ends the game, for all totals after the hand.

        The bidder's side has the first axis. The other sides have the same rules, so only one order of their totals is
        asked for.
        """
        sides, size = len(self.table.sides), len(self.totals)
        before = Tally((0 if kind.from_zero else -1,) * sides, counts.sets, counts.hands, counts.level)
        sets, nobody, goes_on, level = _sets_after(kind, counts), sides, sides + 1, sides + 2
        found = np.full((size,) * sides, goes_on)
        for ours in range(size):
            if effort is not None:
                effort.check()
            for others in combinations_with_replacement(range(size), sides - 1):
                totals = tuple(self.totals[each] for each in (ours, *others))
                after = Tally(totals, sets, counts.hands + 1)
                outcome, is_level = ending_of(self.table.rules, hand, AfterHand(before, after, (0,), kind.made))
                if outcome is not None:
                    found[ours, *others] = nobody if outcome.winner is None else outcome.winner
                elif is_level:
                    found[ours, *others] = level
        places = np.indices(found.shape)
        found = found[places[0], *np.sort(places[1:], axis=0)]
        order = np.argsort(places[1:], axis=0, kind="stable")
        place = (found - 1).clip(0, sides - 2)
        winner = np.where((found > 0) & (found < nobody), 1 + np.take_along_axis(order, place[None], axis=0)[0], found)
        won = np.array([(winner == side) + (found == nobody) / sides for side in range(sides)])
        return _Ends(found > nobody, won, found == level)


def _sets_after(kind: _HandKind, before: Counts) -> tuple[int, ...]:
    """Return how often each side was set, after a hand of this `kind`. `before` holds the counts before the hand."""
    return tuple(count + (not kind.made and side == kind.bidder) for side, count in enumerate(before.sets))


def _turned_sets(sets: tuple[int, ...], first: int) -> tuple[int, ...]:
    """Return `sets` in the order that starts with the side with the axis `first`."""
    return sets[first:] + sets[:first]


def _turned(values: Numbers) -> Numbers:
    """Return `values`, in which the side that deals next has the first axis, so that this side has the second axis.

    The win probabilities in the result are those of the sides in the new order.
    """
    sides = len(values)
    turned = np.empty_like(values)
    turned[0] = 1 - values[:-1].sum(axis=0)
    turned[1:-1] = values[:-2]
    turned[-1] = values[-1]
    return turned.transpose(0, 1, *np.roll(range(2, 2 + sides), 1))
