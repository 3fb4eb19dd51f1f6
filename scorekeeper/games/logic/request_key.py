"""Make request keys, so that a repeated request is carried out once, and digests of choices that a page previewed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

LONGEST_ID = 43
"""Characters of an id that are kept: with the digest of its content it fits the column of the log."""


def request_key(client_id: str, content: bytes) -> str:
    """Return the request key: the id made by a page or phone, and a digest of the content sent.

    A page reached by the back button has its old id; with other content it must not count as a repeated request.
    """
    return f"{client_id[:LONGEST_ID]}.{hashlib.sha256(content).hexdigest()[:20]}"


def sender_id(key: str) -> str:
    """Return the id in a request key, without the digest."""
    return key.partition(".")[0]


def choice_digest(data: Mapping[str, Any], version: int) -> str:
    """Return a short digest of the form's choices and the game's version.

    The review of a change sends it; the form sends it back to show that the player has seen the effect of exactly these
    choices.
    """
    return hashlib.sha256(sorted_json([version, dict(data)])).hexdigest()[:16]


def sorted_json(content: object) -> bytes:
    """Return JSON that is equal for equal content."""
    return json.dumps(content, sort_keys=True).encode()
