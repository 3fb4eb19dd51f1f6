"""Pack the data about a person as a ZIP file: JSON, and CSV files for spreadsheets."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from scorekeeper.web.csv_cells import Cell, csv_file

FILE = "person.json"
TABLES = ("nights", "byes", "money", "payments", "answers", "games", "log")
DEEP = ("record", "hands_played", "phones")
"""Fields that are left out of the CSV files, because they contain objects or lists. (`hands.csv` has the hands.)"""


def pack(data: Mapping[str, Any]) -> bytes:
    """Return the result of `data_export.own_data` as a ZIP file with one JSON file and several CSV files."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        # A fixed date, so that the same data gives the same bytes.
        told = json.dumps(data, ensure_ascii=False, indent=1, default=_plain)
        packed.writestr(zipfile.ZipInfo(FILE), told, zipfile.ZIP_DEFLATED)
        for name in TABLES:
            packed.writestr(zipfile.ZipInfo(f"{name}.csv"), _csv(data[name]), zipfile.ZIP_DEFLATED)
        hands = [
            {key: game[key] for key in ("season", "night", "day", "round", "table", "seat")} | hand
            for game in data["games"]
            for hand in game["hands_played"]
        ]
        packed.writestr(zipfile.ZipInfo("hands.csv"), _csv(hands), zipfile.ZIP_DEFLATED)
    return file.getvalue()


def _csv(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return rows as a CSV file, without the nested fields `DEEP`."""
    heads = [key for key in (rows[0] if rows else {}) if key not in DEEP]
    return csv_file(heads, ([_cell(row[key]) for key in heads] for row in rows))


def _cell(value: Any) -> Cell:
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, bool):
        return "yes" if value else "no"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list | tuple) else value


def _plain(value: object) -> object:
    if isinstance(value, date | datetime):
        return value.isoformat()
    raise TypeError(type(value).__name__)
