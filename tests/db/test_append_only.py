"""The logs that only grow: the database refuses a change, save where one was opened, and shuts it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, text, update
from sqlalchemy.exc import DBAPIError

from scorekeeper.db.append_only import LOGS, opened
from scorekeeper.games.store.models import EventRow
from scorekeeper.leagues.core.models import LeagueEventRow
from scorekeeper.web.extensions import db, writing
from tests.support.game import contents, start
from tests.support.game_steps import score_link
from tests.support.league_night import open_hall

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from tests.support.phone import Phone

CHANGES = tuple(words for log in sorted(LOGS) for words in (f"UPDATE {log} SET kind = 'other'", f"DELETE FROM {log}"))


@pytest.fixture
def app(app: Flask, client: Phone) -> Flask:
    """Return the application with a game and a league, and so with lines in every log."""
    score_link(client, start(client))
    open_hall(app, client)
    return app


def _refused(words: str) -> None:
    with pytest.raises(DBAPIError, match="only grows"), writing() as session:
        session.execute(text(words))


def test_no_line_is_changed_or_deleted(app: Flask) -> None:
    """By whatever is said to the database."""
    before = contents(app)
    with app.app_context():
        for words in CHANGES:
            _refused(words)
    assert contents(app) == before


@pytest.mark.sqlite
def test_no_line_takes_the_place_of_another(app: Flask) -> None:
    """As SQLite may be told to do it, which by itself it calls no deletion."""
    before = contents(app)
    with app.app_context():
        for log in sorted(LOGS):
            _refused(f"REPLACE INTO {log} SELECT * FROM {log}")
    assert contents(app) == before


def test_an_opened_log_takes_a_change_and_is_shut_again(app: Flask) -> None:
    """What the session had pending is written before that; the other logs stay shut."""
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


def test_a_change_that_fails_leaves_the_log_shut(app: Flask) -> None:
    before = contents(app)
    with app.app_context():
        with pytest.raises(ZeroDivisionError), writing() as session, opened(session, "league_event"):
            session.execute(text("DELETE FROM league_event"))
            raise ZeroDivisionError
        for words in CHANGES:
            _refused(words)
    assert contents(app) == before


def test_nothing_else_is_opened_and_nothing_outside_a_use_case(app: Flask) -> None:
    with app.app_context():
        with pytest.raises(RuntimeError, match="outside"), opened(db.session(), "league_event"):
            pass
        with pytest.raises(ValueError, match="no log"), writing() as session, opened(session, "game"):
            pass
        assert db.session.scalar(select(func.count(LeagueEventRow.id)))


@pytest.mark.sqlite
def test_a_migration_back_and_forth_makes_the_same_log(app: Flask, tmp_path: Path) -> None:
    """The lines stay, and so does what guards them."""
    from flask_migrate import downgrade, upgrade

    asked = "SELECT name, sql FROM sqlite_master WHERE tbl_name = 'league_event' AND type <> 'table' ORDER BY name"
    with app.app_context():
        made = db.session.execute(text(asked)).all()
        lines = db.session.execute(text("SELECT id, kind, data FROM league_event")).all()
        db.session.rollback()
        downgrade(revision="0009")
        upgrade()
        assert db.session.execute(text(asked)).all() == made
        assert db.session.execute(text("SELECT id, kind, data FROM league_event")).all() == lines
