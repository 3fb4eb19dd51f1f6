"""Two machines with separate data folders share one PostgreSQL database, and each finds what the other stores."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from scorekeeper import create_app
from scorekeeper.leagues.transfer import archive, demo
from scorekeeper.leagues.transfer.league_file import TURN
from scorekeeper.ops import scheduler
from scorekeeper.web import rate_limit
from scorekeeper.web.extensions import db, give_back, take
from scorekeeper.web.rate_limit import CODE_BY_ADDRESS
from tests.conftest import settings_in
from tests.faults.test_boot import refused
from tests.support import databases
from tests.support.page import words
from tests.support.server import command, environment, kill_group, start

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

    from tests.support.phone import Phone

pytestmark = [pytest.mark.database, pytest.mark.postgresql]

KEY = "a secret key that both of the machines have"
ASKER = "192.0.2.1"


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Flask]:
    """Yield the app of a second machine, with the same database and secret key."""
    (tmp_path / "other").mkdir()
    made = create_app(structs.replace(settings_in(tmp_path / "other"), database_url=databases.url_for(tmp_path)))
    made.testing = True
    yield made
    with made.app_context():
        db.engine.dispose()


@pytest.mark.slow
def test_a_machine_with_another_key_is_refused(tmp_path: Path) -> None:
    """A machine whose secret key differs from the database's key refuses to start without `--new-key`.

    With that option, the machine's key becomes the new key of the database.
    """
    variables = databases.variables_for(tmp_path)
    try:
        for name, key, options in (("one", KEY, ()), ("two", KEY, ()), ("three", KEY[::-1], ("--new-key",))):
            server = start(command(tmp_path / name, *options), environment(**variables, SECRET_KEY=key))
            try:
                assert server.stop() == 0
            finally:
                kill_group(server)
            if name == "two":
                said = refused(command(tmp_path / "three"), **variables, SECRET_KEY=KEY[::-1])
                assert "had another secret key" in said
        assert "had another secret key" in refused(command(tmp_path / "four"), **variables), "it made one of its own"
    finally:
        databases.drop_book(tmp_path)


def test_one_machine_tidies(app: Flask, other: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """When old data is due for deletion, only one of two machines deletes the data.

    A machine may delete old data only while it has the lease for this job. If a machine ends its lease early, another
    machine may take the lease.
    """
    done: list[str] = []
    monkeypatch.setattr(scheduler, "tidy", lambda: done.append(scheduler.TURN))
    assert {scheduler.tidy_once(each) for each in (app, other, app, other)} == {scheduler.LOOK_EVERY}
    assert len(done) == 1
    with other.app_context():
        later = datetime.now(UTC) + scheduler.EVERY + timedelta(seconds=1)
        assert take(name=scheduler.TURN, lasts=scheduler.EVERY, now=later)
    with app.app_context():
        assert not take(name=scheduler.TURN, lasts=scheduler.EVERY, now=later)
        give_back(name=scheduler.TURN, now=later)
        assert take(name=scheduler.TURN, lasts=scheduler.EVERY, now=later)


def test_what_was_tried_on_one_machine_counts_on_the_other(app: Flask, other: Flask) -> None:
    for each in (app, other):
        each.config["LIMITS"] = True
        rate_limit.connect(each)
    waits = []
    for number in range(CODE_BY_ADDRESS.amount + 1):
        with (app, other)[number % 2].app_context():
            waits.append(rate_limit.count(CODE_BY_ADDRESS, ASKER))
    assert not any(waits[:-1])
    assert waits[-1] > 0


def test_a_league_file_sent_to_one_machine_is_found_by_the_other(app: Flask, client: Phone, other: Flask) -> None:
    """If a league file was uploaded on one machine, its preview can be opened on another machine.

    Only one league can be imported at a time on all machines together. `tests/leagues/transfer` tests the import
    itself.
    """
    packed = archive.pack(demo.demo_archive(datetime(2026, 9, 1, tzinfo=UTC)))
    found = client.submit(client.see("/leagues/import"), "/leagues/import", file=(io.BytesIO(packed), "league.zip"))
    client.application = other
    there = client.see(found.path)
    assert there.h1 == found.h1
    assert [words(row) for row in there.all("dl")] == [words(row) for row in found.all("dl")]
    with app.app_context():
        assert take(name=TURN, lasts=timedelta(minutes=1))
    assert "Another league is being imported" in client.submit(there, there.path, 422).text
