"""Set up the database: constraint names, times in UTC, connections and safe writes.

Repeat a write that conflicted with another write, or that lost its connection to the database.

Allow changes to an append-only log, inside one transaction.

Triggers in the database refuse to change or delete lines of a log. The exceptions are deleting games, removing the
demo, and removing the name of an anonymous player from typed texts. The triggers are off only inside that transaction,
and a rollback restores them, in SQLite and PostgreSQL.
"""

import contextlib
import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial, wraps
from threading import Lock
from time import monotonic, sleep
from typing import Any, Generic, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from cachetools import LRUCache
from sqlalchemy import Connection, DateTime, Dialect, Engine, MetaData, event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import DeclarativeBase, Session, scoped_session
from sqlalchemy.pool import Pool
from sqlalchemy.types import TypeDecorator

from scorekeeper.config import LOCK_WAIT_SECONDS
from scorekeeper.db.outages import INFO, DatabaseFile, UncertainCommitError, is_lost, watch_file

S = TypeVar("S", bound=Session)
K = TypeVar("K")
V = TypeVar("V")

RETRY_SECONDS = 0.005
"""Seconds to wait before another try, in cases in which SQLite itself does not wait for a lock."""


CONNECT_SECONDS = 5
"""Time limit for opening a connection to PostgreSQL."""

KEEP_ALIVE = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3, "tcp_user_timeout": 10_000}
"""TCP options for PostgreSQL: a connection to a machine that is gone ends after about 11 seconds, not after hours."""

POOL_SIZE = 16
"""Number of connections that stay open. Up to `MOST_CONNECTIONS` are opened if more threads need one."""

MOST_CONNECTIONS = 64


class Base(DeclarativeBase):
    """Base class of all models. Each constraint gets a name, so that a migration can change it."""

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
    """Column type of a date and time with a time zone, stored and read in UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time to store, in UTC. For SQLite, the result has no time zone.

        Raises `ValueError` if `value` has no time zone.
        """
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the stored time with the time zone UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def engine_options(url: str) -> dict[str, Any]:
    """Return the keyword arguments of SQLAlchemy's `create_engine` for the database at `url`.

    With these options, each read transaction sees a single state of the database. So a page never mixes old and new
    data.
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
    """Return the driver's keyword arguments for connecting to the database at `url`."""
    if url.startswith("sqlite"):
        return {"timeout": LOCK_WAIT_SECONDS}
    # Otherwise a database in SQL_ASCII would answer in bytes, and SQLAlchemy would fail before we can refuse it.
    return {
        "connect_timeout": CONNECT_SECONDS,
        "application_name": "scorekeeper",
        "client_encoding": "utf8",
        "prepare_threshold": None,  # a pooler such as PgBouncer may run the next transaction on another connection
        **KEEP_ALIVE,
    }


def set_up_engine(engine: Engine) -> DatabaseFile | None:
    """Set up durable commits, foreign keys and lock timeouts for `engine`.

    Return the SQLite file of the engine, or None for PostgreSQL.

    We begin SQLite transactions ourselves, so that a transaction that writes takes the lock when it begins. Python's
    driver would begin the transaction only at the first change. Rows that were read before could then be out of date.
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
    """Switch the SQLite file to write-ahead logging, and stop the driver from beginning transactions by itself.

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
    """Yield the session of `scope` in a transaction that may write. Commit at the end, or roll back on an error.

    SQLite takes the write lock at once, so nothing that is read in the block can change before the commit. In
    PostgreSQL, the caller must first lock the row that the decision depends on (`with_for_update`). Later reads then
    see everything that was committed before. If the transaction still conflicts with another one, `db.retry.use_case`
    repeats the transaction.

    Raises `RuntimeError` if this is called inside another such block, or if the session has unsaved changes. Raises
    `FileGoneError` if the database file was deleted or replaced, and `UncertainCommitError` if the connection was lost
    during the commit.
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
        session.flush()
        _commit(session)
        if file:
            file.check()  # it may have been deleted just now
    except BaseException as error:
        if is_lost(error):
            session.invalidate()  # the pool must not hand out this connection again
        else:
            session.rollback()
        raise
    finally:
        del session.info["writing"]


def _commit(session: Session) -> None:
    try:
        session.commit()
    except DBAPIError as error:
        if is_lost(error):
            raise UncertainCommitError("The connection was lost during a commit.") from error
        raise


def to_write(dialect: Dialect) -> dict[str, Any]:
    """Return the connection's execution options for a transaction that may write."""
    if dialect.name == "sqlite":
        return {"writes": True}
    # A write that waited for a row must see what the previous one wrote, not the state at its own begin.
    return {"isolation_level": "READ COMMITTED"}


