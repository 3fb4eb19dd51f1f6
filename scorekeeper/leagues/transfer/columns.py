"""Find out what each column of a spreadsheet means, from its heading, its cells, and the user's corrections."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from zlib import crc32

from scorekeeper.leagues.transfer.spreadsheet import Line, lines_of
from scorekeeper.leagues.transfer.spreadsheet_dates import (
    MonthDay,
    Order,
    day_of,
    is_unclear,
    month_day_of,
    order_of,
    with_years,
)
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.text import unaccented

SKIP, DAY, ROUND, TABLE, NAME, FIRST, LAST, SIDE, SUB, NIGHT, POINTS, GAMES, WINS, LOSSES = (
    *("skip", "day", "round", "table", "name", "first", "last", "side", "sub", "night", "points", "games"),
    *("wins", "losses"),
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """A possible meaning of a column, with its label and the headings that suggest it.

    `whole` has complete headings, and `begins` has beginnings of headings, all in lower case and without accents.
    """

    label: Phrase
    whole: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()
    often: bool = False
    """True if a spreadsheet may have several such columns."""


MEANINGS: Mapping[str, Meaning] = {
    SKIP: Meaning(
        Phrase("Leave out"),
        ("no", "no.", "nr", "#", "pos", "pos.", "diff", "+/-", "pct", "ppg", "avg", "avg.", "id", "net", "grand total"),
        (*("rank", "place", "standing", "total", "average", "moy", "prom", "rang", "suma", "sum", "season", "night"),
         *("percent", "email", "phone", "note", "puesto", "drop", "best", "temporada")),
        often=True,
    ),
    SUB: Meaning(
        Phrase("Plays for"), ("sub", "subs", "for"), ("plays for", "sub for", "substitute for", "suplente"), often=True
    ),
    DAY: Meaning(Phrase("Date"), ("when", "jour"), ("date", "night date", "day", "fecha", "dia")),
    ROUND: Meaning(Phrase("Round"), ("rd", "tour"), ("round", "ronda", "ronde")),
    TABLE: Meaning(Phrase("Table"), ("tbl",), ("table", "mesa")),
    FIRST: Meaning(Phrase("First name"), (), ("first", "given", "prenom")),
    LAST: Meaning(Phrase("Last name"), (), ("last", "surname", "family", "apellido")),
    SIDE: Meaning(
        Phrase("Partners, in one cell"), (), ("team", "side", "pair", "partners", "equipo", "equipe"), often=True
    ),
    GAMES: Meaning(
        Phrase("Games"), ("g", "gp", "pj", "mj"), ("games", "played", "partidas", "parties", "juegos", "jugadas")
    ),
    WINS: Meaning(Phrase("Wins"), ("w", "v", "pg"), ("win", "won", "victo", "gana", "gagne")),
    LOSSES: Meaning(Phrase("Losses"), ("l", "d", "pp"), ("loss", "lost", "derro", "defaite", "perd")),
    POINTS: Meaning(
        Phrase("Points"), ("pts", "pts.", "pt"), ("point", "pts", "score", "punt", "marque"), often=True
    ),
    NAME: Meaning(
        Phrase("Player"),
        ("who",),
        ("player", "seat", "name", "jugador", "joueur", "nombre", "nom", "member"),
        often=True,
    ),
    NIGHT: Meaning(Phrase("Points of one night"), often=True),
}  # fmt: skip
"""Maps a key to each meaning. Headings are compared with the meanings in this order."""
NUMBERED = re.compile(
    r"(?:week|wk|w|night|session|meeting|game night|jornada|semana|noche|fecha|semaine|sem|soiree|seance)\.? ?#?\d{1,2}"
)
NUMBER = re.compile(r"[-−]?\d{1,4}([.,]0+)?\*?")
TOTALS = re.compile(
    r"(grand |sub-?)?(total|totals|totales|totaux|sum|suma|somme|average|averages|avg|moyenne|promedio|media|mean)\b.*"
)
"""Pattern of the text in the name column of a line that has the sums or averages of other lines."""
MOST_TITLES = 10
SAMPLES = 3
COLUMN, DATE = "column-", "date-"
"""Prefixes of the names of form fields: for the meaning of a column, and for its date.

