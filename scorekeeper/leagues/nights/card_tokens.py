"""The card on a table: a word in its address opens scoring at that table, for that night only.

The word is made from the installation's key, so nothing is stored that could be stolen, and the cards can be printed
again. It is 144 bits long. New cards, or the end of the night, and it opens nothing.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Sequence

from scorekeeper.leagues.core.models import NightRow
from scorekeeper.leagues.standings.table_results import TableState

WORD_BYTES = 18


def card_word(night: NightRow, number: int, key: str) -> str:
    """Return the word on the card of table `number`; `key` is the installation's secret key."""
    return word_of("table card", night.public_id, number, night.cards, key=key)


def opens(word: str, night: NightRow, number: int, key: str) -> bool:
    """Return whether `word` stands on the card of that table and the night is not closed."""
    return same_word(word, card_word(night, number, key)) and night.closed_at is None


def on_card(tables: Sequence[TableState], number: int) -> tuple[TableState, ...]:
    """Return what the card of table `number` opens: its result of this round, and the game to be played there.

    Where nobody plays there yet, that is this round's and the one after it: the table could move on already. A round
    that others have begun after is over for the card: a table that wanted paper is entered at the desk.
    """
    begun = max((table.round for table in tables if table.game), default=0)
    of_number = [table for table in tables if table.number == number and table.round >= max(begun, 1)]
    done = [table for table in of_number if table.done]
    open_ones = [table for table in of_number if not table.done]
    return tuple(done[-1:] + open_ones[: 2 if open_ones and not open_ones[0].game and not done else 1])


def word_of(*told: object, key: str) -> str:
    """Return the word that the installation's secret key makes of what is `told`, the purpose first."""
    digest = hmac.new(key.encode(), "\n".join(map(str, told)).encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:WORD_BYTES]).decode()


def same_word(word: str, right: str) -> bool:
    """Return whether they are the same, in a time that does not tell how much of it was right."""
    return hmac.compare_digest(word.encode("utf-8", "replace"), right.encode())