def refuse_stray_writes(session: Session, _flush: object, _objects: object) -> None:
    """Raise `RuntimeError` if a session flushes changes outside `writing()`.

    Such changes could be lost, or saved only in part.
    """
    if not session.info.get("writing"):
        raise RuntimeError("a change outside writing()")


class Recent(Generic[K, V]):
    """A cache of values by key. Each database has a separate cache. Store only committed values.

    When the cache of a database has more than `most` values, the least recently used value is dropped. Disposing of an
    engine empties its cache, since the next connection may find another database.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._read: WeakKeyDictionary[Pool, LRUCache[K, V]] = WeakKeyDictionary()
        self._lock = Lock()

    def get(self, session: Session, key: K) -> V | None:
        """Return the value of `key` that is cached for the database of `session`, or None if there is none."""
        with self._lock:
            return self._of(session).get(key)

    def keep(self, session: Session, key: K, value: V) -> None:
        """Cache a value under `key` for the database of `session`.

        If the cache is full, the least recently used value is dropped.
        """
        with self._lock:
            self._of(session)[key] = value

    def clear(self) -> None:
        """Empty the cache for all databases."""
        with self._lock:
            self._read.clear()

    def _of(self, session: Session) -> LRUCache[K, V]:
        return self._read.setdefault(session.get_bind().engine.pool, LRUCache(self._most))


P = ParamSpec("P")
R = TypeVar("R")

ATTEMPTS = 5
PAUSE_SECONDS = 0.02
"""Longest pause before the second try. The longest pause doubles with each further try."""

OVERTAKEN = {
    "40001": "could not serialize access",
    "40P01": "deadlock detected",
    "23505": "unique violation: both looked for a row, did not find it, and inserted it",
}
"""SQLSTATEs of PostgreSQL and their meaning. In SQLite writes never run at the same time."""


def use_case(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function that runs a single transaction, so that the function is called again after a conflict.

    The function is also called again if the connection was lost before the commit, because nothing was saved then. The
    last error is raised after `ATTEMPTS` tries. Other errors are raised at once. `writing()` rolls back each failed
    try.
    """
    return _repeated(function, may_be_repeated)


def keyed_use_case(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a `use_case` whose request has a key, so that a second call with the same key changes nothing.

    Such a function is called again even if the connection was lost during the commit. In that case, nobody knows
    whether the first try was saved.
    """
    return _repeated(function, partial(may_be_repeated, keyed=True))


def _repeated(function: Callable[P, R], again: Callable[[Exception], bool]) -> Callable[P, R]:
    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        for attempt in range(ATTEMPTS - 1):
            try:
                return function(*args, **kwargs)
            except (DBAPIError, UncertainCommitError) as error:
                if not again(error):
                    raise
            # A random pause, so that both do not collide again.
            time.sleep(random.uniform(0, PAUSE_SECONDS * 2**attempt))  # noqa: S311  a pause, not a secret
        return function(*args, **kwargs)

    return run


def may_be_repeated(error: Exception, *, keyed: bool = False) -> bool:
    """Return whether the function that raised `error` may be called again.

    Another call must have a chance to succeed, and must not make the same change twice. `keyed` means that a second
    call changes nothing. Then the function may be called again even if the commit was uncertain.
    """
    if isinstance(error, UncertainCommitError):
        return keyed
    return was_overtaken(error) or is_lost(error)


def was_overtaken(error: Exception) -> bool:
    """Return whether `error` is a conflict with another transaction, so that another try may succeed."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in OVERTAKEN


LOGS = frozenset(("game_event", "game_note", "league_event"))
"""Names of the append-only tables."""


@contextlib.contextmanager
def opened(session: Session, log: str) -> Iterator[None]:
    """Allow changing and deleting rows of the table `log`, one of `LOGS`, inside the `with` block.

    The session is flushed at the end of the block. Raises `ValueError` if `log` is not an append-only log, and
    `RuntimeError` outside `writing()`.
    """
    if log not in LOGS:
        raise ValueError(f"{log} is not an append-only log")
    if not session.info.get("writing"):
        raise RuntimeError("a log was opened outside writing()")
    connection = session.connection()
    if connection.dialect.name == "sqlite":
        made = connection.execute(
            text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = :log"), {"log": log}
        ).all()
        for name, _sql in made:
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
        yield
        session.flush()
        for _name, sql in made:
            connection.exec_driver_sql(sql)
    else:
        connection.exec_driver_sql(f"ALTER TABLE {log} DISABLE TRIGGER USER")
        yield
        session.flush()
        connection.exec_driver_sql(f"ALTER TABLE {log} ENABLE TRIGGER USER")
