"""Find the games that were played on the same evening as a given game.

Count how many games of a series each side won. A series is a chain of rematches.

Nothing is stored, so the count follows every change. A game that was corrected, undone or reopened counts with its
current result. A deleted game doesn't count. A game counts for the players who had a seat at its end. A side with a
substitute counts as a different side, which starts at zero. The count of the old side continues when its players are
back. A renamed player is the same player, and so is a player who returns under the old name.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct
from sqlalchemy import Row, bindparam, or_, select
from sqlalchemy.orm import Session, aliased

from scorekeeper.games.store.models import EventRow, GameRow, PlayerRow, ScorerRow
from scorekeeper.people.models import HomePhoneRow
from scorekeeper.rules.game import Game

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


class GameOfEvening(Struct, frozen=True):
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


_first = select(GameRow.id, GameRow.rematch_of).where(GameRow.id == bindparam("game")).cte("chain", recursive=True)
_near = aliased(GameRow)
_chain = _first.union(
    select(_near.id, _near.rematch_of).join(
        _first, (_near.rematch_of == _first.c.id) | (_near.id == _first.c.rematch_of)
    )
)
NIGHT = (
    select(GameRow.id, GameRow.players, GameRow.sides, GameRow.winner, GameRow.version, GameRow.deleted_at)
    .join(_chain, _chain.c.id == GameRow.id)
    .order_by(GameRow.id)
)
"""The query for the games of the series that the game with the id `game` belongs to."""
_SEATED = (
    select(EventRow.game_id, EventRow.kind, EventRow.data)
    .where(
        EventRow.game_id.in_(bindparam("games", expanding=True)),
        EventRow.kind.in_(("GameStarted", "PlayerRenamed", "PlayerReplaced")),
    )
    .order_by(EventRow.game_id, EventRow.seq)
)

Side = frozenset[int]
"""The ids of the players of one side; a player has one id under all their names."""


class Won(Struct, frozen=True):
    """The sides of a finished game in a series, and the index of the side that won."""

    sides: tuple[Side, ...]
    winner: int


def count_won(sides: Sequence[Side], games: Iterable[Won]) -> tuple[int, ...]:
    """Return the number of games that each of `sides` won. Games that were played by other sides don't count."""
    won = [0] * len(sides)
    for game in games:
        if set(game.sides) == set(sides):
            won[sides.index(game.sides[game.winner])] += 1
    return tuple(won)


def tally_of(session: Session, game_id: int, game: Game) -> tuple[int, ...]:
    """Return the number of games of the series that each side of `game` won. `game_id` is the row id of `game`."""
    rows = session.connection().execute(NIGHT, {"game": game_id}).all()
    seated = {player for row in rows for player in row.players}
    same = _same_players(session, [row.id for row in rows], seated | set(game.players))

    def sides_of(players: Sequence[int], sides: Iterable[Iterable[int]]) -> tuple[Side, ...]:
        return tuple(frozenset(same[players[seat]] for seat in side) for side in sides)

    won = [
        Won(sides_of(row.players, row.sides), row.winner)
        for row in rows
        if row.winner is not None and row.deleted_at is None
    ]
    return count_won(sides_of(game.players, game.table.sides), won)


def version_text(version: int, renamed: int | None) -> str:
    """Return the version string of a game with `version` events.

    `renamed` is the value of `GameRow.renamed`. If no player was renamed and no note was changed, `renamed` is None.
    """
    return str(version) if renamed is None else f"{version}.{renamed}"


def mark_of(session: Session, game_id: int) -> str:
    """Return a version string for the series to which a game (row id) belongs.

    The string changes when any game of the series is changed, deleted or restored.
    """
    rows = session.connection().execute(NIGHT, {"game": game_id}).all()
    return f"{sum(row.version for row in rows)}.{sum(row.id for row in rows if row.deleted_at is not None)}"


def _same_players(session: Session, games: Sequence[int], players: set[int]) -> Mapping[int, int]:
    """Map the `PlayerRow` ids of the players in a series to one id for each person.

    Renaming a player doesn't change the person's id. Players with the same name count as the same person.
    """
    joined: list[tuple[int, int]] = []
    seats: list[int] = []
    for _game, kind, data in session.connection().execute(_SEATED, {"games": list(games)}):
        if kind == "GameStarted":
            seats = list(data["players"])
            continue
        if kind == "PlayerRenamed":
            joined.append((seats[data["seat"]], data["player"]))
        seats[data["seat"]] = data["player"]
    known = players | {player for pair in joined for player in pair}
    by_name: dict[str, int] = {}
    for player, name in session.connection().execute(_NAMES, {"players": sorted(known)}):
        joined.append((by_name.setdefault(name.casefold(), player), player))
    same = {player: player for player in known}
    for one, other in joined:
        old, new = same[other], same[one]
        same = {player: new if number == old else number for player, number in same.items()}
    return same
