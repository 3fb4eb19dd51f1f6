"""PostgreSQL is backed up, restored and tested like a SQLite file, and its password is never on a command line."""

from __future__ import annotations

import os
import stat
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from msgspec import structs
from sqlalchemy import make_url

from scorekeeper.cli.app import main
from scorekeeper.ops.backup import copying
from scorekeeper.ops.backup.copying import BackupError
from scorekeeper.ops.backup.schedule import DUMP, PASSED, Schedule, Turn, back_up, backups_in
from scorekeeper.ops.drill import SCRATCH, drill
from scorekeeper.ops.restore import restore_dump
from scorekeeper.web.extensions import db
from tests.conftest import settings_in
from tests.ops.test_restore import close, score
from tests.support import databases
from tests.support.game import contents, totals
from tests.support.server import running
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask import Flask
    from sqlalchemy import URL

    from tests.support.phone import Phone

pytestmark = [pytest.mark.database, pytest.mark.postgresql]

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def address(app: Flask) -> URL:
    """Return the URL of the database that `app` uses."""
    return make_url(app.config["SQLALCHEMY_DATABASE_URI"])


@pytest.fixture
def backup(app: Flask, address: URL, tmp_path: Path) -> Path:
    """Back up a closed database with one game of two hands, and return the path of the backup."""
    score(app, 2)
    close(app)
    return back_up(address, tmp_path / "backups")


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Path]:
    """Yield a data folder with an empty PostgreSQL database, and drop the database after the test."""
    folder = tmp_path / "other"
    databases.variables_for(folder)
    yield folder
    databases.drop_book(folder)


def put_back(backup: Path, folder: Path) -> None:
    """Replace the database of `folder` with a new one, and restore `backup` to it."""
    databases.drop_book(folder)
    databases.variables_for(folder)
    restore_dump(backup, settings_in(folder))


def tables_in(folder: Path) -> int:
    """Return the number of relations and functions in the public schema of the database of `folder`."""
    count = (
        "SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace)"
        " + (SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace)"
    )
    ((found,),) = databases.server().run(count, database=databases.name_for(folder))
    return int(found)


def scratch_databases() -> list[str]:
    """Return the names of the temporary databases that restore drills created on the server and didn't drop."""
    names = databases.server().run("SELECT datname FROM pg_database")
    return [name for (name,) in names if name.startswith(SCRATCH)]


def test_what_was_backed_up_comes_back(app: Flask, client: Phone, address: URL, tmp_path: Path) -> None:
    games = [score(app, hands) for hands in range(4)]
    then, shown = contents(app), [totals(client.see(f"/games/{game}")) for game in games]
    made = back_up(address, tmp_path / "backups", now=NOON)
    assert made.name == "scorekeeper-20260301T120000Z.dump"
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    assert stat.S_IMODE(made.parent.stat().st_mode) == 0o700
    assert sorted(path.name for path in made.parent.iterdir()) == ["lock", made.name]

    score(app, 1, games[0])
    assert contents(app) != then
    close(app)
    put_back(made, tmp_path)
    assert contents(app) == then
    assert [totals(client.see(f"/games/{game}")) for game in games] == shown
    score(app, 1, games[0])  # it can be written to


def test_the_newest_are_kept(address: URL, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "scorekeeper-20200101T000000Z.db").write_bytes(b"from before the move to PostgreSQL")
    made = [back_up(address, folder, keep=2, now=NOON + timedelta(hours=hour)) for hour in range(4)]
    assert backups_in(folder, DUMP) == made[2:]
    assert len(backups_in(folder)) == 1


def test_a_database_with_games_is_not_overwritten(app: Flask, backup: Path, tmp_path: Path) -> None:
    score(app, 1)
    then = contents(app)
    close(app)
    with pytest.raises(BackupError, match="isn't empty, and what is in it stays"):
        restore_dump(backup, settings_in(tmp_path))
    assert contents(app) == then


