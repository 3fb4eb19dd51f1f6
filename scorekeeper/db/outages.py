"""Recognize when the database can't be used: paused, of another version, replaced, or unavailable.

Refuse writes to a database whose schema belongs to another version of the program.

Several servers may share one PostgreSQL database. If a newer server migrates it while an older one is running, the
older one could write data that doesn't fit the new tables, so its writes are refused. The exception is a migration with
`EXPANDS = True`, which only adds tables, and columns that may be left out when a row is written. After it, older
servers may keep writing until they are updated, one machine after another.

Refuse all writes while the operator has turned on maintenance mode, for example to move to another machine.

Detect that the open SQLite file was deleted or replaced.

On Unix, SQLite could keep writing to a deleted or replaced file, and all of that would be lost when the server stops.
So before and after each commit, the device and inode of the path are compared with those of the open file. That takes a
few microseconds.

Recognize errors that mean that the database is unavailable. Such errors aren't bugs and need no traceback.
"""

import os
import sqlite3
import time
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.exc import DBAPIError, PendingRollbackError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from scorekeeper.config import PACKAGE, OperatorError

MIGRATING = 2021_0711
"""Id of the PostgreSQL lock that a migration holds alone and that all writes share."""
READ_VERSION = "SELECT version_num FROM alembic_version"
OLDEST_WRITER = "SELECT oldest_writer FROM installation"
READ_LOCKED = f"SELECT pg_advisory_xact_lock_shared({MIGRATING}); {READ_VERSION}"


class OtherVersionError(Exception):
    """The schema belongs to another version of the program. The message is for the log."""


@cache
def newest_revision() -> str | None:
    """Return the schema revision that this version of the program needs."""
    return max(known_revisions(), default=None)


@cache
def known_revisions() -> frozenset[str]:
    """Return the schema revisions that this version of the program can upgrade.

    The name of each migration's file begins with its revision. A start needs no more, and does not load Alembic.
    """
    return frozenset(path.name[:4] for path in (PACKAGE / "migrations" / "versions").glob("[0-9]*.py"))


def oldest_writer(revision: str) -> str:
    """Return the revision of the oldest program version that can still write to a database at `revision`.

    Migrations marked with `EXPANDS` only add to the schema, so program versions from before such a migration can still
    write.
    """
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(PACKAGE / "migrations"))
    script = scripts.get_revision(revision)
    while getattr(script.module, "EXPANDS", False):
        below = script.down_revision
        assert isinstance(below, str), f"{script.revision} expands nothing"
        script = scripts.get_revision(below)
    return script.revision


def note_oldest_writer(connection: Connection, revision: str) -> None:
    """Save the `oldest_writer` of `revision` in the database, in the current transaction of `connection`.

    Call this when the schema was just migrated to `revision`.
    """
    connection.execute(text("UPDATE installation SET oldest_writer = :oldest"), {"oldest": oldest_writer(revision)})


def fits(connection: Connection, found: str | None) -> bool:
    """Return whether this version of the program may write to a database whose schema is at the revision `found`.

    `found` is None if the database has no revision. Then the result is False.
    """
    ours = newest_revision() or ""
    if found == ours:
        return True
    if found is None or found < ours:
        return False
    return ours >= str(connection.exec_driver_sql(OLDEST_WRITER).scalar())


def refuse_other_version(connection: Connection) -> None:
    """Raise `OtherVersionError` if this program may not write to the schema of the database.

    Call this first in each transaction that writes. From then on, the schema can't change until the transaction ends.
    In SQLite, the transaction holds the write lock already. In PostgreSQL, one query both locks and reads the revision.
    """
    if connection.dialect.name == "sqlite":
        found = connection.exec_driver_sql(READ_VERSION).scalar()
    else:
        cursor = connection.exec_driver_sql(READ_LOCKED).cursor
        cursor.nextset()
        found = (cursor.fetchone() or [None])[0]
    if not fits(connection, found):
        raise OtherVersionError(
            f"The database is at {found} and this server needs {newest_revision()}: nothing is saved. Update this "
            "server and start it again."
        )


