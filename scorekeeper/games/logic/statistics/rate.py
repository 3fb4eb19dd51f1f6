"""Calculate rates, and show them with their number of cases."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from scorekeeper.rules.phrase import Phrase

ENOUGH = 10
"""The fewest cases for which a percentage is shown."""


class Rate(NamedTuple):
    """A number of `hits`, such as wins, among a number of `cases`, such as games."""

    cases: int
    hits: int

    @property
    def enough(self) -> bool:
        """Return whether there are enough cases for a percentage."""
        return self.cases >= ENOUGH

    @property
    def share(self) -> Fraction:
        """Return the rate from 0 to 1. The rate is 0 if there are no cases."""
        return Fraction(self.hits, self.cases or 1)

    @property
    def percent(self) -> int:
        """Return the rate in whole percent, halves rounded up."""
        return int(self.share * 100 + Fraction(1, 2))


def rate_text(rate: Rate) -> Phrase:
    """Return a rate as text, such as "62% of 34".

    The text is "3 of 4" if there are fewer than `ENOUGH` cases, and "none yet" if there are none.
    """
    if not rate.cases:
        return Phrase("none yet")
    if not rate.enough:
        return Phrase("%(hits)s of %(cases)s", hits=rate.hits, cases=rate.cases)
    return Phrase("%(percent)s of %(cases)s", percent=f"{rate.percent}%", cases=rate.cases)
