"""The card on a table: a word in its address opens scoring at that table, for that night only.

The word is made from the installation's key, so nothing is stored that could be stolen, and the cards can be printed
again. It is 144 bits long. New cards, or the end of the night, and it opens nothing.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

from scorekeeper.leagues.models import NightRow

WORD_BYTES = 18


def card_word(night: NightRow, number: int, key: str) -> str:
    """Return the word on the card of table `number`; `key` is the installation's secret key."""
    told = f"table card\n{night.public_id}\n{number}\n{night.cards}".encode()
    digest = hmac.new(key.encode(), told, hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:WORD_BYTES]).decode()


def opens(word: str, night: NightRow, number: int, key: str) -> bool:
    """Return whether `word` stands on the card of that table and the night is not closed."""
    right = hmac.compare_digest(word.encode("utf-8", "replace"), card_word(night, number, key).encode())
    return right and night.closed_at is None