The number of the column, counted from 0, follows the prefix.
"""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The user's answers about a spreadsheet.

    `meanings` has the meaning that the user chose for each column, and `days` has the dates of nights that the user
    entered. Both have the number of the column, counted from 0, as the key. `order` says whether the day or the month
    is first in a date, or is empty if the user hasn't said. `first` is the day of the first night without a date. All
    later nights without a date follow week by week. `games` is how many games each night had, or None if unknown. With
    `zeros`, a score of 0 means that the player missed the night.
    """

    meanings: Mapping[int, str] = field(default_factory=dict)
    days: Mapping[int, date] = field(default_factory=dict)
    order: Order = ""
    first: date | None = None
    games: int | None = None
    zeros: bool = False
    head: str = ""
    """`SheetRead.mark` of the spreadsheet that these answers are about; empty if they may be about any spreadsheet."""


NOTHING_SAID = TableSettings()


@dataclass(frozen=True, slots=True)
class ColumnRead:
    """A column of a spreadsheet, with its heading and a few of its cells.

    `place` is its number, counted from 0. `meaning` is a key of `MEANINGS`. If the column has the points of a night,
    `day` is the date of that night. Otherwise, it is None.
    """

    place: int
    heading: str
    samples: tuple[str, ...]
    meaning: str = SKIP
    day: date | None = None
    unclear: bool = False
    """True if the date in the heading can be read two ways."""

    @property
    def dated(self) -> bool:
        """Return whether the heading has a date."""
        return bool(self.heading) and not NUMBERED.fullmatch(unaccented(self.heading)) and _is_night(self.heading)


@dataclass(frozen=True, slots=True)
class SheetRead:
    """A spreadsheet, with the meanings of its columns.

    `order` says whether the day or the month is first in its dates. `yearless` has the full date for each date without
    a year, by the text of the cell.
    """

    columns: tuple[ColumnRead, ...]
    lines: tuple[Line, ...]
    order: Order
    settings: TableSettings
    yearless: Mapping[str, date]
    mark: str
    """Hash of the headings, so that answers about one spreadsheet aren't used for another."""

    def places(self, meaning: str) -> list[int]:
        """Return the numbers of the columns with this meaning, counted from 0."""
        return [column.place for column in self.columns if column.meaning == meaning]

    @property
    def has_games(self) -> bool:
        """Return whether each line is a game. Otherwise, each line is a person with points."""
        return len(self.places(NAME)) > 1 or bool(self.places(SIDE))

    @property
    def asks_first(self) -> bool:
        """Return whether the user must enter the date of the first night, because the spreadsheet doesn't have it."""
        if self.has_games or self.places(DAY):
            return False
        nights = [column for column in self.columns if column.meaning == NIGHT]
        return any(not (each.day or each.unclear) for each in nights) if nights else self.settings.first is None

    @property
    def lacks(self) -> str:
        """Return a sentence that asks for the missing columns, or an empty string if no column is missing."""
        people = any(self.places(meaning) for meaning in (NAME, FIRST, LAST))
        if self.has_games:
            enough = len(self.places(POINTS)) > 1 and self.places(DAY)
            return "" if enough else Phrase("Choose the columns with the date and with the points of each side.")
        if not people:
            return Phrase("Choose the column with the names.")
        return "" if self.places(NIGHT) or self.places(POINTS) else Phrase("Choose the columns with the points.")

    @property
    def unclear(self) -> bool:
        """Return whether the date in any heading can be read two ways."""
        return any(column.unclear for column in self.columns)

    def day(self, text: str) -> date | None:
        """Return the date in a cell, or None if it has no date or one that can be read two ways."""
        return day_of(text, self.order) or self.yearless.get(text)


def read_sheet(text: str, settings: TableSettings, today: date) -> SheetRead:
    """Read the spreadsheet in `text`. Dates without a year are never after `today`.

    Raises `RuleViolation` if it isn't a table with headings.
    """
    lines = lines_of(text)
    at = _head_line(lines)
    width = max((len(cells) for _number, cells in lines[at:]), default=0)
    head, rest = _padded(lines[at][1], width), lines[at + 1 :]
    order = _order(head, rest) or settings.order
    head = _under_dates(lines[at - 1][1], head, order) if at else head
    samples = [_samples(rest, place) for place in range(width)]
    guessed, mark = _guess(head, samples), f"{crc32(repr(head).encode()):x}"
    if settings.head not in ("", mark):
        settings = replace(settings, meanings={}, days={})
    columns = [
        ColumnRead(place, head[place], samples[place], _said(settings.meanings.get(place, ""), guessed[place]))
        for place in range(width)
    ]
    columns = _dated(columns, settings, order, today)
    if not settings.meanings:
        columns = _without_copies(columns)
    days = [cells[place] for place in _days(columns) for _number, cells in rest if place < len(cells)]
    return SheetRead(tuple(columns), tuple(rest), order, settings, _yearless(days, order, today), mark)


