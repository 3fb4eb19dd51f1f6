"""Solve equations in which a value for each state of a game depends on the values for the states one hand later.

The value is, for example, the probability that a side wins. A side that is set loses points, so a game can return to an
earlier state. The equations can't be solved one by one then. Instead, all of them are applied again and again, until
the values hardly change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorekeeper.insight.effort import Effort

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
