"""Who may do what with a game: the one place that decides."""

from __future__ import annotations

from datetime import datetime
from enum import IntEnum
from typing import Protocol

from sqlalchemy import ColumnElement, Select, bindparam, select, union
from sqlalchemy.orm import Session

from scorekeeper.games.store.models import GameRow, ScorerRow


class NoSuchGameError(Exception):
    """There is no game at that address, or none that this phone may see."""


class NotYourGameError(Exception):
    """This phone may watch that game, not do that."""


class AccessLevel(IntEnum):
    """What a phone is to a game; whoever may do more may do all of the less."""

    STRANGER = 0
    """Knows the address, and nobody lets others watch."""
    WATCHES = 1
    SCORES = 2
    """Was let in by a score link: does all that happens at a table."""
    STARTED = 3
    """Started the game: also deletes it, and decides who else may watch and score."""


class Guarded(Protocol):
    """A game, as far as this decision goes: a row of it, or what was read of one."""

    @property
    def id(self) -> int: ...
    @property
    def device(self) -> str: ...
    @property
    def unwatched_since(self) -> datetime | None: ...


_SCORER = select(ScorerRow.id).where(
    ScorerRow.game_id == bindparam("game"), ScorerRow.device == bindparam("device"), ScorerRow.revoked_at.is_(None)
)


def standing_of(session: Session, game: Guarded, device: str | None) -> AccessLevel:
    """Return what the phone `device` (its hash, None for one that is not known) is to `game`, as of now.

    It is read anew each time, so that what was revoked ends with the next request.
    """
    if device and game.device == device:
        return AccessLevel.STARTED
    if device and session.connection().execute(_SCORER, {"game": game.id, "device": device}).first() is not None:
        return AccessLevel.SCORES
    return AccessLevel.WATCHES if game.unwatched_since is None else AccessLevel.STRANGER


def may_score(session: Session, public_id: str, device: str) -> bool:
    """Return whether the phone `device` started the game, or was let in to score it."""
    query = select(GameRow.id, GameRow.device).where(GameRow.public_id == public_id)
    game = session.execute(query).first()
    if game is None:
        return False
    at = {"game": game.id, "device": device}
    return game.device == device or session.connection().execute(_SCORER, at).first() is not None


def admit(session: Session, game: Guarded | None, device: str | None, needs: AccessLevel) -> AccessLevel:
    """Return what the phone is to `game`.

    Raises `NoSuchGameError` where there is none, or none for this phone, and `NotYourGameError` where it
    may watch, but not do what it `needs` a higher standing for.
    """
    standing = AccessLevel.STRANGER if game is None else standing_of(session, game, device)
    if standing is AccessLevel.STRANGER:
        raise NoSuchGameError
    if standing < needs:
        raise NotYourGameError
    return standing


def started_by(device: str) -> ColumnElement[bool]:
    """Return the condition on `GameRow` of games that a phone started."""
    return GameRow.device == device


def listed_at(device: str, most: int, *, shared: bool) -> Select[GameRow]:
    """Return the query for at most so many games that a phone lists, the latest first.

    They are those that it started, but for league games; with `shared` also those that it was let in to score.
    """
    latest = (GameRow.updated_at.desc(), GameRow.id.desc())
    own = select(GameRow.id).where(started_by(device), GameRow.elsewhere.is_(None)).order_by(*latest).limit(most)
    query = select(GameRow).order_by(*latest).limit(most)
    if not shared:
        return query.where(started_by(device), GameRow.elsewhere.is_(None))
    let_in = select(GameRow.id).join(ScorerRow, ScorerRow.game_id == GameRow.id)
    let_in = let_in.where(ScorerRow.device == device, ScorerRow.revoked_at.is_(None)).order_by(*latest).limit(most)
    # One condition with "or" has no index, and would look at every game there is.
    both = union(*(select(each.subquery().c.id) for each in (own, let_in)))
    return query.where(GameRow.id.in_(both))
