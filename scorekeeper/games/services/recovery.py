"""Take over a game from a lost phone with the backup code that was shown to the phone that started the game.

A code has twelve letters and digits of `db.tokens.ALPHABET`. The first four find the game and are not secret. The other
eight are derived from the installation's key, so nothing is stored that could be stolen, and the code can be shown
again. There are 27 ** 8 = 2.8e11 possible values of these eight (38 bits). With 20 tries an hour
(`web.rate_limit.CODE_BY_GAME`), 175,200 a year, the chance to guess the code of one game within a year is 1 in 1.6
million. To try that on all of 10,000 games at once takes 667 addresses, at 5 tries a minute each, and finds one of the
games with a chance of 0.6 %. The first 3 tries an hour from each network always count, so strangers who know the first
four letters cannot keep the right code out. A thousand networks that guess at one game find its code within a year with
a chance of 1 in 10,000.

Take over a home table from a lost phone with the table's backup code. The codes work like those in `recovery`.
"""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, bindparam, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.db.tokens import ALPHABET
from scorekeeper.games.services.sharing import add_phone, kept_table, seat_phone
from scorekeeper.games.store.access import AccessLevel, admit
from scorekeeper.games.store.audit import note, note_all
from scorekeeper.games.store.event_store import find
from scorekeeper.games.store.models import GameRow, RecoveryRow, ScorerRow
from scorekeeper.people.models import HomeCodeRow, HomePhoneRow, HomeTableRow
from scorekeeper.web.extensions import db, writing

PLACE, SECRET = 4, 8
"""Number of characters in the part of a code that finds the game, and in the secret part."""
LENGTH = PLACE + SECRET


class WrongCodeError(Exception):
    """No game or home table has this backup code. The code is unknown, used, or replaced by a newer code."""


def read_code(text: str) -> str | None:
    """Return the backup code in `text`, in lowercase and without separators, or None if `text` is not a code."""
    code = "".join(letter for letter in text[:80].lower() if letter.isalnum())
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else None


def place_of(code: str) -> str:
    """Return the first part of a backup code. This part is not secret. The server uses this part to find the game."""
    return code[:PLACE]


def spelled(code: str) -> str:
    """Return a backup code with dashes, for people to read, for example "kmpt-7wxn-4rqh"."""
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))


def add_code(session: Session, game: int, now: datetime, before: int | None = None) -> None:
    """Give a game (row id) a new backup code. The old code stops working.

    `before` is the game of which `game` is a rematch: who has noted its code needn't note this one, because its code
    opens both. The caller's transaction commits the change.
    """
    end_codes(session, [game], now)
    noted = select(RecoveryRow.noted_at).where(RecoveryRow.game_id == before, RecoveryRow.ended_at.is_(None))
    noted_at = None if before is None else session.scalar(noted)
    place = "".join(secrets.choice(ALPHABET) for _ in range(PLACE))
    session.add(RecoveryRow(game_id=game, place=place, made_at=now, noted_at=noted_at))
    session.flush()


def with_code(session: Session, games: Sequence[int]) -> Sequence[int]:
    """Return the row ids of those games in `games` that have a valid backup code."""
    good = (RecoveryRow.game_id.in_(games), RecoveryRow.ended_at.is_(None))
    return session.scalars(select(RecoveryRow.game_id).where(*good).order_by(RecoveryRow.game_id)).all()


def end_codes(session: Session, games: Sequence[int], now: datetime, used_by: str | None = None) -> None:
    """Make the backup codes of these games (row ids) invalid. The caller's transaction commits the change.

    If a phone used a code, `used_by` is the hash of that phone. Otherwise `used_by` is None.
    """
    good = (RecoveryRow.game_id.in_(games), RecoveryRow.ended_at.is_(None))
    session.execute(update(RecoveryRow).where(*good).values(ended_at=now, used_by=used_by))


@use_case
def make_code(*, public_id: str, device: str, now: datetime | None = None) -> None:
    """Give a game a new backup code. The old code stops working.

    Raises `NoSuchGameError`. Raises `NotYourGameError` unless the phone `device` started the game.
    """
    with writing() as session:
        query = select(GameRow).where(GameRow.public_id == public_id, GameRow.deleted_at.is_(None)).with_for_update()
        game = session.scalars(query).first()
        admit(session, game, device, AccessLevel.STARTED)
        assert game is not None
        when = now or datetime.now(UTC)
        add_code(session, game.id, when)
        note(session, game.id, "code_made", device=device, now=when)


@use_case
def note_down(*, public_id: str, device: str, now: datetime) -> None:
    """Save that the user of the phone `device` has the backup code of a game on paper.

    Raises `NoSuchGameError`. Raises `NotYourGameError` unless the phone started the game.
    """
    with writing() as session:
        game = find(session, public_id)
        admit(session, game, device, AccessLevel.STARTED)
        assert game is not None
        valid = (RecoveryRow.game_id == game.id, RecoveryRow.ended_at.is_(None))
        session.execute(update(RecoveryRow).where(*valid).values(noted_at=now))


