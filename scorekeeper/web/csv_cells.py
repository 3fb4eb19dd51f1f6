"""Write CSV cells that no spreadsheet runs as a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

Cell = str | int | float | None
SIGNS = "=+-@＝＋－＠"
FORMULA = (*SIGNS, "\t", "\r", "\n")
"""First characters with which a spreadsheet treats a cell as a formula."""
UNSEEN = r" \u00a0\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
"""Characters of a regular expression's class: invisible characters that some spreadsheets skip before a formula."""
_SIGN = f"[{re.escape(SIGNS)}]"
BEGINNING = re.compile(rf'\A(?=[{UNSEEN}]*(?:{_SIGN}|[\t\r\n]))|(?:;|(?<!\A)[\t\r\n])(?=[{UNSEEN}"]*{_SIGN})')
"""Pattern of a place where a formula could begin: the start of a cell, or after a character that separates cells."""
PUT_IN = re.compile(rf"""(\A|;)'(?=[{UNSEEN}"]*{_SIGN})""")


def harmless(cell: Cell) -> Cell:
    """Return a CSV cell that no spreadsheet runs as a formula. Numbers are returned unchanged.

    In a string, an apostrophe is added wherever a formula could begin.
    """
    return BEGINNING.sub(r"\g<0>'", cell) if isinstance(cell, str) else cell


def as_typed(cell: str) -> str:
    """Return the text of a cell without the apostrophes that `harmless` added."""
    return PUT_IN.sub(r"\1", cell)


def csv_file(head: Sequence[str], lines: Iterable[Sequence[Cell]]) -> bytes:
    """Return the content of a CSV file with the header row `head` and the rows `lines`. Each cell is made `harmless`.

    The file is in UTF-8 with a byte order mark.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows([harmless(cell) for cell in line] for line in lines)
    return text.getvalue().encode("utf-8-sig")
