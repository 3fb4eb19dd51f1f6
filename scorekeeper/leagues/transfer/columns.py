"""Read a spreadsheet with the meanings of its columns and the dates of its nights, using the user's corrections."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from zlib import crc32

from msgspec import Struct, field, structs

from scorekeeper.leagues.transfer.layouts import SheetTable, table_in
from scorekeeper.leagues.transfer.meanings import (
    DAY,
    FIRST,
    LAST,
    MEANINGS,
    NAME,
    NIGHT,
    POINTS,
    SCORE,
    SIDE,
    SKIP,
    TOTAL,
    guess,
    is_number,
    meaning_of,
)
from scorekeeper.leagues.transfer.spreadsheet import Line, SheetText, hidden_sheets, lines_of, sheets_of
from scorekeeper.leagues.transfer.spreadsheet_dates import (
    Order,
    day_of,
    is_late,
    is_unclear,
    month_day_of,
    months_in,
    order_of,
    with_years,
)
from scorekeeper.rules.phrase import Phrase, RuleViolation

SAMPLES = 3
COLUMN, DATE, MISSED, PARTNERS = "column-", "date-", "missed-", "partners-"
"""Prefixes of the names of form fields: for the meaning of a column, followed by its number, counted from 0; for a
date, followed by `DateRead.key`; for a text that means that a player wasn't there; and for where partners are.

The names for dates and partners end with "~" and what was guessed, so that only corrections count as answers.
"""
YEAR = re.compile(r"\b20\d\d\b")
UP, DOWN = "up", "down"
"""Points are rounded to the nearest whole number, halves up, or what is after the decimal point is dropped."""
BESIDE, ACROSS = "beside", "across"
"""The partners are players in columns next to each other, or players who sit across from each other."""
COMPASS = (
    ("north", "east", "south", "west"),
    ("norte", "este", "sur", "oeste"),
    ("nord", "est", "sud", "ouest"),
)
"""Headings of the seats in three languages, in the order of the seats."""


class TableSettings(Struct, frozen=True):
    """The user's answers about a spreadsheet.

    `meanings` has the meaning that the user chose for each column, by the number of the column, counted from 0. `days`
    has the dates that the user entered, by `DateRead.key`. `order` says whether the day or the month is first in a
    date, or is empty if the user hasn't said. `first` is the day of the first night without a date. All later nights
    without a date follow week by week. `games` is how many games each night had, or None if unknown. With `zeros`, a
    score of 0 means that the player missed the night; `missed` has other texts that mean that. `partners` says which
    columns are partners. `sheet` is the name of the chosen sheet.
    """

    meanings: Mapping[int, str] = field(default_factory=dict)
    days: Mapping[str, date] = field(default_factory=dict)
    order: Order = ""
    first: date | None = None
    games: int | None = None
    zeros: bool = False
    missed: frozenset[str] = frozenset()
    partners: str = ""
    rounding: str = ""
    """What becomes of points such as 12.5: `UP`, `DOWN`, or empty if the user hasn't said."""
    sheet: str = ""
    head: str = ""
    """`SheetRead.mark` of the spreadsheet that these answers are about; empty if they may be about any spreadsheet."""


NOTHING_SAID = TableSettings()


class DateRead(Struct, frozen=True):
    """A date of a spreadsheet: of a column with the points of a night, or in the cells of the column of dates.

    `text` is what the spreadsheet has. `guessed` is the date as read, and `day` is that date or the user's correction.
    """

    key: str
    text: str
    guessed: date | None
    day: date | None
    unclear: bool = False
    """True if the date can be read two ways."""
    used: bool = True
    """False for the column of a night to come, which has no points yet."""

    @property
    def field(self) -> str:
        """Return the name of the form field."""
        return f"{DATE}{self.key}~{self.guessed or ''}"


class ColumnRead(Struct, frozen=True):
    """A column of a spreadsheet, with its heading and a few of its cells.

    `place` is its number, counted from 0. `meaning` is a key of `MEANINGS`. If the column has the points of a night,
    `night` has the date of that night. Otherwise, it is None.
    """

    place: int
    heading: str
    samples: tuple[str, ...]
    meaning: str = SKIP
    night: DateRead | None = None

    @property
    def day(self) -> date | None:
        """Return the date of the night, or None."""
        return None if self.night is None else self.night.day


