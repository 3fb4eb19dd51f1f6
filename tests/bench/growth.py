"""Measure every page, and check its query plans, in a database with the leagues of many clubs.

Run: python tests/bench/growth.py [LEAGUES [GAMES]] [--sqlite]

The default is 1,000 leagues, 100,000 games and 1.2 million hands on PostgreSQL. First the pages are measured in a small
database: the world of the access tests, with every kind of row, and a season of closed nights. Then all its rows are
copied, with other ids, device names and secrets, until there are enough, and the same pages are measured again. Prints
the time and size of the copies, each page that takes longer than before, and each query whose plan reads a table of
more than 5,000 rows completely. The exit status is 1 if there is such a query.
"""

from __future__ import annotations

import hashlib
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from msgspec import structs

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from sqlalchemy import Engine, String, Table, UniqueConstraint, text  # noqa: E402  the checkout comes first

from scorekeeper import create_app  # noqa: E402
from scorekeeper.accounts import sessions  # noqa: E402
from scorekeeper.db.database import Base  # noqa: E402
from scorekeeper.leagues.transfer.archive import bring_in  # noqa: E402
from scorekeeper.ops.boot import boot  # noqa: E402
from scorekeeper.web.extensions import db  # noqa: E402
from tests.bench.season_rows import archive_of  # noqa: E402
from tests.conftest import settings_in  # noqa: E402
from tests.security.access.league import hashed  # noqa: E402
from tests.security.access.table import expected, lines  # noqa: E402
from tests.security.access.test_matrix import ROLES  # noqa: E402
from tests.security.access.test_plans import WALKS  # noqa: E402
from tests.security.access.test_reading_changes_nothing import paths  # noqa: E402
from tests.security.access.world import World, make_world  # noqa: E402
from tests.support import databases  # noqa: E402
from tests.support.plans import listening, walks  # noqa: E402
from tests.support.quick_passwords import quick_passwords  # noqa: E402

TIMES = 3
TABLES, ROUNDS = 5, 4
"""Numbers of tables and rounds of each closed night."""
OF_THE_WORLD = 3
"""Number of leagues in the small database: two of the access tests, and the one with the season."""
LARGE = 5_000
"""A query that reads all rows of a table is reported if the table has more rows than this."""
SLOWER = 1.3
NOTICEABLE = 3
"""Milliseconds by which a page must be slower to be reported."""
KEPT = {"kind", "state", "channel", "name"}
"""Indexed columns whose values stay the same in all copies, because they say what kind of row it is."""
OWNED = {"device", "made_by"}
"""Columns that name the device that owns a row."""
PLAYERS = ("game", "players")
"""(table, column) of the only column in the database that holds a list of ids."""
SHIFTED = {
    "sqlite": "(SELECT json_group_array(value + n * {by}) FROM json_each({column}))",
    "postgresql": "(SELECT json_agg(value::integer + n * {by}) FROM json_array_elements_text({column}))",
}
"""By kind of database, the SQL expression for a game's list of player ids, changed to the ids of the copied players."""
SEASON = ("/leagues/bleague", "/leagues/bleague/log", "/seasons/bseason", "/people/bannA", "/nights/bnight1")

Page = tuple[str, str]
"""(role of the person who requests the page, path of the page)."""


