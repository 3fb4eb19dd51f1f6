"""A game record as people bring it: a file or a text, of which nothing can be relied on."""

from __future__ import annotations

import json
from typing import Any

from scorekeeper.games.store.event_store import MOST_EVENTS
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.record import ADJUSTMENTS, Record, read_record
from scorekeeper.rules.violation import RuleViolation

MOST_LINES = MOST_EVENTS - 2
"""Hands and adjustments together; how the game began and how it ended are lines too."""
DEEPEST = 40
"""Lists within lists in the fields that a record only carries along."""


def read_text(text: bytes) -> Record:
    """Return the game that `text` tells; raises `RuleViolation` where it is no record, or one that lies."""
    if not text.strip():
        raise RuleViolation("record_empty", "Choose a file or paste the text of a record.")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise RuleViolation("not_json", "That is not a game record: it cannot be read as JSON.") from None
    told = data if isinstance(data, dict) else {}
    if sum(len(told[key]) for key in ("hands", ADJUSTMENTS) if isinstance(told.get(key), list)) > MOST_LINES:
        message = Phrase(
            "A record that is brought in has at most %(most)s hands and adjustments together.", most=MOST_LINES
        )
        raise RuleViolation("hands_many", message)
    if not _can_be_kept(data):
        raise RuleViolation("not_json", "That record holds something that could not be written down again.")
    return read_record(data)


def _can_be_kept(data: Any) -> bool:
    """Whether any JSON writer can write `data`: no half characters, no endless numbers, no endless nesting."""
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
