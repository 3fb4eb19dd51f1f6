"""Find the games that were played on the same evening as a given game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, or_, select
from sqlalchemy.orm import Session

from scorekeeper.games.store.models import GameRow, PlayerRow, ScorerRow
from scorekeeper.people.models import HomePhoneRow

PAUSE = timedelta(hours=6)
"""A game that starts more than this long after the start of the previous game belongs to another evening.

Evenings can't be separated by the time of day, because the server doesn't know the phone's time zone.
"""
LONGEST = timedelta(hours=24)
"""Games that start more than this long before or after a game never belong to the same evening as that game."""
MOST_GAMES = 40
"""Maximum number of games of an evening that are read."""

_COLUMNS = (
    GameRow.public_id,
    GameRow.preset,
    GameRow.ruleset,
    GameRow.players,
    GameRow.sides,
    GameRow.side_names,
    GameRow.totals,
    GameRow.sets,
    GameRow.over,
    GameRow.winner,
    GameRow.ended_by,
    GameRow.started_at,
    GameRow.updated_at,
)
_GAME = select(GameRow.home_table_id, GameRow.started_at, *_COLUMNS).where(GameRow.public_id == bindparam("public_id"))
_AT_TABLE = select(HomePhoneRow.table_id).where(
    HomePhoneRow.device == bindparam("device"), HomePhoneRow.left_at.is_(None)
)
_LET_IN = select(ScorerRow.game_id).where(ScorerRow.device == bindparam("device"), ScorerRow.revoked_at.is_(None))
_NEAR = (
    select(*_COLUMNS)
    .where(
        GameRow.home_table_id == bindparam("home"),
        GameRow.started_at.between(bindparam("since"), bindparam("until")),
        GameRow.deleted_at.is_(None),
        GameRow.hidden_at.is_(None),
        or_(GameRow.device == bindparam("device"), GameRow.home_table_id.in_(_AT_TABLE), GameRow.id.in_(_LET_IN)),
    )
    .order_by(GameRow.started_at.desc(), GameRow.id.desc())
    .limit(MOST_GAMES)
)
_NAMES = select(PlayerRow.id, PlayerRow.name).where(PlayerRow.id.in_(bindparam("players", expanding=True)))


@dataclass(frozen=True, slots=True)
class GameOfEvening:
    """The summary of a game, read without its event log.

    `totals` has the score of each side. `sets` has the number of times that each side was set.
    """

    public_id: str
    preset: str
    options: Mapping[str, Any]
    sides: tuple[tuple[str, ...], ...]
    """Names of the players of each side."""
    team_names: tuple[str, ...]
    """Team names by side, "" for a side without one."""
    totals: tuple[int, ...]
    sets: tuple[int, ...]
    over: bool
    winner: int | None
    updated: datetime
    ended_by: str | None = None


def games_of_evening(session: Session, public_id: str, device: str) -> tuple[GameOfEvening, ...]:
    """Return the games of the evening on which the game `public_id` was played, oldest first, at most `MOST_GAMES`.

    These are the games of the same home table that the phone `device` may see. A game of a league has no home table, so
    it is returned alone.
    """
    game = session.execute(_GAME, {"public_id": public_id}).one()
    if game.home_table_id is None:
        return _named(session, (game,))
    since, until = game.started_at - LONGEST, game.started_at + LONGEST
    given = {"home": game.home_table_id, "since": since, "until": until, "device": device}
    rows = session.execute(_NEAR, given).all()[::-1]
    return _named(session, _connected(rows, public_id) or (game,))


def _connected(rows: Sequence[Row[Any]], public_id: str) -> Sequence[Row[Any]]:
    """Return the games of `rows` that were played on the same evening as the game `public_id`.

    `rows` must be in the order of play. A new evening begins with a game that starts more than `PAUSE` after the start
    of the previous game. The result is empty if `rows` doesn't contain the game.
    """
    evening: list[Row[Any]] = []
    for row in rows:
        if evening and row.started_at - evening[-1].started_at > PAUSE:
            if any(each.public_id == public_id for each in evening):
                return evening
            evening = []
        evening.append(row)
    return evening if any(each.public_id == public_id for each in evening) else ()


def _named(session: Session, rows: Sequence[Row[Any]]) -> tuple[GameOfEvening, ...]:
    players = sorted({player for row in rows for player in row.players})
    names = dict(session.connection().execute(_NAMES, {"players": players}).all())
    return tuple(
        GameOfEvening(
            public_id=row.public_id,
            preset=row.preset,
            options=row.ruleset,
            sides=tuple(tuple(names[row.players[seat]] for seat in side) for side in row.sides),
            team_names=tuple(row.side_names or ("",) * len(row.sides)),
            totals=tuple(row.totals),
            sets=tuple(row.sets or ()),
            over=row.over,
            winner=row.winner,
            updated=row.updated_at,
            ended_by=row.ended_by,
        )
        for row in rows
    )
