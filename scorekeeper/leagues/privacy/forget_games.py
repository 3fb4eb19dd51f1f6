"""Permanently delete games outside leagues. Deleting a game on its phone only hides it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, exists, select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.games.store.models import GameRow, PlayerRow
from scorekeeper.games.store.redaction import remove_games
from scorekeeper.leagues.core.models import TableRow
from scorekeeper.web.extensions import db, writing


class NotToForgetError(Exception):
    """A game to delete doesn't exist or belongs to a league. The argument is the game's public id."""


@dataclass(frozen=True, slots=True)
class Forgettable:
    """A game that may be deleted, with enough details for the operator to recognize it."""

    public_id: str
    started_at: datetime
    hands: int
    names: tuple[str, ...]
    """Names of the players, in seat order."""


def named(*, games: Sequence[str]) -> tuple[Forgettable, ...]:
    """Return the games (public ids) that `forget_games` would delete. Raises `NotToForgetError` in the same cases."""
    session = db.session()
    return _told(session, [_one(session, public_id, lock=False) for public_id in dict.fromkeys(games)])


def deleted(*, before: datetime) -> tuple[Forgettable, ...]:
    """Return the games that `forget_deleted` would permanently delete with the same `before`."""
    session = db.session()
    return _told(session, session.scalars(_deleted(before)).all())


def _told(session: Session, games: Sequence[int]) -> tuple[Forgettable, ...]:
    told = []
    for game in games:
        row = session.get_one(GameRow, game)
        names = tuple(session.get_one(PlayerRow, player).name for player in row.players)
        told.append(Forgettable(row.public_id, row.started_at, row.hands, names))
    return tuple(told)


def _one(session: Session, public_id: str, *, lock: bool) -> int:
    query = select(GameRow.id).where(GameRow.public_id == public_id)
    game = session.scalars(query.with_for_update() if lock else query).first()
    table = select(TableRow.id).where(TableRow.game_id == game)
    if game is None or session.scalars(table).first() is not None:
        raise NotToForgetError(public_id)
    return game


def _deleted(before: datetime) -> Select[int]:
    of_league = exists().where(TableRow.game_id == GameRow.id)
    # "IS NOT NULL" is what the partial index needs.
    deleted = (GameRow.deleted_at.is_not(None), GameRow.deleted_at < before)
    return select(GameRow.id).where(*deleted, ~of_league).order_by(GameRow.deleted_at, GameRow.id)


@use_case
def forget_deleted(*, before: datetime) -> int:
    """Permanently delete the games outside leagues that players deleted before the time `before`.

    Return how many games were deleted.
    """
    with writing() as session:
        games = session.scalars(_deleted(before)).all()
        remove_games(session, games)
        return len(games)


@use_case
def forget_games(*, games: Sequence[str]) -> int:
    """Permanently delete these games (public ids), even if players had not deleted them. Return how many were deleted.

    Raises `NotToForgetError` and deletes nothing if one of the games doesn't exist or belongs to a league.
    """
    with writing() as session:
        ids = [_one(session, public_id, lock=True) for public_id in dict.fromkeys(games)]
        remove_games(session, ids)
        return len(ids)
