"""Take over a home table from a lost phone with the table's backup code. The codes work like those in `recovery`."""

from __future__ import annotations

import hmac
import secrets
from datetime import UTC, datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.db.tokens import ALPHABET
from scorekeeper.games.services.recovery import PLACE, WrongCodeError, add_code, end_codes, place_of, secret_part
from scorekeeper.games.services.table_sharing import add_phone, kept_table
from scorekeeper.games.store.audit import note_all
from scorekeeper.games.store.models import GameRow
from scorekeeper.people.models import HomeCodeRow, HomePhoneRow, HomeTableRow
from scorekeeper.web.extensions import db, writing

AT_ONCE = 500
"""Maximum number of ids in one query."""


@use_case
def make_table_code(*, device: str, now: datetime | None = None) -> None:
    """Give the phone's current home table a new backup code. The old code stops working.

    Raises what `kept_table` raises.
    """
    with writing() as session:
        _add_code(session, kept_table(session, device), now or datetime.now(UTC))


def table_code_of(session: Session, table: int, key: str) -> str:
    """Return the backup code of a home table (row id), or "" if the table has none.

    `key` is the installation's secret key. Only the table's main phone may see the code. The caller must check that.
    """
    query = select(HomeCodeRow).where(HomeCodeRow.table_id == table, HomeCodeRow.ended_at.is_(None))
    row = session.scalars(query.order_by(HomeCodeRow.id.desc())).first()
    return "" if row is None else _code(row, key)


def is_table_code(code: str, key: str) -> bool:
    """Return whether `code` is the current backup code of a home table. `key` is the installation's secret key.

    This check doesn't take the write lock, so wrong guesses don't make other requests wait.
    """
    return _table_of(db.session(), code, key) is not None


@use_case
def take_over_table(*, code: str, key: str, device: str, now: datetime | None = None) -> None:
    """Make `device` the main phone of the home table with the backup code `code`.

    `device` also becomes the main phone of the games that the old main phone started at this table. `key` is the
    installation's secret key. The old phone may still score until it is removed, so hands that it saved offline are not
    lost. The table and its games in progress get new codes. The codes of finished games stop working. Raises
    `WrongCodeError`.
    """
    moment = now or datetime.now(UTC)
    with writing() as session:
        found = _table_of(session, code, key)
        table = None if found is None else session.get(HomeTableRow, found, with_for_update=True)
        # Another phone may have used the code before the table was locked.
        if table is None or _table_of(session, code, key) != table.id:
            raise WrongCodeError
        keepers = select(HomePhoneRow).where(HomePhoneRow.table_id == table.id, HomePhoneRow.keeper)
        before = session.scalars(keepers).all()
        phone = add_phone(session, table.id, device, moment, may_score=True)
        old = [each.device for each in before if each.device != device]
        for each in before:
            each.keeper = False
        phone.keeper = True
        _take_games(session, table.id, old, device, moment)
        _add_code(session, table.id, moment, device)


def _take_games(session: Session, table: int, old: list[str], device: str, now: datetime) -> None:
    query = select(GameRow.id, GameRow.over, GameRow.deleted_at).where(
        GameRow.home_table_id == table, GameRow.device.in_(old)
    )
    games = session.execute(query.order_by(GameRow.id)).all()
    ids = [game.id for game in games]
    for some in (ids[start : start + AT_ONCE] for start in range(0, len(ids), AT_ONCE)):
        session.execute(update(GameRow).where(GameRow.id.in_(some)).values(device=device))
        end_codes(session, some, now, device)
    running = [game.id for game in games if not game.over and game.deleted_at is None]
    for game in running:
        add_code(session, game, now)
    note_all(session, [(game, None) for game in ids], "code_used", device=device, now=now)


def _add_code(session: Session, table: int, now: datetime, used_by: str | None = None) -> None:
    good = (HomeCodeRow.table_id == table, HomeCodeRow.ended_at.is_(None))
    session.execute(update(HomeCodeRow).where(*good).values(ended_at=now, used_by=used_by))
    place = "".join(secrets.choice(ALPHABET) for _ in range(PLACE))
    session.add(HomeCodeRow(table_id=table, place=place, made_at=now))
    session.flush()


def _table_of(session: Session, code: str, key: str) -> int | None:
    query = select(HomeCodeRow).where(HomeCodeRow.place == place_of(code), HomeCodeRow.ended_at.is_(None))
    opened = [row.table_id for row in session.scalars(query) if hmac.compare_digest(_code(row, key), code)]
    return opened[0] if opened else None


def _code(row: HomeCodeRow, key: str) -> str:
    return row.place + secret_part(f"lost table\n{row.id}\n{row.table_id}\n{row.place}", key)
