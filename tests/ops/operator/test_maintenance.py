"""In maintenance mode nothing is saved, pages can be read, and saving resumes without a restart."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scorekeeper import create_app
from scorekeeper.cli.app import main
from scorekeeper.db.outages import SECONDS_REMEMBERED
from scorekeeper.web.extensions import db, turn_maintenance
from tests.conftest import settings_in
from tests.support import databases
from tests.support.game import contents, start
from tests.support.page import words
from tests.support.phone import Phone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask import Flask

    from tests.support.league import Hall

WHY = "We are moving to a new computer until 9 PM."


@pytest.fixture
def beside(app: Flask, tmp_path: Path) -> Iterator[Phone]:
    """Yield a phone of a second server that uses the same database."""
    other = create_app(settings_in(tmp_path))
    other.testing = True
    other.test_client_class = Phone
    phone = other.test_client()
    assert isinstance(phone, Phone)
    yield phone
    with other.app_context():
        db.engine.dispose()


def test_nothing_is_saved_until_the_operator_resumes(app: Flask, hall: Hall, operator: Phone) -> None:
    form = hall.phone.see(f"{hall.league}/people")
    paused = operator.submit(operator.see("/server"), "/server/maintenance", because=WHY)
    assert WHY in words(paused.one("p", role="status"))
    before = contents(app)
    page = hall.phone.submit(form, form.path, 503, names="Max")
    assert (page.h1, WHY in page.text) == ("Saving is paused", True)
    assert contents(app) == before
    assert hall.phone.see(hall.season).h1
    assert hall.phone.see("/clubs/fire-hall").h1 == "Fire Hall"
    operator.submit(operator.see("/server"), "/server/maintenance/end")
    hall.phone.submit(form, form.path, names="Max")
    assert "Max" in hall.phone.see(form.path).text


def test_a_phone_is_told_to_try_again(app: Flask, client: Phone) -> None:
    board = start(client)
    with app.app_context():
        turn_maintenance(because="")
    sent = dict(board.form(f"{board.path}/bid").values) | {"call": "0:2"}
    response = client.post(f"{board.path}/bid", data=sent)
    assert response.status_code == 503
    assert response.headers["Retry-After"]
    assert "The person who runs this server is working on it." in response.text


def test_another_server_on_the_same_database_obeys_within_a_second(app: Flask, client: Phone, beside: Phone) -> None:
    start(beside)
    with app.app_context():
        turn_maintenance(because=WHY)
    time.sleep(SECONDS_REMEMBERED)
    page = beside.see("/leagues")
    beside.submit(page, "/leagues", 503, name="Fire Hall")
    with app.app_context():
        turn_maintenance(because=None)
    time.sleep(SECONDS_REMEMBERED)
    beside.submit(page, "/leagues", name="Fire Hall")


def test_the_commands_pause_and_resume(
    app: Flask, client: Phone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in databases.variables_for(tmp_path).items():
        monkeypatch.setenv(name, value)

    def run(*told: str) -> str:
        done = CliRunner().invoke(main, ["maintenance", *told, "--instance", str(tmp_path)])
        assert done.exit_code == 0, done.output
        return done.output

    page = client.see("/leagues")
    assert run("state") == "Saving isn't paused.\n"
    run("on", "--because", WHY)
    assert run("state") == f"Saving is paused. {WHY}\n"
    assert WHY in client.submit(page, "/leagues", 503, name="Fire Hall").text
    for told in (["director", "add", "Max"], ["demo"]):
        done = CliRunner().invoke(main, [*told, "--instance", str(tmp_path)])
        assert (done.exit_code, "Saving is paused." in done.output) == (1, True), done.output
    run("off")
    time.sleep(SECONDS_REMEMBERED)
    client.submit(page, "/leagues", name="Fire Hall")


def test_a_signed_in_director_can_still_read(app: Flask, operator: Phone, new_phone: Callable[[], Phone]) -> None:
    with app.app_context():
        turn_maintenance(because="")
    assert operator.see("/account").h1 == "Your account"
    assert operator.see("/server").one("p", role="status") is not None
