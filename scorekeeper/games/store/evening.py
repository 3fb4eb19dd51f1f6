"""Find the games that were played on the same evening as one game."""

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
"""A game that starts later than this after the one before belongs to another evening.

The server doesn't know the phone's time zone, so no evening begins at noon or ends at midnight.
"""
LONGEST = timedelta(hours=24)
"""Longest time between the start of a game and of any other game of its evening."""
MOST_GAMES = 40
"""Most games of an evening that are read."""

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
    """The summary of a game, read without its log."""

    public_id: str
    preset: str
    options: Mapping[str, Any]
    sides: tuple[tuple[str, ...], ...]
    """Names of the players, by side."""
    team_names: tuple[str, ...]
    """By side, "" for none."""
    totals: tuple[int, ...]
    sets: tuple[int, ...]
    over: bool
    winner: int | None
    updated: datetime
    ended_by: str | None = None


def games_of_evening(session: Session, public_id: str, device: str) -> tuple[GameOfEvening, ...]:
    """Return the games of the evening of a game, oldest first, at most `MOST_GAMES`: those that the phone may score.

    Games of a league have no home table, so each is alone.
    """
    game = session.execute(_GAME, {"public_id": public_id}).one()
    if game.home_table_id is None:
        return _named(session, (game,))
    since, until = game.started_at - LONGEST, game.started_at + LONGEST
    given = {"home": game.home_table_id, "since": since, "until": until, "device": device}
    rows = session.execute(_NEAR, given).all()[::-1]
    return _named(session, _connected(rows, public_id) or (game,))


def _connected(rows: Sequence[Row[Any]], public_id: str) -> Sequence[Row[Any]]:
    """Return those of `rows` between which there is no long pause, among them the game `public_id`."""
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
