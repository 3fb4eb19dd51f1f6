"""Write CSV cells that no spreadsheet runs as a formula.

Export the log of a game or a league as CSV or JSON, with the same content as its page.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime

from flask import Response
from msgspec import Struct

from scorekeeper.i18n.catalog import _

Cell = str | int | float | date | None
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
    """Return a CSV cell that no spreadsheet runs as a formula. Numbers and dates are returned unchanged.

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


ISOLATES = dict.fromkeys(map(ord, "\u2066\u2067\u2068\u2069"))
"""Invisible characters that pages put around names written from right to left. They are left out of files."""


class LogRow(Struct, frozen=True):
    """One line of an exported log, as text for readers. Fields that don't apply are empty."""

    when: datetime
    who: str
    what: str
    before: str
    after: str
    why: str = ""
    night: str = ""


def log_csv(rows: Sequence[LogRow]) -> bytes:
    """Return the rows as the content of a CSV file.

    Times are in UTC, without a "Z": with it, LibreOffice takes them for text.
    """
    head = [_("When (UTC)"), _("Who"), _("What"), _("Before"), _("After"), _("Why"), _("Night")]
    told = (_plain(row) for row in rows)
    return csv_file(head, ([*(row | {"at": row["at"].rstrip("Z")}).values()] for row in told))


def log_json(rows: Sequence[LogRow]) -> bytes:
    """Return the rows as the content of a JSON file, a list of objects.

    Each object has the keys `at` (in UTC), `who`, `what`, `before`, `after`, `why` and `night`.
    """
    return (json.dumps([_plain(row) for row in rows], ensure_ascii=False, indent=1) + "\n").encode()


def log_file(data: bytes, name: str) -> Response:
    """Return a response that makes the browser save `data` as a file.

    `name` is the file name and ends in .csv or .json.
    """
    kind = "text/csv" if name.endswith(".csv") else "application/json"
    response = Response(data, content_type=f"{kind}; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return response


def _plain(row: LogRow) -> dict[str, str]:
    told = {
        "at": row.when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "who": row.who,
        "what": row.what,
        "before": row.before,
        "after": row.after,
        "why": row.why,
        "night": row.night,
    }
    return {key: text.translate(ISOLATES) for key, text in told.items()}
