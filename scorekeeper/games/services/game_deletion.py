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
    """Delete a game by hiding it from everyone. The log of the game is kept, and `undelete_game` restores the game."""
    with writing() as session:
        row = _row_of(session, public_id, request)
        if row.deleted_at is None:
            row.deleted_at = now or datetime.now(UTC)
            note(session, row.id, "deleted", device=request.device, now=row.deleted_at)


@use_case
def delete_unused(*, public_ids: Sequence[str], device: str, now: datetime | None = None) -> None:
    """Delete those of the given games that the phone `device` started and whose logs have only the start of the game.

    Games of a league night are left alone.
    """
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
    """Restore a deleted game. Only the phone that started the game may do this."""
    with writing() as session:
        row = _row_of(session, public_id, request)
        if row.deleted_at is not None:
            restore_row(session, row, request.device, now or datetime.now(UTC))


def restore_row(session: Session, row: GameRow, device: str, now: datetime) -> None:
    """Restore a deleted game and note the device in the game's history. `row` must be locked."""
    row.deleted_at = None
    if row.version == 1:
        row.updated_at = now  # or else it would soon be deleted again as unused
    note(session, row.id, "undeleted", device=device, now=now)


def _row_of(session: Session, public_id: str, request: ClientRequest) -> GameRow:
    """Return the row of a game, locked.

    Raises `NoSuchGameError` for a deleted game, unless this phone started the game. Also raises the errors of `admit`.
    """
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
