"""`/healthz` and `/readyz` are correct and cheap, and reveal nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec import structs
from sqlalchemy import text

from scorekeeper import create_app
from scorekeeper.ops import health
from scorekeeper.web.extensions import db
from tests.conftest import settings_in

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from tests.support.phone import Phone

WELL = "database: ok\nmigrations: ok\ndisk: ok\n"


def test_all_is_well(client: Phone) -> None:
    for path, text_ in (("/healthz", "ok\n"), ("/readyz", WELL)):
        answer = client.get(path, headers={"Cookie": "scorekeeper=of-a-phone"})
        assert (answer.status_code, answer.text, answer.mimetype) == (200, text_, "text/plain")
        assert "Set-Cookie" not in answer.headers
        assert answer.headers["Cache-Control"] == "no-store"


def test_a_database_of_another_version(app: Flask, client: Phone) -> None:
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0000'"))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == (503, "database: ok\nmigrations: failed\ndisk: ok\n")
    assert client.get("/healthz").status_code == 200


def test_a_database_without_tables(app: Flask, client: Phone) -> None:
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(text("DROP TABLE alembic_version"))
    assert client.get("/readyz").text == "database: ok\nmigrations: failed\ndisk: ok\n"


@pytest.mark.parametrize(
    "url", ["sqlite:///{}/no/such/folder/book.db", "postgresql+psycopg://ann:hush@127.0.0.1:9/book"]
)
def test_a_database_that_is_away(tmp_path: Path, url: str) -> None:
    app = create_app(structs.replace(settings_in(tmp_path), database_url=url.format(tmp_path)))
    answer = app.test_client().get("/readyz")
    assert answer.status_code == 503
    assert answer.text.startswith("database: failed\nmigrations: failed\n")
    assert str(tmp_path) not in answer.text
    assert "hush" not in answer.text
    assert app.test_client().get("/healthz").status_code == 200


def test_a_disk_that_is_full(client: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "LEAST_FREE_BYTES", 2**62)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == (503, "database: ok\nmigrations: ok\ndisk: failed\n")


def test_a_folder_that_is_gone(app: Flask, tmp_path: Path) -> None:
    app.config["INSTANCE"] = tmp_path / "gone"
    assert app.test_client().get("/readyz").text.endswith("disk: failed\n")


def test_who_asks_often_keeps_nothing_busy(app: Flask, client: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[dict[str, bool]] = []
    real = health.look

    def noted() -> dict[str, bool]:
        looks.append(real())
        return looks[-1]

    monkeypatch.setattr(health, "look", noted)
    assert {client.get("/readyz").status_code for _ in range(20)} == {200}
    assert len(looks) <= 2, "at most one a second"
    health.looker_of(app).looked -= health.SECONDS_REMEMBERED
    client.get("/readyz")
    assert len(looks) in {2, 3}, "and then anew"


def test_a_database_that_keeps_us_waiting_holds_up_one_of_us(app: Flask, client: Phone) -> None:
    assert client.get("/readyz").status_code == 200
    looker = health.looker_of(app)
    looker.looked -= health.SECONDS_REMEMBERED
    with looker.lock:  # another thread looks
        assert client.get("/readyz").text == WELL


def test_nothing_is_left_in_the_folder(app: Flask, tmp_path: Path) -> None:
    before = {path.name for path in tmp_path.iterdir()}
    app.test_client().get("/readyz")
    assert {path.name for path in tmp_path.iterdir()} - {f"scorekeeper.db-{end}" for end in ("wal", "shm")} <= before
