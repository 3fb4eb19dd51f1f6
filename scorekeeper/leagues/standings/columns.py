"""The columns of the standings: one entry each, used by the season page, the player page and the exports.

Export the standings as CSV and XLSX.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from scorekeeper.games.logic.statistics.hands import Unit
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.wording import decimal, rate, record_text
from scorekeeper.rules.phrase import Phrase
from scorekeeper.web.csv_cells import Cell, csv_file

if TYPE_CHECKING:
    from openpyxl.cell import Cell as SheetCell
    from openpyxl.styles import Font
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet


class Column(Struct, frozen=True, kw_only=True):
    """A column of the standings.

    `value` returns the plain value of a row's cell. `words` returns what pages show in that cell. The heading is `name`
    in exports, `short` on the season page, and `full` on the player page. A page shows only columns that have a heading
    for that page.
    """

    name: str
    value: Callable[[StandingRow], str | int | float | None]
    words: Callable[[StandingRow], str] | None = None
    short: str = ""
    full: str = ""
    if_any: bool = False
    """True if the player page leaves the column out when its value is 0 or empty."""
    needs: Callable[[StandingSettings], object] = lambda _settings: True
    """Function that returns whether the season page shows the column with these settings."""
    empty_without: bool = False
    """True if the season page leaves the column out when its value is 0 in every row."""
    order: str = ""
    """What a season ranks by if this column decides the rank, as in `StandingSettings.order`; else empty."""
    type: str | Sequence[str] = "integer"
    """JSON type of the value in the API, the same in every row; a list of types for a value that can be null."""
    api: str = ""
    """Key of the column in the API, which must never change. If empty, the key is made from `name` (see `key`)."""

    @property
    def key(self) -> str:
        """Return the column's key in the API, such as "points_per_game"."""
        return self.api or self.name.lower().replace(" ", "_")

    def shown(self, row: StandingRow) -> str:
        """Return the cell of a row as the text that pages show."""
        if self.words:
            return self.words(row)
        value = self.value(row)
        return "–" if value is None else str(value)


UNLESS_UNKNOWN = ("integer", "null")
"""Type of numbers that are null if all games of a row were imported without their winners."""


def _if_known(value: Callable[[StandingRow], int]) -> Callable[[StandingRow], int | None]:
    return lambda row: value(row) if row.record else None


COLUMNS: Sequence[Column] = (
    Column(
        name=N_("Points per game"),
        order="per_game",
        type=("number", "null"),
        short=N_("Avg"),
        full=N_("Points per game"),
        value=lambda row: None if row.per_game is None else plain_number(row.per_game),
        words=lambda row: "–" if row.per_game is None else spoken(rate(row.per_game)),
    ),
    Column(
        name=N_("Points"),
        order="points",
        type="number",
        short=N_("Points"),
        full=N_("Points"),
        value=lambda row: plain_number(row.points),
        words=lambda row: spoken(decimal(row.points)),
    ),
    Column(name=N_("Games"), short=N_("Games"), full=N_("Games counted"), value=lambda row: row.games),
    Column(
        name=N_("Wins"),
        order="wins",
        short=N_("W–L–T"),
        full=N_("Won–lost–tied"),
        type=UNLESS_UNKNOWN,
        value=_if_known(lambda row: row.wins),
        words=record_text,
    ),
    Column(name=N_("Losses"), type=UNLESS_UNKNOWN, value=_if_known(lambda row: row.losses)),
    Column(name=N_("Ties"), type=UNLESS_UNKNOWN, value=_if_known(lambda row: row.draws)),
    Column(
        name=N_("Sets"),
        type=UNLESS_UNKNOWN,
        short=N_("Sets"),
        full=N_("Sets of their side"),
        value=_if_known(lambda row: row.sets),
        empty_without=True,
    ),
    Column(
        name=N_("Point differential"),
        api="point_difference",
        type=UNLESS_UNKNOWN,
        value=_if_known(lambda row: row.difference),
    ),
    Column(
        name=N_("Handicap"),
        short=N_("Handicap"),
        value=lambda row: row.handicap,
        needs=lambda settings: settings.handicap != "none",
    ),
    Column(name=N_("Byes"), full=N_("Byes"), if_any=True, value=lambda row: row.byes),
    Column(name=N_("Nights"), value=lambda row: len(row.nights)),
    Column(
        name=N_("Dropped nights"),
        type="string",
        short=N_("Dropped nights"),
        full=N_("Dropped nights"),
        if_any=True,
        value=lambda row: " ".join(map(str, row.dropped)),
        words=lambda row: _dropped(row.dropped),
        needs=lambda settings: settings.drop_nights,
    ),
    Column(
        name=N_("Random draw"),
        type="string",
        value=lambda row: "" if row.drawn_at is None else f"{row.drawn_at:%Y-%m-%dT%H:%M:%SZ}",
    ),
)


