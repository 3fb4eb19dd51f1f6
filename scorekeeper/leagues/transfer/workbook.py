"""Read the sheets of an XLSX file as rows of text, within strict limits, because the file may be malicious."""

import io
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from itertools import zip_longest
from typing import Any
from xml.etree.ElementTree import ParseError

from msgspec import Struct

from scorekeeper.rules.phrase import Phrase, RuleViolation

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
TYPES = "[Content_Types].xml"
WORKBOOK = re.compile(rb"(?:spreadsheetml\.(?:sheet|template)|ms-excel\.(?:sheet|template)\.macroEnabled)\.main\+xml")
"""Content type of the part with the workbook, which may have any name."""
NO_RESULT = re.compile(
    rb"<(?:\w+:)?f\b(?:[^<>]*/>|[^<>]*>[^<]*</(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*(?:/>|></(?:\w+:)?v>)\s*)?</"
)
"""A formula in the XML of a sheet that isn't followed by its result."""
MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s[^<>]*ref=\"([A-Z]{1,3})([0-9]{1,7}):[A-Z]{1,3}([0-9]{1,7})\"")
MOST_FILLED = 30_000
"""Most cells that are filled from merged cells in one sheet."""
DOCTYPES = tuple("<!DOCTYPE".encode(coding) for coding in ("utf-8", "utf-16-le", "utf-16-be"))
"""Start of a declaration of XML entities, which could expand to any number of tags. No spreadsheet program uses it."""
BROKEN = (
    *(KeyError, ValueError, TypeError, AttributeError, IndexError, OverflowError, RecursionError, NotImplementedError),
    *(ParseError, zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, OSError),
    *(SyntaxError, UnicodeError, AssertionError, LookupError, MemoryError),
)
"""Exceptions that openpyxl raises for a damaged file."""
LARGE = Phrase("This Excel file is too large. Copy the table into a new workbook, or paste it here.")


class WorkSheet(Struct, frozen=True):
    """A sheet of a workbook, as rows of cells. `hidden` says whether Excel shows the sheet only on request."""

    name: str
    hidden: bool
    rows: Sequence[Sequence[str]]


def is_workbook(data: bytes) -> bool:
    """Return whether the data is a ZIP file, as XLSX, OpenDocument and Numbers files are."""
    return data.startswith(ZIP)


