"""Check that event logs are protected against changes, have no gaps, and can be replayed.

Used by `scorekeeper restore`, `scorekeeper backup --drill` and `scorekeeper check`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from sqlalchemy import NullPool, String, cast, create_engine, func, select, text

from scorekeeper.db.append_only import LOGS
from scorekeeper.db.database import connect_args
from scorekeeper.games.store.models import EventRow, GameRow
from scorekeeper.leagues.core.models import LeagueEventRow, LeagueRow, NightRow
from scorekeeper.rules.events import decode
from scorekeeper.rules.replay import replay

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

AT_ONCE = 1000
"""Maximum number of lines of a log that are in memory at a time."""

GUARDED = {(log, change) for log in LOGS for change in ("UPDATE", "DELETE")} | {("account_event", "UPDATE")}
"""Pairs (table, change): a trigger of the database must refuse each of these changes."""

_SQLITE_TRIGGERS = "SELECT tbl_name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%RAISE(ABORT%'"
# Bits of tgtype: 1 for each row, 2 before, 8 a delete, 16 an update. "O": the trigger is enabled.
_POSTGRESQL_TRIGGERS = (
    "SELECT tgrelid::regclass::text, (CASE WHEN tgtype & 16 > 0 THEN 'BEFORE UPDATE ' ELSE '' END) || "
    "(CASE WHEN tgtype & 8 > 0 THEN 'BEFORE DELETE' ELSE '' END) "
    "FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O' AND tgtype & 3 = 3"
)


@dataclass(frozen=True, slots=True)
class Contents:
    """A summary of what a database contains."""

    games: int
    events: int
    """Entries in the logs of all games."""
    newest: datetime | None
    """The time of the newest entry in the logs of all games; None if there is no entry."""
    fault: str
    """A sentence about the first fault in the logs of games and leagues, or "" if there is none."""


def look_into(database_url: str) -> Contents:
    """Return a summary of the database at `database_url`, with the first fault in its logs.

    No other program may be using the database, and its schema must be up to date.
    """
    engine = create_engine(database_url, poolclass=NullPool, connect_args=connect_args(database_url))
    with engine.connect() as connection:
        games = connection.execute(select(func.count()).select_from(GameRow)).scalar_one()
        events, newest = connection.execute(select(func.count(), func.max(EventRow.received_at))).one()
        return Contents(games, events, newest, next(faults(connection), ""))


def faults(connection: Connection) -> Iterator[str]:
    """Yield a sentence for each fault in the event logs of games and leagues.

    The schema must be up to date. `connection` must be in a transaction that sees the database at one moment.
    """
    yield from unguarded(connection)
    yield from faults_of_games(connection)
    yield from faults_of_leagues(connection)


def unguarded(connection: Connection) -> Iterator[str]:
    """Yield a sentence for each log table that lacks a trigger against changes (see `GUARDED`)."""
    is_sqlite = connection.dialect.name == "sqlite"
    triggers = connection.execute(text(_SQLITE_TRIGGERS if is_sqlite else _POSTGRESQL_TRIGGERS)).all()
    refused = {(log, change) for log, sql in triggers for change in ("UPDATE", "DELETE") if f"BEFORE {change}" in sql}
    for log in sorted({log for log, _ in GUARDED - refused}):
        yield f"The log {log} isn't guarded against changes: its trigger is gone."


def faults_of_games(connection: Connection) -> Iterator[str]:
    """Yield a sentence for each game whose log has a fault."""
    games = {row.id: row for row in connection.execute(select(GameRow.id, GameRow.public_id, GameRow.version))}
    lines = connection.execution_options(yield_per=AT_ONCE).execute(
        select(
            EventRow.game_id, EventRow.seq, EventRow.kind, EventRow.format, cast(EventRow.data, String).label("data")
        ).order_by(EventRow.game_id, EventRow.seq)
    )
    for number, log in groupby(lines, attrgetter("game_id")):
        game = games.pop(number, None)
        fault = fault_of_game(list(log), game.version) if game else "doesn't exist, but its log does"
        if fault:
            yield f"Game {game.public_id if game else number} {fault}."
    for game in games.values():
        yield f"Game {game.public_id} has no log."


def fault_of_game(log: Sequence[Any], version: int) -> str:
    """Return the fault in the log of a game, in words such as "is missing entry 3 of its log", or "" if there is none.

    `log` has the lines of the log in order. `version` is the number of lines that there should be.
    """
    there = {line.seq for line in log}
    missing = next((seq for seq in range(1, version + 1) if seq not in there), None)
    if missing:
        return f"is missing entry {missing} of its log"
    if len(log) > version:
        return f"has {len(log)} entries in its log, but should have {version}"
    events = []
    for line in log:
        try:
            events.append(decode(line.kind, line.format, json.loads(line.data)))
        except Exception:  # noqa: BLE001  any error: something else wrote it
            return f"can't be replayed: entry {line.seq} of its log is damaged"
    try:
        replay(events)
    except Exception:  # noqa: BLE001
        return "can't be replayed: the entries of its log contradict each other"
    return ""


def faults_of_leagues(connection: Connection) -> Iterator[str]:
    """Yield a sentence for each fault in the logs of leagues.

    A log has a fault if a line is damaged, or if it has too few lines about a night.
    """
    leagues = {row.id: row.public_id for row in connection.execute(select(LeagueRow.id, LeagueRow.public_id))}
    lines = connection.execution_options(yield_per=AT_ONCE).execute(
        select(LeagueEventRow.league_id, cast(LeagueEventRow.data, String).label("data")).order_by(
            LeagueEventRow.league_id, LeagueEventRow.id
        )
    )
    for league, log in groupby(lines, attrgetter("league_id")):
        damaged = [place for place, line in enumerate(log, 1) if not is_object(line.data)]
        if damaged:
            yield f"Line {damaged[0]} of the log of league {leagues.get(league, league)} is damaged."
    # Each line about a night adds 1 to the night's version.
    told = func.count(LeagueEventRow.id)
    nights = (
        select(NightRow.public_id, NightRow.version, told)
        .outerjoin(LeagueEventRow, LeagueEventRow.night_id == NightRow.id)
        .group_by(NightRow.id, NightRow.public_id, NightRow.version)
        .having(told < NightRow.version)
        .order_by(NightRow.id)
    )
    for night, version, lines_there in connection.execute(nights):
        yield f"Night {night} has {lines_there} of {version} lines in the log of its league."


def is_object(data: str) -> bool:
    """Return whether `data` is the text of a JSON object."""
    try:
        return isinstance(json.loads(data), dict)
    except ValueError:
        return False
