"""The server publishes the public pages as files when a night closes, and when the desk asks for it."""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scorekeeper.cli import publish as command
from scorekeeper.cli.app import main
from scorekeeper.leagues.privacy.service import make_anonymous
from scorekeeper.leagues.publishing.files import Changed
from scorekeeper.ops import scheduler
from scorekeeper.ops.scheduler import NOT_SENT, PUBLISHING, publish_if_due
from scorekeeper.web.extensions import PAGES, SENDING, give_back, publication, take
from tests.leagues.publishing.conftest import FIRST, PEOPLE
from tests.support import databases

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from scorekeeper.web.extensions import Publication
    from tests.leagues.publishing.conftest import Club
    from tests.support.page import Page

SECOND = (PEOPLE, (9, 21))


@pytest.fixture
def site(club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder into which the server publishes, without pauses."""
    monkeypatch.setattr(scheduler, "PAUSE", timedelta())
    club.app.config["PUBLISH"] = (str(tmp_path / "site"), "--then", "touch ../sent")
    return tmp_path / "site"


def state(app: Flask) -> Publication:
    with app.app_context():
        found = publication()
    assert found is not None
    return found


def said(page: Page) -> list[str]:
    """Return what the desk says about publishing, and its button."""
    [form] = page.all("form", id="publication")
    return [" ".join("".join(each.itertext()).split()) for each in form if each.tag in {"p", "button"}]


def test_closing_a_night_publishes_its_results(club: Club, site: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The whole journey: the desk closes the night, another process writes the files, and the command sends them."""
    caplog.set_level(logging.INFO, "scorekeeper.publish")
    desk = f"/nights/{club.night(SECOND, close=False)}/desk"
    assert said(club.phone.see(desk)) == ["The public pages haven't been published yet.", "Publish"]
    assert state(club.app) == (None, None, None)
    closed = club.phone.submit(club.phone.see(desk), desk.replace("/desk", "/closing"))
    assert said(closed) == ["The public pages are being published. You don't have to wait for it."]
    assert not site.exists()
    publish_if_due(club.app)
    address = "clubs/fire-hall/seasons/1/nights/2"
    shown = [re.findall(r"<tbody>.*?</tbody>", text, re.DOTALL) for text in (
        (site / address / "index.html").read_text(), club.stranger.get(f"/{address}").text
    )]  # fmt: skip
    assert shown[0]
    assert shown[0] == shown[1]
    assert (site.parent / "sent").exists()
    assert "files, " in caplog.text
    assert [each.split(":")[0] for each in said(club.phone.see(desk))] == ["Last published", "Publish"]


def test_the_desk_says_what_failed_and_publishes_at_a_tap(
    club: Club, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a failure, the server waits before it tries again, but not for the button."""
    fails: list[str | None] = [SENDING, PAGES, None]
    monkeypatch.setattr(scheduler, "run_publish", lambda _app: fails.pop(0))
    desk = f"/nights/{club.night(SECOND)}/desk"
    for words in ("ready, but couldn't be sent", "couldn't be made"):
        publish_if_due(club.app)
        publish_if_due(club.app)
        due = state(club.app).due
        assert due is not None
        assert timedelta(minutes=9) < due - datetime.now(UTC) <= scheduler.TRY_AGAIN
        failed, never, button = said(club.phone.see(desk))
        assert words in failed
        assert (never, button) == ("The public pages haven't been published yet.", "Publish")
        club.phone.submit(club.phone.see(desk), desk.replace("/desk", "/publication"))
    publish_if_due(club.app)
    assert fails == []
    done = state(club.app)
    assert (done.due, done.failed, done.done is not None) == (None, None, True)


def test_one_process_publishes_at_a_time(club: Club, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A night that closes while another is being published is published after it."""
    runs: list[str] = []

    def run(app: Flask) -> None:
        runs.append("run")
        publish_if_due(app)  # as another process would at this moment
        if len(runs) == 1:
            club.night(FIRST)

    monkeypatch.setattr(scheduler, "run_publish", run)
    club.night(SECOND)
    publish_if_due(club.app)
    assert runs == ["run"]
    publish_if_due(club.app)
    publish_if_due(club.app)
    assert runs == ["run", "run"]
    assert state(club.app).due is None
    with club.app.app_context():
        assert take(name=PUBLISHING, lasts=timedelta(minutes=1))


def test_publishing_pauses_for_a_minute(club: Club, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Taps on Publish again and again don't make the server publish all the time."""
    runs: list[str] = []
    monkeypatch.setattr(scheduler, "run_publish", lambda _app: runs.append("run"))
    monkeypatch.setattr(scheduler, "PAUSE", timedelta(minutes=1))
    desk = f"/nights/{club.night(SECOND)}/desk"
    publish_if_due(club.app)
    club.phone.submit(club.phone.see(desk), desk.replace("/desk", "/publication"))
    publish_if_due(club.app)
    assert runs == ["run"]
    assert state(club.app).due is not None
    with club.app.app_context():
        give_back(name=PUBLISHING)  # as when the minute is over
    publish_if_due(club.app)
    assert runs == ["run", "run"]


def test_what_strangers_may_no_longer_see_is_published_too(club: Club, site: Path) -> None:
    """A name that was removed, and a league that is private again, don't stay on the web."""

    def asks(change: Callable[[], object]) -> bool:
        before = state(club.app).due
        change()
        return state(club.app).due != before

    def forget() -> None:
        with club.book() as people:
            make_anonymous(person=people[PEOPLE[0]], reason="Asked for", tap="t", device=club.device)

    assert asks(lambda: club.open(names="short"))
    assert asks(lambda: club.open(is_open=False))
    assert not asks(lambda: club.night(SECOND)), "a league that isn't public"
    assert not asks(lambda: club.open(slug="other", is_open=False))
    assert asks(club.open)
    assert asks(forget)


def test_only_directors_of_public_leagues_see_the_button(club: Club, site: Path) -> None:
    desk = f"/nights/{club.night(SECOND)}/desk"
    assert club.phone.see(desk).all("form", id="publication")
    club.open(is_open=False)
    assert not club.phone.see(desk).all("form", id="publication")
    club.open()
    club.app.config["PUBLISH"] = ()
    assert not club.phone.see(desk).all("form", id="publication")


@pytest.mark.parametrize(
    ("then", "status", "words"),
    [
        ("sh -c 'echo $PWD'", 0, ""),
        ("false", NOT_SENT, "false failed (status 1)."),
        ("no-such-program", NOT_SENT, "Can't run no-such-program: No such file or directory."),
        ("sleep 60", NOT_SENT, "sleep took more than 0.001 minutes and was stopped."),
        ("echo 'half", 2, "no closing quotation."),
    ],
)
def test_the_command_after_publishing(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: str, status: int, words: str
) -> None:
    monkeypatch.setattr(command, "LONGEST_MINUTES", 0.001)
    monkeypatch.setattr(command, "publish_clubs", lambda *_: Changed(1, 1, 0))
    (tmp_path / "site").mkdir()
    arguments = ["publish", str(tmp_path / "site"), "--instance", str(tmp_path), "--then", then]
    told = CliRunner().invoke(main, arguments, env=databases.variables_for(tmp_path))
    assert told.exit_code == status, told.output
    assert words in told.output


def test_the_last_league_that_is_no_longer_public_is_removed(club: Club, tmp_path: Path) -> None:
    site = tmp_path / "site"
    arguments = ["publish", str(site), "--instance", str(tmp_path)]
    assert CliRunner().invoke(main, arguments, env=databases.variables_for(tmp_path)).exit_code == 0
    assert (site / "clubs" / "fire-hall").exists()
    club.open(is_open=False)
    assert CliRunner().invoke(main, arguments, env=databases.variables_for(tmp_path)).exit_code == 0
    assert not (site / "clubs" / "fire-hall").exists()
    assert (site / "index.html").exists()
