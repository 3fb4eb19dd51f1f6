"""Check that a database belongs to Scorekeeper and can be used, before anything is changed in it.

Check that event logs are protected against changes, have no gaps, and can be replayed.

Used by `scorekeeper restore`, `scorekeeper backup --drill` and `scorekeeper check`.
"""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from msgspec import Struct
from sqlalchemy import URL, Connection, NullPool, String, cast, create_engine, func, inspect, make_url, select, text
from sqlalchemy.exc import DBAPIError, OperationalError

from scorekeeper.config import OperatorError
from scorekeeper.db.database import LOGS, connect_args
from scorekeeper.db.outages import READ_VERSION, known_revisions
from scorekeeper.games.store.models import EventRow, GameRow
from scorekeeper.leagues.core.models import LeagueEventRow, LeagueRow, NightRow
from scorekeeper.rules.events import decode
from scorekeeper.rules.replay import replay


class BootError(OperatorError):
    """The server can't start."""


class NoAnswerError(BootError):
    """PostgreSQL doesn't answer, or is still starting."""


DAMAGED = "{place} is damaged or isn't a database. Nothing was changed. Put a copy in its place, or move it away."
UNREADABLE = "You can't open and write {place}. Check who owns the file and its folder."
OTHER_VERSION = (
    "{place} was written by a version of Scorekeeper that this one doesn't know. Nothing was changed. Update this "
    "version, or use the one that wrote it."
)
FOREIGN = "{place} belongs to another program. Choose another --instance or DATABASE_URL."
NOT_EVERY_NAME = "{place} is encoded as {encoding} and can't store all names. Make a database with ENCODING 'UTF8'."
LOG_ALONE = (
    "There is {place}-wal, which holds what was saved last, but no {place}. Put the database back beside it, restore a "
    "backup with scorekeeper restore, or move the file away to start over."
)
LOG_GONE = (
    "{place}-wal is missing and may hold what was saved last. Put it back, or remove {place}-shm to go on without it."
)
NO_DRIVER = "PostgreSQL needs its driver. Run: {python} -m pip install 'psycopg[binary]'."
WHY = {
    "not a database": DAMAGED,
    "malformed": DAMAGED,
    "readonly": UNREADABLE,
    "unable to open": UNREADABLE,
    "disk I/O error": "{place} can't be read or written. Check whether the disk is full or broken.",
    "disk is full": "{place} can't be written: the disk is full.",
    "locked": "Another program has locked {place}. Close it and start again.",
}
"""Maps a part of SQLite's error message to the sentence that we show instead. `{place}` is the database's path."""


def refuse_foreign_database(database_url: str) -> str:
    """Return the schema revision of the database at `database_url`, or "" if it doesn't exist or has no tables.

    Raises `BootError` if the database can't be opened and written, is damaged, has an unknown version, or belongs to
    another program. The database isn't changed.
    """
    url = make_url(database_url)
    is_file = url.get_backend_name() == "sqlite"
    place = name_of(url)
    if is_file:
        _check_log(Path(place))
    if is_file and not Path(place).exists():
        return ""
    # Before SQLite opens it: SQLite would leave side files beside a database that it can't write.
    if is_file and not all(os.access(path, os.R_OK | os.W_OK) for path in (place, Path(place).absolute().parent)):
        raise BootError(UNREADABLE.format(place=place))
    try:
        engine = create_engine(url, poolclass=NullPool, connect_args=connect_args(database_url))
        with engine.connect() as connection:
            tables = set(inspect(connection).get_table_names())
            migrated = "alembic_version" in tables
            revisions = set(connection.exec_driver_sql(READ_VERSION).scalars() if migrated else ())
            if is_file:
                _check_file(connection, place)
            elif (encoding := connection.exec_driver_sql("SHOW server_encoding").scalar_one()) != "UTF8":
                raise BootError(NOT_EVERY_NAME.format(place=place, encoding=encoding))
    except UnicodeDecodeError as error:  # SQLite's message quotes the damage
        raise BootError(DAMAGED.format(place=place)) from error
    except DBAPIError as error:
        raise (NoAnswerError if is_silent(error, url) else BootError)(explain(error, url)) from error
    except ModuleNotFoundError as error:
        raise BootError(NO_DRIVER.format(python=sys.executable)) from error
    if revisions - known_revisions():
        raise BootError(OTHER_VERSION.format(place=place))
    if tables - {"alembic_version"} and not revisions:
        raise BootError(FOREIGN.format(place=place))
    return max(revisions, default="")


def _check_log(database: Path) -> None:
    """Raise `BootError` if a SQLite database was deleted without its write-ahead log, or the log without the database.

    SQLite would delete a log without a database. If the database was in use but its log is missing, the latest changes
    may be lost.
    """
    log, index = (database.with_name(database.name + ending) for ending in ("-wal", "-shm"))
    if not is_there(database) and is_there(log):
        raise BootError(LOG_ALONE.format(place=database))
    # SQLite makes the log before its index, and removes the index first.
    if is_there(database) and index.exists() and not log.exists():
        raise BootError(LOG_GONE.format(place=database))


def is_there(file: Path) -> bool:
    """Return whether `file` exists and isn't empty, or False if that can't be found out."""
    try:
        return file.stat().st_size > 0
    except OSError:
        return False


def is_silent(error: DBAPIError, url: URL) -> bool:
    """Return whether `error` means that the PostgreSQL server at `url` doesn't answer, is starting, or is stopping."""
    said = str(error.orig)
    if url.get_backend_name() == "sqlite" or not isinstance(error, OperationalError):
        return False
    return "FATAL" not in said or any(words in said for words in ("starting up", "shutting down", "not yet accepting"))


def _check_file(connection: Connection, place: str) -> None:
    if connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one() != "ok":
        raise BootError(DAMAGED.format(place=place))
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    connection.rollback()


def explain(error: DBAPIError, url: URL) -> str:
    """Return a sentence for the person at the terminal that says why the database at `url` can't be used.

    `error` is the error that the database raised.
    """
    said = str(error.orig)
    for part, sentence in WHY.items():
        if part in said:
            return sentence.format(place=name_of(url))
    if url.get_backend_name() != "sqlite" and isinstance(error, OperationalError):
        return f"The database {name_of(url)} doesn't answer: {said.splitlines()[0].rstrip('.')}."
    return f"{name_of(url)} can't be used: {said.splitlines()[0].rstrip('.')}."


def name_of(url: URL) -> str:
    """Return the name of a database for messages: the path of a SQLite file, or a URL without its password."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.render_as_string(hide_password=True)


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


class Contents(Struct, frozen=True):
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
