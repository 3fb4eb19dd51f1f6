"""Read dates as spreadsheets write them: with month names or numbers, month or day first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Literal

Order = Literal["", "month", "day"]
"""Which number comes first, empty if that is not clear."""

FORMS = (
    "%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d.%m.%y", "%d-%b-%y", "%d-%b-%Y", "%d %b %Y", "%d %B %Y",
    "%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%B %d %Y",
)  # fmt: skip
TIME = re.compile(r"[ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[AP]M)?$", re.IGNORECASE)
WEEKDAY = re.compile(r"^(mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? +", re.IGNORECASE)
TWO_WAYS = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})")
SERIAL = re.compile(r"\d{5}([.,]0+)?")
DAY_ZERO = date(1899, 12, 30)
"""Day zero of spreadsheets."""
MONTHS = 12


def day_of(text: str, order: Order) -> date | None:
    """Return the day in a cell, None if the cell has no date or if it can be read two ways."""
    told = WEEKDAY.sub("", TIME.sub("", text.strip()))
    if SERIAL.fullmatch(told):
        return DAY_ZERO + timedelta(days=int(told[:5]))
    if two := TWO_WAYS.fullmatch(told):
        first, second, year = (int(number) for number in two.groups())
        if not order and first != second and max(first, second) <= MONTHS:
            return None
        month_first = order == "month" or (not order and second >= first)
        month, day = (first, second) if month_first else (second, first)
        try:
            return date(year if year > 99 else 2000 + year, month, day)
        except ValueError:
            return None
    for form in FORMS:
        try:
            return datetime.strptime(told, form).date()  # noqa: DTZ007  a day without a time zone
        except ValueError:
            continue
    return None


def order_of(texts: Iterable[str]) -> Order:
    """Return whether month or day comes first in the dates of a file, empty if no date makes it clear."""
    found: set[Order] = set()
    for text in texts:
        if two := TWO_WAYS.fullmatch(TIME.sub("", text.strip())):
            first, second = int(two[1]), int(two[2])
            found |= {"day"} if first > MONTHS else {"month"} if second > MONTHS else set()
    return found.pop() if len(found) == 1 else ""


def is_unclear(text: str, order: Order) -> bool:
    """Return True if the date in a cell can be read two ways."""
    if not TWO_WAYS.fullmatch(TIME.sub("", text.strip())):
        return False
    ways: tuple[Order, ...] = ("month", "day")
    return day_of(text, order) is None and all(day_of(text, way) is not None for way in ways)
