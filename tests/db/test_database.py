"""Commits are durable, a transaction that writes takes its lock before its first read, and times are stored in UTC."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import Dialect, Engine, create_engine, event, text
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.dialects.sqlite.base import SQLiteDialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, scoped_session, sessionmaker

from scorekeeper.db.database import (
    UTCDateTime,
    engine_options,
    prepare_file,
    refuse_stray_writes,
    set_up_engine,
    writing_in,
)
from scorekeeper.web.extensions import db
from tests.support import databases

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from sqlalchemy.orm import Session


pytestmark = pytest.mark.database


class Base(DeclarativeBase):
    """The base class of the models in this test."""


class Tally(Base):
    """A counter for these tests."""

    __tablename__ = "tally"
    id: Mapped[int] = mapped_column(primary_key=True)
    count: Mapped[int]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """Yield an engine that is set up like the app's engine. Its database has one counter at 0."""
    databases.variables_for(tmp_path)
    url = databases.url_for(tmp_path)
    engine = create_engine(url, **engine_options(url))
    set_up_engine(engine)
    Base.metadata.create_all(engine)
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO tally VALUES (1, 0)"))
    yield engine
    engine.dispose()
    databases.drop_book(tmp_path)


@pytest.fixture
def scope(engine: Engine) -> Iterator[scoped_session[Session]]:
    """Yield database sessions like those of the app, one per thread."""
    sessions = scoped_session(sessionmaker(engine, expire_on_commit=False))
    event.listen(sessions, "before_flush", refuse_stray_writes)
    yield sessions
    sessions.remove()


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 10_000)]
)
def test_app_sets_pragmas(app: Flask, pragma: str, value: object) -> None:
    with app.app_context(), db.engine.connect() as connection:
        assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar_one() == value


@pytest.mark.sqlite
def test_many_workers_can_open_a_new_file_at_once(tmp_path: Path) -> None:
    """Several workers can open a new database file at once. None of them fails because the file is locked."""
    crowd = 8
    for number in range(20):
        file, start = tmp_path / f"{number}.db", threading.Barrier(crowd)

        def open_it(_: int, file: Path = file, start: threading.Barrier = start) -> str:
            with closing(sqlite3.connect(file)) as connection:
                start.wait()
                prepare_file(connection)
                return str(connection.execute("PRAGMA journal_mode").fetchone()[0])

        with ThreadPoolExecutor(crowd) as many:
            assert set(many.map(open_it, range(crowd))) == {"wal"}


def test_write_is_committed_or_rolled_back(scope: scoped_session[Session], engine: Engine) -> None:
    with writing_in(scope) as session:
        session.get_one(Tally, 1).count = 1
    with pytest.raises(ZeroDivisionError), writing_in(scope) as session:
        session.get_one(Tally, 1).count = 2
        session.flush()
        _ = 1 / 0
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count FROM tally")).scalar_one() == 1


def test_concurrent_writes_lose_nothing(scope: scoped_session[Session], engine: Engine) -> None:
    def score() -> None:
        for _ in range(20):
            scope.get_one(Tally, 1)  # an older state, as a view may have read it
            with writing_in(scope) as session:
                session.get_one(Tally, 1, with_for_update=True).count += 1
        scope.remove()

    phones = [threading.Thread(target=score) for _ in range(4)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count FROM tally")).scalar_one() == 80


def test_page_reads_one_state(scope: scoped_session[Session], engine: Engine) -> None:
    """A request doesn't see a change that is saved while the request is running. The next request sees the change."""
    read = text("SELECT count FROM tally")
    with engine.connect() as page:
        assert page.execute(read).scalar_one() == 0
        with writing_in(scope) as session:
            session.get_one(Tally, 1).count = 7
        assert page.execute(read).scalar_one() == 0
        page.rollback()
        assert page.execute(read).scalar_one() == 7


@pytest.mark.sqlite
def test_write_locks_before_it_reads(scope: scoped_session[Session], engine: Engine) -> None:
    with writing_in(scope), engine.connect() as other:
        other.execute(text("SELECT * FROM tally"))
        other.rollback()
        other.exec_driver_sql("PRAGMA busy_timeout = 0")
        other.rollback()
        with pytest.raises(Exception, match="database is locked"):
            other.execution_options(writes=True).execute(text("SELECT * FROM tally"))


def test_writes_cannot_be_nested(scope: scoped_session[Session]) -> None:
    with writing_in(scope), pytest.raises(RuntimeError, match="changes pending"), writing_in(scope):
        pass
    scope.add(Tally(count=3))
    with pytest.raises(RuntimeError, match="changes pending"), writing_in(scope):
        pass


def test_change_outside_a_write_is_refused(scope: scoped_session[Session]) -> None:
    scope.add(Tally(count=3))
    with pytest.raises(RuntimeError, match="outside"):
        scope.commit()


def test_app_sessions_refuse_stray_changes() -> None:
    assert event.contains(db.session, "before_flush", refuse_stray_writes)


@pytest.mark.parametrize("backend", [SQLiteDialect, PGDialect])
def test_time_is_stored_in_utc(backend: type[Dialect]) -> None:
    dialect = backend()
    moment = datetime(2025, 11, 2, 23, 5, tzinfo=timezone(timedelta(hours=2)))
    column = UTCDateTime()
    stored = column.process_bind_param(moment, dialect)
    assert stored is not None
    assert (stored.hour, stored.minute) == (21, 5)
    back = column.process_result_value(stored, dialect)
    assert back == moment
    assert back is not None
    assert back.tzinfo is UTC
    assert column.process_bind_param(None, dialect) is column.process_result_value(None, dialect) is None


def test_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        UTCDateTime().process_bind_param(datetime(2025, 11, 2, 23, 5), SQLiteDialect())  # noqa: DTZ001
