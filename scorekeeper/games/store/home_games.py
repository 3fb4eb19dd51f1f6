"""Read the games of a home table for its history and statistics, and cache them until something changes.

The statistics need data about hands. This data is in `GameRow.facts`, which is written with every change of a game. So
nothing is replayed, and one query reads all games of a table. That query runs only if the mark of the table has
changed. A short query reads the mark from the versions of the games.

Read the hands of the latest games that a phone started.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from sqlalchemy import Row, Select, bindparam, func, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import Recent
from scorekeeper.games.logic.statistics.table_games import BidMade, TableGame
from scorekeeper.games.logic.statistics.table_statistics import rules_key
from scorekeeper.games.store.access import started_by
from scorekeeper.games.store.models import EventRow, GameRow, PlayerRow
from scorekeeper.people.models import HomePersonRow
from scorekeeper.rules.events import decode
from scorekeeper.rules.presets import preset_named
from scorekeeper.rules.replay import replay
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import Table

REMEMBERED = 8
"""Maximum number of home tables in the cache of a process: 2,000 games take about 6 MB."""

_COLUMNS = (
    GameRow.id,
    GameRow.public_id,
    GameRow.started_at,
    GameRow.rematch_of,
    GameRow.preset,
    GameRow.ruleset,
    GameRow.players,
    GameRow.sides,
    GameRow.totals,
    GameRow.sets,
    GameRow.hands,
    GameRow.over,
    GameRow.winner,
    GameRow.ended_by,
    GameRow.facts,
    GameRow.hidden_at,
)
_AT_TABLE = (GameRow.home_table_id == bindparam("home"), GameRow.deleted_at.is_(None))
_GAMES = select(*_COLUMNS).where(*_AT_TABLE)
_LATEST = _GAMES.where(GameRow.hidden_at.is_(None)).order_by(GameRow.updated_at.desc()).limit(bindparam("most"))
_MARK = select(
    func.count(),
    func.sum(GameRow.version),
    func.max(GameRow.updated_at),
    func.count(GameRow.hidden_at),
    func.max(GameRow.hidden_at),
    func.sum(GameRow.id),
).where(*_AT_TABLE)
_SEATED_MARK = (
    select(func.count(), func.sum(PlayerRow.home_person_id), func.sum(PlayerRow.home_person_id * PlayerRow.id))
    .join(HomePersonRow, HomePersonRow.id == PlayerRow.home_person_id)
    .where(HomePersonRow.table_id == bindparam("home"))
)
_PEOPLE = select(HomePersonRow.id, HomePersonRow.joined_into).where(HomePersonRow.table_id == bindparam("home"))
_SEATED = (
    select(PlayerRow.id, PlayerRow.home_person_id)
    .join(HomePersonRow, HomePersonRow.id == PlayerRow.home_person_id)
    .where(HomePersonRow.table_id == bindparam("home"))
)


@dataclass(frozen=True, slots=True)
class TableLog:
    """The games of a home table in the order of play. Hidden games are included, but deleted games are not.

    `rules` maps (preset, `rules_key`) pairs to house rules. House rules are given as the options that differ from the
    preset.
    """

    games: tuple[TableGame, ...] = ()
    rules: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    remembered: dict[str, Any] = field(default_factory=dict, compare=False)
    """Cached statistics of these games. After a change, a new `TableLog` with an empty cache is used."""


def games_at(session: Session, table: int) -> TableLog:
    """Return the games of a home table (row id).

    If nothing has changed since the last call, the games come from the cache, after three short queries.
    """
    # The mark is read first, so that a change during the reading is noticed the next time.
    people = {person: joined for person, joined in session.connection().execute(_PEOPLE, {"home": table})}  # noqa: C416
    mark = _mark(session, table, people)
    known = _tables.get(session, table)
    if known is not None and known[0] == mark:
        return known[1]
    rows = session.connection().execute(_GAMES, {"home": table}).all()
    log = _log(rows, people_seated(session, table))
    _tables.keep(session, table, (mark, log))
    return log


def people_seated(session: Session, table: int) -> dict[int, int]:
    """Map the `PlayerRow` ids of the players at a home table to the row ids of people.

    A player who was merged into another person gets the row id of that other person.
    """
    connection, home = session.connection(), {"home": table}
    people = {person: joined or person for person, joined in connection.execute(_PEOPLE, home)}
    return {player: people[person] for player, person in connection.execute(_SEATED, home) if person is not None}


def latest_games(session: Session, table: int, most: int) -> tuple[TableGame, ...]:
    """Return the `most` games of a home table (row id) that were changed last, in the order of play.

    Hidden and deleted games are left out.
    """
    rows = session.connection().execute(_LATEST, {"home": table, "most": most}).all()
    seated = sorted({player for row in rows for player in row.players})
    people = {
        player: joined or person
        for player, person, joined in session.execute(
            select(PlayerRow.id, HomePersonRow.id, HomePersonRow.joined_into)
            .join(HomePersonRow, HomePersonRow.id == PlayerRow.home_person_id)
            .where(PlayerRow.id.in_(seated))
        )
    }
    return _log(rows, people).games


def games_of_table(table: int) -> Select[GameRow]:
    """Return the query for the games of a home table (row id), including deleted games."""
    return select(GameRow).where(GameRow.home_table_id == table)


def _mark(session: Session, table: int, people: Mapping[int, int | None]) -> Hashable:
    """Return a value that changes whenever the games or the people of a home table (row id) change.

    `people` maps the row id of each person to the person that they were merged into, or to None.
    """
    connection, home = session.connection(), {"home": table}
    games, seated = connection.execute(_MARK, home).one(), connection.execute(_SEATED_MARK, home).one()
    return tuple(games), tuple(seated), tuple(people.items())


def _log(rows: Iterable[Row[Any]], people: Mapping[int, int]) -> TableLog:
    ordered = sorted(rows, key=lambda row: (row.started_at, row.id))
    first: dict[int, str] = {}
    rules: dict[tuple[str, str], Mapping[str, Any]] = {}
    games = []
    for row in ordered:
        first[row.id] = first.get(row.rematch_of, row.public_id)
        game = _game(row, first[row.id], people)
        rules.setdefault((game.preset, game.rules), row.ruleset)
        games.append(game)
    return TableLog(tuple(games), rules)


def _game(row: Row[Any], series: str, people: Mapping[int, int]) -> TableGame:
    return TableGame(
        id=row.public_id,
        began=row.started_at,
        series=series,
        preset=row.preset,
        rules=rules_key(row.ruleset),
        sides=tuple(tuple(people.get(row.players[seat]) for seat in side) for side in row.sides),
        totals=tuple(row.totals),
        hands=row.hands,
        over=row.over,
        winner=row.winner,
        ended_by=row.ended_by,
        sets=tuple(row.sets),
        bids=tuple(_bids(row.facts["bids"], people)),
        behind=row.facts["behind"],
        hidden=row.hidden_at is not None,
    )


def _bids(stored: Sequence[Sequence[Any]], people: Mapping[int, int]) -> Iterable[BidMade]:
    for hand, player, bid, made, points in stored:
        if player in people:
            yield BidMade(hand, people[player], int(bid) if bid.isdecimal() else bid, bool(made), points)


_tables: Recent[int, tuple[Hashable, TableLog]] = Recent(REMEMBERED)
"""The games of the home tables read last, by row id of the table, each with its mark."""

forget = _tables.clear
"""Empty the cache, as in a process that has just started."""


SAME = ("low", "called_partner", "points")
"""Keys of the rule options that decide which points a hand has and which side gets them.

