"""A night that is closed is summed up, and what is kept of it goes when it is opened again.

The caller's transaction commits it, so the sums are never those of another moment than the tables.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, delete, insert
from sqlalchemy.orm import Session

from scorekeeper.leagues.core.models import TallyRow
from scorekeeper.leagues.standings.closed_nights import KEPT
from scorekeeper.leagues.standings.counted_games import written_nights


def sum_up(session: Session, which: ColumnElement[bool]) -> None:
    """Keep the sums of `which` nights, whose tables are written down and which have none yet."""
    session.flush()
    rows = [
        {"night_id": night, **{name: keep(told) for name, keep in KEPT.items()}}
        for night, told in written_nights(session, which).items()
    ]
    if rows:
        session.execute(insert(TallyRow), rows)


def forget(session: Session, night: int) -> None:
    """Let go of the sums of a night (its id)."""
    session.execute(delete(TallyRow).where(TallyRow.night_id == night))
