"""Delete games and restore them. Each public function is one use case and one transaction.

Hide, show, delete and restore the games of a home table, and delete unused games.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.games.store.access import (
    AccessLevel,
    NoSuchGameError,
    admit,
    find_league_table,
    standing_of,
    started_by,
)
from scorekeeper.games.store.audit import note
from scorekeeper.games.store.models import GameRow
from scorekeeper.people.models import HomePhoneRow
from scorekeeper.people.tables import current_table
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import writing


@use_case
def delete_game(*, public_id: str, request: ClientRequest, now: datetime | None = None) -> None:
    """Delete a game by hiding it from everyone. The log of the game is kept, and `undelete_game` restores the game.

    Raises `RuleViolation` for the game of a table at a league night: its result would still count, but nobody could
    open or correct it.
    """
    with writing() as session:
        row = _row_of(session, public_id, request)
        if row.deleted_at is None and find_league_table(session, row.id):
            raise RuleViolation("league_game", "This game belongs to a league night, so it can't be deleted.")
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


UNUSED = timedelta(days=14)
"""An unused game is deleted this long after its start reached the server.

The wait is long because phones may keep hands for days before they send them.
"""
MOST = 200
"""Maximum number of games in one transaction."""

Change = Callable[[Session, GameRow, str, datetime], None]


class NotYourTableError(Exception):
    """The phone may view its home table but not change it."""


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
        restore_row(session, game, device, now)


CHANGES: Mapping[str, Change] = {"hide": _hide, "show": _show, "delete": _delete, "restore": _restore}
OWN = frozenset(("delete", "restore"))
"""Changes that only two phones may make: the phone that started the game, and the home table's main phone."""


@use_case
def change_games(*, do: str, public_ids: Sequence[str], device: str, now: datetime | None = None) -> None:
    """Make the change `do` (a key of `CHANGES`) to games of the phone's current home table.

    Games at other tables are not changed. Games that the phone may not change in this way are not changed either.
    Nothing happens for a phone without a home table. Raises `NotYourTableError` for a phone that may only view the
    table.
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
def delete_unused_games(*, now: datetime | None = None) -> int:
    """Delete unused games of home tables, and return the number of deleted games.

    A game is unused if its log has only the start of the game, and if the server received this start longer ago than
    `UNUSED`. One call deletes at most `MOST` games. The deleted games can be restored like any other deleted game.
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
