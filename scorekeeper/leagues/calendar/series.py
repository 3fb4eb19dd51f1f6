"""The dates of a series of nights, such as every Thursday."""

from __future__ import annotations

from datetime import date, timedelta

MOST = 60
"""Nights in one series."""
FIRST = date(2000, 1, 1)
FAR = date(2200, 1, 1)
"""No night is planned from this date on."""


def dates(first: date, weeks: int, *, until: date | None = None, count: int | None = None) -> tuple[date, ...]:
    """Return `first` and every `weeks` weeks after it, up to `until` (inclusive) and at most `count` dates.

    With neither `until` nor `count`, or with `weeks` 0, only `first`. At most `MOST` dates.
    """
    if weeks < 1 or (until is None and count is None):
        return (first,)
    last = min(until or FAR, FAR - timedelta(days=1))
    steps = range(min(MOST if count is None else count, MOST))
    # Compared in days, because a date may not leave the calendar.
    fits = (number for number in steps if number * weeks * 7 <= (last - first).days)
    return tuple(first + timedelta(weeks=weeks * number) for number in fits)
