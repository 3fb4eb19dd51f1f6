"""`scorekeeper check` finds what is wrong, says what to do, and changes nothing."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from msgspec import structs
from sqlalchemy import make_url, text

from scorekeeper.cli.app import main
from scorekeeper.config import Wifi
from scorekeeper.db.database import opened
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.transfer.archive import bring_in
from scorekeeper.leagues.transfer.demo import Season, demo_archive
from scorekeeper.ops import check as checking
from scorekeeper.ops.backup.copying import BackupError
from scorekeeper.ops.backup.schedule import back_up
from scorekeeper.ops.boot import boot
from scorekeeper.ops.check import Finding, Kind, configuration, findings, seen_from_outside
from scorekeeper.ops.inspection import BootError
from scorekeeper.ops.restore import restore
from scorekeeper.web.extensions import db, writing
from tests.conftest import settings_in
from tests.ops.test_restore import close, score
from tests.support import databases
from tests.support.newer_version import newer_version
from tests.support.server import running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from click.testing import Result
    from flask import Flask

    from scorekeeper.config import Settings


def check(*words: str, **variables: str) -> Result:
    """Run `scorekeeper check` with these options and environment variables."""
    ours = {"DATABASE_URL": None, "SECRET_KEY": None, "SCOREKEEPER_HOSTS": None, "SCOREKEEPER_PROXIES": None}
    return CliRunner().invoke(main, ["check", *words], env={**ours, **variables})


def said(settings: Settings, what: str, now: datetime | None = None) -> list[Finding]:
    """Return the findings of the check whose heading is `what`; the check uses `now` as the current time."""
    return [finding for finding in findings(settings, now) if finding.what == what]


def only(found: list[Finding], kind: Kind, words: str) -> None:
    """Fail unless `found` is a single finding of this `kind`, with a one-line text that contains `words`."""
    assert [finding.kind for finding in found] == [kind], found
    assert words in found[0].says
    assert "\n" not in found[0].says


@pytest.mark.database
def test_all_is_well(app: Flask, tmp_path: Path) -> None:
    score(app, 1)
    close(app)
    before = {path.name for path in tmp_path.iterdir()} - {"scorekeeper.db-wal", "scorekeeper.db-shm"}
    ended = check("--instance", str(tmp_path), **databases.variables_for(tmp_path))
    assert ended.exit_code == 0, ended.output
    assert "WRONG" not in ended.output
    assert {line.split()[1] for line in ended.output.splitlines()} >= {
        "configuration",
        "database",
        "migrations",
        "disk",
    }
    assert {path.name for path in tmp_path.iterdir()} - {"scorekeeper.db-wal", "scorekeeper.db-shm"} == before


def test_where_there_is_nothing_yet_nothing_is_made(tmp_path: Path) -> None:
    ended = check("--instance", str(tmp_path / "new"))
    assert ended.exit_code == 0, ended.output
    assert "will be made at the first start" in ended.output
    assert not (tmp_path / "new").exists()


def test_a_setting_that_cannot_be(tmp_path: Path) -> None:
    ended = check("--instance", str(tmp_path), DATABASE_URL="mysql://host/book")
    assert ended.exit_code == 1
    assert ended.output.startswith("WRONG   configuration  DATABASE_URL must begin with")
    assert len(ended.output.splitlines()) == 1


def test_a_key_that_others_can_read(app: Flask, tmp_path: Path) -> None:
    close(app)
    key = tmp_path / "secret_key"
    key.write_text("0123456789abcdef0123456789abcdef\n")
    key.chmod(0o644)
    settings = structs.replace(settings_in(tmp_path), limits=True)
    only(said(settings, "configuration"), Kind.WRONG, f"chmod 600 {key}")
    key.chmod(0o600)
    only(said(settings, "configuration"), Kind.WELL, "the data is in")


def test_a_key_that_can_be_guessed(app: Flask, tmp_path: Path) -> None:
    """A secret key that is easy to guess is reported if the app would use it.

    A good key in the environment replaces the key in the file, so then nothing is reported.
    """
    close(app)
    (tmp_path / "secret_key").write_text("setback\n")
    (tmp_path / "secret_key").chmod(0o600)
    settings = structs.replace(settings_in(tmp_path), limits=True, secret_key=None)
    only(said(settings, "configuration"), Kind.WRONG, "too easy to guess")
    only(
        said(structs.replace(settings, secret_key="0123456789abcdef" * 2), "configuration"), Kind.WELL, "the data is in"
    )


def test_settings_that_let_strangers_in(tmp_path: Path) -> None:
    settings = structs.replace(settings_in(tmp_path), limits=True)
    only(said(structs.replace(settings, limits=False), "configuration"), Kind.WRONG, "Unset SCOREKEEPER_LIMITS")
    far = said(structs.replace(settings, metrics=("0.0.0.0", 9464)), "configuration")
    assert [finding.kind for finding in far] == [Kind.ADVICE, Kind.WELL]
    only(said(structs.replace(settings, metrics=("127.0.0.1", 9464)), "configuration"), Kind.WELL, "the data is in")


@pytest.mark.sqlite
def test_a_wifi_password_on_the_internet(tmp_path: Path) -> None:
    """On a server with a name on the internet, anyone could read the Wi-Fi's password. It is never printed."""
    settings = structs.replace(settings_in(tmp_path), limits=True, wifi=Wifi("Hall", "jack of clubs"))
    only(said(settings, "configuration"), Kind.WELL, "the data is in")
    found = list(configuration(structs.replace(settings, hosts=frozenset({"cards.example.org"}))))
    assert ["SCOREKEEPER_WIFI_PASSWORD" in finding.says for finding in found] == [True, False]
    assert found[0].kind is Kind.ADVICE
    open_to_all = structs.replace(settings, hosts=frozenset({"cards.example.org"}), wifi=Wifi("Hall"))
    assert len(list(configuration(open_to_all))) == 1
    ended = check(
        *("--instance", str(tmp_path)),
        SCOREKEEPER_WIFI="Hall",
        SCOREKEEPER_WIFI_PASSWORD="jack of clubs",
        SCOREKEEPER_HOSTS="cards.example.org",
    )
    assert "SCOREKEEPER_WIFI_PASSWORD" in ended.output
    assert "jack of clubs" not in ended.output


