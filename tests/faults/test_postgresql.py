"""What the app does if PostgreSQL is down, delays or aborts a write, or has a database that the app can't use."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING

import psycopg
import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError

from scorekeeper.db import postgresql
from scorekeeper.db.database import use_case
from scorekeeper.db.outages import MIGRATING
from scorekeeper.web.errors import OTHER_VERSION, PROBLEMS, READ_ONLY
from scorekeeper.web.extensions import db, writing
from tests.faults.test_boot import refused
from tests.support import databases
from tests.support.game import play, start, totals
from tests.support.postgresql import cluster
from tests.support.server import command, environment, kill_group
from tests.support.server import start as start_server
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask, Response

    from tests.support.page import Page
    from tests.support.phone import Phone

pytestmark = [pytest.mark.database, pytest.mark.postgresql]

FOUR = ("Ann", "Bob", "Cid", "Dee")


@pytest.fixture
def rows(app: Flask) -> Iterator[None]:
    """Make a database table `pair` that has two rows with 0 in the column `count`."""
    with app.app_context():
        with writing() as session:
            session.execute(text("CREATE TABLE pair (id INTEGER PRIMARY KEY, count INTEGER)"))
            session.execute(text("INSERT INTO pair VALUES (1, 0), (2, 0)"))
        yield


def test_a_server_that_was_restarted_is_found_again(tmp_path: Path) -> None:
    """While PostgreSQL is down, pages say that there is a problem, and changes are refused.

    After a restart of PostgreSQL, the game's page works and changes are saved again.
    """
    with cluster() as own:
        server = start_server(command(tmp_path, "--workers", "2"), environment(DATABASE_URL=own.url("postgres")))
        try:
            with closing(WirePhone(server.url)) as phone:
                game = phone.start("setback-21", FOUR, seating="4p", first_dealer=3)
                assert phone.bid(game, 1, 0, 2).status == 303
                own.stop()
                for _ in range(4):
                    away = phone.get(game)
                    assert away.status == 503
                    assert PROBLEMS[503].heading in away.body
                assert phone.bid(game, 2, 0, 2).status == 503
                own.start()
                for _ in range(8):
                    assert phone.get(game).status == 200
                assert phone.post(f"{game}/undos", version=2).status == 303
                own.stop()
                own.start()
                for _ in range(8):
                    assert phone.get(game).status == 200, "connections that were cut are noticed before they are used"
        finally:
            assert server.stop() == 0
            kill_group(server)


def test_a_start_waits_for_a_server_that_is_starting(tmp_path: Path) -> None:
    """When the app starts, it waits for a PostgreSQL server that is still starting, as after a power outage."""
    with cluster() as own:
        own.stop()
        env = environment(DATABASE_URL=own.url("postgres"))
        process = subprocess.Popen(command(tmp_path), env=env, stdout=subprocess.PIPE, text=True)
        with process:
            assert process.stdout is not None
            waiting = process.stdout.readline()
            assert "doesn't answer" in waiting
            assert waiting.endswith("Waiting up to 30 s for it.\n")
            own.start()
            assert any("On this machine" in line for line in iter(process.stdout.readline, ""))
            process.send_signal(signal.SIGTERM)
            process.stdout.read()
        assert process.returncode == 0


def test_no_answer_is_bare_while_it_dies_and_comes_back(tmp_path: Path) -> None:
    """While PostgreSQL is killed and restarted several times, each response is a complete page.

    The status of each response is 200 or 503.
    """
    answers: list[tuple[str, int, str, str]] = []
    over = threading.Event()

    def play_on(url: str, game: str, cookies: dict[str, str]) -> None:
        with closing(WirePhone(url)) as phone:
            phone.cookies = dict(cookies)
            while not over.is_set():
                for path in (game, "/", "/leagues", "/tv"):
                    phone.connection.request("GET", path, headers={"Cookie": _cookie(phone), "Accept-Language": "es"})
                    answer = phone.connection.getresponse()
                    body = answer.read().decode()
                    answers.append((path, answer.status, answer.headers.get("Retry-After", ""), body))

    with cluster() as own:
        log = tmp_path / "log"
        words = ["sh", "-c", f'exec "$0" "$@" 2>>{log}', *command(tmp_path, "--workers", "2")]
        server = start_server(words, environment(DATABASE_URL=own.url("postgres")))
        try:
            with closing(WirePhone(server.url)) as phone:
                game = phone.start("setback-21", FOUR, seating="4p", first_dealer=3)
            phones = [threading.Thread(target=play_on, args=(server.url, game, phone.cookies)) for _ in range(6)]
            for one in phones:
                one.start()
            for _ in range(6):
                time.sleep(1)
                assert own.process is not None
                os.killpg(own.process.pid, signal.SIGKILL)
                own.process.wait()
                time.sleep(0.5)
                own.start()
            time.sleep(1)
            over.set()
            for one in phones:
                one.join()
        finally:
            over.set()
            kill_group(server)
    assert {status for _, status, _, _ in answers} == {200, 503}
    for _, status, again, body in answers:
        assert (status == 503) is (again == "2"), body
        assert 'lang="es"' in body, body
        assert body.rstrip().endswith("</html>"), body
    said = log.read_text()
    assert "Traceback" not in said
    assert len(said.splitlines()) < len([1 for _, status, _, _ in answers if status == 503]) / 2 + 20


def _cookie(phone: WirePhone) -> str:
    return "; ".join(f"{name}={value}" for name, value in phone.cookies.items())


def test_a_page_that_was_made_is_sent_although_the_connection_died(app: Flask, client: Phone) -> None:
    with app.app_context():
        url = db.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> %s"
    dies = threading.Event()

    @app.after_request
    def die(response: Response) -> Response:
        if dies.is_set():
            with psycopg.connect(url, autocommit=True) as other:
                assert other.execute(cut, (other.info.backend_pid,)).fetchall()
        return response

    board = start(client)
    dies.set()
    assert client.see(board.path).text == board.text


def test_a_page_is_not_cut_short_by_the_connection_it_begins_with(app: Flask, client: Phone) -> None:
    """If a new connection to PostgreSQL breaks as soon as it is made, the response is a complete error page.

    The next request works.
    """
    board = start(client)

    def dies(connection: psycopg.Connection[tuple[object, ...]], _record: object) -> None:
        connection.close()

    with app.app_context():
        db.engine.dispose()
        event.listen(db.engine, "connect", dies, insert=True)
        page = client.see(board.path, status=503)
        event.remove(db.engine, "connect", dies)
    assert page.h1 == PROBLEMS[503].heading
    assert client.see(board.path).h1 == board.h1


def test_who_writes_waits_for_a_migration_and_then_refuses(app: Flask, client: Phone, tmp_path: Path) -> None:
    """While a newer version migrates the database, a change on an older server waits.

    After the migration, the older server refuses the change.
    """
    board = start(client)
    with app.app_context():
        url = db.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    pages: list[Page] = []
    with psycopg.connect(url) as newer:
        newer.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATING,))
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
        newer.execute("UPDATE installation SET oldest_writer = '9999'")
        late = threading.Thread(target=lambda: pages.append(client.submit(board, f"{board.path}/bid", 503, call="0:3")))
        late.start()
        waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        while not databases.server().run(waiting)[0][0]:
            time.sleep(0.01)
        assert not pages
    late.join()
    assert pages[0].h1 == OTHER_VERSION.heading


def test_connections_that_were_cut_off_are_made_anew(app: Flask, client: Phone) -> None:
    board = start(client)
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> %s"
    with app.app_context():
        url = db.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(url, autocommit=True) as other:
        assert other.execute(cut, (other.info.backend_pid,)).fetchall()
    assert totals(play(client, board, 0, 3, "AAAB")) == ["3", "1"]


def test_a_lock_that_is_not_given_back_is_not_waited_for_for_ever(
    app: Flask, client: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If another database session holds a lock too long, a phone that saves a bid gets an error.

    Games can still be viewed. After the lock is released, hands can be saved again.
    """
    board = start(client)
    monkeypatch.setattr(postgresql, "LOCK_WAIT_SECONDS", 1)
    with app.app_context():
        db.engine.dispose()
        url = db.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(url) as other:
        other.execute("SELECT * FROM game FOR UPDATE")
        page = client.submit(board, f"{board.path}/bid", 503, call="0:3")
        assert page.h1 == PROBLEMS[503].heading
        assert client.see(board.path).h1, "who only looks waits for nobody"
    assert totals(play(client, client.see(board.path), 0, 3, "AAAB")) == ["3", "1"]


