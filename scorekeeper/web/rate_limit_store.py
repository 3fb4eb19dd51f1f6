"""Where it is counted how often something was done: beside the score book, for all its workers.

With SQLite the counts are in a file of their own, `limits.db`, so that they never wait for a hand that is being saved,
nor a hand for them. With PostgreSQL they are in a table of the score book, one row for each time.
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
"""In the instance folder; it may be deleted at any time, and then counting begins anew."""
LOCK_WAIT_SECONDS = 2
"""How long one count waits for another: each takes well under a millisecond."""
SWEEP_EVERY = 200
"""One count in so many takes away what has run out."""


class LimitHitRow(Model):
    """One time that something limited was done, until it no longer counts."""

    __tablename__ = "limit_hit"
    __table_args__ = (Index(None, "key", "until"), Index(None, "until"))

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(120))
    """What was done and a hash of who did it."""
    until: Mapped[float] = mapped_column(Float(53))
    """Seconds since 1970."""


# Plain statements: counting a hand must cost next to nothing, and the toolkit around them takes five times as long.
_COUNTED = "FROM limit_hit WHERE key = {key} AND until > {now}"
_HIT = f"INSERT INTO limit_hit (key, until) SELECT {{key}}, {{until}} WHERE (SELECT count(*) {_COUNTED}) < {{most}}"
_IN_WINDOW = f"SELECT min(until), count(*) {_COUNTED}"
_RUN_OUT = "DELETE FROM limit_hit WHERE until <= {now}"
_OF_KEY = "DELETE FROM limit_hit WHERE key = {key}"
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended({key}, 0))"


def open_file(path: Path) -> Engine:
    """Return the engine of the counts in the SQLite file `path`, which is made when it is first used."""
    engine = create_engine(file_url(path), connect_args={"timeout": LOCK_WAIT_SECONDS}, hide_parameters=True)
    event.listen(engine, "connect", _prepare)
    return engine


def _prepare(connection: Any, _record: object) -> None:
    prepare_file(connection)
    connection.execute("PRAGMA synchronous = NORMAL")  # a count lost with the power is no loss; the file stays whole


class BookStorage(Storage, MovingWindowSupport):
    """A storage of the `limits` package in a database that all workers share.

    An entry counts for exactly its seconds: in no stretch of that length more are let through than the limit says.
    Raises `SQLAlchemyError` where the database cannot be reached.
    """

    STORAGE_SCHEME = None

    def __init__(self, engine: Engine) -> None:
        """Count in `engine`; in a file of SQLite the table is made where it is missing."""
        super().__init__()
        self.engine = engine
        self._to_make = engine.dialect.name == "sqlite"

    @property
    def base_exceptions(self) -> type[Exception]:
        """Return what the methods raise."""
        return SQLAlchemyError

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count `key` once, for `expiry` seconds, and return True; where it counts `limit` already, return False."""
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
        """Return when the first entry of `key` that still counts was made (seconds since 1970), and how many count."""
        del limit
        now = time.time()
        with self._counting() as ask:
            first, count = ask(_IN_WINDOW, {"key": key, "now": now}).fetchone()
        return (now if first is None else first - expiry), count

    def get(self, key: str) -> int:
        """Return how often `key` counts now."""
        return self.get_moving_window(key, 0, 0)[1]

    def get_expiry(self, key: str) -> float:
        """Return when the first entry of `key` runs out, in seconds since 1970; now where it has none."""
        return self.get_moving_window(key, 0, 0)[0]

    def clear(self, key: str) -> None:
        """Forget the entries of `key`."""
        with self._counting() as ask:
            ask(_OF_KEY, {"key": key})

    def reset(self) -> int:
        """Forget everything; return how many entries there were."""
        with self._counting() as ask:
            return int(ask("DELETE FROM limit_hit", {}).rowcount)

    def sweep(self) -> None:
        """Take away what has run out, also where nobody counts any more."""
        with self._counting() as ask:
            ask(_RUN_OUT, {"now": time.time()})

    def check(self) -> bool:
        """Return True where the database answers."""
        self.get("")
        return True

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Raise `NotImplementedError`: windows here move, they do not begin anew."""
        raise NotImplementedError

    @contextmanager
    def _counting(self) -> Iterator[Ask]:
        """Give what asks the database: in SQLite each statement by itself, in PostgreSQL all in one transaction."""
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
    """Make the table in a new file, unless another worker is doing it."""
    table = cast("Table", LimitHitRow.__table__)
    with engine.begin() as connection:
        connection.execute(CreateTable(table, if_not_exists=True))
        for index in table.indexes:
            connection.execute(CreateIndex(index, if_not_exists=True))


@cache
def _marked(words: str, mark: str) -> str:
    """Return the statement with its values marked as the driver wants them."""
    return words.format(**{name: mark.format(name) for name in ("key", "now", "until", "most")})
