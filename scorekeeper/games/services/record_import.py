"""Read a game record from an imported file or text. The content can't be trusted."""

from __future__ import annotations

import json
from typing import Any

from scorekeeper.games.store.event_store import MOST_EVENTS
from scorekeeper.i18n.catalog import N_
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.record import ADJUSTMENTS, FORMAT, Record, read_record
from scorekeeper.rules.violation import RuleViolation

MOST_LINES = MOST_EVENTS - 2
"""Maximum number of hands and adjustments together; start and end of the game take two more entries of the log."""
DEEPEST = 40
"""Deepest nesting of lists and objects in fields that the app does not use."""

NOT_A_GAME = N_("This isn't a game saved by Scorekeeper. Choose a file that “Download game” made.")


def read_text(text: bytes) -> Record:
    """Return the game record in `text` (JSON).

    Raises `RuleViolation` if `text` is not a game record, or if the record contradicts itself.
    """
    if not text.strip():
        raise RuleViolation("record_empty", "Choose a saved game file, or paste its text.")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise RuleViolation("not_json", NOT_A_GAME) from None
    fields = data if isinstance(data, dict) else {}
    if sum(len(fields[key]) for key in ("hands", ADJUSTMENTS) if isinstance(fields.get(key), list)) > MOST_LINES:
        message = Phrase(
            "That game is too long. The limit is %(most)s hands and adjustments together.", most=MOST_LINES
        )
        raise RuleViolation("hands_many", message)
    if not _can_be_kept(data):
        raise RuleViolation("not_json", "That file has something in it that Scorekeeper can't save.")
    if fields.get("format") != FORMAT:
        raise RuleViolation("format", NOT_A_GAME, field="format")
    return read_record(data)


def _can_be_kept(data: Any) -> bool:
    """Return whether `data` can be saved as JSON.

    Data with lone surrogates, infinite numbers or deep nesting can't be saved.
    """
    level = [data]
    for _ in range(DEEPEST):
        level = [
            inner
            for item in level
            if isinstance(item, dict | list)
            for inner in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            break
    else:
        return False
    try:
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return False
    return True
