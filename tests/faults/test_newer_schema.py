"""A newer version migrates the database while an older server runs, which must then stop writing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import text

from scorekeeper.config import PACKAGE
from scorekeeper.db.outages import known_revisions, newest_revision, oldest_writer
from scorekeeper.web.errors import OTHER_VERSION
from scorekeeper.web.extensions import db
from tests.support.game import contents, start
from tests.support.newer_version import newer_version

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from tests.support.phone import Phone

pytestmark = pytest.mark.database


def set_revision(app: Flask, revision: str, *, oldest: str) -> None:
    """Set the database's schema revision as a migration does.

    `oldest` is the revision of the oldest version of the app that may still write.
    """
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
        connection.execute(text("UPDATE installation SET oldest_writer = :oldest"), {"oldest": oldest})


def test_an_older_server_writes_nothing(app: Flask, client: Phone) -> None:
    board = start(client)
    with app.app_context(), db.engine.connect() as connection:
        ours = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    set_revision(app, "9999", oldest="9999")
    before = contents(app)
    for _ in range(12):  # more than the driver takes to prepare a statement
        page = client.submit(board, f"{board.path}/bid", 503, call="0:3")
        assert page.h1 == OTHER_VERSION.heading
        assert "Nothing was saved" in page.text
        assert page.response.headers["Retry-After"]
    assert contents(app) == before
    assert client.see(board.path).h1 == board.h1, "looking goes on"
    assert "migrations: failed" in client.get("/readyz").text
    set_revision(app, ours, oldest=ours)
    client.submit(board, f"{board.path}/bid", 303, call="0:3")


def test_an_older_server_writes_on_if_the_migration_only_added_to_the_tables(app: Flask, client: Phone) -> None:
    """After a migration that only added to the tables, a server with an older version may still write.

    If the database's schema is older than the schema that the server needs, the server refuses to write.
    """
    board = start(client)
    ours = newest_revision()
    assert ours is not None
    set_revision(app, "9999", oldest=ours)
    assert "migrations: ok" in client.get("/readyz").text
    client.submit(board, f"{board.path}/bid", 303, call="0:3")
    set_revision(app, "0000", oldest="0000")
    assert client.submit(client.see(board.path), f"{board.path}/bid/void", 503).h1 == OTHER_VERSION.heading


def test_the_names_of_the_migrations_say_what_alembic_says() -> None:
    scripts = ScriptDirectory(str(PACKAGE / "migrations"))
    assert newest_revision() == scripts.get_current_head()
    assert known_revisions() == {script.revision for script in scripts.walk_revisions()}


@pytest.mark.parametrize(("expands", "oldest"), [((True, True), 0), ((False, True), 1), ((True, False), 2)])
def test_the_oldest_program_that_may_write_is_known(tmp_path: Path, expands: tuple[bool, ...], oldest: int) -> None:
    """After migrations that only added to the tables, the version before these migrations may still write.

    `oldest` is the number of the newest added migration that does more than add, 0 if none does.
    """
    ours = newest_revision()
    assert ours is not None
    before = int(ours) if oldest else int(oldest_writer(ours))
    with newer_version(tmp_path, expands=expands) as revision:
        assert int(oldest_writer(revision)) == before + oldest
