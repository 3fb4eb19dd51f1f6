"""Games that were not played in a league, forgotten for good: deleting one on its phone only hides it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select

from scorekeeper.extensions import writing
from scorekeeper.games.models import GameRow
from scorekeeper.games.removing import remove_games
from scorekeeper.leagues.models import TableRow
from scorekeeper.retrying import use_case


class NotToForgetError(Exception):
    """A game that is not there, or belongs to a league; its argument is the game's public id."""


@use_case
def forget_deleted(*, before: datetime) -> int:
    """Forget every game that was deleted before that moment, and return how many these were; leagues keep theirs."""
    with writing() as session:
        of_leagues = select(TableRow.game_id).where(TableRow.game_id.is_not(None))
        query = select(GameRow.id).where(GameRow.deleted_at < before, GameRow.id.not_in(of_leagues))
        games = session.scalars(query.order_by(GameRow.id)).all()
        remove_games(session, games)
        return len(games)


@use_case
def forget_games(*, games: Sequence[str]) -> int:
    """Forget these games (their public ids), deleted or not; all or none. Raises `NotToForgetError`."""
    with writing() as session:
        ids = []
        for public_id in dict.fromkeys(games):
            game = session.scalars(select(GameRow.id).where(GameRow.public_id == public_id).with_for_update()).first()
            table = select(TableRow.id).where(TableRow.game_id == game)
            if game is None or session.scalars(table).first() is not None:
                raise NotToForgetError(public_id)
            ids.append(game)
        remove_games(session, ids)
        return len(ids)
