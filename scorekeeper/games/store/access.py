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
    """There is no game with that id, or the phone may not see the game."""


class NotYourGameError(Exception):
    """The phone may watch the game, but its access level is too low for the request."""


class AccessLevel(IntEnum):
    """What a phone may do with a game. A higher level includes all lower levels."""

    STRANGER = 0
    """The phone was given no access, and watching is turned off: the phone may do nothing."""
    WATCHES = 1
    SCORES = 2
    """The phone joined with a score link, or may score at the home table. It may do all that `STARTED` doesn't add."""
    STARTED = 3
    """The phone started the game: it may also delete the game, and decide who else may watch and score."""


class Guarded(Protocol):
    """The fields of a game's row or header that decide the access level of a phone."""

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
"""The query for the access levels that a phone was given, both for a game and at the home table of that game.

A phone that was removed from the game has at most `WATCHES` through the home table.
"""


def standing_of(session: Session, game: Guarded, device: str | None) -> AccessLevel:
    """Return the access level of a phone for `game`. `device` is the phone's hash, or None for an unknown phone.

    The level is read from the database on each call, so a removed phone loses its access at once.
    """
    if device and game.device == device:
        return AccessLevel.STARTED
    level = AccessLevel.WATCHES if game.unwatched_since is None else AccessLevel.STRANGER
    return max(level, _given(session, game.id, device)) if device else level


def _given(session: Session, game: int, device: str) -> AccessLevel:
    rows = session.connection().execute(_LEVELS, {"game": game, "device": device})
    return max((AccessLevel(level) for (level,) in rows), default=AccessLevel.STRANGER)


def may_score(session: Session, public_id: str, device: str) -> bool:
    """Return whether the phone `device` started the game or may score it. Returns False if no such game exists."""
    query = select(GameRow.id, GameRow.device).where(GameRow.public_id == public_id)
    game = session.execute(query).first()
    if game is None:
        return False
    return game.device == device or _given(session, game.id, device) >= AccessLevel.SCORES


def admit(session: Session, game: Guarded | None, device: str | None, needs: AccessLevel) -> AccessLevel:
    """Check that a phone has at least the access level `needs` for `game`, and return the phone's level.

    `device` is the phone's hash, or None for an unknown phone. Raises `NoSuchGameError` if `game` is None or the phone
    may not see it. Raises `NotYourGameError` if the phone may watch the game, but has a level below `needs`.
    """
    standing = AccessLevel.STRANGER if game is None else standing_of(session, game, device)
    if standing is AccessLevel.STRANGER:
        raise NoSuchGameError
    if standing < needs:
        raise NotYourGameError
    return standing


def started_by(device: str) -> ColumnElement[bool]:
    """Return the SQL condition that selects the games (`GameRow`) that the phone `device` started."""
    return GameRow.device == device


def listed_at(device: str, most: int, *, shared: bool) -> Select[GameRow]:
    """Return the query for the games on the home page of the phone `device`: the latest `most` games, latest first.

    Without `shared`, these are the games that the phone started, except league games. With `shared`, the query also
    finds games that the phone joined as a scorer and games of its home tables.
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
