"""Ids of what is sent: the same sent twice is done once, and what was looked at is what is saved."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

LONGEST_ID = 43
"""Characters of an id that count: with the digest of its content it fits the column of the log."""


def request_key(client_id: str, content: bytes) -> str:
    """Return the key under which a log keeps what was sent: the sender's id, and a digest of the content.

    A page that the back button brings up carries its old id; what is changed there must not pass for a repetition.
    """
    return f"{client_id[:LONGEST_ID]}.{hashlib.sha256(content).hexdigest()[:20]}"


def sender_id(key: str) -> str:
    """Return the id in a key that its page or phone made."""
    return key.partition(".")[0]


def choice_digest(data: Mapping[str, Any], version: int) -> str:
    """Return a short word for one choice at one version, which a form carries once the effect of that was shown."""
    return hashlib.sha256(sorted_json([version, dict(data)])).hexdigest()[:16]


def sorted_json(told: object) -> bytes:
    """Return JSON that is the same for the same content."""
    return json.dumps(told, sort_keys=True).encode()