def _dropped(nights: Sequence[int]) -> str:
    if not nights:
        return "–"
    if len(nights) == 1:
        return Phrase("Night %(number)s", number=nights[0])
    return Phrase("Nights %(numbers)s", numbers=", ".join(map(str, nights)))


def columns_of(settings: StandingSettings, rows: Sequence[StandingRow]) -> tuple[Column, ...]:
    """Return the columns that the season page shows for these settings and rows.

    The column that decides the rank comes first, because pages show the first column in bold.
    """
    shown = [
        column
        for column in COLUMNS
        if column.short and column.needs(settings) and (not column.empty_without or any(map(column.value, rows)))
    ]
    return tuple(sorted(shown, key=lambda column: column.order != settings.order))


def standing_facts(row: StandingRow) -> tuple[tuple[str, str], ...]:
    """Return the columns that the player page shows for a row, as pairs of heading and cell."""
    return (
        (_("Rank"), _("not ranked yet") if row.place is None else str(row.place)),
        *(
            (_(column.full), column.shown(row))
            for column in COLUMNS
            if column.full and (column.value(row) or not column.if_any)
        ),
    )


def plain_number(value: Fraction) -> int | float:
    """Return `value` as an int if it is a whole number, else rounded to two decimals. Halves round away from zero."""
    if value.denominator == 1:
        return value.numerator
    hundredths = int(abs(value) * 100 + Fraction(1, 2))
    return (-hundredths if value < 0 else hundredths) / 100


WIDEST = 40
"""Maximum width of a column, in characters."""


class Sheet(NamedTuple):
    """A sheet of a workbook: its name, its headings, and its rows.

    The first two cells of each row are the rank and the name.
    """

    name: str
    head: Sequence[str]
    lines: Sequence[Sequence[Cell]]


def standings_csv(rows: Sequence[StandingRow], names: Mapping[Unit, str]) -> bytes:
    """Return the standings as a CSV file in UTF-8.

    The file starts with a byte order mark, so that spreadsheet programs recognize the encoding. A name that a
    spreadsheet program would read as a formula gets an apostrophe in front.
    """
    return csv_file(_head(), _lines(rows, names))


def standings_xlsx(
    rows: Sequence[StandingRow], names: Mapping[Unit, str], title: str, more: Sequence[Sheet] = ()
) -> bytes:
    """Return an Excel workbook (XLSX) with a sheet of the standings, followed by the sheets in `more`.

    Names are always written as plain text, never as formulas or links.
    """
    return workbook(title, (Sheet(_("Standings"), _head(), _lines(rows, names)), *more))


def workbook(title: str, sheets: Sequence[Sheet]) -> bytes:
    """Return an Excel workbook (XLSX) with the given sheets. Text is never written as a formula or a link.

    Dates are dates of the spreadsheet, so that it sorts and groups by them.
    """
    # Imported here, because openpyxl takes a tenth of the start.
    from openpyxl import Workbook
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    book, bold = Workbook(write_only=True), Font(bold=True)
    book.properties.title, book.properties.creator = title, ""
    for name, head, lines in sheets:
        sheet = book.create_sheet(name)
        for number, cells in enumerate(zip(head, *lines, strict=True), 1):
            width = max(len(str(cell or "")) for cell in cells) + 2
            sheet.column_dimensions[get_column_letter(number)].width = min(WIDEST, width)
        sheet.freeze_panes = "C2"
        sheet.append([_written(sheet, text, bold) for text in head])
        for line in lines:
            sheet.append([None if cell is None else _written(sheet, cell) for cell in line])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _written(sheet: WriteOnlyWorksheet, value: str | float | date, font: Font | None = None) -> SheetCell:
    from openpyxl.cell import WriteOnlyCell

    cell: SheetCell = WriteOnlyCell(sheet)
    cell.value = value
    if isinstance(value, str):
        cell.data_type = "s"  # also if it begins with "=", or is the name of an error
    elif isinstance(value, float):
        cell.number_format = "0.00"
    if font:
        cell.font = font
    return cell


def _head() -> list[str]:
    return [_("Rank"), _("Name"), *(_(column.name) for column in COLUMNS)]


def _lines(rows: Sequence[StandingRow], names: Mapping[Unit, str]) -> list[list[Cell]]:
    return [[row.place, names[row.unit], *(column.value(row) for column in COLUMNS)] for row in rows]
