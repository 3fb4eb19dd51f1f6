"""Make request keys, which make repeated requests harmless, and digests of choices that a page previewed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

LONGEST_ID = 43
"""Maximum number of characters of the id in a request key, so that the key fits the database column of the log."""


def request_key(client_id: str, content: bytes) -> str:
    """Return the request key, which is made of the id from a page or phone and a digest of the content sent.

    If a player uses the back button and changes the form, the page sends its old id with new content. The key is then
    different, so the request doesn't count as a repetition.
    """
    return f"{client_id[:LONGEST_ID]}.{hashlib.sha256(content).hexdigest()[:20]}"


def sender_id(key: str) -> str:
    """Return the page's or phone's id in a request key, which is the part before the digest."""
    return key.partition(".")[0]


def choice_digest(data: Mapping[str, Any], version: int) -> str:
    """Return a short digest of the choices in a form and of the version of the game.

    The page on which a player reviews a change sends this digest, and the form sends it back. The digest shows that the
    player has reviewed exactly these choices.
    """
    return hashlib.sha256(sorted_json([version, dict(data)])).hexdigest()[:16]


def sorted_json(content: object) -> bytes:
    """Return the content as JSON with sorted keys, so that equal content gives equal JSON."""
    return json.dumps(content, sort_keys=True).encode()
