"""Take over a game from a lost phone with the backup code that was shown to the phone that started the game.

A code has twelve letters and digits of `db.tokens.ALPHABET`. The first four say which game it belongs to and are not
secret. The other eight are derived from the installation's key, so nothing is stored that could be stolen, and the code
can be shown again: 27 ** 8 = 2.8e11 of them, 38 bits. With 20 tries an hour (`web.rate_limit.CODE_BY_GAME`), 175,200 a
year, the chance to guess the code of one game within a year is 1 in 1.6 million. To try that on all of 10,000 games at
once takes 667 addresses, at 5 tries a minute each, and finds one of the games with a chance of 0.6 %. The first 3 tries
an hour from each network always count, so strangers who know the first four letters cannot keep the right code out. A
thousand networks that guess at one game find its code within a year with a chance of 1 in 10,000.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.db.tokens import ALPHABET
from scorekeeper.games.services.sharing import seat_phone
from scorekeeper.games.services.table_sharing import add_phone
from scorekeeper.games.store.access import AccessLevel, admit
from scorekeeper.games.store.audit import note
from scorekeeper.games.store.models import GameRow, RecoveryRow, ScorerRow
from scorekeeper.web.extensions import db, writing

PLACE, SECRET = 4, 8
"""Length of the part that finds the game, and of the secret part."""
LENGTH = PLACE + SECRET


class WrongCodeError(Exception):
    """No game has this code: it is unknown, used, or replaced by a newer one."""


def read_code(text: str) -> str | None:
    """Return the code typed in `text`, without capitals and separators; None if it is not a code."""
    code = "".join(letter for letter in text[:80].lower() if letter.isalnum())
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else None


def place_of(code: str) -> str:
    """Return the public part of a code, which finds its game."""
    return code[:PLACE]


def spelled(code: str) -> str:
    """Return a code as people write it: "kmpt-7wxn-4rqh"."""
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))


def add_code(session: Session, game: int, now: datetime) -> None:
    """Give a game a new code; the old one stops working. The caller's transaction commits it."""
    end_codes(session, [game], now)
    place = "".join(secrets.choice(ALPHABET) for _ in range(PLACE))
    session.add(RecoveryRow(game_id=game, place=place, made_at=now))
    session.flush()


def with_code(session: Session, games: Sequence[int]) -> Sequence[int]:
    """Return the games (row ids) among these that have a valid code."""
    good = (RecoveryRow.game_id.in_(games), RecoveryRow.ended_at.is_(None))
    return session.scalars(select(RecoveryRow.game_id).where(*good).order_by(RecoveryRow.game_id)).all()


def end_codes(session: Session, games: Sequence[int], now: datetime, used_by: str | None = None) -> None:
    """End the codes of these games (row ids). The caller's transaction commits it."""
    good = (RecoveryRow.game_id.in_(games), RecoveryRow.ended_at.is_(None))
    session.execute(update(RecoveryRow).where(*good).values(ended_at=now, used_by=used_by))


@use_case
def make_code(*, public_id: str, device: str, now: datetime | None = None) -> None:
    """Give a game a new code, on the phone that started it. Raises `NoSuchGameError` or `NotYourGameError`."""
    with writing() as session:
        query = select(GameRow).where(GameRow.public_id == public_id, GameRow.deleted_at.is_(None)).with_for_update()
        game = session.scalars(query).first()
        admit(session, game, device, AccessLevel.STARTED)
        assert game is not None
        when = now or datetime.now(UTC)
        add_code(session, game.id, when)
        note(session, game.id, "code_made", device=device, now=when)


def code_of(public_id: str, key: str) -> str:
    """Return the code of a game, empty if it has none; `key` is the installation's secret key.

    Only the phone that started the game may see it: the caller must check.
    """
    query = (
        select(RecoveryRow).join(GameRow, GameRow.id == RecoveryRow.game_id).where(RecoveryRow.ended_at.is_(None))
    ).where(GameRow.public_id == public_id)
    row = db.session().scalars(query.order_by(RecoveryRow.id.desc())).first()
    return "" if row is None else _code(row, key)


def is_good(code: str, key: str) -> bool:
    """Return whether this is the current code of a game. Guesses are checked here, without the lock for writing."""
    return _game_of(db.session(), code, key) is not None


@use_case
def take_over(*, code: str, key: str, device: str, now: datetime | None = None) -> str:
    """Make `device` the phone that started the game with `code`, and return the public id of its latest rematch.

    Rematches on the same phone go along, since the code on paper is that of the first game. The old phone can keep
    scoring until it is removed, so that its waiting hands are saved and a stranger who saw the code takes no game away.
    The new phone joins the game's home table. Each game gets a new code. Raises `WrongCodeError`.
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
    """Return the id of the game that has this code now, None if none has."""
    query = select(RecoveryRow).where(RecoveryRow.place == place_of(code), RecoveryRow.ended_at.is_(None))
    opened = [row.game_id for row in session.scalars(query) if hmac.compare_digest(_code(row, key), code)]
    return opened[0] if opened else None


def _played_again(session: Session, game: GameRow) -> list[GameRow]:
    """Return the game and its rematches on the same phone, in order, locked."""
    games = [game]
    while True:
        query = select(GameRow).where(
            GameRow.rematch_of == games[-1].id, GameRow.device == game.device, GameRow.deleted_at.is_(None)
        )
        after = session.scalars(query.order_by(GameRow.id.desc()).with_for_update()).first()
        if after is None:
            return games
        games.append(after)


def _code(row: RecoveryRow, key: str) -> str:
    return row.place + secret_part(f"lost phone\n{row.id}\n{row.game_id}\n{row.place}", key)


def secret_part(about: str, key: str) -> str:
    """Return the secret letters of the code that stands for `about`; `key` is the installation's secret key."""
    number = int.from_bytes(hmac.new(key.encode(), about.encode(), hashlib.sha256).digest())
    letters = []
    for _ in range(SECRET):
        number, letter = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[letter])
    return "".join(letters)
