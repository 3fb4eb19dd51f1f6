"""Decide what a phone may do with a game. No other module decides that."""

from __future__ import annotations

from datetime import datetime
from enum import IntEnum
from typing import Protocol

from sqlalchemy import ColumnElement, Select, bindparam, case, exists, literal, select, union, union_all
from sqlalchemy.orm import Session

from scorekeeper.games.store.models import GameRow, ScorerRow
from scorekeeper.people.models import HomePhoneRow


class NoSuchGameError(Exception):
    """No game has that id, or this phone may not see it."""


class NotYourGameError(Exception):
    """This phone may watch the game, but not do this."""


class AccessLevel(IntEnum):
    """What a phone may do with a game; a higher level includes the lower ones."""

    STRANGER = 0
    """Knows the id, but watching is turned off."""
    WATCHES = 1
    SCORES = 2
    """Joined with a score link, or may score at its home table: may do everything that happens at a table."""
    STARTED = 3
    """Started the game: may also delete it, and decide who else may watch and score."""


class Guarded(Protocol):
    """The fields of a `GameRow` or `GameHeader` that decide who may do what."""

    @property
    def id(self) -> int: ...
    @property
    def device(self) -> str: ...
    @property
    def unwatched_since(self) -> datetime | None: ...


_SCORER = select(literal(AccessLevel.SCORES.value)).where(
    ScorerRow.game_id == bindparam("game"), ScorerRow.device == bindparam("device"), ScorerRow.revoked_at.is_(None)
)
_SENT_AWAY = exists().where(
    ScorerRow.game_id == GameRow.id, ScorerRow.device == HomePhoneRow.device, ScorerRow.revoked_at.is_not(None)
)
_AT_TABLE = (
    select(case((HomePhoneRow.may_score & ~_SENT_AWAY, AccessLevel.SCORES.value), else_=AccessLevel.WATCHES.value))
    .join(GameRow, GameRow.home_table_id == HomePhoneRow.table_id)
    .where(GameRow.id == bindparam("game"), HomePhoneRow.device == bindparam("device"), HomePhoneRow.left_at.is_(None))
)
_LEVELS = union_all(_SCORER, _AT_TABLE)
"""The access levels that a phone was given: for this game, and at its home table unless removed from this game."""


def standing_of(session: Session, game: Guarded, device: str | None) -> AccessLevel:
    """Return the access level of the phone `device` (its hash, None for an unknown phone) for `game`.

    It is read from the database each time, so that removing a phone takes effect with its next request.
    """
    if device and game.device == device:
        return AccessLevel.STARTED
    level = AccessLevel.WATCHES if game.unwatched_since is None else AccessLevel.STRANGER
    return max(level, _given(session, game.id, device)) if device else level


def _given(session: Session, game: int, device: str) -> AccessLevel:
    rows = session.connection().execute(_LEVELS, {"game": game, "device": device})
    return max((AccessLevel(level) for (level,) in rows), default=AccessLevel.STRANGER)


def may_score(session: Session, public_id: str, device: str) -> bool:
    """Return whether the phone `device` started the game or may score it."""
    query = select(GameRow.id, GameRow.device).where(GameRow.public_id == public_id)
    game = session.execute(query).first()
    if game is None:
        return False
    return game.device == device or _given(session, game.id, device) >= AccessLevel.SCORES


def admit(session: Session, game: Guarded | None, device: str | None, needs: AccessLevel) -> AccessLevel:
    """Return the access level of the phone for `game`.

    Raises `NoSuchGameError` if the game doesn't exist or this phone may not see it, and `NotYourGameError` if the phone
    may watch it, but needs the level `needs`.
    """
    standing = AccessLevel.STRANGER if game is None else standing_of(session, game, device)
    if standing is AccessLevel.STRANGER:
        raise NoSuchGameError
    if standing < needs:
        raise NotYourGameError
    return standing


def started_by(device: str) -> ColumnElement[bool]:
    """Return the condition on `GameRow` for games that a phone started."""
    return GameRow.device == device


def listed_at(device: str, most: int, *, shared: bool) -> Select[GameRow]:
    """Return the query for the games on a phone's home page, latest first, at most `most`.

    These are the games that it started, without league games; with `shared` also those that it joined as a scorer, and
    those of its home tables.
    """
    latest = (GameRow.updated_at.desc(), GameRow.id.desc())
    own = select(GameRow.id).where(started_by(device), GameRow.elsewhere.is_(None)).order_by(*latest).limit(most)
    query = select(GameRow).order_by(*latest).limit(most)
    if not shared:
        return query.where(started_by(device), GameRow.elsewhere.is_(None))
    let_in = select(GameRow.id).join(ScorerRow, ScorerRow.game_id == GameRow.id)
    let_in = let_in.where(ScorerRow.device == device, ScorerRow.revoked_at.is_(None)).order_by(*latest).limit(most)
    at_tables = select(GameRow.id).join(HomePhoneRow, HomePhoneRow.table_id == GameRow.home_table_id)
    at_tables = at_tables.where(HomePhoneRow.device == device, HomePhoneRow.left_at.is_(None))
    # One condition with "or" uses no index and would scan every game.
    every = (own, let_in, at_tables.order_by(*latest).limit(most))
    return query.where(GameRow.id.in_(union(*(select(each.subquery().c.id) for each in every))))
