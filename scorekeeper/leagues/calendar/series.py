"""The dates of a series of nights, such as every Thursday."""

from __future__ import annotations

from datetime import date, timedelta

MOST = 60
"""Most nights in one series."""
FIRST = date(2000, 1, 1)
FAR = date(2200, 1, 1)
"""Nights can be planned only for dates before this date."""


def dates(first: date, weeks: int, *, until: date | None = None, count: int | None = None) -> tuple[date, ...]:
    """Return the dates of a series that starts at `first` and continues every `weeks` weeks.

    The series ends at `until` (inclusive) or after `count` dates, whichever is earlier, and never has more than `MOST`
    dates. If `weeks` is 0, or if both `until` and `count` are None, only `first` is returned.
    """
    if weeks < 1 or (until is None and count is None):
        return (first,)
    last = min(until or FAR, FAR - timedelta(days=1))
    steps = range(min(MOST if count is None else count, MOST))
    # Compared in days, because a date may not leave the calendar.
    fits = (number for number in steps if number * weeks * 7 <= (last - first).days)
    return tuple(first + timedelta(weeks=weeks * number) for number in fits)
