"""Read the table in an XLSX file as CSV text, within strict limits, because the file may be malicious."""

from __future__ import annotations

import csv
import io
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from typing import Any
from xml.etree.ElementTree import ParseError

from openpyxl.reader.excel import ExcelReader
from openpyxl.utils.exceptions import InvalidFileException

from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation

ZIP = b"PK\x03\x04"
MOST_UNPACKED = 3_000_000
"""Maximum number of unpacked bytes of an XLSX file, all parts together.

A sheet of 3,000 lines and 20 columns has 2 million.
"""
MOST_TAGS = 300_000
"""Maximum number of XML tags in all parts of an XLSX file, so that reading it takes at most 2 seconds.

A sheet of 3,000 lines and 20 columns of numbers has 250,000.
"""
MOST_PARTS = 200
MOST_SHEETS = 20
WORKBOOK = "xl/workbook.xml"
DOCTYPES = tuple("<!DOCTYPE".encode(coding) for coding in ("utf-8", "utf-16-le", "utf-16-be"))
"""Start of a declaration of XML entities, which could expand to any number of tags. No spreadsheet program uses it."""
BROKEN = (
    *(KeyError, ValueError, TypeError, AttributeError, IndexError, OverflowError, RecursionError, NotImplementedError),
    *(ParseError, zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, OSError, InvalidFileException),
    *(SyntaxError, UnicodeError, AssertionError, LookupError, MemoryError),
)
"""Exceptions that openpyxl raises for a damaged file."""
LARGE = Phrase("This Excel file is too large. Copy the table into a new workbook, or paste it here.")


class _Reader(ExcelReader):
    """Reads a workbook, but refuses too many sheets, or sheets that share the same part of the file.

    To read a sheet, the whole part of the file in which the sheet is stored must be parsed. If many sheets shared a
    part, a small file could keep the server busy for a long time.
    """

    def read_worksheets(self) -> None:
        parts = [link.target for _sheet, link in self.parser.find_sheets()]
        if len(parts) > MOST_SHEETS or len(set(parts)) < len(parts):
            raise RuleViolation("sheet_large", LARGE)
        super().read_worksheets()

    def read_chartsheet(self, sheet: Any, rel: Any) -> None:
        """Skip a sheet that has only a chart. A chart sheet has no table, and may refer to a drawing many times."""


def is_workbook(data: bytes) -> bool:
    """Return whether the data is a ZIP file. XLSX and OpenDocument files are ZIP files."""
    return data.startswith(ZIP)


def workbook_text(data: bytes, lines: int, cells: int) -> str:
    """Return the first sheet with at least two filled lines, as CSV text. Dates are written as 2026-09-01.

    At most `lines` + 1 rows of `cells` + 1 cells are returned, so that the caller can tell if the sheet is too large.
    Raises `RuleViolation` if the data isn't an XLSX file, is damaged or too large, or has no such sheet.
    """
    try:
        _check(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl warns about styles and extensions that nobody needs here
            return _text(data, lines, cells)
    except BROKEN as error:
        raise RuleViolation("sheet_broken", "This Excel file can't be read. Save it as CSV and try again.") from error


def _check(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        parts = packed.infolist()
        names = {part.filename for part in parts}
        if "content.xml" in names:
            message = Phrase("That's an OpenDocument file (.ods). Save it as Excel (.xlsx) or CSV and try again.")
            raise RuleViolation("sheet_ods", message)
        if WORKBOOK not in names:
            raise RuleViolation(
                "sheet_zip", "That isn't a spreadsheet. In Excel: Save As, Excel Workbook (.xlsx) or CSV."
            )
        if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
            raise RuleViolation("sheet_large", LARGE)
        # Sizes in a ZIP file's list are checked while reading: what is longer than it says is an error.
        texts = [packed.read(part) for part in parts]
    if sum(text.count(b"<") for text in texts) > MOST_TAGS:
        raise RuleViolation("sheet_large", LARGE)
    if any(doctype in text for text in texts for doctype in DOCTYPES):
        raise ValueError("DOCTYPE")


def _text(data: bytes, lines: int, cells: int) -> str:
    # `load_workbook` does the same with the reader of openpyxl.
    reader = _Reader(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    reader.read()
    book = reader.wb
    try:
        for sheet in book.worksheets[:MOST_SHEETS]:
            sheet.reset_dimensions()
            rows = list(_rows(sheet.iter_rows(max_row=lines + 1, max_col=cells + 1, values_only=True)))
            if sum(any(row) for row in rows) > 1:
                return _csv(rows)
    finally:
        book.close()
    raise RuleViolation("sheet_empty", Phrase("No sheet of this file has a table in it."))


def _rows(rows: Iterable[Sequence[Any]]) -> Iterator[list[str]]:
    for row in rows:
        cells = [_cell(cell) for cell in row]
        while cells and not cells[-1]:
            cells.pop()
        yield cells


def _cell(value: Any) -> str:
    """Return the text of a cell, as a spreadsheet program in English would export it."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case datetime():
            return value.date().isoformat()
        case date() | time():
            return value.isoformat()
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
    return str(value)[:1000]


def _csv(rows: Iterable[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows(rows)
    return text.getvalue()
