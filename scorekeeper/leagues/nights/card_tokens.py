"""Table cards: the token in a card's address allows scoring at that table, for that night only.

The 144-bit token is derived from the installation's secret key, so none is stored and cards can be printed again. It
stops working when new cards are made or the night is closed.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence

from scorekeeper.leagues.core.link_tokens import same_word, word_of
from scorekeeper.leagues.core.models import NightRow
from scorekeeper.leagues.standings.table_results import TableState


def card_word(night: NightRow, number: int, key: str) -> str:
    """Return the token on the card of table `number`; `key` is the installation's secret key."""
    return word_of("table card", night.public_id, number, night.cards, key=key)


def short_code(night: NightRow, number: int, key: str) -> str:
    """Return the code of a card's short address, to type without a camera: "12-3-k7f9qd2m"; 40 bits are secret."""
    digest = hashlib.sha256(word_of("short card", card_word(night, number, key), key=key).encode()).digest()
    return f"{night.id}-{number}-{base64.b32encode(digest[:5]).decode().lower()}"


def opens(word: str, night: NightRow, number: int, key: str) -> bool:
    """Return whether the night is open and `word` is the current token of that table."""
    return same_word(word, card_word(night, number, key)) and night.closed_at is None


def on_card(tables: Sequence[TableState], number: int) -> tuple[TableState, ...]:
    """Return the tables that the card of table `number` opens: the finished one of this round, and the next game.

    If this table has not started, those are this round's and the next round's, since the table may move on early. Once
    another table has started a later round, the card no longer opens the earlier one: its score goes through the desk.
    """
    begun = max((table.round for table in tables if table.game), default=0)
    of_number = [table for table in tables if table.number == number and table.round >= max(begun, 1)]
    done = [table for table in of_number if table.done]
    open_ones = [table for table in of_number if not table.done]
    return tuple(done[-1:] + open_ones[: 2 if open_ones and not open_ones[0].game and not done else 1])
