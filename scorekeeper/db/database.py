"""Set up the database: constraint names, times in UTC, connections and safe writes."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from cachetools import LRUCache
from sqlalchemy import DateTime, Dialect, Engine, MetaData, event
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.types import TypeDecorator

from scorekeeper.config import LOCK_WAIT_SECONDS
from scorekeeper.db.sqlite_file import INFO, DatabaseFile, watch_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection
    from sqlalchemy.orm import scoped_session

S = TypeVar("S", bound=Session)
K = TypeVar("K")
V = TypeVar("V")

RETRY_SECONDS = 0.005
"""Pause before a retry in cases where SQLite itself does not wait."""


CONNECT_SECONDS = 5
"""Limit for opening a connection to PostgreSQL."""

POOL_SIZE = 16
"""Connections kept open. Up to `MOST_CONNECTIONS` are opened if more threads need one."""

MOST_CONNECTIONS = 64


class Base(DeclarativeBase):
    """Base of all models. Each constraint has a name, so that a migration can change it."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_N_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class UTCDateTime(TypeDecorator[datetime]):
    """A date and time with a zone. It is stored and read in UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time in UTC, without a zone for SQLite. Raises `ValueError` if `value` has no zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the stored time in UTC, with its zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def engine_options(url: str) -> dict[str, Any]:
    """Return the options of `create_engine` for the database at `url`.

    A read transaction sees one state of the database, so a page never mixes old and new data.
    """
    options: dict[str, Any] = {
        "pool_size": POOL_SIZE,
        "max_overflow": MOST_CONNECTIONS - POOL_SIZE,
        "pool_timeout": LOCK_WAIT_SECONDS,
        "connect_args": connect_args(url),
        "hide_parameters": True,  # parameters may be secret, and errors are logged
    }
    if not url.startswith("sqlite"):
        options |= {"pool_pre_ping": True, "isolation_level": "REPEATABLE READ"}
    return options


def connect_args(url: str) -> dict[str, Any]:
    """Return the driver's connection arguments for the database at `url`."""
    if url.startswith("sqlite"):
        return {"timeout": LOCK_WAIT_SECONDS}
    # Otherwise a database in SQL_ASCII would answer in bytes, and SQLAlchemy would fail before we can refuse it.
    return {"connect_timeout": CONNECT_SECONDS, "application_name": "scorekeeper", "client_encoding": "utf8"}


def set_up_engine(engine: Engine) -> DatabaseFile | None:
    """Set up durable commits, foreign keys and lock timeouts for `engine`, and return its SQLite file, if any.

    In SQLite a write must take the lock when it begins. Python's driver would begin only at the first change, after
    reads that another write may have made stale, so we begin transactions ourselves. In PostgreSQL all waits for locks
    are limited.
    """
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_connection)
        event.listen(engine, "begin", _begin)
        return watch_file(engine)
    from scorekeeper.db.postgresql import prepare_connection

    event.listen(engine, "connect", prepare_connection)
    return None


def _prepare_connection(connection: Any, _record: object) -> None:
    prepare_file(connection)
    for pragma in ("synchronous = FULL", "foreign_keys = ON", "recursive_triggers = ON"):
        connection.execute(f"PRAGMA {pragma}")


def prepare_file(connection: sqlite3.Connection) -> None:
    """Switch the SQLite file to write-ahead logging, and leave it to the caller to begin transactions.

    Raises `sqlite3.OperationalError` if the file stays locked for `LOCK_WAIT_SECONDS`.
    """
    connection.isolation_level = None
    until = monotonic() + LOCK_WAIT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            # Two processes that open a new file at once block each other, and SQLite itself does not wait here.
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > until:
                raise
            sleep(RETRY_SECONDS)
        else:
            return


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def writing_in(scope: scoped_session[S]) -> Iterator[S]:
    """Open a transaction that may write with the session of `scope`; commit at the end, roll back on an error.

    SQLite takes the write lock at once, so nothing read inside can change before the commit. In PostgreSQL, lock the
    row you decide on (`with_for_update`); reads after that see everything committed before, and `db.retry.use_case`
    repeats a transaction that still conflicts. Objects read earlier are read again. Raises `RuntimeError` if nested or
    if changes are pending, and `FileGoneError` if the database file was deleted or replaced.
    """
    session = scope()
    if session.info.get("writing") or session.new or session.dirty or session.deleted:
        raise RuntimeError("writing() was entered with changes pending: one use case is one transaction")
    session.rollback()  # a lock cannot be taken after an older read
    session.info["writing"] = True
    try:
        connection = session.connection(execution_options=to_write(session.get_bind().dialect))
        file: DatabaseFile | None = connection.info.get(INFO)
        yield session
        if file:
            file.check()
        session.commit()
        if file:
            file.check()  # it may have been deleted just now
    except BaseException:
        session.rollback()
        raise
    finally:
        del session.info["writing"]


def to_write(dialect: Dialect) -> dict[str, Any]:
    """Return the connection options for a transaction that may write."""
    if dialect.name == "sqlite":
        return {"writes": True}
    # A write that waited for a row must see what the previous one wrote, not the state at its own begin.
    return {"isolation_level": "READ COMMITTED"}


def refuse_stray_writes(session: Session, _flush: object, _objects: object) -> None:
    """Raise `RuntimeError` for a change outside `writing()`, which would be incomplete or lost."""
    if not session.info.get("writing"):
        raise RuntimeError("a change outside writing()")


class Recent(Generic[K, V]):
    """A cache of the last `most` values of each database, by key. Keep only committed values."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._read: WeakKeyDictionary[Engine, LRUCache[K, V]] = WeakKeyDictionary()
        self._lock = Lock()

    def get(self, session: Session, key: K) -> V | None:
        """Return the cached value for the database of `session`, None if there is none."""
        with self._lock:
            return self._of(session).get(key)

    def keep(self, session: Session, key: K, value: V) -> None:
        """Cache a value, and drop the least recently used one if needed."""
        with self._lock:
            self._of(session)[key] = value

    def clear(self) -> None:
        """Empty the cache for all databases."""
        with self._lock:
            self._read.clear()

    def _of(self, session: Session) -> LRUCache[K, V]:
        return self._read.setdefault(session.get_bind().engine, LRUCache(self._most))
