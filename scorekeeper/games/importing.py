"""A game record as people bring it: a file or a text, of which nothing can be relied on."""

from __future__ import annotations

import json
from typing import Any

from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.record import Record, read_record
from scorekeeper.rules.violation import RuleViolation

MOST_HANDS = 1_000
"""Of a record that is brought in; a long evening has fifty. Without an end to it one form would be read for minutes."""
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
    if any(isinstance(told.get(key), list) and len(told[key]) > MOST_HANDS for key in ("hands", "x_adjustments")):
        message = Phrase("A record that is brought in has at most %(most)s hands.", most=MOST_HANDS)
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
