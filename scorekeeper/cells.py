"""Cells of the CSV files that are handed on: words stay words, whatever program opens them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

Cell = str | int | float | None
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What makes a spreadsheet take the words of a cell for something to be reckoned."""
UNSEEN = re.compile(r"[ \u00a0\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]*")
"""What may stand before it unseen, and is passed over by some of them."""


def harmless(cell: Cell) -> Cell:
    """Return a cell of a CSV file that no spreadsheet reckons with; numbers are what they are."""
    return f"'{cell}" if isinstance(cell, str) and UNSEEN.sub("", cell, count=1).startswith(FORMULA) else cell


def csv_file(head: Sequence[str], lines: Iterable[Sequence[Cell]]) -> bytes:
    """Return a table as CSV in UTF-8, with the mark that lets spreadsheets see it is; every cell is `harmless`."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows([harmless(cell) for cell in line] for line in lines)
    return text.getvalue().encode("utf-8-sig")
