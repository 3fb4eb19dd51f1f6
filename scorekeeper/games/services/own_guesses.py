"""Learn from a phone's earlier games what to suggest when points are entered, and remember the result for a day."""

from __future__ import annotations

from datetime import UTC, date, datetime

from sqlalchemy.orm import Session

from scorekeeper.db.database import Recent
from scorekeeper.games.logic.default_points import Guesses, learned_guesses, table_key
from scorekeeper.games.store.own_hands import own_hands
from scorekeeper.rules.table import Table

REMEMBERED = 1000
"""Maximum number of (phone, table) pairs whose guesses a process keeps in memory."""


def own_guesses(session: Session, device: str, table: Table) -> Guesses:
    """Return suggestions for the points of a hand, learned from games that the phone `device` started.

    There is a suggestion for each bid that is frequent enough. Only games of the same kind as `table` count (see
    `own_hands`). Hands from other people's games never count. So nobody can learn how others play, or change the
    suggestions that others get. Each process reads the hands once a day and keeps the result in memory.
    """
    if not table.rules.categories:
        return {}
    key = (device, table_key(table))
    today = datetime.now(UTC).date()
    known = _learned.get(session, key)
    if known is None or known[0] != today:
        known = (today, learned_guesses(table, own_hands(session, device, table)))
        _learned.keep(session, key, known)
    return known[1]


_learned: Recent[tuple[str, str], tuple[date, Guesses]] = Recent(REMEMBERED)
