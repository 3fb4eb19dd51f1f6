"""Large databases, in which the queries of pages must use indexes, both in SQLite and in PostgreSQL.

The tests fill a database, record the queries of pages, and ask the database for the query plans.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event, insert, select, text

from scorekeeper.games.store.models import GameRow, ScorerRow
from scorekeeper.leagues.core.models import LeagueEventRow, LeagueRow
from scorekeeper.leagues.privacy import service
from scorekeeper.web.extensions import db
from tests.support.game import path_of, start

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.league import Hall
    from tests.support.phone import Phone

pytestmark = pytest.mark.database

GAMES, DEVICES, LINES, LEAGUES = 20_000, 2_000, 20_000, 200
BIG = ("game", "league_event", "scorer")
Asked = list[tuple[str, Any]]


@contextmanager
def listening() -> Iterator[Asked]:
    """Yield a list to which each SELECT statement sent to the database is added, together with its parameters."""
    asked: Asked = []

    def hear(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool) -> None:
        if statement.lstrip().upper().startswith(("SELECT", "WITH")):
            asked.append((statement, parameters))

    event.listen(db.engine, "before_cursor_execute", hear)
    try:
        yield asked
    finally:
        event.remove(db.engine, "before_cursor_execute", hear)


def fill(app: Flask) -> None:
    """Add thousands of copies of the database's first game and first log line, and a scorer for each game.

    The copies belong to many devices and leagues, as in a large database.
    """
    with app.app_context(), db.engine.begin() as connection:
        game = dict(connection.execute(select(GameRow.__table__)).mappings().first() or {})
        line = dict(connection.execute(select(LeagueEventRow.__table__)).mappings().first() or {})
        league = dict(connection.execute(select(LeagueRow.__table__)).mappings().first() or {})
        del game["id"], line["id"], league["id"]
        others = [{**league, "public_id": f"other{number}", "client_id": f"other{number}"} for number in range(LEAGUES)]
        connection.execute(insert(LeagueRow), others)
        ids = list(connection.scalars(select(LeagueRow.id)))
        gone = datetime(2026, 1, 1, tzinfo=UTC)
        connection.execute(
            insert(GameRow),
            [
                {
                    **game,
                    "public_id": f"copy{number}",
                    "client_id": f"copy{number}",
                    "device": f"device{number % DEVICES}",
                    "deleted_at": gone if number % 1000 == 0 else None,
                    "home_table_id": None,
                }
                for number in range(GAMES)
            ],
        )
        games = connection.scalars(select(GameRow.id)).all()
        let_in = {"seat": None, "account_id": None, "since": gone, "revoked_at": None}
        connection.execute(
            insert(ScorerRow), [{**let_in, "game_id": game, "device": f"other{game % DEVICES}"} for game in games]
        )
        connection.execute(
            insert(LeagueEventRow), [{**line, "league_id": ids[number % len(ids)]} for number in range(LINES)]
        )
    with app.app_context(), db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))


def plans(asked: Asked) -> list[str]:
    """Return the database's query plan of each query in `asked` that reads a large table (one in `BIG`)."""
    told = []
    word = "EXPLAIN QUERY PLAN" if db.engine.dialect.name == "sqlite" else "EXPLAIN"
    with db.engine.connect() as connection:
        for statement, parameters in asked:
            if re.search(rf"\b({'|'.join(BIG)})\b", statement):
                rows = connection.exec_driver_sql(f"{word} {statement}", parameters)
                told.append("\n".join(str(row[-1]) for row in rows))
    return told


def whole_tables(plan: str) -> list[str]:
    """Return the lines of a query plan that scan all rows of a large table (one in `BIG`)."""
    names = "|".join(BIG)
    walks = rf"Seq Scan on ({names})\b|^SCAN ({names})\b"
    return [line for line in plan.splitlines() if re.search(walks, line.strip())]


def test_no_page_scans_all_games(app: Flask, client: Phone, hall: Hall) -> None:
    """No page for a game, a league or a list of games reads a whole large table (one in `BIG`) without an index."""
    board = path_of(start(client))
    watch = board.replace("/games/", "/watch/")
    fill(app)
    pages = (
        "/",
        "/games/new",
        "/tv",
        board,
        watch,
        f"{board}/log",
        f"{board}/table",
        hall.league,
        f"{hall.league}/log",
    )
    with app.app_context():
        for path in pages:
            with listening() as asked:
                assert client.get(path).status_code == 200
            told = plans(asked)
            assert told or path == hall.league, path
            assert not [line for plan in told for line in whole_tables(plan)], path


def test_queries_use_their_indexes(app: Flask, client: Phone, hall: Hall) -> None:
    """For each of four pages or actions, at least one query uses the index that the test expects."""
    start(client)
    fill(app)
    named = {}
    with app.app_context():
        looks: dict[str, Callable[[], object]] = {
            "ix_game_device_game_updated_at": lambda: client.get("/"),
            "ix_scorer_device": lambda: client.get("/tv"),
            "ix_league_event_league_id_league_event_id": lambda: client.get(f"{hall.league}/log"),
            "ix_game_deleted_at": lambda: service.deleted(before=datetime(2026, 2, 1, tzinfo=UTC)),
        }
        for what, look in looks.items():
            with listening() as asked:
                look()
            db.session.rollback()
            named[what] = any(what in plan for plan in plans(asked))
    assert named == dict.fromkeys(named, True)