def sheets_in(data: bytes, lines: int, cells: int) -> list[WorkSheet]:
    """Return the sheets with at least two filled rows. Dates are written as 2026-09-01.

    A cell merged over several rows counts for each of them. A formula without a stored result is written as the
    formula. Of each sheet, at most `lines` + 1 rows of `cells` + 1 cells are returned, so that the caller can tell if
    it is too large. Raises `RuleViolation` if the data isn't an XLSX file, is damaged or too large, or has no such
    sheet that is visible.
    """
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        _check(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl warns about styles and extensions that nobody needs here
            found = _sheets(data, lines, cells)
    except (*BROKEN, InvalidFileException) as error:
        raise RuleViolation("sheet_broken", "This Excel file can't be read. Save it as CSV and try again.") from error
    if all(sheet.hidden for sheet in found):
        raise RuleViolation("sheet_empty", Phrase("No sheet of this file has a table in it."))
    return found


def _check(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        parts = packed.infolist()
        names = {part.filename for part in parts}
        if "content.xml" in names:
            message = Phrase("That's an OpenDocument file (.ods). Save it as Excel (.xlsx) or CSV and try again.")
            raise RuleViolation("sheet_ods", message)
        if any(name.endswith(".iwa") for name in names):
            message = Phrase("That's a Numbers file. In Numbers, export it to Excel (.xlsx) or CSV, and try again.")
            raise RuleViolation("sheet_numbers", message)
        if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
            raise RuleViolation("sheet_large", LARGE)
        if TYPES not in names or not WORKBOOK.search(packed.read(TYPES)):
            raise RuleViolation(
                "sheet_zip", "That isn't a spreadsheet. In Excel: Save As, Excel Workbook (.xlsx) or CSV."
            )
        # Sizes in a ZIP file's list are checked while reading: what is longer than it says is an error.
        texts = [packed.read(part) for part in parts]
    if sum(text.count(b"<") for text in texts) > MOST_TAGS:
        raise RuleViolation("sheet_large", LARGE)
    if any(doctype in text for text in texts for doctype in DOCTYPES):
        raise ValueError("DOCTYPE")


def _sheets(data: bytes, lines: int, cells: int) -> list[WorkSheet]:
    reader = _read(data, results=True)
    # Reading a sheet again takes as long as reading it, so that is done only if a formula has no result.
    lacking = {name for name, part in reader.parts.items() if NO_RESULT.search(part)}
    formulas = _read(data, results=False) if lacking else reader
    found = []
    for sheet in reader.wb.worksheets:
        rows = _rows(sheet, lines, cells)
        if sheet.title in lacking:
            for row, told in zip(rows, _rows(formulas.wb[sheet.title], lines, cells), strict=False):
                row[:] = [cell or other for cell, other in zip_longest(row, told, fillvalue="")]
        _fill(rows, MERGED.findall(reader.parts[sheet.title]))
        trimmed = [_trimmed(row) for row in rows]
        if sum(any(row) for row in trimmed) > 1:
            found.append(WorkSheet(sheet.title, sheet.sheet_state != "visible", trimmed))
    return found


def _read(data: bytes, *, results: bool) -> Any:
    """Return a reader of the workbook, with the stored results of its formulas or with the formulas themselves."""
    # Imported here and below, because openpyxl takes a tenth of the start, and few people ever upload a workbook.
    from openpyxl.reader.excel import ExcelReader

    class _Reader(ExcelReader):
        """Reads a workbook, but refuses too many sheets, or sheets that share the same part of the file.

        To read a sheet, the whole part of the file in which the sheet is stored must be parsed. If many sheets shared a
        part, a small file could keep the server busy for a long time. `parts` has the XML of each sheet by name.
        """

        def read_worksheets(self) -> None:
            links = [(sheet.name, link.target) for sheet, link in self.parser.find_sheets()]
            targets = [target for _name, target in links]
            if len(targets) > MOST_SHEETS or len(set(targets)) < len(targets):
                raise RuleViolation("sheet_large", LARGE)
            self.parts = {name: self.archive.read(target) for name, target in links if target in self.valid_files}
            super().read_worksheets()

        def read_chartsheet(self, sheet: Any, rel: Any) -> None:
            """Skip a sheet that has only a chart. A chart sheet has no table, and may refer to a drawing many times."""

    # `load_workbook` does the same with the reader of openpyxl.
    reader = _Reader(io.BytesIO(data), read_only=True, data_only=results, keep_links=False)
    reader.read()
    return reader


def _rows(sheet: Any, lines: int, cells: int) -> list[list[str]]:
    sheet.reset_dimensions()
    rows = sheet.iter_rows(max_row=lines + 1, max_col=cells + 1, values_only=True)
    return [[] if row.count(None) == len(row) else [_cell(cell) for cell in row] for row in rows]


def _fill(rows: Sequence[list[str]], areas: Iterable[tuple[bytes, bytes, bytes]]) -> None:
    """Copy each cell that is merged over several rows into the other rows."""
    from openpyxl.utils.cell import column_index_from_string

    filled = 0
    for column, first_row, last_row in areas:
        left, top, bottom = column_index_from_string(column.decode()), int(first_row), int(last_row)
        first = rows[top - 1] if 1 <= top <= len(rows) else []
        value = first[left - 1] if left <= len(first) else ""
        for row in rows[top:bottom] if value and filled < MOST_FILLED else ():
            row.extend([""] * (left - len(row)))
            row[left - 1] = value
            filled += 1


def _trimmed(row: list[str]) -> list[str]:
    while row and not row[-1]:
        row.pop()
    return row


def _cell(value: Any) -> str:
    """Return the text of a cell, as a spreadsheet program in English would export it."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case datetime():
            return value.isoformat(" ", "minutes")
        case date() | time():
            return value.isoformat()
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
    return " ".join(str(value)[:1000].split())
