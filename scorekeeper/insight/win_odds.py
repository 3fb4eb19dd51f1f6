"""Calculate win probabilities for a game of two or three sides, for every score at which a hand can begin.

The module `rules.scoring` decides what a hand scores and whether the hand ends the game. The points of a hand depend on
no total but that of the bidder's side, so each possible hand is scored once for each total. Whether a hand ends the
game depends on the totals after the hand, the kind of bid, and a few counts. So that is checked once for each
combination of totals and each kind of hand, instead of for every hand at every score.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from math import log
from typing import Any

import numpy as np
from msgspec import Struct

from scorekeeper.insight.model import Model, check_table
from scorekeeper.insight.solver import (
    CLOSE,
    Counts,
    Effort,
    EndlessError,
    HandSteps,
    Numbers,
    kept_counts,
    solve,
)
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.scoring import Tally, dearest_set
from scorekeeper.rules.table import Table

SAME, SAME_HANDS = 1e-10, 1e-5
"""The range of totals is wide enough if a wider one would change no probability by more than `SAME`.

Nor may it change an expected number of hands by more than `SAME_HANDS` times the longest one.
"""
NEAREST = {2: (16, 2.0), 3: (12, 1.5)}
"""Minimum `reach` at the start, and how many times larger the next one is, by the number of sides.

`reach` is how many points the range extends below zero.
"""
LEAST_ABOVE = 8
"""Fewest points that the range extends above the target."""
MARGIN = 1.25
"""How many times larger the next `reach` is than seems to be enough, so that no other one is needed."""
NEAR, NEAR_ENOUGH = {2: 32, 3: 12}, 1e-6
"""The `reach` for a page by the number of sides, and the largest accepted error of the solution within that range."""
WIDEST = 500
"""A `reach` of at least this many points is not made larger any more.

