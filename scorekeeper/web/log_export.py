"""Export the log of a game or a league as CSV or JSON, with the same content as its page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from flask import Response

from scorekeeper.i18n.catalog import _
from scorekeeper.web.csv_cells import csv_file

ISOLATES = dict.fromkeys(map(ord, "\u2066\u2067\u2068\u2069"))
"""Invisible characters that pages put around names written from right to left. They are left out of files."""


@dataclass(frozen=True, slots=True)
class LogRow:
    """One line of an exported log, as text for readers. Fields that don't apply are empty."""

    when: datetime
    who: str
    what: str
    before: str
    after: str
    why: str = ""
    night: str = ""


def log_csv(rows: Sequence[LogRow]) -> bytes:
    """Return the rows as the content of a CSV file. Times are in UTC."""
    head = [_("When (UTC)"), _("Who"), _("What"), _("Before"), _("After"), _("Why"), _("Night")]
    return csv_file(head, (list(_plain(row).values()) for row in rows))


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