def test_a_database_that_only_reads(app: Flask, client: Phone, tmp_path: Path) -> None:
    """With a read-only database, such as a standby, games can be viewed, but changes are refused with an error page."""
    board = start(client)
    words = "ALTER DATABASE {} SET default_transaction_read_only = "
    for state, status in (("on", 503), ("off", 303)):
        databases.server().run(words + state, databases.name_for(tmp_path))
        with app.app_context():
            db.engine.dispose()
        page = client.submit(client.see(board.path), f"{board.path}/bid", status, call="0:3")
        assert (page.h1 == READ_ONLY.heading) is (status == 503)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("lock_timeout", "10s"),
        ("statement_timeout", "30s"),
        ("idle_in_transaction_session_timeout", "1min"),
        ("transaction_isolation", "repeatable read"),
        ("application_name", "scorekeeper"),
    ],
)
def test_a_connection_is_told(app: Flask, setting: str, value: str) -> None:
    with app.app_context(), db.engine.connect() as connection:
        assert connection.exec_driver_sql(f"SHOW {setting}").scalar_one() == value


def test_the_character_that_it_does_not_know(client: Phone) -> None:
    """An address that contains the character NUL gets a 404, because PostgreSQL can't store that character."""
    board = start(client)
    for path in ("/games/%00", "/games/%00/log", f"{board.path}%00", "/watch/%00", "/score/%00"):
        assert client.get(path).status_code == 404


