"""Calculate the chances at every score, by the rules themselves.

Limit the processor time and the memory that a calculation may take, so that a page can't be made expensive.

Solve equations in which a value for each state of a game depends on the values for the states one hand later.

The value is, for example, the probability that a side wins. A side that is set loses points, so a game can return to an
earlier state. The equations can't be solved one by one then. Instead, all of them are applied again and again, until
the values hardly change.

Calculate win probabilities before a hand from the win probabilities after the hand, for all states of a game.

All states are calculated at once, in arrays with an index for the total of each side. In every state, seat 0 deals the
next hand. In pairs and arrays, the side of seat 0 always comes before the other side.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import product
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
"""Largest accepted error of a solution. The error is estimated from the changes in the last two rounds."""
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


def solve(step: Step, guess: Numbers, matters: Any = ..., effort: Effort | None = None) -> Numbers:
    """Return the values for all states that `step` hardly changes any more (see `CLOSE`).

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
        if number >= FEWEST_ROUNDS and to_come < CLOSE:
            return new
        values, before = new, changed
    raise EndlessError


class Counts(NamedTuple):
    """What decides whether a game is over, in addition to the totals.

    `sets` holds how often each side was set, with the side that deals next first. `hands` is the number of hands
    played. `level` means that one more hand has to settle a tie. A field that the rules don't use has its default
    value.
    """

    sets: tuple[int, int] = (0, 0)
    hands: int = 0
    level: bool = False


def kept_counts(table: Table, counts: Counts) -> Counts:
    """Return `counts`, with the default value in each field that the rules of the table don't use."""
    rules = table.rules
    return Counts(
        counts.sets if rules.max_sets is not None else (0, 0),
        min(counts.hands, rules.hands_limit or 0) if rules.finish == "fixed_hands" else 0,
        counts.level and rules.finish == "highest" and rules.tie_break_round == "decides",
    )


class _HandKind(NamedTuple):
    """What decides whether a hand ends the game, in addition to the totals after the hand and the `Counts` before it.

    `bidder` is 0 if the dealer's side won the bid, and 1 if the other side did. `bid` is "pitch" or "moon", or "" if
    the bid was a number. `made` is whether the bid was made. `from_zero` is whether the bidder's side had zero points
    or more before the hand, and is always True if the bid was a number.
    """

    bidder: int
    bid: str
    made: bool
    from_zero: bool


class _Ends(Struct, frozen=True):
    """Whether hands of one kind end the game, as arrays with a value for each pair of totals after the hand.

    The values of `over` say whether the game is over. Those of `won` are 1 if the dealer's side has won, 0.5 if the
    game ended without a winner, and otherwise 0. Those of `level` say whether one more hand has to settle a tie.
    """

    over: NDArray[np.bool_]
    won: Numbers
    level: NDArray[np.bool_]


class _Change(NamedTuple):
    """What some hands do to the total of the dealer's side. Hands with the same effect share one `_Change`.

    `rows` maps each total before the hand to the total after the hand. It is an array of indexes, stored as bytes so
    that it can be part of a dict's key. `bidder`, `bid` and `made` are as in `_HandKind`.
    """

    bidder: int
    bid: str
    made: bool
    rows: bytes


BLOCK = 32
"""Totals of the other side for which values are added up at once. One matrix for all totals would hold mostly zeros."""


class _Block(NamedTuple):
    """The probabilities of the other side's totals `after` some hands, in columns for its totals `before` them."""

    before: slice
    after: slice
    p: Numbers


