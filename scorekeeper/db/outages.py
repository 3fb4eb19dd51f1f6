"""Errors that say that the database cannot be used just now: no bug of the program, so their trace tells nothing."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError, PendingRollbackError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

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
"""Primary result codes: locked, read-only, full, out of reach."""
POSTGRESQL = {"25006", "25P03"}
"""SQLSTATEs of a server that only reads, and of a transaction that took too long, besides its operational errors."""
OPERATIONAL = {"OperationalError", "InterfaceError"}
"""Names of the driver's classes for a connection that is refused or cut off, a full disk, a lock not given."""


def is_outage(error: BaseException | None) -> bool:
    """Return whether `error` may go away by itself, or by what the operator does."""
    if isinstance(error, FileGoneError | OtherVersionError | PoolTimeoutError | PendingRollbackError):
        return True
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or is_outage(error.orig)
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", -1) & 0xFF in SQLITE
    # By its name, for the driver of PostgreSQL need not be installed.
    if type(error).__module__.partition(".")[0] != "psycopg":
        return False
    names = {kind.__name__ for kind in type(error).__mro__}
    return bool(names & OPERATIONAL) or getattr(error, "sqlstate", None) in POSTGRESQL


def reason_of(error: BaseException) -> str:
    """Return what an outage says, in one line."""
    said = str(error.orig if isinstance(error, DBAPIError) else error)
    return (said.strip().splitlines() or [type(error).__name__])[0]
