"""Check that a database belongs to Scorekeeper and can be used, before anything is changed in it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from alembic.runtime.migration import MigrationContext
from sqlalchemy import NullPool, create_engine, inspect, make_url
from sqlalchemy.exc import DBAPIError, OperationalError

from scorekeeper.config import OperatorError
from scorekeeper.db.database import connect_args
from scorekeeper.db.schema_version import known_revisions

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection


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
            tables = set(inspect(connection).get_table_names()) - {"alembic_version"}
            revisions = set(MigrationContext.configure(connection).get_current_heads())
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
    if tables and not revisions:
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