class SheetRead(Struct, frozen=True):
    """A spreadsheet, with the meanings of its columns.

    `name` is the name of the sheet, `others` are the other sheets to choose from, and `hidden` are hidden sheets. The
    names are empty if the spreadsheet isn't a workbook. `order` says whether the day or the month is first in its
    dates. `dates` has all its dates, `days` has the date of each cell in the column of dates. `turned` says whether
    each of `lines` is a column of the spreadsheet. `copies` are the headings of nights that are left out, because
    another column has the same date. `beside` are the headings of `SheetTable.left_out`.
    """

    columns: tuple[ColumnRead, ...]
    lines: tuple[Line, ...]
    order: Order
    settings: TableSettings
    dates: tuple[DateRead, ...]
    days: Mapping[str, DateRead]
    mark: str
    """Hash of the headings, so that answers about one spreadsheet aren't used for another."""
    turned: bool = False
    copies: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    name: str = ""
    others: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()

    def places(self, meaning: str) -> list[int]:
        """Return the numbers of the columns with this meaning, counted from 0."""
        return [column.place for column in self.columns if column.meaning == meaning]

    @property
    def has_games(self) -> bool:
        """Return whether each line is a game. Otherwise, each line is a person with points."""
        sides = len(self.places(SIDE))
        two = bool(self.places(SCORE)) or len(self.places(POINTS)) > 1
        return len(self.places(NAME)) > 1 or sides > 1 or (sides > 0 and two and not (self.named or self.places(NIGHT)))

    @property
    def named(self) -> bool:
        """Return whether there is a column with the names of players."""
        return any(self.places(meaning) for meaning in (NAME, FIRST, LAST))

    @property
    def partners(self) -> str:
        """Return who are partners, as the user said or as the columns suggest: `BESIDE` or `ACROSS`."""
        return self.settings.partners or self.guessed_partners

    @property
    def guessed_partners(self) -> str:
        """Return who are partners according to the columns: one of points may end a side."""
        seats = "".join({NAME: "n", POINTS: "p"}.get(column.meaning, "") for column in self.columns)
        return BESIDE if re.fullmatch(r"(n{2,}p){2,}|(pn{2,}){2,}", seats) else ACROSS

    def seats(self) -> list[int]:
        """Return the columns with the names of players, in the order of the seats around the table."""
        names = self.places(NAME)
        by_seat = {self.columns[place].heading.casefold(): place for place in names}
        sides = max(len(self.places(POINTS)), 2)
        if self.partners == BESIDE and len(names) % sides == 0:
            size = len(names) // sides
            return [names[side * size + seat] for seat in range(size) for side in range(sides)]
        return next(([by_seat[seat] for seat in seats] for seats in COMPASS if by_seat.keys() == set(seats)), names)

    @property
    def asks_first(self) -> bool:
        """Return whether the user must enter dates before anything can be imported.

        If only some cells of the column of dates can't be read, their lines have a problem instead.
        """
        open_dates = [not (each.day or each.unclear) for each in self.dates if each.used]
        return not self.lacks and (bool(open_dates) and all(open_dates) if self.days else any(open_dates))

    @property
    def lacks(self) -> str:
        """Return a sentence that asks for the missing columns, or an empty string if no column is missing."""
        if self.has_games:
            enough = (len(self.places(POINTS)) > 1 or self.places(SCORE)) and self.places(DAY)
            return "" if enough else Phrase("Choose the columns with the date and with the points of each side.")
        if not (self.named or self.places(SIDE)):
            return Phrase("Choose the column with the names.")
        return "" if self.places(NIGHT) or self.places(POINTS) else Phrase("Choose the columns with the points.")

    @property
    def unclear(self) -> bool:
        """Return whether any date can be read two ways."""
        return any(each.unclear for each in self.dates)

    @property
    def late(self) -> bool:
        """Return whether any game was after midnight, and counts for the evening before."""
        return any(map(is_late, self.days))

    def date_of(self, text: str) -> DateRead:
        """Return the date in a cell of the column of dates."""
        return self.days.get(text, NO_DATE)


NO_DATE = DateRead("", "", None, None)


def read_sheet(text: str, settings: TableSettings, today: date) -> SheetRead:
    """Read the spreadsheet in `text`. Nights without a year that have results are never after `today`.

    Of a workbook, the chosen sheet is read or, if none is chosen, the first one that has results with dates. Raises
    `RuleViolation` if it isn't a table with headings.
    """
    sheets = sheets_of(text)
    names = [sheet.name for sheet in sheets]
    if settings.sheet in names:
        read = _read(sheets[names.index(settings.sheet)], settings, today)
    else:
        read = _first(sheets, settings, today)
    others = tuple(name for name in names if name != read.name)
    return structs.replace(read, others=others, hidden=hidden_sheets(text))


def _first(sheets: Sequence[SheetText], settings: TableSettings, today: date) -> SheetRead:
    """Return the first sheet that needs no answers, or else the first that is a table."""
    found, errors = [], []
    for sheet in sheets:
        try:
            read = _read(sheet, settings, today)
        except RuleViolation as violation:
            errors.append(violation)
        else:
            if not (read.lacks or read.asks_first):
                return read
            found.append(read)
    if not found:
        raise errors[0]
    return found[0]


