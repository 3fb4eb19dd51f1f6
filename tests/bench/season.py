"""Compare the pages of a whole season with plain SQL: the standings, a player's page, and closing a night.

Run: python tests/bench/season.py [NIGHTS [TABLES]]

The season has 36 nights of 20 tables, with 4 games of 12 hands each: about 35,000 hands. The last night is open. Prints
the median of 15 requests in milliseconds of processor time, with the database in the same process. "bare" is the driver
fetching the same rows without decoding them. "first" is a page in a new process, "after a change" a page after a change
in the league, and "again" a page without a change. The exit status is 1 if any of them takes more than three times as
long as the plain SQL, or if closing the night takes more than two seconds.
"""

from __future__ import annotations

import hashlib
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from flask import Flask  # noqa: E402  the checkout must be on the path first
from flask.testing import FlaskClient  # noqa: E402
from sqlalchemy import event  # noqa: E402

from scorekeeper import create_app  # noqa: E402
from scorekeeper.accounts.devices import COOKIE  # noqa: E402
from scorekeeper.config import Settings  # noqa: E402
from scorekeeper.leagues.nights import closing  # noqa: E402
from scorekeeper.leagues.people import service  # noqa: E402
from scorekeeper.leagues.people.service import PersonData  # noqa: E402
from scorekeeper.leagues.standings import standings_cache  # noqa: E402
from scorekeeper.ops.boot import boot  # noqa: E402
from scorekeeper.web.extensions import db  # noqa: E402
from tests.bench.season_rows import fill  # noqa: E402
from tests.support.phone import device_word  # noqa: E402

TIMES = 15
SECRET = device_word("laptop of the director")
DEVICE = hashlib.sha256(SECRET.encode()).hexdigest()

SEASON_ROWS = (
    "SELECT n.number, t.round, t.number, t.id, t.points, t.winner, t.sets, t.hands FROM league_table t"
    " JOIN night n ON n.id = t.night_id JOIN season s ON s.id = n.season_id WHERE s.public_id = '{season}'",
    "SELECT e.table_id, e.person_id, e.sub_for FROM league_seat e JOIN league_table t ON t.id = e.table_id"
    " JOIN night n ON n.id = t.night_id JOIN season s ON s.id = n.season_id WHERE s.public_id = '{season}'"
    " ORDER BY e.table_id, e.seat",
)
PERSON_ROWS = (
    "SELECT t.id, g.public_id, g.totals FROM league_table t JOIN game g ON g.id = t.game_id"
    " JOIN league_seat e ON e.table_id = t.id JOIN person p ON p.id = e.person_id WHERE p.public_id = '{person}'",
    "SELECT h.table_id, n.number, h.number, e.seat, h.dealer, h.bidder, h.bid, h.made, h.bidding, h.delta"
    " FROM league_hand h JOIN league_table t ON t.id = h.table_id JOIN league_seat e ON e.table_id = t.id"
    " JOIN night n ON n.id = t.night_id JOIN person p ON p.id = e.person_id WHERE p.public_id = '{person}'",
)


def main(nights: int, tables: int) -> int:
    """Measure a season of this size and print the figures. Return 1 if a figure is too high, else 0."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        settings = Settings(instance=path, database_url=f"sqlite:///{path / 'bench.db'}", secret_key="0" * 32)
        boot(settings)
        app = create_app(settings)
        with app.app_context():
            start = time.perf_counter()
            _league, season, night = fill(DEVICE, nights, tables)
            (hands,) = rows("SELECT count(*) FROM league_hand")[0]
            print(f"{nights} nights of {tables} tables: {hands} hands saved ({time.perf_counter() - start:.0f} s)")
            (person,) = rows("SELECT public_id FROM person ORDER BY id LIMIT 1")[0]
        too_slow = measure(app, "standings", f"/seasons/{season}", [sql.format(season=season) for sql in SEASON_ROWS])
        # A player's rank depends on all games of the season, so their rows count for that page too.
        own = [sql.format(season=season, person=person) for sql in (*SEASON_ROWS, *PERSON_ROWS)]
        too_slow |= measure(app, "player", f"/people/{person}", own)
        with app.app_context():
            start = time.process_time()
            missing = closing.close_night(night=night, device=DEVICE, anyway=True)
            closed_in = time.process_time() - start
        print(f"closing a night of {4 * tables} games: {closed_in:.2f} s, {len(missing)} without a result")
        print("standings of the closed season:")
        too_slow |= measure(app, "standings", f"/seasons/{season}", [sql.format(season=season) for sql in SEASON_ROWS])
        return int(too_slow or closed_in > 2)


def measure(app: Flask, name: str, path: str, queries: list[str]) -> bool:
    """Print the times of the page at `path` and of the plain SQL `queries`. Return True if the page is too slow.

    `name` is the name of the page in the output. The page and the queries are measured in turn, so that other load on
    the machine slows down both.
    """
    phone = app.test_client()
    phone.set_cookie(COOKIE, SECRET)
    look(phone, path)

    def bare() -> None:
        with app.app_context():
            for sql in queries:
                rows(sql)

    def looked() -> None:
        look(phone, path)

    ways: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "bare": (lambda: None, bare),
        "first": (standings_cache.forget, looked),
        "after a change": (lambda: happened(app), looked),
        "again": (lambda: None, looked),
    }
    times: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(TIMES):
        for way, (before, act) in ways.items():
            before()
            times[way].append(spent(act))
    took = {way: statistics.median(told) for way, told in times.items()}
    with app.app_context():
        found = sum(len(rows(sql)) for sql in queries)
    print(f"{name}: bare {took['bare']:.1f} ms for {found} rows")
    for way, fresh in (("first", True), ("after a change", True), ("again", False)):
        share, count = took[way] / took["bare"], asked(app, phone, path, fresh=fresh)
        print(f"    {way}: {took[way]:.1f} ms, {share:.1f} times, {count} queries")
    return max(took.values()) > 3 * took["bare"]


def happened(app: Flask) -> None:
    """Change something in the league that doesn't affect any score."""
    with app.app_context():
        (league,) = rows("SELECT public_id FROM league")[0]
        service.add_people(league=str(league), people=[PersonData(name=f"Guest {time.time_ns()}")], device=DEVICE)


def rows(sql: str) -> list[tuple[object, ...]]:
    """Return the rows of an SQL query directly from the database driver, without SQLAlchemy."""
    cursor = db.session.connection().connection.cursor()
    return list(cursor.execute(sql).fetchall())


def look(phone: FlaskClient, path: str) -> None:
    """Request the page at `path` and read all of it."""
    response = phone.get(path)
    assert response.status_code == 200, response.status
    assert response.data


def spent(act: Callable[[], object]) -> float:
    """Call `act` and return the processor time that it took, in milliseconds."""
    start = time.process_time()
    act()
    return 1000 * (time.process_time() - start)


def asked(app: Flask, phone: FlaskClient, path: str, *, fresh: bool = False) -> int:
    """Return how many SQL queries a page makes. With `fresh`, the standings cache is emptied first."""
    seen: list[str] = []
    with app.app_context():
        engine = db.engine

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        seen.append(statement)

    if fresh:
        standings_cache.forget()
    event.listen(engine, "before_cursor_execute", note)
    look(phone, path)
    event.remove(engine, "before_cursor_execute", note)
    return sum(statement.lstrip().startswith("SELECT") for statement in seen)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    raise SystemExit(main(*(numbers + [36, 20][len(numbers) :])))
