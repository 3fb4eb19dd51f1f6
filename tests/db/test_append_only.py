"""Append-only logs: the database refuses changes, except while a log is opened for one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, text, update
from sqlalchemy.exc import DBAPIError

from scorekeeper.db.database import LOGS, opened
from scorekeeper.games.store.models import EventRow
from scorekeeper.leagues.core.models import LeagueEventRow
from scorekeeper.web.extensions import db, writing
from tests.support.game import contents, start
from tests.support.game_steps import score_link
from tests.support.league_night import open_hall

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

CHANGES = tuple(words for log in sorted(LOGS) for words in (f"UPDATE {log} SET kind = 'other'", f"DELETE FROM {log}"))


@pytest.fixture
def app(app: Flask, client: Phone) -> Flask:
    """Return the app with one game and one league, so that every log has lines."""
    score_link(client, start(client))
    open_hall(app, client)
    return app


def _refused(words: str) -> None:
    with pytest.raises(DBAPIError, match="only grows"), writing() as session:
        session.execute(text(words))


def test_lines_cannot_be_changed_or_deleted(app: Flask) -> None:
    """The database refuses to change or delete lines of a log, even by plain SQL."""
    before = contents(app)
    with app.app_context():
        for words in CHANGES:
            _refused(words)
    assert contents(app) == before


@pytest.mark.sqlite
def test_lines_cannot_be_replaced(app: Flask) -> None:
    """The database refuses to replace lines of a log with the SQL command REPLACE.

    A delete trigger alone would not prevent this, because SQLite by default runs no delete trigger for REPLACE.
    """
    before = contents(app)
    with app.app_context():
        for log in sorted(LOGS):
            _refused(f"REPLACE INTO {log} SELECT * FROM {log}")
    assert contents(app) == before


def test_opened_log_allows_changes_and_closes_again(app: Flask) -> None:
    """A transaction that opens a log for changes with `opened` can change any line of the log.

    After the transaction, the log can't be changed any more. The session's pending changes are written before that.
    Opening one log doesn't open other logs.
    """
    with app.app_context():
        with writing() as session, opened(session, "league_event"):
            session.execute(update(LeagueEventRow).values(device="a slip"))
            session.scalars(select(LeagueEventRow)).first().kind = "other"  # type: ignore[union-attr]
        assert set(db.session.scalars(select(LeagueEventRow.device))) == {"a slip"}
        assert "other" in set(db.session.scalars(select(LeagueEventRow.kind)))
        with writing() as session, opened(session, "game_event"):
            session.execute(update(EventRow).values(device="x"))
        for words in CHANGES:
            _refused(words)
        with pytest.raises(DBAPIError, match="only grows"), writing() as session, opened(session, "league_event"):
            session.execute(text("DELETE FROM game_event"))


def test_failed_change_leaves_the_log_closed(app: Flask) -> None:
    before = contents(app)
    with app.app_context():
        with pytest.raises(ZeroDivisionError), writing() as session, opened(session, "league_event"):
            session.execute(text("DELETE FROM league_event"))
            raise ZeroDivisionError
        for words in CHANGES:
            _refused(words)
    assert contents(app) == before


def test_only_logs_open_and_only_in_a_write(app: Flask) -> None:
    with app.app_context():
        with pytest.raises(RuntimeError, match="outside"), opened(db.session(), "league_event"):
            pass
        with pytest.raises(ValueError, match="not an append-only log"), writing() as session, opened(session, "game"):
            pass
        assert db.session.scalar(select(func.count(LeagueEventRow.id)))
