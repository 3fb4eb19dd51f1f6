"""Recognize errors that mean the database is unavailable. They are not bugs, so no traceback is logged."""

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
"""Primary result codes for a file that is locked, read-only, full or unreachable."""
POSTGRESQL = {"25006", "25P03"}
"""SQLSTATEs of a read-only server and of a transaction that took too long."""
OPERATIONAL = {"OperationalError", "InterfaceError"}
"""Error classes of the driver for lost connections, a full disk and lock timeouts."""


def is_outage(error: BaseException | None) -> bool:
    """Return True if `error` may go away by itself or after the operator acts."""
    if isinstance(error, FileGoneError | OtherVersionError | PoolTimeoutError | PendingRollbackError):
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
    """Return the message of an outage in one line."""
    said = str(error.orig if isinstance(error, DBAPIError) else error)
    return (said.strip().splitlines() or [type(error).__name__])[0]