def _read(sheet: SheetText, settings: TableSettings, today: date) -> SheetRead:
    table = table_in(lines_of(sheet.text))
    head, width = table.head, len(table.head)
    samples = [_samples(table.lines, place) for place in range(width)]
    guessed, mark = guess(head, samples, turned=table.turned), f"{crc32(repr((sheet.name, list(head))).encode()):x}"
    if settings.head not in ("", mark):
        settings = structs.replace(settings, meanings={}, days={}, partners="")
    told = [settings.meanings.get(place, "") for place in range(width)]
    columns = [
        ColumnRead(place, head[place], samples[place], told[place] if told[place] in MEANINGS else guessed[place])
        for place in range(width)
    ]
    order = _order(table) or settings.order
    year = min(map(int, YEAR.findall(f"{table.titles} {sheet.name}")), default=None)
    nights = [column for column in columns if column.meaning == NIGHT]
    cells = [] if nights else _cells(columns, table.lines)
    texts = [column.heading for column in nights] or cells
    played = [_has_points(table.lines, column.place) for column in nights] or [True] * len(cells)
    guesses = _guesses(texts, played, order, today, year, settings.first)
    unclear = [guessed is None and is_unclear(text, order) for text, guessed in zip(texts, guesses, strict=True)]
    if nights:
        keys = [str(column.place) for column in nights]
    else:
        # Forms with a time in each line have one date for each evening.
        keys = [f"on-{guessed or text}" for text, guessed in zip(texts, guesses, strict=True)]
    dates = [
        DateRead(key, text, guessed, settings.days.get(key) or guessed, unclear=each, used=has)
        for key, text, guessed, each, has in zip(keys, texts, guesses, unclear, played, strict=True)
    ]
    if not (nights or cells or guessed.count(SIDE) > 1 or len([each for each in columns if each.meaning == NAME]) > 1):
        dates = [DateRead("all", "", None, settings.days.get("all") or settings.first)]
    by_place = {column.place: each for column, each in zip(nights, dates, strict=False)} if nights else {}
    columns = [structs.replace(column, night=by_place.get(column.place)) for column in columns]
    copies = () if settings.meanings else _copies(columns)
    columns = [structs.replace(each, meaning=SKIP, night=None) if each.place in copies else each for each in columns]
    return SheetRead(
        tuple(columns),
        tuple(table.lines),
        order,
        settings,
        tuple({each.key: each for each in dates}.values()),
        {} if nights else {each.text: each for each in dates},
        mark,
        table.turned,
        tuple(head[place] for place in copies),
        table.left_out,
        sheet.name,
    )


def _cells(columns: Sequence[ColumnRead], lines: Sequence[Line]) -> list[str]:
    """Return the different texts in the column of dates, in their order."""
    place = next((column.place for column in columns if column.meaning == DAY), None)
    cells = (cells[place] for _number, cells in lines if place is not None and place < len(cells))
    return list(dict.fromkeys(cell for cell in cells if cell and meaning_of(cell) != TOTAL))


def _samples(lines: Sequence[Line], place: int) -> tuple[str, ...]:
    """Return the first few filled cells of a column, shortened. `place` is the number of the column, counted from 0."""
    filled = (cells[place] for _number, cells in lines if place < len(cells) and cells[place])
    return tuple(text[:40] for _nth, text in zip(range(SAMPLES), filled, strict=False))


def _has_points(lines: Sequence[Line], place: int) -> bool:
    """Return whether a column has any points. Clubs prepare columns for the nights to come, sometimes with zeros."""
    cells = (cells[place] for _number, cells in lines if place < len(cells))
    return any(is_number(cell) and cell.strip("0") for cell in cells)


def _order(table: SheetTable) -> Order:
    """Return whether the "month" or the "day" is first in the dates of a spreadsheet, or "" if that isn't clear."""
    days = [at for at, text in enumerate(table.head) if meaning_of(text) == DAY]
    return order_of([*table.head, *(cells[at] for _number, cells in table.lines for at in days if at < len(cells))])


def _guesses(
    texts: Sequence[str], played: Sequence[bool], order: Order, today: date, year: int | None, first: date | None
) -> list[date | None]:
    """Return the date that each of `texts` most likely means, or None if only the user can say.

    `played` says which of the nights have results. `year` is the year in the title. `first` is the day of the first
    night without a date; the others follow week by week.
    """
    months = months_in(texts, today)
    days = [None if text in months else day_of(text, order) or month_day_of(text, order) for text in texts]
    dated = [at for at, day in enumerate(days) if day]
    with_year = with_years([day for day in days if day], [played[at] for at in dated], today, year)
    found = dict(zip(dated, with_year, strict=True))
    bare = [
        at for at, text in enumerate(texts) if at not in found and text not in months and not is_unclear(text, order)
    ]
    if first:
        found |= {at: first + timedelta(weeks=week) for week, at in enumerate(bare)}
    return [found.get(at) for at in range(len(texts))]


def _copies(columns: Iterable[ColumnRead]) -> tuple[int, ...]:
    """Return the places of the columns whose night another column has already, as when a sheet repeats a month."""
    seen: set[date] = set()
    found = []
    for column in columns:
        if column.day in seen:
            found.append(column.place)
        seen |= {column.day} if column.day else set()
    return tuple(found)