@pytest.mark.parametrize(
    ("url", "overheard"),
    [
        ("sqlite:////data/book.db", False),
        ("postgresql+psycopg://me@localhost/book", False),
        ("postgresql+psycopg://me@/book?host=/run/postgresql", False),
        ("postgresql+psycopg://me@db.example/book", True),
        ("postgresql+psycopg://me@/book?host=db.example", True),
        ("postgresql+psycopg://me@db.example/book?sslmode=require", True),
        ("postgresql+psycopg://me@db.example/book?sslmode=verify-full", False),
    ],
)
def test_a_database_elsewhere_must_prove_who_it_is(tmp_path: Path, url: str, *, overheard: bool) -> None:
    found = configuration(structs.replace(settings_in(tmp_path), limits=True, database_url=url))
    assert ["sslmode=verify-full" in finding.says for finding in found] == ([True, False] if overheard else [False])


@pytest.mark.sqlite
def test_a_damaged_database(tmp_path: Path) -> None:
    (tmp_path / "scorekeeper.db").write_text("Ann 12, Bob 9\n" * 100)
    ended = check("--instance", str(tmp_path))
    assert ended.exit_code == 1
    assert "WRONG   database       " in ended.output
    assert "is damaged or isn't a database" in ended.output


@pytest.mark.sqlite
def test_a_score_book_that_was_there_and_is_gone(app: Flask, tmp_path: Path) -> None:
    close(app)
    (tmp_path / "secret_key").write_text("0123456789abcdef0123456789abcdef\n")
    only(said(settings_in(tmp_path), "database"), Kind.WELL, "answers")
    (tmp_path / "scorekeeper.db").unlink()
    only(said(settings_in(tmp_path), "database"), Kind.WRONG, "scorekeeper restore")


