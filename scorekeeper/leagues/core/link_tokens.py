"""Derive the tokens in links from the installation's secret key, so that no token is stored.

Such a link can be shown and printed again. It stops working when a part that its token is derived from changes.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

WORD_BYTES = 18


def word_of(*parts: object, key: str) -> str:
    """Return a 144-bit token derived from the secret key and `parts`. The first part is the purpose of the token."""
    digest = hmac.new(key.encode(), "\n".join(map(str, parts)).encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:WORD_BYTES]).decode()


def same_word(word: str, right: str) -> bool:
    """Return whether two tokens are equal. The comparison takes constant time."""
    return hmac.compare_digest(word.encode("utf-8", "replace"), right.encode())