def main(leagues: int, games: int) -> int:
    """Fill the database, measure all pages, and print the figures.

    Return 1 if a query reads a large table completely and isn't in `WALKS`, the list of queries that may, else 0.
    """
    sessions.FRESH = timedelta(days=1)
    with tempfile.TemporaryDirectory() as folder, quick_passwords():
        databases.variables_for(Path(folder))
        settings = structs.replace(settings_in(Path(folder)), limits=False)
        boot(settings)
        app = create_app(settings)
        app.config["SIGN_UP"] = True
        world = make_world(app)
        closed = max(1, games * OF_THE_WORLD // leagues // (TABLES * ROUNDS))
        with app.app_context():
            bring_in(archive_of(hashed("device"), closed, TABLES))
            engine = db.engine
        pages = list(pages_of(world))
        before = {page: milliseconds(world, page) for page in pages}
        began = time.perf_counter()
        copy_all(engine, max(0, leagues // OF_THE_WORLD - 1))
        print(f"filled in {time.perf_counter() - began:.0f} s: {size_of(engine)}")
        after = {page: milliseconds(world, page) for page in pages}
        compare(before, after)
        return int(bool(read_plans(world, engine, pages)))


def pages_of(world: World) -> Iterator[Page]:
    """Yield (role, path) for each page. The role is one that may see the page."""
    for line, (method, path, _endpoint, _thing) in zip(lines(), paths(world), strict=True):
        roles = [role for role, stands in ROLES.items() if not expected(line, role, line.of, stands).refused]
        if method == "GET" and roles:
            yield roles[-1], path
    for path in SEASON:
        yield "device", path


def milliseconds(world: World, page: Page) -> float:
    """Return how many milliseconds a page takes, as the shortest of several tries. The first request isn't measured.

    The shortest time is best because other programs can only make a request slower.
    """
    times = []
    for _ in range(TIMES + 1):
        began = time.perf_counter()
        world.ask(page[0], "GET", page[1]).close()
        times.append(1000 * (time.perf_counter() - began))
    return min(times[1:])


def copy_all(engine: Engine, copies: int) -> None:
    """Add `copies` copies of every row to the database. Ids, secrets and devices are different in each copy."""
    if engine.dialect.name == "sqlite":
        engine.dispose()
        with closing(sqlite3.connect(str(engine.url.database))) as file, file:
            file.create_function("md5", 1, md5)
            numbers = f"k(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM k WHERE n < {copies})"
            series = f"(WITH RECURSIVE {numbers} SELECT n FROM k)"
            last = {table.name: file.execute(newest(table)).fetchone()[0] for table in tables()}
            for table in tables():
                file.execute(copying(table, last, series, "sqlite"))
            file.execute("ANALYZE")
        return
    with engine.begin() as connection:
        connection.exec_driver_sql("SET LOCAL session_replication_role = replica")  # the keys are right
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        last = {table.name: connection.exec_driver_sql(newest(table)).scalar_one() for table in tables()}
        series = f"(SELECT generate_series(1, {copies}) AS n)"
        for table in tables():
            connection.exec_driver_sql(copying(table, last, series, "postgresql"))
            if "id" in table.columns:
                sequence = f"pg_get_serial_sequence('{table.name}', 'id')"
                connection.exec_driver_sql(
                    f"SELECT setval({sequence}, (SELECT coalesce(max(id), 1) FROM {table.name}))"
                )
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as alone:
        alone.exec_driver_sql("SET statement_timeout = 0")
        alone.exec_driver_sql("VACUUM ANALYZE")


def md5(word: str | None) -> str | None:
    """Return the MD5 hash of `word` in hexadecimal, like PostgreSQL's function `md5`. For None, return None."""
    return None if word is None else hashlib.md5(word.encode(), usedforsecurity=False).hexdigest()


def tables() -> list[Table]:
    """Return all database tables, each after the tables that it refers to."""
    return Base.metadata.sorted_tables


def newest(table: Table) -> str:
    """Return an SQL query for the highest id in a table.

    The result of the query is 0 if the table is empty or has no column `id`.
    """
    return f"SELECT coalesce(max({'id' if 'id' in table.columns else '0'}), 0) FROM {table.name}"


def copying(table: Table, last: dict[str, int], series: str, dialect: str) -> str:
    """Return the SQL statement that copies all rows of a table once for each number `n` that `series` yields.

    `series` is an SQL expression.

    `last` holds the highest id of each table before the copying, by the table's name.
    """
    renamed = texts_of_its_own(table)
    chosen = []
    for column in table.columns:
        refers = next((key.column.table.name for key in column.foreign_keys), table.name if column.name == "id" else "")
        if refers:
            chosen.append(f"{column.name} + n * {last[refers]}")
        elif (table.name, column.name) == PLAYERS:
            chosen.append(SHIFTED[dialect].format(column=column.name, by=last["player"]))
        elif column.name in renamed:
            length = getattr(column.type, "length", None) or 64
            chosen.append(f"substr(md5({column.name} || '-' || n), 1, {length})")
        else:
            chosen.append(f'"{column.name}"')
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    return f"INSERT INTO {table.name} ({names}) SELECT {', '.join(chosen)} FROM {table.name}, {series} AS copies"


def texts_of_its_own(table: Table) -> set[str]:
    """Return the names of the text columns whose values must differ in each copy: secrets, public ids and devices."""
    keys = [list(key.columns) for key in table.constraints if isinstance(key, UniqueConstraint)]
    keys += [list(index.columns) for index in table.indexes]
    alone = [column for key in keys if not any(column.foreign_keys for column in key) for column in key]
    return {column.name for column in alone if isinstance(column.type, String) and column.name not in KEPT} | OWNED


def size_of(engine: Engine) -> str:
    """Return a line of text with the number of leagues, games, hands and log entries, and the database size in MB."""
    with engine.connect() as connection:
        leagues, games, hands, events = connection.execute(
            text(
                "SELECT (SELECT count(*) FROM league), (SELECT count(*) FROM game), (SELECT sum(hands) FROM game), "
                "(SELECT count(*) FROM game_event)"
            )
        ).one()
        is_file = engine.dialect.name == "sqlite"
        size = (
            "page_count * page_size FROM pragma_page_count, pragma_page_size"
            if is_file
            else "pg_database_size(current_database())"
        )
        found = connection.exec_driver_sql(f"SELECT {size}").scalar_one()
    return f"{leagues:,} leagues, {games:,} games, {hands:,} hands, {events:,} log entries, {found / 1e6:,.0f} MB"


def compare(before: dict[Page, float], after: dict[Page, float]) -> None:
    """Print how long the pages took before and after the copying, and which pages became slower."""
    print(
        f"{len(after)} pages: median {statistics.median(before.values()):.1f} ms alone, "
        f"{statistics.median(after.values()):.1f} ms among all others; slowest {max(after.values()):.0f} ms"
    )
    for page, took in sorted(after.items(), key=lambda item: -item[1]):
        if took > SLOWER * before[page] and took - before[page] > NOTICEABLE:
            print(f"  slower: {page[1]} {before[page]:.1f} -> {took:.1f} ms")
    for path in SEASON:
        print(f"  {path} {before['device', path]:.1f} -> {after['device', path]:.1f} ms")


def read_plans(world: World, engine: Engine, pages: list[Page]) -> int:
    """Print each query that reads a large table completely, except for the queries in `WALKS`, which may do so.

    Return the number of printed queries.
    """
    with engine.connect() as connection:
        count = {
            table.name: connection.execute(text(f"SELECT count(*) FROM {table.name}")).scalar_one()
            for table in tables()
        }
    large = {name for name, rows in count.items() if rows > LARGE}
    told: set[str] = set()
    bad = known = 0
    for page in pages:
        with listening(engine) as asked:
            world.ask(page[0], "GET", page[1]).close()
        with engine.connect() as connection:
            for statement, parameters in asked.items():
                if statement in told:
                    continue
                told.add(statement)
                found = [walk for walk in walks(connection, statement, parameters) if large & set(walk.split())]
                if found and any(part in statement for part in WALKS):
                    known += 1
                elif found:
                    bad += 1
                    print(f"  walks: {page[1]}: {', '.join(found)}\n    {' '.join(statement.split())[:600]}")
            connection.rollback()
    print(
        f"{len(told)} queries, {bad} of them walk through a table of more than {LARGE:,} rows, and {known} known ones"
    )
    return bad


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    with databases.chosen("sqlite" if "--sqlite" in sys.argv else "postgresql"):
        raise SystemExit(main(*(numbers + [1000, 100_000][len(numbers) :])))
