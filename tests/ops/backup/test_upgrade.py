"""An older database is copied before it is upgraded, and the copy can be restored."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest
from click.testing import CliRunner
from msgspec import structs
from sqlalchemy import text

from scorekeeper.cli.app import main
from scorekeeper.db.data_folder import held
from scorekeeper.db.outages import newest_revision
from scorekeeper.ops.backup import schedule
from scorekeeper.ops.backup.schedule import backups_in
from scorekeeper.ops.boot import OPEN, boot
from scorekeeper.ops.inspection import BootError
from scorekeeper.ops.restore import restore, restore_dump
from scorekeeper.web.extensions import db
from tests.conftest import settings_in
from tests.ops.test_restore import close, score
from tests.support import databases
from tests.support.game import contents, totals
from tests.support.newer_version import newer_version
from tests.support.server import changed_by, command, kill_group, start

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

    from tests.support.phone import Phone


@pytest.fixture
def older(app: Flask, tmp_path: Path) -> Iterator[list[str]]:
    """Close the database of `app`, let the program be newer by one migration, and yield the ids of its games."""
    games = [score(app, hands) for hands in range(3)]
    close(app)
    with newer_version(tmp_path / "newer"):
        yield games


def revision_of(app: Flask) -> str:
    """Return the id of the last migration that was applied to the app's database."""
    with app.app_context(), db.engine.connect() as connection:
        return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one())


def copies_in(folder: Path) -> list[Path]:
    """Return the backups in `folder` that were made before an upgrade, sorted by name."""
    return sorted((folder / "backups").glob("before-upgrade-from-*"))


@pytest.mark.slow
@pytest.mark.database
def test_the_copy_is_the_score_book_as_it_was(app: Flask, older: list[str], client: Phone, tmp_path: Path) -> None:
    """Restoring the copy made before an upgrade brings back every row and total from before the upgrade.

    Hands entered after the upgrade aren't in the restored database.
    """
    behind = revision_of(app)
    close(app)
    said: list[str] = []
    boot(settings_in(tmp_path), tell=said.append)
    [copy] = copies_in(tmp_path)
    assert copy.name.startswith(f"before-upgrade-from-{behind}-")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert said == [f"The database was upgraded to this version. A copy from before is in {copy}"]
    assert revision_of(app) == newest_revision() != behind
    then = contents(app)
    assert [totals(client.see(f"/games/{game}")) for game in older] == [["0", "0"], ["3", "1"], ["6", "2"]]

    score(app, 2, older[0])
    score(app, 0)
    assert contents(app) != then
    close(app)
    put_back(copy, tmp_path)
    assert contents(app) == then
    assert [totals(client.see(f"/games/{game}")) for game in older] == [["0", "0"], ["3", "1"], ["6", "2"]]


def put_back(copy: Path, folder: Path) -> None:
    """Restore the backup `copy` to the database in `folder`, in the way that OPERATING.md describes."""
    if databases.on_postgresql():
        databases.drop_book(folder)
        databases.variables_for(folder)
        restore_dump(copy, settings_in(folder))
    else:
        restore(copy, folder / "scorekeeper.db", settings_in(folder))


@pytest.mark.database
def test_nothing_is_copied_where_there_is_nothing_to_bring_forward(app: Flask, tmp_path: Path) -> None:
    close(app)
    boot(settings_in(tmp_path))
    assert not (tmp_path / "backups").exists()
    if not databases.on_postgresql():
        boot(structs.replace(settings_in(tmp_path / "new"), secret_key=None))
        assert not (tmp_path / "new" / "backups").exists()


@pytest.mark.database
@pytest.mark.usefixtures("older")
def test_a_score_book_that_cannot_be_copied_stays_as_it_was(app: Flask, tmp_path: Path) -> None:
    behind = revision_of(app)
    close(app)
    (tmp_path / "backups").write_text("in the way")
    with pytest.raises(BootError, match="can't be used"):
        boot(settings_in(tmp_path))
    assert revision_of(app) == behind
    close(app)
    boot(settings_in(tmp_path), copy_first=False)
    assert revision_of(app) == newest_revision()


