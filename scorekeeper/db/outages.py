"""Recognize errors that mean that the database is unavailable. Such errors aren't bugs and need no traceback."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError, PendingRollbackError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from scorekeeper.db.maintenance import MaintenanceError
from scorekeeper.db.schema_version import OtherVersionError
from scorekeeper.db.sqlite_file import FileGoneError

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