Totals farther away than this, which only adjustments make, are treated as if they were this far away. The arrays would
otherwise need too much memory.
"""


class WinOdds(Struct, frozen=True):
    """The win probabilities and the expected number of hands, for each state in which a hand can begin.

    `values[0]` has the probabilities that the side that deals next wins, followed by those of the sides that deal after
    it, without the last side. `values[-1]` has the expected numbers of hands until the end. Each has more indexes: the
    number that `counts` gives to the state's `Counts`, and the total of each side, in the order in which they deal.
    Indexes of totals count from `low`, the lowest total. A total outside the range of the array is treated as the
    nearest total in the range.
    """

    table: Table
    low: int
    counts: Mapping[Counts, int]
    values: Numbers

    def win(self, tally: Tally, dealer: int) -> tuple[float, ...]:
        """Return the win probability of each side, at the score `tally`. `dealer` is the seat that deals the next hand.

        If a side has won already, its probability is 1. If the game ended without a winner, all probabilities are the
        same.
        """
        sides = len(tally.totals)
        if tally.outcome is not None:
            winner = tally.outcome.winner
            return tuple(1 / sides if winner is None else float(side == winner) for side in range(sides))
        first = self.table.side_of[dealer]
        found, rest = list[float](), 1.0
        place: Any = self._place(tally, first)
        for value in self.values[(slice(-1), *place)].tolist():
            found.append(min(max(value, 0.0), rest))
            rest -= found[-1]
        return _turned([*found, rest], sides - first)

    def hands_left(self, tally: Tally, dealer: int) -> float:
        """Return the expected number of hands until the end of the game, or 0 if the game is over.

        Hands in which everyone passes are included. `dealer` is the seat that deals the next hand.
        """
        if tally.outcome is not None:
            return 0.0
        return float(self.values[-1, *self._place(tally, self.table.side_of[dealer])])

    def _place(self, tally: Tally, first: int) -> tuple[int, ...]:
        most = self.values.shape[-1] - 1
        totals = (min(max(total - self.low, 0), most) for total in _turned(tally.totals, first))
        counts = Counts(_turned(tally.sets, first), tally.hands, tally.level)
        return self.counts[kept_counts(self.table, counts)], *totals


def _turned(values: Sequence[Any], first: int) -> tuple[Any, ...]:
    """Return `values`, one for each side, in the order that starts with the side `first`."""
    return (*values[first:], *values[:first])


def win_odds(
    table: Table, model: Model, least: int = 0, most: int = 0, effort: Effort | None = None, widest: int = WIDEST
) -> WinOdds:
    """Return the win probabilities at `table`, for every score with totals from `least` to `most`.

    Scores with totals from 0 to the target are always included. Totals outside that range are included as far as they
    have an effect: `reach`, the number of points below zero and above the target, grows until a larger one would hardly
    change anything (see `SAME`). Totals are included only as far as `widest` points away, as `WIDEST` says. Raises
    `RuleViolation` if no win probability can be calculated for the table, or if a game by `model` practically never
    ends. Raises `TooLongError` if it takes more than `effort` allows.
    """
    check_table(table)
    reach, grows = NEAREST[len(table.sides)]
    reach = max(reach, dearest_set(table))
    least = max(min(least, 0), -widest)
    most = min(max(most, table.rules.target), table.rules.target + widest)
    try:
        narrow = solved_within(table, model, least, most, reach, effort)
        farther = int(grows * reach)
        while reach < widest:
            wide = solved_within(table, model, least, most, farther, effort)
            before, after = (each.values[_inside(each, least, most)] for each in (narrow, wide))
            changed = np.abs(after - before)
            hands = changed[-1] / after[-1].max()
            enough = reach * max(_times(changed[:-1], SAME), _times(hands, SAME_HANDS))
            if enough <= farther:
                return wide
            narrow, reach = wide, farther
            farther = int(min(MARGIN * max(enough, reach), 2.5 * reach, max(widest, reach + 1)))
    except EndlessError:
        pass
    raise RuleViolation("model_endless", "By this model, a game practically never ends.")


def _times(changed: Numbers, same: float) -> float:
    """Return how many times as far a side must get, until that `changed` nothing by more than `same`.

    To get twice as far is as unlikely as to get so far twice.
    """
    return log(same) / log(min(max(changed.max(), same), 0.9))


def near_odds(table: Table, model: Model, effort: Effort | None = None) -> WinOdds:
    """Return the win probabilities at `table`, exactly enough for a page, in a fraction of the time.

    With the usual rules of any game and its built-in model, they are less than 0.001 off. Raises the same errors as
    `win_odds`.
    """
    check_table(table)
    reach = max(NEAR[len(table.sides)], dearest_set(table))
    try:
        return solved_within(table, model, 0, table.rules.target, reach, effort, NEAR_ENOUGH)
    except EndlessError:
        raise RuleViolation("model_endless", "By this model, a game practically never ends.") from None


def _inside(odds: WinOdds, least: int, most: int) -> tuple[Any, ...]:
    """Return an index of `odds.values` that selects all states in which both totals are from `least` to `most`."""
    return (..., *[slice(least - odds.low, most - odds.low + 1)] * len(odds.table.sides))


def solved_within(
    table: Table, model: Model, least: int, most: int, reach: int, effort: Effort | None = None, close: float = CLOSE
) -> WinOdds:
    """Return the win probabilities, calculated with a limited range of totals.

    The range goes from `reach` points below zero, or fewer if the rules don't allow so low a total, to `reach` points
    above the target, or half as many if three sides share the points, but at least `LEAST_ABOVE`. The range is extended
    to include `least` and `most`. Raises `TooLongError` if it takes more than `effort` allows.
    """
    rules, sides = table.rules, len(table.sides)
    below = reach if rules.lose_at_minus is None else min(reach, rules.lose_at_minus + 1)
    low = min(least, -1 if rules.negative == "floor_zero" else -below)
    totals = range(low, max(most, rules.target + max(reach // (sides - 1), LEAST_ABOVE)) + 1)
    counts = {each: place for place, each in enumerate(_all_counts(table))}
    if effort is not None:
        effort.check(sides * len(counts) * len(totals) ** sides)
    odds = WinOdds(table, low, counts, np.zeros((sides, len(counts), *[len(totals)] * sides)))
    steps = HandSteps(table, model, totals, counts, effort)
    return WinOdds(table, low, counts, solve(steps.step, odds.values, _inside(odds, least, most), effort, close))


def _all_counts(table: Table) -> list[Counts]:
    """Return every `Counts` that is possible at this table, with default values in fields that the rules don't use."""
    sets = range(table.rules.max_sets or 1)
    hands = range((table.rules.hands_limit or 0) + 1)
    every = (Counts((ours, theirs), *more) for ours, theirs, more in product(sets, sets, product(hands, (False, True))))
    return sorted({kept_counts(table, counts) for counts in every})