def tear(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 3 // 4])


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "gone": (lambda path: path.unlink(), "^There is no file "),
    "empty": (lambda path: path.write_bytes(b""), "isn't a backup of PostgreSQL"),
    "torn": (tear, "^pg_restore failed: "),
    "text": (lambda path: path.write_bytes(b"PGDMPAnn 12, Bob 9"), "^pg_restore failed: "),
}


@pytest.mark.parametrize("how", BAD)
def test_a_bad_file_is_refused(backup: Path, other: Path, how: str) -> None:
    spoil, why = BAD[how]
    spoil(backup)
    with pytest.raises(BackupError, match=why):
        restore_dump(backup, settings_in(other))
    assert tables_in(other) == 0


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            "DELETE FROM game_event WHERE seq = 2",
            r"is incomplete: Game \w+ is missing entry 2 of its log\.",
        ),
        (
            "UPDATE alembic_version SET version_num = '9999'",
            "was written by a version of Scorekeeper that this one doesn't know",
        ),
        ("DROP TABLE alembic_version", "isn't a backup of Scorekeeper"),
    ],
)
def test_a_dump_that_is_not_whole_or_not_ours_leaves_the_database_empty(
    app: Flask, address: URL, tmp_path: Path, other: Path, change: str, why: str
) -> None:
    score(app, 2)
    with app.app_context(), db.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE game_event DISABLE TRIGGER USER")
        connection.exec_driver_sql(change)
        connection.exec_driver_sql("ALTER TABLE game_event ENABLE TRIGGER USER")
    close(app)
    made = back_up(address, tmp_path / "backups")
    with pytest.raises(BackupError, match=why):
        restore_dump(made, settings_in(other))
    assert tables_in(other) == 0
    if "incomplete" in why:
        with pytest.raises(BackupError, match="is incomplete: Game"):
            drill(settings_in(tmp_path), tmp_path / "backups")
        assert restore_dump(made, settings_in(other), anyway=True).events == 2


def test_the_drill_leaves_nothing_behind(app: Flask, backup: Path, tmp_path: Path) -> None:
    score(app, 1)
    then = contents(app)
    left = f"{SCRATCH}{'0' * 16}"
    databases.server().run("CREATE DATABASE {}", left)  # by a drill that was killed
    done = drill(settings_in(tmp_path), backup.parent)
    assert (done.backup, done.found.games, done.found.events) == (backup, 1, 3)
    assert (backup.parent / PASSED).is_file()
    assert left not in scratch_databases()
    assert contents(app) == then


def test_a_user_who_may_not_make_databases_is_told_what_to_do(app: Flask, backup: Path, tmp_path: Path) -> None:
    name = databases.name_for(tmp_path)
    databases.server().run("CREATE ROLE {} LOGIN", f"drill_{name}")
    try:
        url = app.config["SQLALCHEMY_DATABASE_URI"].replace("postgres@", f"drill_{name}@")
        with pytest.raises(BackupError, match=f'ALTER ROLE "drill_{name}" CREATEDB'):
            drill(structs.replace(settings_in(tmp_path), database_url=url), backup.parent)
    finally:
        databases.server().run("DROP ROLE {}", f"drill_{name}")


def test_one_of_two_machines_makes_the_scheduled_backups(app: Flask, address: URL, tmp_path: Path) -> None:
    """Of two machines that share a database, only one makes the scheduled backups, in its own folder.

    If that machine stops, the other machine makes the backups.
    """
    score(app, 1)
    first, second = (Schedule(address, tmp_path / name, timedelta(hours=1), 9) for name in ("one", "two"))
    turns = Turn(address), Turn(address)
    for schedule, turn in zip((first, second, first, second), turns * 2, strict=True):
        schedule.look(None, turn)
    assert len(backups_in(tmp_path / "one", DUMP)) == 1
    assert not (tmp_path / "two").exists()
    turns[0].give_up()
    second.look(None, turns[1])
    assert len(backups_in(tmp_path / "two", DUMP)) == 1
    turns[1].give_up()


