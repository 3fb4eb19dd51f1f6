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
    """Return the token in the address of the card for table `number`. `key` is the installation's secret key."""
    return word_of("table card", night.public_id, number, night.cards, key=key)


def short_code(night: NightRow, number: int, key: str) -> str:
    """Return the code in the short address of a table card, such as "12-3-k7f9qd2m", for people who type the address.

    `number` is the number of the table, and `key` is the installation's secret key. The last part of the code has 40
    secret bits.
    """
    digest = hashlib.sha256(word_of("short card", card_word(night, number, key), key=key).encode()).digest()
    return f"{night.id}-{number}-{base64.b32encode(digest[:5]).decode().lower()}"


def opens(word: str, night: NightRow, number: int, key: str) -> bool:
    """Return whether `word` is the current token of table `number` and the night is still open.

    `key` is the installation's secret key.
    """
    return same_word(word, card_word(night, number, key)) and night.closed_at is None


def on_card(tables: Sequence[TableState], number: int, begun: int) -> tuple[TableState, ...]:
    """Return the games that the card of table `number` lets people score.

    `tables` are all tables of the night, and `begun` is the number of the last round that has started. Games of earlier
    rounds are left out, because only a director or helper can enter their scores. From the other games of the table,
    return the last finished game, if any, and the next game to play. If none of them is finished or in progress, return
    the next two games, because the players may already have moved on to the next round.
    """
    of_number = [table for table in tables if table.number == number and table.round >= max(begun, 1)]
    done = [table for table in of_number if table.done]
    open_ones = [table for table in of_number if not table.done]
    return tuple(done[-1:] + open_ones[: 2 if open_ones and not open_ones[0].game and not done else 1])
