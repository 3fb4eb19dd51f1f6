"""A newer version brings the database forward while an older server is open: the older one writes nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from scorekeeper.web.errors import OTHER_VERSION
from scorekeeper.web.extensions import db
from tests.support.game import contents, start

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

pytestmark = pytest.mark.database


def set_revision(app: Flask, revision: str) -> None:
    """Do what a migration does, as far as this version can tell."""
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})


def test_an_older_server_writes_nothing(app: Flask, client: Phone) -> None:
    board = start(client)
    with app.app_context(), db.engine.connect() as connection:
        ours = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    set_revision(app, "9999")
    before = contents(app)
    for _ in range(12):  # more than the driver takes to prepare a statement
        page = client.submit(board, f"{board.path}/bid", 503, call="0:3")
        assert page.h1 == OTHER_VERSION.heading
        assert "Nothing was saved" in page.text
        assert page.response.headers["Retry-After"]
    assert contents(app) == before
    assert client.see(board.path).h1 == board.h1, "looking goes on"
    assert "migrations: failed" in client.get("/readyz").text
    set_revision(app, ours)
    client.submit(board, f"{board.path}/bid", 303, call="0:3")
