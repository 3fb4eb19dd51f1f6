"""A rate that never goes without its number of cases."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from scorekeeper.rules.phrase import Phrase

ENOUGH = 10
"""Below so many cases a rate tells nothing, and says so."""


class Rate(NamedTuple):
    """So many `hits` of so many `cases`."""

    cases: int
    hits: int

    @property
    def enough(self) -> bool:
        """Return whether there are cases enough to speak of a rate."""
        return self.cases >= ENOUGH

    @property
    def share(self) -> Fraction:
        """Return the rate from 0 to 1, 0 without a case."""
        return Fraction(self.hits, self.cases or 1)

    @property
    def percent(self) -> int:
        """Return the rate in whole percent, halves up."""
        return int(self.share * 100 + Fraction(1, 2))


def rate_text(rate: Rate) -> Phrase:
    """Return "62% of 34", "3 of 4, too few for a rate", or that there was none."""
    if not rate.cases:
        return Phrase("none yet")
    if not rate.enough:
        return Phrase("%(hits)s of %(cases)s", hits=rate.hits, cases=rate.cases)
    return Phrase("%(percent)s of %(cases)s", percent=f"{rate.percent}%", cases=rate.cases)
