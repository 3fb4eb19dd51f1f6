"""Learn the guesses of the points step from the games that a phone started, and remember them for a day."""

from __future__ import annotations

from datetime import UTC, date, datetime

from sqlalchemy.orm import Session

from scorekeeper.db.database import Recent
from scorekeeper.games.logic.default_points import Guesses, learned_guesses, table_key
from scorekeeper.games.store.own_hands import own_hands
from scorekeeper.rules.table import Table

REMEMBERED = 1000
"""Most pairs of phone and table whose guesses a process keeps in memory."""


def own_guesses(session: Session, device: str, table: Table) -> Guesses:
    """Return the guess for each bid of which the games that the phone `device` started have enough hands.

    Only games of the same kind as `table` count (`own_hands`). No other phone's hands count, so nobody learns how
    others play, or changes their guesses. The hands are read once a day by each process; then a request only looks at
    its memory.
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
