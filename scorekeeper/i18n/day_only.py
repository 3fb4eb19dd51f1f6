"""Mark moments of which only the day is known, so that no page shows a time of day that nobody entered."""

from datetime import datetime

DAY_ONLY = 1
"""Microseconds of a moment of which only the day is known. A clock shows them once in a million times."""


def on_that_day(moment: datetime) -> datetime:
    """Return `moment`, marked as one of which only the day is known."""
    return moment.replace(microsecond=DAY_ONLY)