@pytest.mark.usefixtures("older")
@pytest.mark.parametrize("program", ["", "exit 1", "echo pg_dump: error: server version mismatch. >&2; exit 1"])
@pytest.mark.postgresql
def test_without_pg_dump_nothing_is_brought_forward(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    behind = revision_of(app)
    close(app)
    tools = tmp_path / "tools"
    tools.mkdir()
    if program:
        (tools / "pg_dump").write_text(f"#!/bin/sh\n{program}\n")
        (tools / "pg_dump").chmod(0o755)
    monkeypatch.setenv("PATH", str(tools))
    with pytest.raises(BootError, match="start once with --without-copy") as refused:
        boot(settings_in(tmp_path))
    assert ("version mismatch. Or" in str(refused.value)) == ("mismatch" in program)
    assert revision_of(app) == behind
    assert copies_in(tmp_path) == []
    assert not (tmp_path / "backups" / schedule.UPGRADE_PART).exists()


@pytest.mark.sqlite
@pytest.mark.usefixtures("older")
def test_copies_are_not_among_the_backups_that_make_room_for_newer_ones(tmp_path: Path) -> None:
    boot(settings_in(tmp_path))
    assert len(copies_in(tmp_path)) == 1
    assert backups_in(tmp_path / "backups") == []


@pytest.mark.slow
@pytest.mark.database
@pytest.mark.usefixtures("older")
@pytest.mark.parametrize("options", [(), ("--without-copy",)], ids=["with a copy", "without"])
def test_the_start_says_where_the_copy_is(tmp_path: Path, options: tuple[str, ...]) -> None:
    script = (
        "from pathlib import Path\n"
        "from scorekeeper.db import outages\n"
        "from scorekeeper.ops import boot\n"
        f"outages.PACKAGE = boot.PACKAGE = Path({str(tmp_path / 'newer')!r})\n"
    )
    server = start(command(tmp_path, *options), changed_by(script, tmp_path))
    try:
        assert urlopen(f"{server.url}/readyz").status == 200
        assert server.stop() == 0
    finally:
        kill_group(server)
    told = [line for line in server.said if "was upgraded to this version" in line]
    copies = copies_in(tmp_path)
    assert len(copies) == len(told) == (0 if options else 1)
    assert all(line.endswith(str(copy)) for line, copy in zip(told, copies, strict=True))


@pytest.mark.database
@pytest.mark.usefixtures("older")
def test_a_command_leaves_a_score_book_alone_that_an_older_server_has_open(app: Flask, tmp_path: Path) -> None:
    """While a server of the old version runs, commands of the new version don't upgrade its database.

    Even `director list` is refused until that server stops.
    """
    before = revision_of(app)
    close(app)
    words = ["director", "list", "--instance", str(tmp_path)]
    variables = databases.variables_for(tmp_path)
    with held(tmp_path / "serving", shared=True):
        refused = CliRunner().invoke(main, words, env=variables)
    assert refused.exit_code == 1
    assert refused.stderr == f"Error: {OPEN}\n"
    assert copies_in(tmp_path) == []
    assert revision_of(app) == before
    close(app)
    done = CliRunner().invoke(main, words, env=variables)
    assert (done.exit_code, done.stdout) == (0, "")
    (copy,) = copies_in(tmp_path)
    assert done.stderr.endswith(f"A copy from before is in {copy}\n")
    assert revision_of(app) != before


def test_the_password_of_postgresql_is_not_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pg_dump").write_text('#!/bin/sh\necho "$@" > "${0%/*}/words"; echo "$PGPASSWORD" > "${0%/*}/secret"\n')
    (tmp_path / "pg_dump").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    settings = structs.replace(
        settings_in(tmp_path), database_url="postgresql+psycopg://ann:hu%40sh@db.lan:5432/book?sslmode=require"
    )
    copy = schedule.copy_before_upgrade(settings, "0001")
    assert copy.parent == tmp_path / "backups"
    words = (tmp_path / "words").read_text()
    assert "--dbname=postgresql://ann@db.lan:5432/book?sslmode=require" in words
    assert "hu@sh" not in words
    assert "hu%40sh" not in words
    assert (tmp_path / "secret").read_text() == "hu@sh\n"
