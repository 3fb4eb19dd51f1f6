"""Games deleted for good, with their logs. The caller's transaction commits it."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from scorekeeper.db.append_only import opened
from scorekeeper.games.store.game_export import players_of
from scorekeeper.games.store.models import EventRow, GameRow, NoteRow, PlayerRow, RecoveryRow, ScoreLinkRow, ScorerRow
from scorekeeper.games.store.redaction import with_company

AT_ONCE = 500
"""Games in one query."""


def remove_games(session: Session, games: Sequence[int]) -> None:
    """Delete these games (their ids) and all that belongs to them; players of other games keep their names."""
    for first in range(0, len(games), AT_ONCE):
        _remove(session, games[first : first + AT_ONCE])


def _remove(session: Session, games: Sequence[int]) -> None:
    players = players_of(session, games)
    beside = with_company(session, games, players) - set(games)
    for model in (ScorerRow, ScoreLinkRow, RecoveryRow):
        session.execute(delete(model).where(model.game_id.in_(games)))
    # A game that was played again after one of these stays, and so do those of its players.
    session.execute(update(GameRow).where(GameRow.rematch_of.in_(games)).values(rematch_of=None))
    with opened(session, "game_note"):
        session.execute(delete(NoteRow).where(NoteRow.game_id.in_(games)))
    with opened(session, "game_event"):
        session.execute(delete(EventRow).where(EventRow.game_id.in_(games)))
    session.execute(delete(GameRow).where(GameRow.id.in_(games)))
    session.execute(delete(PlayerRow).where(PlayerRow.id.in_(players - players_of(session, sorted(beside)))))