@pytest.mark.sqlite
def test_an_empty_file_beside_a_key(app: Flask, tmp_path: Path) -> None:
    """An empty database file is reported as wrong, because a real database file is never empty."""
    close(app)
    (tmp_path / "secret_key").write_text("0123456789abcdef0123456789abcdef\n")
    (tmp_path / "scorekeeper.db").write_bytes(b"")
    only(said(settings_in(tmp_path), "database"), Kind.WRONG, "scorekeeper restore")


@pytest.mark.sqlite
def test_a_database_that_others_can_read(app: Flask, tmp_path: Path) -> None:
    close(app)
    file = tmp_path / "scorekeeper.db"
    settings = structs.replace(settings_in(tmp_path), limits=True)
    file.chmod(0o644)
    tmp_path.chmod(0o755)
    only(said(settings, "configuration"), Kind.WRONG, f"chmod 600 {file}")
    tmp_path.chmod(0o700)
    only(said(settings, "configuration"), Kind.WELL, "the data is in")
    tmp_path.chmod(0o755)
    file.chmod(0o600)
    only(said(settings, "configuration"), Kind.WELL, "the data is in")


@pytest.mark.sqlite
@pytest.mark.parametrize("spot", ["game", "league", "account_event"])
def test_a_schema_that_is_damaged(app: Flask, tmp_path: Path, spot: str) -> None:
    """A database with a damaged schema is reported, and can't be backed up, restored or served.

    This works even though SQLite's error message quotes the damaged bytes, which aren't valid text.
    """
    close(app)
    file = tmp_path / "scorekeeper.db"
    whole = file.read_bytes()
    words = f"CREATE TABLE {spot} (".encode()
    assert words in whole
    file.write_bytes(whole.replace(words, words.replace(b"CREATE TABLE", b"CREATE TA\x9bLE")))
    only(said(settings_in(tmp_path), "database"), Kind.WRONG, "is damaged")
    with pytest.raises(BackupError, match="is damaged"):
        back_up(file, tmp_path / "backups")
    with pytest.raises(BackupError, match="is damaged"):
        restore(file, tmp_path / "new" / "scorekeeper.db", settings_in(tmp_path / "new"))
    with pytest.raises(BootError, match="is damaged"):
        boot(settings_in(tmp_path))


@pytest.mark.database
def test_the_logs_of_all_games_and_leagues(app: Flask, tmp_path: Path) -> None:
    first, second = score(app, 2), score(app, 1)
    with app.app_context():
        now = datetime.now(UTC) - timedelta(days=1)
        bring_in(demo_archive(now, seasons=(Season("Short", 2, "rotate", StandingSettings(), MoneySettings(), 0),)))
    close(app)
    only(said(settings_in(tmp_path), "logs"), Kind.WELL, "games can be replayed")
    spoiled = {
        f"Game {first} is missing entry 2 of its log.": (
            "game_event",
            "DELETE FROM game_event WHERE seq = 2 AND game_id = (SELECT id FROM game WHERE public_id = :first)",
        ),
        f"Game {second} can't be replayed: entry 1 of its log is damaged.": (
            "game_event",
            "UPDATE game_event SET data = '{}' "
            "WHERE seq = 1 AND game_id = (SELECT id FROM game WHERE public_id = :second)",
        ),
        "of the log of league": (
            "league_event",
            "UPDATE league_event SET data = '[]' WHERE id = (SELECT max(id) FROM league_event)",
        ),
        "lines in the log of its league.": (
            "league_event",
            "DELETE FROM league_event WHERE id = (SELECT max(id) FROM league_event WHERE kind = 'drawn')",
        ),
    }
    with app.app_context():
        for log, change in spoiled.values():
            given = {"first": first, "second": second}
            with writing() as session, opened(session, log):
                told = {name: given[name] for name in given if f":{name}" in change}
                assert session.execute(text(change), told).rowcount == 1  # type: ignore[attr-defined]
    close(app)
    found = said(settings_in(tmp_path), "logs")
    assert {finding.kind for finding in found} == {Kind.WRONG}
    for words, finding in zip(spoiled, found, strict=True):
        assert words in finding.says