def test_the_turn_is_free_after_a_lost_connection_and_locks_no_table(app: Flask, address: URL) -> None:
    mine, yours = Turn(address), Turn(address)
    assert mine.is_mine()
    assert not yours.is_mine()
    with app.app_context(), db.engine.begin() as connection:
        connection.exec_driver_sql("SET LOCAL lock_timeout = '2s'")
        connection.exec_driver_sql("LOCK TABLE game IN ACCESS EXCLUSIVE MODE")
    databases.server().run(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks WHERE locktype = 'advisory' AND granted AND database ="
        f" (SELECT oid FROM pg_database WHERE datname = '{address.database}')"
    )
    assert yours.is_mine()
    with pytest.raises(BackupError, match="doesn't answer"):
        mine.is_mine()
    assert not mine.is_mine()
    yours.give_up()


def test_an_empty_database_is_not_backed_up(app: Flask, address: URL, tmp_path: Path) -> None:
    plan = Schedule(address, tmp_path / "backups", timedelta(hours=2), 2)
    assert plan.make_if_due(NOON) is None
    score(app, 0)
    assert plan.make_if_due(NOON) is not None


@pytest.mark.slow
def test_the_commands_and_the_server(tmp_path: Path) -> None:
    """A running server of two processes makes one backup, which `backup --drill` and `restore` can read."""
    with running(tmp_path, "--workers", "2", "--backup-every", "2") as server, closing(WirePhone(server.url)) as phone:
        phone.start("setback-21", ("Ann", "Bob", "Cid", "Dee"), seating="4p")
        until = time.monotonic() + 60
        while not backups_in(tmp_path / "backups", DUMP):
            assert time.monotonic() < until
            time.sleep(0.05)
        variables = databases.variables_for(tmp_path)
        drilled = CliRunner().invoke(main, ["backup", "--drill", "--instance", str(tmp_path)], env=variables)
        assert "1 games and 1 log entries, the last from" in drilled.stdout, drilled.stderr
    [made] = backups_in(tmp_path / "backups", DUMP)
    full = CliRunner().invoke(main, ["restore", str(made), "--instance", str(tmp_path)], env=variables)
    assert (full.exit_code, "isn't empty" in full.stderr) == (1, True)
    databases.drop_book(tmp_path)
    databases.variables_for(tmp_path)
    done = CliRunner().invoke(main, ["restore", str(made), "--instance", str(tmp_path)], env=variables)
    assert done.stdout == f"Restored from {made}: 1 games, 1 log entries.\n"
    databases.drop_book(tmp_path)


def test_no_password_is_on_a_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = '#!/bin/sh\nprintf "%s\\n" "$@" > "${0%/*}/words"\nprintf "%s" "$PGPASSWORD" > "${0%/*}/secret"\n'
    (tmp_path / "pg_restore").write_text(script)
    (tmp_path / "pg_restore").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    for url in ("postgresql+psycopg://ann:hu%40sh@db.lan/book", "postgresql://ann@db.lan/book?password=hu%40sh"):
        copying.load(tmp_path / "a.dump", make_url(url))
        words = (tmp_path / "words").read_text().splitlines()
        assert "--dbname=postgresql://ann@db.lan/book" in words
        assert (tmp_path / "secret").read_text() == "hu@sh"


def test_an_error_of_a_program_is_one_sentence(tmp_path: Path) -> None:
    url = make_url(f"postgresql://ann:hush@/book?host={tmp_path}")
    with pytest.raises(
        BackupError, match=r"^pg_dump failed: connection to server on socket .* failed: No such file"
    ) as said:
        back_up(url, tmp_path / "backups")
    assert "hush" not in str(said.value)
    assert "\n" not in str(said.value)
    assert [path.name for path in (tmp_path / "backups").iterdir()] == ["lock"]


def test_the_password_of_a_key_never_stands_on_a_command_line() -> None:
    """A backup is refused if the database URL contains the password of a TLS key.

    No environment variable can pass that password to `pg_dump`.
    """
    url = make_url("postgresql+psycopg://ann@db.example/book?sslmode=verify-full&sslkey=/k&sslpassword=hush")
    with pytest.raises(BackupError, match="sslpassword") as refused:
        copying.without_password(url)
    assert "hush" not in str(refused.value)