def _said(told: str, guessed: str) -> str:
    return told if told in MEANINGS else guessed


def _days(columns: Sequence[ColumnRead]) -> list[int]:
    return [column.place for column in columns if column.meaning == DAY][:1]


def _padded(cells: Sequence[str], width: int) -> list[str]:
    return [*cells, *[""] * (width - len(cells))]


def _samples(lines: Sequence[Line], place: int) -> tuple[str, ...]:
    """Return the first few filled cells of a column, shortened. `place` is the number of the column, counted from 0."""
    filled = (cells[place] for _number, cells in lines if place < len(cells) and cells[place])
    return tuple(text[:40] for _nth, text in zip(range(SAMPLES), filled, strict=False))


def _head_line(lines: Sequence[Line]) -> int:
    """Return the index of the line with the headings. There may be title lines above it.

    Raises `RuleViolation` if there are no headings.
    """
    scores = [sum(map(_is_heading, cells)) for _number, cells in lines[: MOST_TITLES + 1]]
    best = max(scores, default=0)
    if best > 1 and len(lines) > 1:
        return scores.index(best)
    wide = next((at for at, (_number, cells) in enumerate(lines[:MOST_TITLES]) if sum(map(bool, cells)) > 1), None)
    if wide is None or wide + 1 >= len(lines):
        raise RuleViolation(
            "sheet_head",
            "The first line must name the columns: date, round, table, player 1, player 2 …, points 1, points 2 …; "
            "or name, and the date of each night.",
        )
    return wide


def _is_heading(cell: str) -> bool:
    return bool(cell) and (_meaning(cell) is not None or _is_night(cell))


def _is_night(cell: str) -> bool:
    plain = unaccented(cell)
    if NUMBERED.fullmatch(plain) or is_unclear(cell, ""):
        return True
    return day_of(cell, "") is not None or month_day_of(cell, "") is not None


def _meaning(heading: str) -> str | None:
    """Return what a heading means, as a key of `MEANINGS`, or None if it isn't known."""
    plain = unaccented(heading)
    for key, meaning in MEANINGS.items():
        if plain in meaning.whole:
            return key
    found = (key for key, meaning in MEANINGS.items() if plain.startswith(meaning.begins or ("\0",)))
    return next(found, None)


def _guess(head: Sequence[str], samples: Sequence[tuple[str, ...]]) -> list[str]:
    """Guess what each column means, from its heading and a few of its cells."""
    numeric = [all(NUMBER.fullmatch(text) for text in cells) for cells in samples]
    counted = _counted(head, numeric)
    guessed = []
    for place, heading in enumerate(head):
        night = heading and (_is_night(heading) or place in counted)
        guessed.append(NIGHT if night else (_meaning(heading) or SKIP if heading else SKIP))
    # A sheet of one night after another has no heading above the names, as often as not.
    if not {NAME, FIRST, LAST, SIDE}.intersection(guessed):
        texts = (at for at, cells in enumerate(samples) if cells and not numeric[at] and guessed[at] == SKIP)
        if (first := next(texts, None)) is not None:
            guessed[first] = NAME
    games = (guessed.count(NAME) > 1 or SIDE in guessed) and NIGHT not in guessed
    guessed = _one_name(guessed) if not games else _of_games(guessed, head)
    return _once(guessed)


def _one_name(guessed: list[str]) -> list[str]:
    """Correct the guessed meanings for a spreadsheet with one person per line, and return them.

    For example, columns with totals are left out if there is a column for each night.
    """
    if FIRST in guessed and LAST in guessed:
        guessed = [SKIP if meaning == NAME else meaning for meaning in guessed]
    elif FIRST in guessed or LAST in guessed:
        # "Nom, Prénom" and "Nombre, Apellido"
        other = LAST if FIRST in guessed else FIRST
        guessed = [other if meaning == NAME else meaning for meaning in guessed]
    if NIGHT in guessed:
        guessed = [SKIP if meaning in (POINTS, GAMES, WINS, LOSSES, DAY) else meaning for meaning in guessed]
    if NAME not in guessed and SIDE in guessed and FIRST not in guessed:
        guessed = [NAME if meaning == SIDE else meaning for meaning in guessed]
    return [
        SKIP if meaning in (NAME, POINTS, SIDE, SUB) and meaning in guessed[:at] else meaning
        for at, meaning in enumerate(guessed)
    ]