@pytest.mark.usefixtures("rows")
def test_two_that_wait_for_each_other_both_get_done(app: Flask) -> None:
    """If two transactions wait for each other's locks, both succeed.

    PostgreSQL aborts one of the two transactions, and the app repeats the aborted one.
    """
    both_hold_one = threading.Barrier(2)
    tries: list[int] = []

    @use_case
    def count(first: int, second: int) -> None:
        with writing() as session:
            tries.append(first)
            session.execute(text("UPDATE pair SET count = count + 1 WHERE id = :id"), {"id": first})
            if len(tries) <= 2:
                both_hold_one.wait(timeout=60)
            session.execute(text("UPDATE pair SET count = count + 1 WHERE id = :id"), {"id": second})

    def work(first: int, second: int) -> None:
        with app.app_context():
            count(first, second)

    threads = [threading.Thread(target=work, args=args) for args in ((1, 2), (2, 1))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert len(tries) == 3
    assert db.session.execute(text("SELECT count FROM pair ORDER BY id")).scalars().all() == [2, 2]


@pytest.mark.usefixtures("rows")
def test_what_is_no_meeting_is_not_tried_again(app: Flask) -> None:
    tries = []

    @use_case
    def cancel() -> None:
        with writing() as session:
            tries.append(1)
            session.execute(text("SET LOCAL statement_timeout = 20"))
            session.execute(text("SELECT pg_sleep(5)"))

    with pytest.raises(OperationalError, match="statement timeout"):
        cancel()
    assert tries == [1]


def test_servers_of_two_machines_start_at_once_on_one_new_database(tmp_path: Path) -> None:
    env = environment(**databases.variables_for(tmp_path), SECRET_KEY="a secret key that all the machines have")
    servers = []
    starts = [
        threading.Thread(target=lambda name=name: servers.append(start_server(command(tmp_path / name), env)))
        for name in ("one", "two", "three")
    ]
    for one in starts:
        one.start()
    for one in starts:
        one.join()
    try:
        assert len(servers) == 3
        assert [server.stop() for server in servers] == [0, 0, 0]
    finally:
        for server in servers:
            kill_group(server)
        databases.drop_book(tmp_path)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", "was written by a version of Scorekeeper that"),
        ("DROP TABLE alembic_version", "belongs to another program"),
    ],
)
def test_a_database_that_is_not_ours_is_refused(app: Flask, tmp_path: Path, statement: str, why: str) -> None:
    databases.server().run(statement, database=databases.name_for(tmp_path))
    assert why in refused(command(tmp_path / "new"), **databases.variables_for(tmp_path))


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_that_cannot_hold_every_name_is_refused(tmp_path: Path, encoding: str) -> None:
    """The server refuses to start if the database's encoding can't store every name.

    For example, `createdb` uses the encoding SQL_ASCII if PostgreSQL was set up without a language.
    """
    name = databases.name_for(tmp_path)
    words = f"CREATE DATABASE {{}} ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
    databases.server().run(words, name)
    said = refused(command(tmp_path / "new"), DATABASE_URL=databases.server().url(name))
    assert f"is encoded as {encoding} and can't store all names" in said
    databases.drop_book(tmp_path)


def test_the_migrations_make_what_the_models_say(tmp_path: Path) -> None:
    """The migrated tables match the models, and the database has all its triggers."""
    env = environment(**databases.variables_for(tmp_path))
    for word in ("upgrade", "check"):
        ended = subprocess.run(
            [sys.executable, "-m", "scorekeeper", "db", "--instance", str(tmp_path), word],
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
    found = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname"
    assert databases.server().run(found, database=databases.name_for(tmp_path)) == [
        ("account_event_no_update",),
        ("game_event_no_change",),
        ("game_note_no_change",),
        ("league_event_no_change",),
    ]
    databases.drop_book(tmp_path)