READ_PAUSED = "SELECT paused_because FROM installation WHERE id = 1"
SECONDS_REMEMBERED = 1.0
"""How long a process may use what it read, so that saving a hand doesn't take another query."""


class MaintenanceError(OperatorError):
    """Maintenance mode is on, so nothing is saved. The message is for the person at the terminal."""

    def __init__(self, because: str) -> None:
        """Store `because`, the operator's sentence for players, which may be ""."""
        super().__init__("Saving is paused. Resume it with “scorekeeper maintenance off”.")
        self.because = because


@dataclass(slots=True)
class Maintenance:
    """What a process knows about maintenance mode."""

    read_at: float = float("-inf")
    because: str | None = None
    """The operator's sentence for players, which may be ""; None if maintenance mode is off."""

    def refuse(self, connection: Connection) -> None:
        """Raise `MaintenanceError` if maintenance mode is on.

        Call this in a transaction that writes, when it has its locks (`schema_version.refuse_other_version`). What was
        read less than `SECONDS_REMEMBERED` ago counts.
        """
        now = time.monotonic()
        if now - self.read_at >= SECONDS_REMEMBERED:
            self.because = connection.exec_driver_sql(READ_PAUSED).scalar()
            self.read_at = now
        if self.because is not None:
            raise MaintenanceError(self.because)

    def forget(self) -> None:
        """Read the database again for the next write, because maintenance mode was just turned on or off."""
        self.read_at = float("-inf")


def await_writers(connection: Connection) -> None:
    """Wait until all transactions that are writing now have ended.

    `connection` must be in a transaction that may write. In SQLite, such a transaction begins only when no other is
    writing, so there is nothing to wait for.
    """
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATING})")


WRITE_AHEAD_LOG = "-wal"
"""Ending of SQLite's write-ahead log, the file next to the database with the latest writes."""
INFO = "database_file"
"""Key of the `DatabaseFile` in the dict `info` of a connection."""

Identity = tuple[int, int]
"""Device and inode number of a file, which identify it whatever its name."""
Opened = tuple[Identity | None, Identity | None]
"""Identities of a database file and of its write-ahead log; None for a file that isn't open."""


class FileGoneError(Exception):
    """The open database file was moved, deleted or replaced. The message is for the log."""


