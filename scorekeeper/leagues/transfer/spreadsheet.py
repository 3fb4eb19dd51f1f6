"""Read a spreadsheet from pasted text or from an uploaded file, which can't be trusted."""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from scorekeeper.leagues.transfer.workbook import LARGE, MOST_SHEETS, is_workbook, sheets_in
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.web.csv_cells import as_typed

MOST_BYTES = 300_000
"""Maximum number of bytes of a spreadsheet as text."""
MOST_PACKED = 3_000_000
"""Maximum number of bytes of an Excel file, which may have pictures in it."""
MOST_LINES = 3_000
MOST_CELLS = 100
"""Maximum number of cells in a line: enough for a name, two nights a week for most of a year, and some sums."""
SEPARATORS = "\t;,"
LOOKED_AT = 30
"""Number of lines that are read to find the separator of the cells. The first lines may be titles."""
QUOTED = re.compile(r'"[^"]*"')
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
SHEET_MARK = re.compile(r"^(sheet|hidden)=(.*)\n?", re.MULTILINE)
"""Line above each sheet of a workbook, with its name. Of a hidden sheet, only the name is given."""
EXCEL_MARK = re.compile(r"\Asep=(.)\s*$", re.IGNORECASE)
OLD_EXCEL = b"\xd0\xcf\x11\xe0"
MARKUP = re.compile(r"\s*<(?:[!?]|html|head|meta|style|body|table|div)", re.IGNORECASE)
"""Start of a file in HTML or XML, which many web programs offer as a download named .xls."""

Line = tuple[int, list[str]]
"""The number of a line, from 1, and its cells."""


class SheetText(Struct, frozen=True):
    """One sheet of the text of a spreadsheet. The name is empty if the text has no sheets."""

    name: str
    text: str


def text_of(data: bytes) -> str:
    """Return the text of an uploaded file. For an Excel file (XLSX), return its sheets as CSV.

    If an Excel file has several sheets, the line "sheet=Fall" stands above the lines of a sheet named Fall. A text file
    may be in UTF-8, in UTF-16 with a byte order mark, or in Windows-1252. Raises `RuleViolation` if the file is empty,
    too large, or neither text nor XLSX.
    """
    if is_workbook(data):
        if len(data) > MOST_PACKED:
            raise RuleViolation("sheet_large", LARGE)
        sheets = sheets_in(data, MOST_LINES, MOST_CELLS)
        seen = "".join(f"sheet={sheet.name}\n{_csv(sheet.rows)}" for sheet in sheets if not sheet.hidden)
        hidden = "".join(f"hidden={sheet.name}\n" for sheet in sheets if sheet.hidden)
        text = hidden + seen if sheets[1:] else _csv(sheets[0].rows)
        if len(text) > MOST_BYTES:
            raise RuleViolation("sheet_large", LARGE)
        return text
    if len(data) > MOST_BYTES:
        raise RuleViolation("sheet_large", "That's too much at once. The limit is 300 kB.")
    if data.startswith(OLD_EXCEL):
        raise RuleViolation("sheet_old", "That's an old Excel file (.xls). In Excel: Save As, Excel Workbook (.xlsx).")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        data = data.decode("utf-16", "replace").encode()  # "Unicode text" in Excel
    if b"\x00" in data:
        raise RuleViolation("sheet_text", "That isn't a spreadsheet. In Excel: Save As, Excel Workbook (.xlsx) or CSV.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    if MARKUP.match(text):
        raise RuleViolation("sheet_text", "That isn't a spreadsheet. In Excel: Save As, Excel Workbook (.xlsx) or CSV.")
    if not text.strip():
        raise RuleViolation("sheet_empty", "Choose a file or paste some lines.")
    return text


def sheets_of(text: str) -> tuple[SheetText, ...]:
    """Return the sheets of a text from `text_of`, without hidden ones. A text without sheets is one without a name.

    Raises `RuleViolation` if there are more than `MOST_SHEETS`, since a text may be typed.
    """
    text = text.replace("\r\n", "\n")
    _before, *parts = SHEET_MARK.split(text)
    marked = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    found = [SheetText(name.strip(), lines) for kind, name, lines in marked if kind == "sheet"]
    if len(found) > MOST_SHEETS:
        raise RuleViolation("sheet_large", LARGE)
    return tuple(found) or (SheetText("", text),)


def hidden_sheets(text: str) -> tuple[str, ...]:
    """Return the names of the hidden sheets of a text from `text_of`."""
    return tuple(mark[2].strip() for mark in SHEET_MARK.finditer(text) if mark[1] == "hidden")


def lines_of(text: str) -> list[Line]:
    """Return (number, cells) for each line that isn't empty.

    Raises `RuleViolation` if there are too many lines or cells, or if the CSV is malformed.
    """
    lines: list[Line] = []
    separator = _separator(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        for cells in reader:
            told = [_cell(cell) for cell in cells]
            while told and not told[-1]:
                told.pop()
            if not told or (reader.line_num == 1 and EXCEL_MARK.match("".join(told))):
                continue
            if len(told) > MOST_CELLS or len(lines) == MOST_LINES:
                message = Phrase(
                    "That's too large. The limit is %(lines)s lines with %(cells)s cells each.",
                    lines=MOST_LINES,
                    cells=MOST_CELLS,
                )
                raise RuleViolation("sheet_large", message)
            lines.append((reader.line_num, told))
    except csv.Error:
        raise RuleViolation("sheet_csv", "That isn't valid CSV. Save the spreadsheet as CSV and try again.") from None
    return lines


def _separator(text: str) -> str:
    """Return the character that separates the cells of a spreadsheet in `text`.

    If the first line is Excel's mark, such as "sep=;", the separator comes from the mark. Otherwise it is a tab or a
    semicolon that appears in most lines, or else a comma. Commas are last, because names and numbers may contain
    commas.
    """
    if mark := EXCEL_MARK.match(text.partition("\n")[0]):
        return mark[1] if mark[1] in SEPARATORS else ","
    lines = [QUOTED.sub("", line) for line in text.splitlines() if line.strip()][:LOOKED_AT]
    return next((one for one in SEPARATORS if 2 * sum(one in line for line in lines) > len(lines)), ",")


def _csv(rows: Iterable[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def columns_of(head: Sequence[str], words: Sequence[str]) -> list[int]:
    """Return the indexes of the columns whose heading starts with one of `words`."""
    return [index for index, cell in enumerate(head) if cell.casefold().startswith(tuple(words))]


def _cell(text: str) -> str:
    return as_typed(" ".join(CONTROL.sub(" ", text).split()))
