"""Read dates as people write them in spreadsheets, with or without a year, with the day or the month first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Literal

from scorekeeper.web.text import unaccented

Order = Literal["", "month", "day"]
"""Whether the month or the day comes first in a date; an empty string if that isn't clear."""
MonthDay = tuple[int, int]

YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
POINTS = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})?")
"""Pattern of a date with dots, such as "8.9.2026", or "8.9." without a year.

The day comes first, as in Germany.
"""
TWO_WAYS = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})")
NO_YEAR = re.compile(r"(\d{1,2})/(\d{1,2})")
DAY_NAMED = re.compile(r"(?:[a-z]+\.?,? )?(\d{1,2})[ .-]*(?:de )?([a-z]{3,10})\.?(?:[ .,-]*(?:de )?(\d{4}|\d{2}))?")
MONTH_NAMED = re.compile(r"([a-z]{3,10})\.?[ -]?(\d{1,2})(?:st|nd|rd|th)?(?:(?:, ?| |-)(\d{4}|\d{2}))?")
TIME = re.compile(r"[ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[AP]M)?Z?$", re.IGNORECASE)
WEEKDAY = re.compile(r"^(mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? +", re.IGNORECASE)
SERIAL = re.compile(r"\d{5}([.,]0+)?")
DAY_ZERO = date(1899, 12, 30)
"""The date that spreadsheets store as day 0."""
MONTHS = 12
NAMES = {
    "jan": 1, "ene": 1, "feb": 2, "fev": 2, "mar": 3, "apr": 4, "abr": 4, "avr": 4, "may": 5, "mai": 5, "jun": 6,
    "juin": 6, "jul": 7, "juil": 7, "aug": 8, "ago": 8, "aou": 8, "sep": 9, "oct": 10, "okt": 10, "nov": 11, "dec": 12,
    "dic": 12, "dez": 12,
}  # fmt: skip
"""Maps the beginning of a month's name in English, Spanish, French or German, without accents, to the month."""


def day_of(text: str, order: Order) -> date | None:
    """Return the date in a cell, or None if the date is incomplete, or if it can be read two ways."""
    told = _bare(text)
    if SERIAL.fullmatch(told):
        return DAY_ZERO + timedelta(days=int(told[:5]))
    if year_first := YEAR_FIRST.fullmatch(told):
        return _day(*(int(number) for number in year_first.groups()))
    if two := TWO_WAYS.fullmatch(told):
        pair = _in_order(int(two[1]), int(two[2]), order)
        return pair and _day(_year(two[3]), *pair)
    if points := POINTS.fullmatch(told):
        return _day(_year(points[3]), int(points[2]), int(points[1])) if points[3] else None
    named = _named(told)
    return _day(named[2], *named[:2]) if named and named[2] else None


def month_day_of(text: str, order: Order) -> MonthDay | None:
    """Return (month, day) for a date without a year, such as "Sep 8" or "9/15".

    Return None if the text isn't such a date, or if it can be read two ways.
    """
    told = _bare(text)
    if two := NO_YEAR.fullmatch(told):
        pair = _in_order(int(two[1]), int(two[2]), order)
    elif (points := POINTS.fullmatch(told)) and not points[3]:
        pair = int(points[2]), int(points[1])
    else:
        named = _named(told)
        pair = named[:2] if named and not named[2] else None
    return pair if pair and _day(2000, *pair) else None


def order_of(texts: Iterable[str]) -> Order:
    """Return whether the "month" or the "day" is first in the dates of a file.

    Return "" if no date makes that clear, or if dates contradict each other.
    """
    found: set[Order] = set()
    for text in texts:
        if two := _two_numbers(text):
            first, second = two
            found |= {"day"} if first > MONTHS else {"month"} if second > MONTHS else set()
    return found.pop() if len(found) == 1 else ""


def is_unclear(text: str, order: Order) -> bool:
    """Return whether the date in a cell can be read two ways."""
    if order or not (two := _two_numbers(text)):
        return False
    return two[0] != two[1] and 1 <= min(two) <= max(two) <= MONTHS


def with_years(days: Sequence[MonthDay], last: date) -> list[date | None]:
    """Return `days` as dates with guessed years, so that the dates are in order. No date is after `last`.

    `days` are in the order of a spreadsheet, which may begin with the oldest or the newest date. February 29 becomes
    None if its year isn't a leap year.
    """
    pairs = list(pairwise(days))
    if sum(one > other for one, other in pairs) > sum(one < other for one, other in pairs):
        return with_years(days[::-1], last)[::-1]
    year, later, found = last.year, (last.month, last.day), list[date | None]()
    for pair in reversed(days):
        year -= pair > later
        found.append(_day(year, *pair))
        later = pair
    return found[::-1]


def _bare(text: str) -> str:
    return WEEKDAY.sub("", TIME.sub("", text.strip()))


def _two_numbers(text: str) -> tuple[int, int] | None:
    told = _bare(text)
    two = TWO_WAYS.fullmatch(told) or NO_YEAR.fullmatch(told)
    return (int(two[1]), int(two[2])) if two else None


def _in_order(first: int, second: int, order: Order) -> MonthDay | None:
    """Return the two numbers of a date as (month, day), or None if they can be read two ways."""
    if not order and first != second and max(first, second) <= MONTHS:
        return None
    return (first, second) if order == "month" or (not order and second >= first) else (second, first)


def _named(told: str) -> tuple[int, int, int] | None:
    """Return (month, day, year) for a date in which the month is a word, or None for any other text.

    The year is 0 if the text has no year.
    """
    plain = unaccented(told)
    if found := DAY_NAMED.fullmatch(plain):
        day, month, year = found.groups()
    elif found := MONTH_NAMED.fullmatch(plain):
        month, day, year = found.groups()
    else:
        return None
    number = NAMES.get(month[:4]) or NAMES.get(month[:3])
    return (number, int(day), _year(year) if year else 0) if number else None


def _year(text: str) -> int:
    return int(text) if len(text) > 2 else 2000 + int(text)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
