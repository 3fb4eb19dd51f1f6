"""Store the counts of rate limits, which all processes share.

With SQLite they are in a separate file, `limits.db`, so that counting and saving hands never wait for each other. With
PostgreSQL they are in a table, one row per use.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing, contextmanager
from functools import cache
from random import randrange
from typing import TYPE_CHECKING, cast

from limits.storage import MovingWindowSupport, Storage
from sqlalchemy import Float, Index, String, create_engine, event
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.schema import CreateIndex, CreateTable

from scorekeeper.config import file_url
from scorekeeper.db.database import prepare_file, to_write
from scorekeeper.web.extensions import Model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import Any

    from sqlalchemy import Engine, Table

    Ask = Callable[[str, dict[str, Any]], Any]

FILE = "limits.db"
"""Name of the file in the instance folder; it may be deleted at any time, which clears the counts."""
LOCK_WAIT_SECONDS = 2
"""Maximum time to wait while another process is counting a use. Counting takes well under a millisecond."""
SWEEP_EVERY = 200
"""When a use is counted, expired uses are sometimes deleted too: on average, once in this many times."""


class LimitHitRow(Model):
    """One time that a client did something that has a limit. The row counts until it expires."""

    __tablename__ = "limit_hit"
    __table_args__ = (Index(None, "key", "until"), Index(None, "until"))

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(120))
    """The name of the limit, and a hash of the client."""
    until: Mapped[float] = mapped_column(Float(53))
    """When the use expires, in seconds since 1970."""


# Plain SQL: counting must cost next to nothing, and SQLAlchemy's expressions take five times as long.
_COUNTED = "FROM limit_hit WHERE key = {key} AND until > {now}"
_HIT = f"INSERT INTO limit_hit (key, until) SELECT {{key}}, {{until}} WHERE (SELECT count(*) {_COUNTED}) < {{most}}"
_IN_WINDOW = f"SELECT min(until), count(*) {_COUNTED}"
_RUN_OUT = "DELETE FROM limit_hit WHERE until <= {now}"
_OF_KEY = "DELETE FROM limit_hit WHERE key = {key}"
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended({key}, 0))"


def open_file(path: Path) -> Engine:
    """Return the engine of the SQLite file at `path`, which is created on first use."""
    engine = create_engine(file_url(path), connect_args={"timeout": LOCK_WAIT_SECONDS}, hide_parameters=True)
    event.listen(engine, "connect", _prepare)
    return engine


def _prepare(connection: Any, _record: object) -> None:
    prepare_file(connection)
    connection.execute("PRAGMA synchronous = NORMAL")  # losing a count in a power cut is fine; the file stays intact


class BookStorage(Storage, MovingWindowSupport):
    """A storage backend for the package `limits`: a database that all processes share.

    Uses are counted in a sliding window: In any period that is as long as the limit's period, there are at most as many
    uses as the limit allows. Methods raise `SQLAlchemyError` if the database can't be reached.
    """

    STORAGE_SCHEME = None

    def __init__(self, engine: Engine) -> None:
        """Keep the counts in the database of `engine`.

        In a SQLite file, the table for the counts is created on first use if it is missing.
        """
        super().__init__()
        self.engine = engine
        self._to_make = engine.dialect.name == "sqlite"

    @property
    def base_exceptions(self) -> type[Exception]:
        """Return the base class of the exceptions that the methods raise."""
        return SQLAlchemyError

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Try to count one use of `key`, which then counts for `expiry` seconds. Return whether it was counted.

        The result is False if `limit` uses count already.
        """
        del amount
        now = time.time()
        told = {"key": key, "now": now, "until": now + expiry, "most": limit}
        with self._counting() as ask:
            if self.engine.dialect.name == "postgresql":
                ask("SET LOCAL synchronous_commit = off", {})
                ask(_ONE_AT_A_TIME, told)
            if not randrange(SWEEP_EVERY):  # noqa: S311  no secret
                ask(_RUN_OUT, told)
            return bool(ask(_HIT, told).rowcount == 1)

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        """Return the time of the oldest use of `key` that still counts, then the number of uses that still count.

        The time is in seconds since 1970. If no use counts, it is the current time.
        """
        del limit
        now = time.time()
        with self._counting() as ask:
            first, count = ask(_IN_WINDOW, {"key": key, "now": now}).fetchone()
        return (now if first is None else first - expiry), count

    def get(self, key: str) -> int:
        """Return the number of uses of `key` that still count."""
        return self.get_moving_window(key, 0, 0)[1]

    def get_expiry(self, key: str) -> float:
        """Return when the oldest use of `key` expires, in seconds since 1970.

        If no use counts, return the current time.
        """
        return self.get_moving_window(key, 0, 0)[0]

    def clear(self, key: str) -> None:
        """Delete all uses of `key`."""
        with self._counting() as ask:
            ask(_OF_KEY, {"key": key})

    def reset(self) -> int:
        """Delete all uses of all limits, and return how many uses were deleted."""
        with self._counting() as ask:
            return int(ask("DELETE FROM limit_hit", {}).rowcount)

    def sweep(self) -> None:
        """Delete expired uses, including those of limits that no longer exist."""
        with self._counting() as ask:
            ask(_RUN_OUT, {"now": time.time()})

    def check(self) -> bool:
        """Return True if the database answers. Raises `SQLAlchemyError` if not."""
        self.get("")
        return True

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Raise `NotImplementedError`: only moving windows are supported."""
        raise NotImplementedError

    @contextmanager
    def _counting(self) -> Iterator[Ask]:
        """Yield a function that runs an SQL statement.

        In SQLite, each statement is a separate transaction. In PostgreSQL, all statements of the `with` block are in
        the same transaction.
        """
        if self.engine.dialect.name == "postgresql":
            opened = self.engine.connect().execution_options(**to_write(self.engine.dialect))
            with opened as connection, connection.begin():
                yield lambda words, told: connection.exec_driver_sql(_marked(words, "%({})s"), told)
            return
        if self._to_make:
            _make_table(self.engine)
            self._to_make = False
        try:
            with closing(self.engine.raw_connection()) as plain:
                cursor = plain.cursor()
                yield lambda words, told: cursor.execute(_marked(words, ":{}"), told)
        except sqlite3.Error as error:
            raise OperationalError("counting", None, error) from error


def _make_table(engine: Engine) -> None:
    """Create the table in a new file, unless another process is already creating it."""
    table = cast("Table", LimitHitRow.__table__)
    with engine.begin() as connection:
        connection.execute(CreateTable(table, if_not_exists=True))
        for index in table.indexes:
            connection.execute(CreateIndex(index, if_not_exists=True))


@cache
def _marked(words: str, mark: str) -> str:
    """Return the SQL statement `words` with its placeholders in the driver's style.

    `mark` is a pattern such as ":{}".
    """
    return words.format(**{name: mark.format(name) for name in ("key", "now", "until", "most")})