def _of_games(guessed: list[str], head: Sequence[str]) -> list[str]:
    """Correct the guessed meanings for a spreadsheet with one game per line, and return them.

    For example, columns with numbers of games, wins or losses are left out.
    """
    if SIDE in guessed:
        guessed = [SKIP if meaning == NAME else meaning for meaning in guessed]
    # "Team 1 points" begins like "Team 1".
    guessed = [
        POINTS if meaning == SIDE and re.search(r"score|points|pts|punt", unaccented(head[at])) else meaning
        for at, meaning in enumerate(guessed)
    ]
    return [SKIP if meaning in (GAMES, WINS, LOSSES, NIGHT, FIRST, LAST) else meaning for meaning in guessed]


def _once(guessed: list[str]) -> list[str]:
    """Return the guessed meanings with `SKIP` in place of repeated ones.

    Meanings that several columns may have aren't changed.
    """
    return [
        SKIP if meaning in guessed[:at] and not MEANINGS[meaning].often else meaning
        for at, meaning in enumerate(guessed)
    ]


def _counted(head: Sequence[str], numeric: Sequence[bool]) -> set[int]:
    """Return the indexes of the columns that are headed 1, 2, 3 … in this order and have only numbers below.

    Return an empty set if there are fewer than two such columns.
    """
    places = [at for at, text in enumerate(head) if text.isdecimal() and len(text) < 3 and numeric[at]]
    return set(places) if [int(head[at]) for at in places] == list(range(1, len(places) + 1)) and places[1:] else set()


def _order(head: Sequence[str], lines: Sequence[Line]) -> Order:
    """Return whether the "month" or the "day" is first in the dates of a spreadsheet, or "" if that isn't clear."""
    days = [at for at, text in enumerate(head) if _meaning(text) == DAY]
    return order_of([*head, *(cells[at] for _number, cells in lines for at in days if at < len(cells))])


def _under_dates(above: Sequence[str], head: Sequence[str], order: Order) -> list[str]:
    """Return the headings `head`, completed with the dates in the line `above`.

    A date in that line, usually in merged cells, applies to all columns up to the next filled cell. For a column of
    points and for a column without a heading, the date becomes the heading. For any other column, the date is added
    after the column's own heading.
    """
    if sum(map(_is_night, filter(None, above))) < 2 or any(_is_night(text) for text in head if text):
        return list(head)
    night, told = "", []
    for at, text in enumerate(head):
        if at < len(above) and above[at]:
            night = above[at] if _is_night(above[at]) else ""
        told.append(text if not night else night if _meaning(text) == POINTS or not text else f"{text} ({night})")
    return told


def _dated(columns: Sequence[ColumnRead], settings: TableSettings, order: Order, today: date) -> list[ColumnRead]:
    """Return the columns, with the date filled in for each column that has the points of a night.

    The date is None if it isn't known.
    """
    nights = [column for column in columns if column.meaning == NIGHT]
    yearless = _yearless([column.heading for column in nights], order, today)
    bare = [column.place for column in nights if not column.dated]

    def dated(column: ColumnRead) -> ColumnRead:
        text, day = column.heading, settings.days.get(column.place)
        day = day or day_of(text, order) or yearless.get(text)
        if day is None and column.place in bare and settings.first:
            day = settings.first + timedelta(weeks=bare.index(column.place))
        return replace(column, day=day, unclear=day is None and is_unclear(text, order))

    return [dated(column) if column.meaning == NIGHT else column for column in columns]


def _without_copies(columns: Sequence[ColumnRead]) -> list[ColumnRead]:
    """Return the columns, keeping only the first one of each night. Further ones get the meaning `SKIP`.

    Nights can be listed twice if a sheet repeats a month, for example.
    """
    seen: set[date] = set()
    kept = []
    for column in columns:
        again = column.meaning == NIGHT and column.day in seen
        seen |= {column.day} if column.day else set()
        kept.append(replace(column, meaning=SKIP, day=None) if again else column)
    return kept


def _yearless(texts: Sequence[str], order: Order, today: date) -> Mapping[str, date]:
    """Find the dates without a year in `texts`, and return a dict from each of these texts to the full date.

    `texts` are in the order of the spreadsheet, from which the years are guessed. No date is after `today`. `order`
    says whether the day or the month is first.
    """
    found: dict[str, MonthDay] = {}
    for text in dict.fromkeys(texts):
        if pair := month_day_of(text, order):
            found[text] = pair
    days = with_years(list(found.values()), today)
    return {text: day for text, day in zip(found, days, strict=True) if day}