@pytest.mark.database
@pytest.mark.parametrize("log", ["game_event", "game_note", "league_event", "account_event"])
def test_a_log_that_anybody_could_change(app: Flask, tmp_path: Path, log: str) -> None:
    with app.app_context(), db.engine.begin() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql(f"DROP TRIGGER {log}_no_update")
        else:
            connection.exec_driver_sql(f"ALTER TABLE {log} DISABLE TRIGGER USER")
    close(app)
    only(said(settings_in(tmp_path), "logs"), Kind.WRONG, f"The log {log} isn't guarded against changes")


@pytest.mark.database
def test_an_older_database(app: Flask, tmp_path: Path) -> None:
    close(app)
    with newer_version(tmp_path / "newer"):
        only(said(settings_in(tmp_path), "migrations"), Kind.WRONG, "Restart the server to upgrade it")


def test_a_disk_that_is_full(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    close(app)
    monkeypatch.setattr(checking, "LEAST_FREE_BYTES", 2**62)
    only(said(settings_in(tmp_path), "disk"), Kind.WRONG, "Make room")


@pytest.mark.sqlite
def test_backups(app: Flask, tmp_path: Path) -> None:
    close(app)
    only(said(settings_in(tmp_path), "backup"), Kind.ADVICE, "--backup-every 6")
    made = datetime.now(UTC)
    back_up(tmp_path / "scorekeeper.db", tmp_path / "backups", now=made)
    only(said(settings_in(tmp_path), "backup", made + timedelta(hours=47)), Kind.WELL, "the newest is from")
    only(said(settings_in(tmp_path), "backup", made + timedelta(hours=49)), Kind.ADVICE, "scorekeeper backup")


@pytest.mark.sqlite
def test_backups_dated_in_the_future_do_not_count(app: Flask, tmp_path: Path) -> None:
    """After the clock is set back, the check reports the newest backup that isn't dated in the future."""
    close(app)
    now = datetime.now(UTC)
    back_up(tmp_path / "scorekeeper.db", tmp_path / "backups", now=now + timedelta(days=300))
    only(said(settings_in(tmp_path), "backup", now), Kind.ADVICE, "dated in the future")
    old = now - timedelta(days=3)
    back_up(tmp_path / "scorekeeper.db", tmp_path / "backups", now=old)
    only(said(settings_in(tmp_path), "backup", now), Kind.ADVICE, f"The newest is from {old:%Y-%m-%d}.")


@pytest.mark.postgresql
def test_backups_of_postgresql(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Backups of PostgreSQL are checked like those of a SQLite file, and the installed `pg_dump` is checked too."""
    close(app)
    only(said(settings_in(tmp_path), "backup"), Kind.ADVICE, "--backup-every 6")
    made = datetime.now(UTC)
    back_up(make_url(settings_in(tmp_path).database_url), tmp_path / "backups", now=made)
    only(said(settings_in(tmp_path), "backup", made + timedelta(hours=47)), Kind.WELL, "the newest is from")
    only(said(settings_in(tmp_path), "backup", made + timedelta(hours=49)), Kind.ADVICE, "scorekeeper backup")
    for program in ("pg_dump", "pg_restore"):
        (tmp_path / program).write_text(f'#!/bin/sh\necho "{program} (PostgreSQL) 9.6.24"\n')
        (tmp_path / program).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "pg_dump is version 9, but PostgreSQL is " in said(settings_in(tmp_path), "backup")[-1].says
    (tmp_path / "pg_dump").unlink()
    assert said(settings_in(tmp_path), "backup")[-1].says.startswith("pg_dump isn't installed. Install the PostgreSQL")


@pytest.mark.database
def test_a_clock_that_was_set_back(app: Flask, tmp_path: Path) -> None:
    score(app, 1)
    close(app)
    now = datetime.now(UTC)
    only(said(settings_in(tmp_path), "clock", now), Kind.WELL, "UTC")
    only(said(settings_in(tmp_path), "clock", now - timedelta(minutes=2)), Kind.WRONG, "Set it")
    only(said(settings_in(tmp_path / "new"), "clock", datetime(1970, 1, 2, tzinfo=UTC)), Kind.WRONG, "1970-01-02")


@pytest.mark.parametrize(
    ("hosts", "proxies", "kind", "words"),
    [
        ({"cards.example.org"}, 1, Kind.WELL, "cards.example.org"),
        ({"cards.example.org"}, 0, Kind.WRONG, "SCOREKEEPER_PROXIES=1"),
        (set(), 1, Kind.ADVICE, "set SCOREKEEPER_HOSTS"),
        ({"hall.local"}, 1, Kind.ADVICE, "under house names only"),
        (set(), 0, Kind.ADVICE, "--lan --tls"),
    ],
)
def test_how_phones_come_in(tmp_path: Path, hosts: set[str], proxies: int, kind: Kind, words: str) -> None:
    settings = structs.replace(settings_in(tmp_path), hosts=frozenset(hosts), proxies=proxies)
    only(said(settings, "HTTPS"), kind, words)


def test_the_certificates_of_a_house(tmp_path: Path) -> None:
    from scorekeeper.server.certificates import issue

    now = datetime.now(UTC)
    issue(tmp_path / "tls", {"localhost"}, now)
    only(said(settings_in(tmp_path), "HTTPS", now), Kind.WELL, "phones trust this server until")
    only(said(settings_in(tmp_path), "HTTPS", now + timedelta(days=3600)), Kind.ADVICE, "trust a new certificate")
    (tmp_path / "tls" / "ca.crt").write_text("torn")
    only(said(settings_in(tmp_path), "HTTPS", now), Kind.WRONG, "is damaged")


def outside(url: str, now: datetime | None = None) -> tuple[Kind, str]:
    """Return the kind and the text of the last finding about the server at `url`."""
    finding = list(seen_from_outside(url, now))[-1]
    assert "\n" not in finding.says
    return finding.kind, finding.says


@contextmanager
def answering(status: int, body: str) -> Iterator[str]:
    """Yield the URL of a server that answers every GET request with this status and body."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (200, "<h1>Welcome to the router</h1>", "isn't Scorekeeper"),
        (400, "Unknown address", "SCOREKEEPER_HOSTS"),
        (502, "Bad gateway", "answers 502"),
        (503, "database: failed\nmigrations: failed\ndisk: ok\n", "(database: failed, migrations: failed, disk: ok)"),
    ],
)
def test_what_answers_badly(status: int, body: str, words: str) -> None:
    with answering(status, body) as url:
        kind, says = outside(url)
    assert kind is Kind.WRONG
    assert words in says


def test_a_name_without_encryption_and_a_clock_that_is_off() -> None:
    with answering(200, "database: ok\n") as url:
        assert outside(url)[0] is Kind.WELL
        kind, says = outside(url, datetime.now(UTC) + timedelta(minutes=3))
    assert (kind, "seconds apart" in says) == (Kind.WRONG, True)


@pytest.mark.parametrize("url", ["cards.example.org", "file:///etc/passwd", "https://"])
def test_what_is_no_address(url: str) -> None:
    kind, says = outside(url)
    assert (kind, "isn't an address" in says) == (Kind.WRONG, True)


@pytest.mark.slow
def test_a_running_score_book_is_asked(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        ended = check("--instance", str(tmp_path), "--url", server.url, **databases.variables_for(tmp_path))
    assert ended.exit_code == 0, ended.output
    assert f"ok      outside        {server.url} answers" in ended.output
    gone = check("--instance", str(tmp_path), "--url", server.url, **databases.variables_for(tmp_path))
    assert gone.exit_code == 1
    assert "Nothing answers at" in gone.output
