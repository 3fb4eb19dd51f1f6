"""Delete games and restore them. Each public function is one use case and one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.games.store.access import AccessLevel, NoSuchGameError, admit, standing_of, started_by
from scorekeeper.games.store.audit import note
from scorekeeper.games.store.models import GameRow
from scorekeeper.web.extensions import writing


@use_case
def delete_game(*, public_id: str, request: ClientRequest, now: datetime | None = None) -> None:
    """Hide a game from everyone; its log stays, and `undelete_game` restores it."""
    with writing() as session:
        row = _row_of(session, public_id, request)
        if row.deleted_at is None:
            row.deleted_at = now or datetime.now(UTC)
            note(session, row.id, "deleted", device=request.device, now=row.deleted_at)


@use_case
def delete_unused(*, public_ids: Sequence[str], device: str, now: datetime | None = None) -> None:
    """Delete the games among these that the phone `device` started and that have no scores."""
    moment = now or datetime.now(UTC)
    with writing() as session:
        unused = select(GameRow).where(
            GameRow.public_id.in_(public_ids), started_by(device), GameRow.elsewhere.is_(None), GameRow.version == 1
        )
        for row in session.scalars(unused.where(GameRow.deleted_at.is_(None)).with_for_update()):
            row.deleted_at = moment
            note(session, row.id, "deleted", device=device, now=moment)


@use_case
def undelete_game(*, public_id: str, request: ClientRequest, now: datetime | None = None) -> None:
    """Restore a deleted game."""
    with writing() as session:
        row = _row_of(session, public_id, request)
        if row.deleted_at is not None:
            row.deleted_at = None
            note(session, row.id, "undeleted", device=request.device, now=now or datetime.now(UTC))


def _row_of(session: Session, public_id: str, request: ClientRequest) -> GameRow:
    """Return the game's row, locked; a deleted game exists only for the phone that started it."""
    row = session.scalars(select(GameRow).where(GameRow.public_id == public_id).with_for_update()).first()
    if (
        row is not None
        and row.deleted_at is not None
        and standing_of(session, row, request.device) < AccessLevel.STARTED
    ):
        raise NoSuchGameError
    admit(session, row, request.device, AccessLevel.STARTED)
    assert row is not None
    return row