Games count as the same kind only if these options have the same values.
"""
LATEST = 60
"""Maximum number of games whose hands are read: about 1,000 hands, or half a year of weekly evenings."""


def own_hands(session: Session, device: str, table: Table) -> tuple[Hand, ...]:
    """Return the hands of a phone's latest games of the same kind as `table`. Corrections are applied.

    Only games that the phone `device` started are read. Games are of the same kind if they have the same preset, number
    of players, number of sides, and options `SAME`. Deleted games are left out.
    """
    query = select(GameRow.id, GameRow.players, GameRow.sides, GameRow.ruleset)
    query = query.where(started_by(device), GameRow.preset == table.rules.preset, GameRow.deleted_at.is_(None))
    rows = session.execute(query.order_by(GameRow.updated_at.desc()).limit(LATEST))
    usual = preset_named(table.rules.preset)
    games = [
        game
        for game, players, sides, options in rows
        if (len(players), len(sides)) == (table.players, len(table.sides))
        and all(options.get(key, getattr(usual, key)) == getattr(table.rules, key) for key in SAME)
    ]
    logs = select(EventRow.game_id, EventRow.kind, EventRow.format, EventRow.data)
    logs = logs.where(EventRow.game_id.in_(games)).order_by(EventRow.game_id, EventRow.seq)
    return tuple(
        line.entry.hand
        for _game, events in groupby(session.execute(logs), key=lambda row: row.game_id)
        for line in replay(decode(kind, form, data) for _, kind, form, data in events).hands
    )
