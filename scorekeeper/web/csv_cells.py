"""Write CSV cells that no spreadsheet runs as a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

Cell = str | int | float | None
SIGNS = "=+-@＝＋－＠"
FORMULA = (*SIGNS, "\t", "\r", "\n")
"""Characters that make a spreadsheet treat a cell as a formula."""
UNSEEN = r" \u00a0\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
"""Invisible characters that may precede them; some spreadsheets skip these."""
_SIGN = f"[{re.escape(SIGNS)}]"
BEGINNING = re.compile(rf'\A(?=[{UNSEEN}]*(?:{_SIGN}|[\t\r\n]))|(?:;|(?<!\A)[\t\r\n])(?=[{UNSEEN}"]*{_SIGN})')
"""Where a formula could begin: at the start of a cell, or after a character at which some spreadsheets split CSV."""
PUT_IN = re.compile(rf"""(\A|;)'(?=[{UNSEEN}"]*{_SIGN})""")


def harmless(cell: Cell) -> Cell:
    """Return a CSV cell that no spreadsheet runs as a formula; numbers stay numbers."""
    return BEGINNING.sub(r"\g<0>'", cell) if isinstance(cell, str) else cell


def as_typed(cell: str) -> str:
    """Return a cell without the marks that `harmless` added."""
    return PUT_IN.sub(r"\1", cell)


def csv_file(head: Sequence[str], lines: Iterable[Sequence[Cell]]) -> bytes:
    """Return a table as CSV in UTF-8 with a byte order mark, each cell made `harmless`."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows([harmless(cell) for cell in line] for line in lines)
    return text.getvalue().encode("utf-8-sig")
