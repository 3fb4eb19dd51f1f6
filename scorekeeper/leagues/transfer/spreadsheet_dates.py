"""Read dates as people write them in spreadsheets, with or without a year, with the day or the month first."""

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
MONTH_ONLY = re.compile(r"([a-z]{3,10})\.?(?:(?:,? |-|/)(\d{4})|(?:-| ?')(\d{2}))?")
"""Pattern of a month, such as "September", "Sept 2025", or "Sep-25", as Excel writes September 2025."""
TIME = re.compile(
    r",?[ T](\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(?:\s?([AP])\.?\s?M\.?)?"
    r"(?:Z|\s?(?-i:[A-Z]{2,4})?(?:\s?[+-]\d{1,2}(?::?\d{2})?)?)$",
    re.IGNORECASE,
)
"""Pattern of a time after a date, such as " 7:45:12 PM EST", as Google Forms writes it."""
SERIAL = re.compile(r"\d{5}([.,]0+)?")
DAY_ZERO = date(1899, 12, 30)
"""The date that spreadsheets store as day 0."""
MONTHS = 12
YEAR_DAYS = 12 * 31
"""Days of a year whose months all have 31 days, to compare distances between dates."""
NIGHT_ENDS = 5
"""Hour until which a game belongs to the evening before, as at home tables."""
_NIGHT = (
    r"(?:week|wk|w|night|session|meeting|game night|jornada|semana|noche|fecha|semaine|sem|soiree|seance)\.? ?#?\d{1,2}"
)
NUMBERED = re.compile(_NIGHT)
"""Pattern of the number of a night, such as "Week 3", in lower case and without accents."""
BEFORE_DATE = re.compile(
    rf"(?:(?:{_NIGHT}(?![\d/.-])"
    r"|(?:week|wk|night|session|meeting|(?:game|league|card) night|match ?day|game ?day|date|results?|scores?|played"
    r"|jornada|semana|noche|fecha|resultados?|semaine|soiree|seance|resultats?)\b"
    r"|(?:of|for|from|on|the|beginning|starting|commencing|ending|du|de|del|de la|le|el|al?)\b"
    r"|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b|lun(?:es|di)?\b|mar(?:tes|di)\b|mie(?:rcoles)?\b|mer(?:credi)?\b"
    r"|jue(?:ves)?\b|jeu(?:di)?\b|vie(?:rnes)?\b|ven(?:dredi)?\b|sab(?:ado)?\b|sam(?:edi)?\b|dom(?:ingo)?\b"
    r"|dim(?:anche)?\b)[ .,:;–—(#-]*)+(?=[a-z0-9])"
)
"""Pattern of what may stand before the date of a night, in lower case and without accents.

For example, "Week of Thursday, " or "Night 3 – ".
"""
AFTER_DATE = re.compile(r"[ ,:;–—-]*(?:\([^()]*\)|results?|scores?|resultados?|resultats?)$")
"""Pattern of what may stand after the date of a night, in lower case and without accents."""
BETWEEN_DATES = re.compile(r" ?(?:-|–|—|/| to | al? | au ) ?")
NAMES = {
    "jan": 1, "ene": 1, "feb": 2, "fev": 2, "mar": 3, "apr": 4, "abr": 4, "avr": 4, "may": 5, "mai": 5, "jun": 6,
    "juin": 6, "jul": 7, "juil": 7, "aug": 8, "ago": 8, "aou": 8, "sep": 9, "oct": 10, "okt": 10, "nov": 11, "dec": 12,
    "dic": 12, "dez": 12,
}  # fmt: skip
"""Maps the beginning of a month's name in English, Spanish, French or German, without accents, to the month."""
MONTH_NAMES = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november"),
    *("december", "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre"),
    *("noviembre", "diciembre", "janvier", "fevrier", "mars", "avril", "mai", "juin", "juillet", "aout", "septembre"),
    *("octobre", "novembre", "decembre", "januar", "februar", "marz", "juni", "juli", "oktober", "dezember"),
)
PEOPLE = frozenset(("april", "may", "june", "august", "jan", "mar", "mai", "jun", "julio", "marzo", "abril"))
"""Names of months that are names of people, too."""


def day_of(text: str, order: Order) -> date | None:
    """Return the date in a cell, or None if the date is incomplete, or if it can be read two ways.

    If the cell has a time before 5:00, return the date of the evening before.
    """
    told = _bare(text)
    day = _day_of(told, order)
    return day - timedelta(days=1) if day and is_late(text) and day > date.min else day


def _day_of(told: str, order: Order) -> date | None:
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


def is_late(text: str) -> bool:
    """Return whether a cell has a time after midnight, so that it belongs to the evening before."""
    found = TIME.search(text.strip())
    if found is None:
        return False
    hour, minute, half = int(found[1]), int(found[2]), (found[3] or "").upper()
    hour = hour % 12 + (12 if half == "P" else 0) if half else hour
    # A date without a time is written as midnight by some programs.
    return hour < NIGHT_ENDS and (hour, minute) != (0, 0)


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