def _blocks(changes: Mapping[bytes, float]) -> tuple[_Block, ...]:
    """Return the probabilities of all totals of the other side after some hands, in blocks of totals before them.

    `changes` has the probability of each change of that total, in the format of `_Change.rows`.
    """
    columns = [np.frombuffer(each, np.intp) for each in changes]
    size = len(columns[0])
    p = np.zeros((size + 2, size))
    for each, share in zip(columns, changes.values(), strict=True):
        p[each, np.arange(size)] += share
    found = []
    for start in range(0, size, BLOCK):
        before = slice(start, start + BLOCK)
        used = np.flatnonzero(p[:, before].any(axis=1))
        after = slice(used[0], used[-1] + 1)
        found.append(_Block(before, after, p[after, before].copy()))
    return tuple(found)


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
        changes: dict[_Change, dict[bytes, float]] = defaultdict(lambda: defaultdict(float))
        alike: dict[Hand, float] = defaultdict(float)
        for chance in model.chances:
            if not chance.hand.thrown_in:
                # Which of the side's players bid doesn't matter.
                alike[chance.hand._replace(bidder=table.side_of[chance.hand.bidder or 0])] += chance.p
        hands = {}
        for hand, p in alike.items():
            if effort is not None:
                effort.check()
            change, columns = self._change(hand)
            changes[change][columns] += p
            hands[change[:3]] = hand
        self.changes = {change: _blocks(columns) for change, columns in changes.items()}
        self.ends: dict[tuple[_HandKind, Counts], _Ends] = {}
        for (kind, hand), before in product(hands.items(), counts):
            if effort is not None:
                effort.check()
            for from_zero in (False, True) if kind[1] else (True,):
                ends = _HandKind(kind[0], kind[1], kind[2], from_zero)
                self.ends[ends, before] = self._ends(hand, ends, before)

    def step(self, values: Numbers) -> Numbers:
        """Return the values before one more hand, calculated from `values`, the values after that hand.

        The values are win probabilities and expected numbers of hands, in an array like `WinOdds.values`.
        """
        before = np.zeros_like(values)
        before[1] = 1.0
        turned = _turned(values)
        for counts, place in self.counts.items():
            if self.passed:
                turns = self.table.side_of[dealer_after(self.table, 0, thrown_in=True)] != 0
                before[:, place] += self.passed * (turned[:, self._turned_place(counts)] if turns else values[:, place])
            after = {kind: self._after(kind, counts, turned) for kind, asked in self.ends if asked == counts}
            for change, blocks in self.changes.items():
                before[:, place] += self._carried(change, blocks, after)
        return before

    def _carried(self, change: _Change, blocks: Sequence[_Block], after: Mapping[_HandKind, Numbers]) -> Numbers:
        """Return the values before the hands that cause `change`, times their probabilities, for each pair of totals.

        `blocks` is what these hands do to the other side's total. `after` has the values after each kind of hand, for
        each pair of totals after the hand.
        """

        def moved(*, from_zero: bool) -> Numbers:
            values = after[_HandKind(*change[:3], from_zero)]
            mixed = np.empty((*values.shape[:2], len(self.totals)))
            for each in blocks:
                np.matmul(values[..., each.after], each.p, out=mixed[..., each.before])
            return mixed.take(np.frombuffer(change.rows, np.intp), axis=1)

        if not change.bid:
            return moved(from_zero=True)
        zero = -self.totals[0]
        below = (
            (slice(None), slice(zero), slice(None)) if change.bidder == 0 else (slice(None), slice(None), slice(zero))
        )
        carried = moved(from_zero=True)
        carried[below] = moved(from_zero=False)[below]
        return carried

    def _after(self, kind: _HandKind, before: Counts, turned: Numbers) -> Numbers:
        """Return the win probabilities and expected numbers of hands for each pair of totals after a hand.

        `kind` is the kind of the hand, and `before` holds the counts before the hand. `turned` has the values for the
        next hand, which the other side deals, but with the side that dealt this hand first.
        """
        ends = self.ends[kind, before]
        sets = _sets_after(kind, before)
        free = self._turned_place(Counts(sets, before.hands + 1))
        after = np.where(ends.over, 0.0, turned[:, free])
        if ends.level.any():
            after = np.where(
                ends.level, turned[:, self._turned_place(Counts(sets, before.hands + 1, level=True))], after
            )
        after[0] += ends.won
        # Two more rows for a side to deal below and above all totals, and two more columns for the other side.
        after = np.pad(after, ((0, 0), (0, 2), (0, 2)))
        after[0, -1] = 1.0
        after[0, :, -2] = 1.0
        after[0, -1, -1] = 0.5
        return after

    def _turned_place(self, counts: Counts) -> int:
        """Return the index in the arrays for `counts` after the deal has passed to the other side.

        If a game with such counts is always over, the result is 0, and is not used.
        """
        return self.counts.get(kept_counts(self.table, counts._replace(sets=counts.sets[::-1])), 0)

    def _change(self, hand: Hand) -> tuple[_Change, bytes]:
        """Return what `hand` does to each total of the dealer's side, and to each of the other side (as in `rows`).

        The points of both sides may depend on the total of the bidder's side, but not on the other side's total.
        """
        side = self.table.side_of[hand.bidder or 0]
        added: list[list[int]] = [[], []]
        made = False
        for total in self.totals:
            scored = score_hand(self.table, Tally((total, 0) if side == 0 else (0, total), (0, 0)), hand)
            made = bool(scored.made)
            for each in (0, 1):
                added[each].append(scored.delta[each])
        size = len(self.totals)
        after = (np.arange(size) + np.array(each) for each in added)
        rows, columns = (
            np.where(each < 0, size, np.where(each < size, each, size + 1)).astype(np.intp) for each in after
        )
        return _Change(side, hand.bid if isinstance(hand.bid, str) else "", made, rows.tobytes()), columns.tobytes()

    def _ends(self, hand: Hand, kind: _HandKind, counts: Counts) -> _Ends:
        """Return whether `hand`, which is of this `kind`, ends the game, for each pair of totals after the hand."""
        start = 0 if kind.from_zero else -1
        before = Tally((start, start), counts.sets, counts.hands, counts.level)
        sets = _sets_after(kind, counts)
        shape = (len(self.totals), len(self.totals))
        ends = _Ends(np.zeros(shape, np.bool_), np.zeros(shape), np.zeros(shape, np.bool_))
        for row, ours in enumerate(self.totals):
            for column, theirs in enumerate(self.totals):
                played = AfterHand(before, (kind.bidder,), kind.made, (ours, theirs), sets, counts.hands + 1)
                outcome, level = ending_of(self.table.rules, hand, played)
                if outcome is not None:
                    ends.over[row, column] = True
                    ends.won[row, column] = 0.5 if outcome.winner is None else outcome.winner == 0
                elif level:
                    ends.level[row, column] = True
        return ends


def _sets_after(kind: _HandKind, before: Counts) -> tuple[int, int]:
    """Return how often each side was set, after a hand of this `kind`. `before` holds the counts before the hand."""
    ours, theirs = (count + (not kind.made and side == kind.bidder) for side, count in enumerate(before.sets))
    return ours, theirs


def _turned(values: Numbers) -> Numbers:
    """Return `values`, which have the side that deals next first, rearranged so that this side is second.

    The win probabilities in the result are those of the other side, which is now first.
    """
    turned: Numbers = values.swapaxes(2, 3).copy()
    turned[0] = 1 - turned[0]
    return turned
