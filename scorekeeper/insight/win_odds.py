"""Calculate win probabilities for a game of two sides, exactly, for every score at which a hand can begin.

The module `rules.scoring` decides what a hand scores and whether the hand ends the game. The points of a hand depend on
no total but that of the bidder's side, so each possible hand is scored once for each total. Whether a hand ends the
game depends on the totals after the hand, the kind of bid, and a few counts. So that is checked once for each pair of
totals and each kind of hand, instead of for every hand at every score.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from scorekeeper.insight.effort import Effort
from scorekeeper.insight.fixed_point import EndlessError, Numbers, solve
from scorekeeper.insight.hand_steps import Counts, HandSteps, kept_counts
from scorekeeper.insight.model import Model, check_table
from scorekeeper.rules.scoring import Tally, dearest_set
from scorekeeper.rules.table import Table
from scorekeeper.rules.violation import RuleViolation

SAME = 1e-6
"""The range of totals is wide enough if doubling `reach` changes no probability by more than this (see `win_odds`)."""
SAME_HANDS = 1e-4
"""Doubling `reach` must also change no expected number of hands by more than this."""
NEAREST = 16
"""Minimum `reach` at the start. `reach` is how many points the range extends below zero and above the target."""
WIDEST = 500
"""A `reach` of at least this many points is not doubled any more.

Totals farther away than this, which only adjustments make, are treated as if they were this far away. The arrays would
otherwise need too much memory.
"""


@dataclass(frozen=True, slots=True)
class WinOdds:
    """The win probability and the expected number of hands, for each state in which a hand can begin.

    `values[0]` has the probabilities that the side that deals next wins. `values[1]` has the expected numbers of hands
    until the end. Each has three more indexes: the number that `counts` gives to the state's `Counts`, the total of the
    side that deals next, and the total of the other side. Indexes of totals count from `low`, the lowest total. A total
    outside the range of the array is treated as the nearest total in the range.
    """

    table: Table
    low: int
    counts: Mapping[Counts, int]
    values: Numbers

    def win(self, tally: Tally, dealer: int) -> tuple[float, float]:
        """Return the win probability of each side, at the score `tally`. `dealer` is the seat that deals the next hand.

        If a side has won already, its probability is 1. If the game ended without a winner, both probabilities are 0.5.
        """
        if tally.outcome is not None:
            winner = tally.outcome.winner
            return (0.5, 0.5) if winner is None else (float(winner == 0), float(winner == 1))
        first = self.table.side_of[dealer]
        p = min(max(float(self.values[0, *self._place(tally, first)]), 0.0), 1.0)
        return (p, 1 - p) if first == 0 else (1 - p, p)

    def hands_left(self, tally: Tally, dealer: int) -> float:
        """Return the expected number of hands until the end of the game, or 0 if the game is over.

        Hands in which everyone passes are included. `dealer` is the seat that deals the next hand.
        """
        if tally.outcome is not None:
            return 0.0
        return float(self.values[1, *self._place(tally, self.table.side_of[dealer])])

    def _place(self, tally: Tally, first: int) -> tuple[int, int, int]:
        other = 1 - first
        sets = (tally.sets[first], tally.sets[other])
        most = self.values.shape[-1] - 1
        ours, theirs = (min(max(tally.totals[side] - self.low, 0), most) for side in (first, other))
        return self.counts[kept_counts(self.table, Counts(sets, tally.hands, tally.level))], ours, theirs


def win_odds(
    table: Table, model: Model, least: int = 0, most: int = 0, effort: Effort | None = None, widest: int = WIDEST
) -> WinOdds:
    """Return the win probabilities at `table`, for every score with totals from `least` to `most`.

    Scores with totals from 0 to the target are always included. Totals outside that range are included as far as they
    have an effect: `reach`, the number of points below zero and above the target, is doubled until the probabilities
    hardly change (see `SAME`). Totals are included only as far as `widest` points away, as `WIDEST` says. Raises
    `RuleViolation` if no win probability can be calculated for the table, or if a game by `model` practically never
    ends. Raises `TooLongError` if it takes more than `effort` allows.
    """
    check_table(table)
    reach = max(NEAREST, dearest_set(table))
    least = max(min(least, 0), -widest)
    most = min(max(most, table.rules.target), table.rules.target + widest)
    try:
        narrow = solved_within(table, model, least, most, reach, effort=effort)
        while reach < widest:
            reach *= 2
            wide = solved_within(table, model, least, most, reach, narrow, effort)
            wins, hands = np.abs(
                narrow.values[_inside(narrow, least, most)] - wide.values[_inside(wide, least, most)]
            ).reshape(2, -1)
            if wins.max() <= SAME and hands.max() <= SAME_HANDS:
                return wide
            narrow = wide
    except EndlessError:
        pass
    raise RuleViolation("model_endless", "By this model, a game practically never ends.")


def _inside(odds: WinOdds, least: int, most: int) -> tuple[Any, ...]:
    """Return an index of `odds.values` that selects all states in which both totals are from `least` to `most`."""
    near = slice(least - odds.low, most - odds.low + 1)
    return (..., near, near)


def solved_within(
    table: Table,
    model: Model,
    least: int,
    most: int,
    reach: int,
    narrow: WinOdds | None = None,
    effort: Effort | None = None,
) -> WinOdds:
    """Return the win probabilities, calculated with a limited range of totals.

    The range goes from `reach` points below zero, or fewer if the rules don't allow so low a total, to `reach` points
    above the target. The range is extended to include `least` and `most`. `narrow` is the result for a narrower range,
    which saves time as a first guess, or None. Raises `TooLongError` if it takes more than `effort` allows.
    """
    rules = table.rules
    below = reach if rules.lose_at_minus is None else min(reach, rules.lose_at_minus + 1)
    low = min(least, -1 if rules.negative == "floor_zero" else -below)
    totals = range(low, max(most, rules.target + reach) + 1)
    counts = {each: place for place, each in enumerate(_all_counts(table))}
    if effort is not None:
        effort.check(2 * len(counts) * len(totals) ** 2)
    guess = np.zeros((2, len(counts), len(totals), len(totals)))
    if narrow is not None:
        inside = np.clip(np.array(totals) - narrow.low, 0, narrow.values.shape[-1] - 1)
        guess = narrow.values[..., inside[:, None], inside]
    odds = WinOdds(table, low, counts, guess)
    steps = HandSteps(table, model, totals, counts, effort)
    return WinOdds(table, low, counts, solve(steps.step, guess, _inside(odds, least, most), effort))


def _all_counts(table: Table) -> list[Counts]:
    """Return every `Counts` that is possible at this table, with default values in fields that the rules don't use."""
    sets = range(table.rules.max_sets or 1)
    hands = range((table.rules.hands_limit or 0) + 1)
    every = (Counts((ours, theirs), *more) for ours, theirs, more in product(sets, sets, product(hands, (False, True))))
    return sorted({kept_counts(table, counts) for counts in every})
