"""Read a table from text or a CSV file of any spreadsheet. The content cannot be trusted."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Sequence

from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.csv_cells import as_typed

MOST_BYTES = 300_000
MOST_LINES = 3_000
MOST_CELLS = 40
"""Cells per line."""
SEPARATORS = ",;\t"
QUOTED = re.compile(r'"[^"]*"')


def text_of(data: bytes) -> str:
    """Return the text of a file in UTF-8, UTF-16 with a byte order mark, or Windows-1252.

    Raises `RuleViolation` if the file is empty, too large, or not text.
    """
    if len(data) > MOST_BYTES:
        raise RuleViolation("sheet_large", "That's too much at once. The limit is 300 kB.")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        data = data.decode("utf-16", "replace").encode()  # "Unicode text" in Excel
    if b"\x00" in data:
        raise RuleViolation("sheet_text", "That isn't a CSV file. In Excel: Save As, CSV.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    if not text.strip():
        raise RuleViolation("sheet_empty", "Choose a file or paste some lines.")
    return text


def lines_of(text: str) -> list[tuple[int, list[str]]]:
    """Return the line number (from 1) and the cells of each line that is not empty. Raises `RuleViolation`."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    bare = QUOTED.sub("", first)
    separator = max(SEPARATORS, key=bare.count)
    lines: list[tuple[int, list[str]]] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        for cells in reader:
            told = [_cell(cell) for cell in cells]
            if not any(told):
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


def columns_of(head: Sequence[str], words: Sequence[str]) -> list[int]:
    """Return the indexes of the columns whose heading starts with one of `words`."""
    return [index for index, cell in enumerate(head) if cell.casefold().startswith(tuple(words))]


def _cell(text: str) -> str:
    return as_typed(" ".join(text.split()))