def is_night(cell: str) -> bool:
    """Return whether a heading names a night, by its date or its number."""
    if NUMBERED.fullmatch(unaccented(cell)) or is_unclear(cell, "") or _is_span(cell):
        return True
    if _month_of(cell):
        return unaccented(cell) not in PEOPLE
    return day_of(cell, "") is not None or month_day_of(cell, "") is not None


def _is_span(cell: str) -> bool:
    """Return whether a text has the first and the last day of a week, such as "Sept 4 - 10, 2025"."""
    told = _bare(cell)
    for found in BETWEEN_DATES.finditer(told):
        first, last = told[: found.start()].strip(), told[found.end() :].strip()
        if not (first and last and _is_day(first)):
            continue
        if _is_day(last) or re.fullmatch(r"\d{1,2}(,? \d{4})?", last):
            return not _is_day(told)
    return False


def _is_day(text: str) -> bool:
    return is_unclear(text, "") or day_of(text, "") is not None or month_day_of(text, "") is not None


def is_month(cell: str) -> bool:
    """Return whether a heading is a month, which may be the name of a person, too."""
    return _month_of(cell) is not None


def months_in(texts: Iterable[str], today: date) -> set[str]:
    """Return those of `texts` that are a month, of which the day isn't known.

    "Sep-25, Oct-25, Jan-26" are months, "Sep-03, Sep-10" and "Sep-03, Oct-08" are days.
    """
    found = {text: month for text in texts if (month := _month_of(text))}
    short = {text: int(text[-2:]) for text in found if month_day_of(text, "")}
    years = set(short.values())
    apart = len({found[text] for text in short}) == len(short)
    if short and not (apart and max(years) - min(years) <= 1 and 2000 + max(years) <= today.year):
        return set(found) - set(short)
    return set(found)


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


def with_years(
    days: Sequence[MonthDay | date], played: Sequence[bool], today: date, year: int | None = None
) -> list[date | None]:
    """Return `days` with the most likely years, so that they are in order.

    `days` are in the order of a spreadsheet, which may begin with the oldest or the newest date. Dates without a year
    are (month, day); they follow those with a year. `played` says which days have results. If no date has a year, these
    days aren't after `today`, and the first day is in `year`, if that is possible. February 29 becomes None if its year
    isn't a leap year.
    """
    told = [(0, *day) if isinstance(day, tuple) else (day.year, day.month, day.day) for day in days]
    gaps = [31 * (other[1] - one[1]) + other[2] - one[2] for one, other in pairwise(told)]
    # Newest first, if that makes the season shorter.
    if sum(-gap % YEAR_DAYS for gap in gaps) < sum(gap % YEAR_DAYS for gap in gaps):
        return with_years(days[::-1], played[::-1], today, year)[::-1]
    known = next((at for at, day in enumerate(told) if day[0]), None)
    if known is not None or not told:
        found = _followed(told, known or 0)
    else:
        last = max((at for at, has in enumerate(played) if has), default=len(told) - 1)
        pair = told[last][1:]
        told[last] = (today.year - (pair > (today.month, today.day)), *pair)
        found = _followed(told, last)
        if year is not None and found[0][0] > year:
            found = [(day[0] - (found[0][0] - year), *day[1:]) for day in found]
    return [_day(*day) for day in found]


def _followed(days: Sequence[tuple[int, int, int]], known: int) -> list[tuple[int, int, int]]:
    """Fill in the year of each of `days` that has the year 0, in ascending order. `known` has one with a year."""
    found = list(days)
    for at in range(known + 1, len(found)):
        year, *pair = found[at - 1]
        if not found[at][0]:
            found[at] = (year + (list(found[at][1:]) < pair), *found[at][1:])
    for at in range(known - 1, -1, -1):
        year, *pair = found[at + 1]
        if not found[at][0]:
            found[at] = (year - (list(found[at][1:]) > pair), *found[at][1:])
    return found


def _bare(text: str) -> str:
    """Return the text of a date without its time and the words around it, such as "Week 3 of" or its weekday."""
    told = TIME.sub("", text.strip())
    plain = unaccented(told)
    if len(plain) != len(told):
        return told
    start = found.end() if (found := BEFORE_DATE.match(plain)) else 0
    end = found.start() if (found := AFTER_DATE.search(plain, start)) and found.start() > start else len(told)
    return told[start:end].rstrip(") ")


def _two_numbers(text: str) -> tuple[int, int] | None:
    told = _bare(text)
    two = TWO_WAYS.fullmatch(told) or NO_YEAR.fullmatch(told)
    return (int(two[1]), int(two[2])) if two else None


def _in_order(first: int, second: int, order: Order) -> MonthDay | None:
    """Return the two numbers of a date as (month, day), or None if they can be read two ways."""
    if not order and first != second and max(first, second) <= MONTHS:
        return None
    return (first, second) if order == "month" or (not order and second >= first) else (second, first)


def _month_of(text: str) -> int | None:
    found = MONTH_ONLY.fullmatch(unaccented(text.strip()))
    return None if found is None else _month(found[1])


def _month(name: str) -> int | None:
    """Return the number of a month, or None if `name` isn't its name or a beginning of it."""
    number = NAMES.get(name[:4]) or NAMES.get(name[:3])
    return number if number and any(month.startswith(name) for month in MONTH_NAMES) else None


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
