"""How the score book is stored: names of constraints, times in UTC, and when a write is safe."""

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
"""How long we wait ourselves before we ask again, where SQLite does not."""


CONNECT_SECONDS = 5
"""How long we wait for PostgreSQL to take a connection."""

POOL_SIZE = 16
"""Connections kept open; `MOST_CONNECTIONS` are opened when more threads ask."""

MOST_CONNECTIONS = 64


class Base(DeclarativeBase):
    """What every model is made from; each constraint has a name, so that a migration can change it."""

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
    """A moment: aware going in, whatever its zone, and aware in UTC coming out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the moment in UTC, without its zone where the database keeps none. Raises `ValueError` if naive."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the stored moment, aware, in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def engine_options(url: str) -> dict[str, Any]:
    """Return the options of `create_engine` for a database at `url`.

    PostgreSQL shows a reader one moment throughout, as SQLite does: a page is never half old and half new.
    """
    options: dict[str, Any] = {
        "pool_size": POOL_SIZE,
        "max_overflow": MOST_CONNECTIONS - POOL_SIZE,
        "pool_timeout": LOCK_WAIT_SECONDS,
        "connect_args": connect_args(url),
        "hide_parameters": True,  # what a statement was given may be a secret, and an error of it is logged
    }
    if not url.startswith("sqlite"):
        options |= {"pool_pre_ping": True, "isolation_level": "REPEATABLE READ"}
    return options


def connect_args(url: str) -> dict[str, Any]:
    """Return what the driver of the database at `url` is told when it connects."""
    if url.startswith("sqlite"):
        return {"timeout": LOCK_WAIT_SECONDS}
    # A database in SQL_ASCII would else answer in bytes, over which SQLAlchemy stumbles before we can refuse it.
    return {"connect_timeout": CONNECT_SECONDS, "application_name": "scorekeeper", "client_encoding": "utf8"}


def set_up_engine(engine: Engine) -> DatabaseFile | None:
    """Make `engine` keep what it acknowledged and check foreign keys, and make its locks end; return its SQLite file.

    In SQLite the lock is taken when a write begins: Python's driver would begin a transaction only at the first
    change, which makes a read before it worthless, so its own transactions are switched off and begun here. In
    PostgreSQL nobody waits for ever for a lock, and none is kept by a process that is gone.
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
    """Let readers of the SQLite file go on while somebody writes, and let the caller begin its transactions.

    Raises `sqlite3.OperationalError` where the file is locked for `LOCK_WAIT_SECONDS`.
    """
    connection.isolation_level = None
    until = monotonic() + LOCK_WAIT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            # Two that open a new file at once are in each other's way, and SQLite itself does not wait here.
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
    """Give the session of `scope` in a transaction that may write; commit at the end, roll back on an error.

    In SQLite the write lock is taken at once, so nothing that is read inside can change before the commit. In
    PostgreSQL lock the row of the game you decide on (`with_for_update`): each read after that sees all that was
    committed before, and what can still meet another write is done again (`db.retry.use_case`). Objects read
    before belong to an older moment and are read again. Raises `RuntimeError` inside another one, or when changes
    were made outside, and `FileGoneError` if what is written would be lost with a file that was deleted.
    """
    session = scope()
    if session.info.get("writing") or session.new or session.dirty or session.deleted:
        raise RuntimeError("writing() was entered with changes pending: one use case is one transaction")
    session.rollback()  # a lock cannot be taken on top of an older read
    session.info["writing"] = True
    try:
        connection = session.connection(execution_options=to_write(session.get_bind().dialect))
        file: DatabaseFile | None = connection.info.get(INFO)
        yield session
        if file:
            file.check()
        session.commit()
        if file:
            file.check()  # it may have gone just now
    except BaseException:
        session.rollback()
        raise
    finally:
        del session.info["writing"]


def to_write(dialect: Dialect) -> dict[str, Any]:
    """Return the options with which a connection begins a transaction that may write."""
    if dialect.name == "sqlite":
        return {"writes": True}
    # Whoever waited for a row must see what the one before wrote, so not the moment at which it began.
    return {"isolation_level": "READ COMMITTED"}


def refuse_stray_writes(session: Session, _flush: object, _objects: object) -> None:
    """Raise `RuntimeError` for a change outside `writing()`: it would be half a use case, or lost."""
    if not session.info.get("writing"):
        raise RuntimeError("a change outside writing()")


class Recent(Generic[K, V]):
    """What was read last of each database, by key: `most` values of each. Only what was committed belongs here."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._read: WeakKeyDictionary[Engine, LRUCache[K, V]] = WeakKeyDictionary()
        self._lock = Lock()

    def get(self, session: Session, key: K) -> V | None:
        """Return the value that was kept for the database of `session`, None where there is none any more."""
        with self._lock:
            return self._of(session).get(key)

    def keep(self, session: Session, key: K, value: V) -> None:
        """Keep a value, and let go of the one that nobody asked for longest."""
        with self._lock:
            self._of(session)[key] = value

    def clear(self) -> None:
        """Let go of everything, of every database."""
        with self._lock:
            self._read.clear()

    def _of(self, session: Session) -> LRUCache[K, V]:
        return self._read.setdefault(session.get_bind().engine, LRUCache(self._most))
