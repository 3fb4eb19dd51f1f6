"""Read a game record from an imported file or text, which can't be trusted."""

from __future__ import annotations

import json
from typing import Any

from scorekeeper.games.store.event_store import MOST_EVENTS
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.record import ADJUSTMENTS, Record, read_record
from scorekeeper.rules.violation import RuleViolation

MOST_LINES = MOST_EVENTS - 2
"""Hands and adjustments together; start and end of the game take two more entries of the log."""
DEEPEST = 40
"""Nesting of lists and objects in fields that the app does not use."""


def read_text(text: bytes) -> Record:
    """Return the record in `text`. Raises `RuleViolation` if it is not a record or contradicts itself."""
    if not text.strip():
        raise RuleViolation("record_empty", "Choose a saved game file, or paste its text.")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise RuleViolation("not_json", "That isn't a saved game.") from None
    fields = data if isinstance(data, dict) else {}
    if sum(len(fields[key]) for key in ("hands", ADJUSTMENTS) if isinstance(fields.get(key), list)) > MOST_LINES:
        message = Phrase(
            "That game is too long. The limit is %(most)s hands and adjustments together.", most=MOST_LINES
        )
        raise RuleViolation("hands_many", message)
    if not _can_be_kept(data):
        raise RuleViolation("not_json", "That file has something in it that Scorekeeper can't save.")
    return read_record(data)


def _can_be_kept(data: Any) -> bool:
    """Return whether any JSON writer can write `data`: no lone surrogates, no infinite numbers, limited nesting."""
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
