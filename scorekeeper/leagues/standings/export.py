"""Export the standings as CSV and XLSX."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from openpyxl import Workbook
from openpyxl.cell import Cell as SheetCell
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.worksheet._write_only import WriteOnlyWorksheet

from scorekeeper.games.logic.statistics.person_game import Unit
from scorekeeper.i18n.catalog import _
from scorekeeper.leagues.standings.columns import COLUMNS
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.web.csv_cells import Cell, csv_file

BOLD = Font(bold=True)


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
    """Return an Excel workbook (XLSX) with the given sheets. Text is never written as a formula or a link."""
    book = Workbook(write_only=True)
    book.properties.title, book.properties.creator = title, ""
    for name, head, lines in sheets:
        sheet = book.create_sheet(name)
        sheet.column_dimensions["B"].width = 28
        sheet.freeze_panes = "C2"
        sheet.append([_written(sheet, text, bold=True) for text in head])
        for line in lines:
            sheet.append([None if cell is None else _written(sheet, cell) for cell in line])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _written(sheet: WriteOnlyWorksheet, value: str | float, *, bold: bool = False) -> SheetCell:
    cell: SheetCell = WriteOnlyCell(sheet, value)
    if isinstance(value, str):
        cell.data_type = "s"  # also if it begins with "=", or is the name of an error
    elif isinstance(value, float):
        cell.number_format = "0.00"
    if bold:
        cell.font = BOLD
    return cell


def _head() -> list[str]:
    return [_("Rank"), _("Name"), *(_(column.name) for column in COLUMNS)]


def _lines(rows: Sequence[StandingRow], names: Mapping[Unit, str]) -> list[list[Cell]]:
    return [[row.place, names[row.unit], *(column.value(row) for column in COLUMNS)] for row in rows]