_CODES = (
    select(RecoveryRow)
    .join(GameRow, GameRow.id == RecoveryRow.game_id)
    .where(GameRow.public_id == bindparam("public_id"), RecoveryRow.ended_at.is_(None))
)
_TO_NOTE = _CODES.where(GameRow.device == bindparam("device"), RecoveryRow.noted_at.is_(None))
"""The query of `code_to_note`, built once: every board needs it. Building it, or an object of its row, is slow."""


def code_of(public_id: str, key: str) -> str:
    """Return the backup code of a game, or "" if the game has none.

    `key` is the installation's secret key. Only the phone that started the game may see the code. The caller must check
    that.
    """
    row = db.session().scalars(_CODES, {"public_id": public_id}).first()
    return "" if row is None else _code(row, key)


def code_to_note(public_id: str, device: str | None, key: str) -> str:
    """Return the backup code that the user of the phone `device` should copy onto paper, or "" if there is none.

    There is none if another phone started the game, or if the code is on paper. `key` is as for `code_of`.
    """
    row = db.session().connection().execute(_TO_NOTE, {"public_id": public_id, "device": device}).first()
    return "" if row is None else spelled(_code(row, key))


def is_good(code: str, key: str) -> bool:
    """Return whether `code` is the current backup code of some game. `key` is the installation's secret key.

    This check doesn't take the write lock, so wrong guesses don't make other requests wait.
    """
    return _game_of(db.session(), code, key) is not None


@use_case
def take_over(*, code: str, key: str, device: str, now: datetime | None = None) -> str:
    """Make `device` the main phone of the game with the backup code `code` and of its later rematches.

    Rematches are included because people have only the code of the first game on paper. Only rematches with the same
    main phone are included. Returns the public id of the latest game that was taken over. `key` is the installation's
    secret key.

    The old phone can still score until somebody removes it. So hands that it saved offline are not lost, and a stranger
    who saw the code can't lock it out. The new phone joins the game's home table, and each game gets a new code. Raises
    `WrongCodeError`.
    """
    moment = now or datetime.now(UTC)
    with writing() as session:
        found = _game_of(session, code, key)
        game = None if found is None else session.get(GameRow, found, with_for_update=True, populate_existing=True)
        # Another phone may have used the code before the game was locked.
        if game is None or game.deleted_at is not None or _game_of(session, code, key) != game.id:
            raise WrongCodeError
        if game.device == device:
            return game.public_id
        games = _played_again(session, game)
        ids = [each.id for each in games]
        end_codes(session, ids, moment, device)
        session.execute(
            update(ScorerRow)
            .where(ScorerRow.game_id.in_(ids), ScorerRow.device == device, ScorerRow.revoked_at.is_(None))
            .values(revoked_at=moment)
        )
        for each in games:
            seat_phone(session, each.id, each.device, None, moment)
            each.device = device
            add_code(session, each.id, moment)
            note(session, each.id, "code_used", device=device, now=moment)
        if game.home_table_id is not None:
            # To share the table or delete games, it needs the table's own code: somebody may have seen this one.
            add_phone(session, game.home_table_id, device, moment, may_score=True)
        return games[-1].public_id


def _game_of(session: Session, code: str, key: str) -> int | None:
    """Return the row id of the game whose current backup code is `code`, or None if there is no such game."""
    query = select(RecoveryRow).where(RecoveryRow.place == place_of(code), RecoveryRow.ended_at.is_(None))
    opened = [row.game_id for row in session.scalars(query) if hmac.compare_digest(_code(row, key), code)]
    return opened[0] if opened else None


def _played_again(session: Session, game: GameRow) -> list[GameRow]:
    """Lock a game and the rematches that the same phone started after it. Return these games, oldest first."""
    games = [game]
    while True:
        query = select(GameRow).where(
            GameRow.rematch_of == games[-1].id, GameRow.device == game.device, GameRow.deleted_at.is_(None)
        )
        after = session.scalars(query.order_by(GameRow.id.desc()).with_for_update()).first()
        if after is None:
            return games
        games.append(after)


def _code(row: RecoveryRow | Row[Any], key: str) -> str:
    return row.place + secret_part(f"lost phone\n{row.id}\n{row.game_id}\n{row.place}", key)


def secret_part(about: str, key: str) -> str:
    """Return the secret part of a backup code. `key` is the installation's secret key.

    `about` is a string that identifies the code. The same string and key always give the same secret part.
    """
    number = int.from_bytes(hmac.new(key.encode(), about.encode(), hashlib.sha256).digest())
    letters = []
    for _ in range(SECRET):
        number, letter = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[letter])
    return "".join(letters)


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
    return "" if row is None else _table_code(row, key)


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
    opened = [row.table_id for row in session.scalars(query) if hmac.compare_digest(_table_code(row, key), code)]
    return opened[0] if opened else None


def _table_code(row: HomeCodeRow, key: str) -> str:
    return row.place + secret_part(f"lost table\n{row.id}\n{row.table_id}\n{row.place}", key)