class DatabaseFile:
    """The database file that an engine opened.

    While a connection is open, the file's write-ahead log is watched, too.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.opened: Identity | None = None
        self.log: Identity | None = None
        self.connections = 0
        self.lock = Lock()

    def take_over(self, opened: Opened) -> None:
        """Expect the files that another process opened, even if there are different files at their paths now.

        `opened` has the identities of the database and its write-ahead log. The other process must keep a connection
        open longer than this process does.
        """
        self.opened, self.log = opened
        self.connections = 1

    def check(self) -> None:
        """Raise `FileGoneError` if the database or its write-ahead log was moved, deleted or replaced."""
        if self.opened and identity_of(self.path) != self.opened:
            raise FileGoneError(GONE.format(self.path))
        # SQLite removes the log only with the last connection, which may be closing now.
        log = self.log
        if log and identity_of(self.path + WRITE_AHEAD_LOG) != log and self.log == log:
            raise FileGoneError(GONE.format(self.path + WRITE_AHEAD_LOG))

    def connecting(self, *_: object) -> None:
        """Raise `FileGoneError` if a new connection would open the wrong file.

        The file is wrong if the database was moved, deleted or replaced after it was first opened.
        """
        self.check()

    def connected(self, connection: Any, record: Any) -> None:
        """Count a new connection. At the first connection, remember the identities of the open files."""
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # this creates the log
        with self.lock:
            self.opened = self.opened or identity_of(self.path)
            self.log = self.log if self.connections else identity_of(self.path + WRITE_AHEAD_LOG)
            self.connections += 1
        record.info[INFO] = self

    def closing(self, _connection: object, record: Any) -> None:
        """Count a closed connection.

        SQLite deletes the write-ahead log with the last connection. So after the last connection, forget the log.
        """
        with self.lock:
            if record.info.pop(INFO, None):
                self.connections -= 1
                self.log = self.log if self.connections else None


GONE = (
    "The open file {} was moved, deleted or replaced, so nothing is saved. Leave the server running and see "
    "scorekeeper/server/OPERATING.md, 'The database file is gone'."
)


def watch_file(engine: Engine) -> DatabaseFile | None:
    """Check the SQLite file of `engine` at each new connection, and return that file. Return None for PostgreSQL.

    Call this after adding the listeners that prepare a connection.
    """
    url = engine.url
    if url.get_backend_name() != "sqlite" or not url.database or url.database.startswith((":", "file:")):
        return None
    file = DatabaseFile(os.path.abspath(url.database))  # noqa: PTH100  absolute, but without resolving links
    event.listen(engine, "do_connect", file.connecting)
    event.listen(engine, "connect", file.connected)
    event.listen(engine, "close", file.closing)
    return file


def identity_of(path: str) -> Identity | None:
    """Return the device and inode of `path`, or None if they cannot be read."""
    try:
        found = os.stat(path)  # noqa: PTH116  called at every write
    except OSError:
        return None
    return found.st_dev, found.st_ino


SQLITE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
}
"""Primary result codes of SQLite for a file that is locked or read-only or can't be read, or for a full disk."""
READ_ONLY = "25006"
"""SQLSTATE for a write to a PostgreSQL server that is read-only: a standby, or a leader that was just replaced."""
POSTGRESQL = {READ_ONLY, "25P03"}
"""SQLSTATEs that mean an outage: `READ_ONLY`, and the code for a transaction that was idle for too long."""
OPERATIONAL = {"OperationalError", "InterfaceError"}
"""Names of the driver's error classes for lost connections, a full disk and lock timeouts."""


class UncertainCommitError(Exception):
    """The connection was lost during a commit, so nobody knows whether the transaction was saved."""


OUTAGES = (
    FileGoneError,
    OtherVersionError,
    MaintenanceError,
    UncertainCommitError,
    PoolTimeoutError,
    PendingRollbackError,
)
"""Classes of errors that always mean that the database is unavailable."""


def is_lost(error: BaseException | None) -> bool:
    """Return whether `error` means that the connection to PostgreSQL was lost, or that the server is read-only.

    A new connection may work. Nothing was saved, unless the error was raised by a commit.
    """
    if isinstance(error, UncertainCommitError):
        return True
    return isinstance(error, DBAPIError) and (error.connection_invalidated or is_read_only(error))


def is_read_only(error: BaseException | None) -> bool:
    """Return whether PostgreSQL refused a change because the server is read-only."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) == READ_ONLY


def is_outage(error: BaseException | None) -> bool:
    """Return whether `error` means that the database is unavailable.

    The outage may end by itself, or after the operator acts.
    """
    if isinstance(error, OUTAGES):
        return True
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or is_outage(error.orig)
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", -1) & 0xFF in SQLITE
    # By name, because the driver of PostgreSQL may not be installed.
    if type(error).__module__.partition(".")[0] != "psycopg":
        return False
    names = {kind.__name__ for kind in type(error).__mro__}
    return bool(names & OPERATIONAL) or getattr(error, "sqlstate", None) in POSTGRESQL


def reason_of(error: BaseException) -> str:
    """Return the database driver's message in `error`, shortened to one line."""
    said = str(error.orig if isinstance(error, DBAPIError) else error)
    return (said.strip().splitlines() or [type(error).__name__])[0]
