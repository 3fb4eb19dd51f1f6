"""Cells of the CSV files that are handed on: words stay words, whatever program opens them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

Cell = str | int | float | None
SIGNS = "=+-@＝＋－＠"
FORMULA = (*SIGNS, "\t", "\r", "\n")
"""What makes a spreadsheet take the words of a cell for something to be reckoned."""
UNSEEN = r" \u00a0\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
"""What may stand before it unseen, and is passed over by some of them."""
_SIGN = f"[{re.escape(SIGNS)}]"
BEGINNING = re.compile(rf'\A(?=[{UNSEEN}]*(?:{_SIGN}|[\t\r\n]))|(?:;|(?<!\A)[\t\r\n])(?=[{UNSEEN}"]*{_SIGN})')
"""Where a formula would begin: with the cell, or behind what some spreadsheets part the cells of any CSV at.

Those do it where people write 0,5 for a half, as in French and Spanish, and quotation marks within a line do not help.
"""
PUT_IN = re.compile(rf"""(\A|;)'(?=[{UNSEEN}"]*{_SIGN})""")


def harmless(cell: Cell) -> Cell:
    """Return a cell of a CSV file that no spreadsheet reckons with; numbers are what they are."""
    return BEGINNING.sub(r"\g<0>'", cell) if isinstance(cell, str) else cell


def as_typed(cell: str) -> str:
    """Return a cell without what `harmless` put in: that is no part of a name."""
    return PUT_IN.sub(r"\1", cell)


def csv_file(head: Sequence[str], lines: Iterable[Sequence[Cell]]) -> bytes:
    """Return a table as CSV in UTF-8, with the mark that lets spreadsheets see it is; every cell is `harmless`."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows([harmless(cell) for cell in line] for line in lines)
    return text.getvalue().encode("utf-8-sig")
