"""Hide, show, delete and restore the games of a home table; delete unused ones. Each function is one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.games.store.audit import note
from scorekeeper.games.store.models import GameRow
from scorekeeper.people.models import HomePhoneRow
from scorekeeper.people.tables import current_table
from scorekeeper.web.extensions import writing

UNUSED = timedelta(days=14)
"""How long after the last change a game without any points is deleted. Offline hands may wait on a phone for days."""
MOST = 200
"""Games in one transaction."""

Change = Callable[[Session, GameRow, str, datetime], None]


class NotYourTableError(Exception):
    """This phone may view its home table but not change it."""


def _hide(session: Session, game: GameRow, device: str, now: datetime) -> None:
    if game.hidden_at is None:
        game.hidden_at = now
        note(session, game.id, "hidden", device=device, now=now)


def _show(session: Session, game: GameRow, device: str, now: datetime) -> None:
    if game.hidden_at is not None:
        game.hidden_at = None
        note(session, game.id, "shown", device=device, now=now)


def _delete(session: Session, game: GameRow, device: str, now: datetime, *, kind: str = "deleted") -> None:
    if game.deleted_at is None:
        game.deleted_at = now
        note(session, game.id, kind, device=device, now=now)


def _restore(session: Session, game: GameRow, device: str, now: datetime) -> None:
    if game.deleted_at is not None:
        game.deleted_at = None
        note(session, game.id, "undeleted", device=device, now=now)


CHANGES: Mapping[str, Change] = {"hide": _hide, "show": _show, "delete": _delete, "restore": _restore}
OWN = frozenset(("delete", "restore"))
"""Changes that only the phone that started a game may make, and the home table's main phone."""


@use_case
def change_games(*, do: str, public_ids: Sequence[str], device: str, now: datetime | None = None) -> None:
    """Make the change `do`, one of `CHANGES`, to those of these games that are at the phone's home table.

    Games that this phone may not change in this way are left as they are; a phone without a home table changes none.
    Raises `NotYourTableError` for a phone that may only look.
    """
    moment = now or datetime.now(UTC)
    with writing() as session:
        table = current_table(session, device)
        if table is None:
            return
        if table != current_table(session, device, to_score=True):
            raise NotYourTableError
        at_table = (HomePhoneRow.table_id == table, HomePhoneRow.device == device)
        keeper = session.scalars(select(HomePhoneRow.keeper).where(*at_table)).one()
        games = select(GameRow).where(GameRow.home_table_id == table, GameRow.public_id.in_(public_ids[:MOST]))
        for game in session.scalars(games.order_by(GameRow.id).with_for_update()):
            if keeper or do not in OWN or game.device == device:
                CHANGES[do](session, game, device, moment)


@use_case
def delete_unused(*, now: datetime | None = None) -> int:
    """Delete games of home tables that nobody scored and nobody changed for `UNUSED`; return how many.

    They can be restored like any deleted game. A game with a bid, a hand, an adjustment or a result is never deleted.
    """
    moment = now or datetime.now(UTC)
    with writing() as session:
        query = select(GameRow).where(
            GameRow.home_table_id.is_not(None),
            GameRow.version == 1,
            GameRow.updated_at < moment - UNUSED,
            GameRow.deleted_at.is_(None),
        )
        rows = session.scalars(query.limit(MOST).with_for_update()).all()
        delete = partial(_delete, kind="unused")
        for game in rows:
            delete(session, game, game.device, moment)
        return len(rows)
