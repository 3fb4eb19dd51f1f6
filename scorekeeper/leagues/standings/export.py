"""Export the standings as CSV and XLSX."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import xlsxwriter

from scorekeeper.games.logic.statistics.person_game import Unit
from scorekeeper.i18n.catalog import _
from scorekeeper.leagues.standings.columns import COLUMNS
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.web.csv_cells import Cell, csv_file


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
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    book.set_properties({"title": title})
    bold, average = book.add_format({"bold": True}), book.add_format({"num_format": "0.00"})
    for name, head, lines in sheets:
        sheet = book.add_worksheet(name)
        sheet.write_row(0, 0, head, bold)
        for number, line in enumerate(lines, start=1):
            for column, cell in enumerate(line):
                if isinstance(cell, str):
                    sheet.write_string(number, column, cell)
                elif cell is not None:
                    sheet.write_number(number, column, cell, average if isinstance(cell, float) else None)
        sheet.set_column(1, 1, 28)
        sheet.freeze_panes(1, 2)
    book.close()
    return file.getvalue()


def _head() -> list[str]:
    return [_("Rank"), _("Name"), *(_(column.name) for column in COLUMNS)]


def _lines(rows: Sequence[StandingRow], names: Mapping[Unit, str]) -> list[list[Cell]]:
    return [[row.place, names[row.unit], *(column.value(row) for column in COLUMNS)] for row in rows]
