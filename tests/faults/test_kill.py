"""All processes of the server are killed with signal 9, while hands are saved and during the server's first start."""

from __future__ import annotations

import http.client
import os
import random
import secrets
import signal
import subprocess
import threading
import time
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper import create_app
from scorekeeper.config import from_environment
from scorekeeper.games.store import event_store
from scorekeeper.games.store.models import GameRow
from scorekeeper.rules.events import BidTaken, HandScored
from scorekeeper.rules.replay import replay
from scorekeeper.web.extensions import db
from tests.support import databases
from tests.support.server import command, environment, kill_group, running, start
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from pathlib import Path

    from scorekeeper.rules.game import Game
    from tests.support.server import Server

pytestmark = pytest.mark.slow


ROUNDS = 4
TOOK = {"high": 0, "low": 0, "jack": "none", "game": 1}
"""Winners of the points in each hand: Ann makes her bid of 2, so her side scores 2 and the other side 1."""


@dataclass
class Scorer:
    """A phone that saves one hand after another until the connection breaks."""

    phone: WirePhone
    game: str
    version: int = 1
    """Version of the game after the last form that the server acknowledged: the number of events in the game's log."""
    sent: dict[str, Any] = field(default_factory=dict)
    """Path and fields of the form that has no reply yet; empty if there is none."""
    acknowledged: int = 0
    """Number of forms saved since the server was started."""

    def write(self) -> None:
        """Keep sending a bid and then a hand until the connection breaks."""
        try:
            while True:
                self.sent = self.next_form()
                assert self.phone.post(**self.sent).status == 303
                self.sent = {}
                self.version += 1
                self.acknowledged += 1
        except (OSError, http.client.HTTPException):
            self.phone.close()

    def next_form(self) -> dict[str, Any]:
        """Return the path and the fields of the next form to send, in one dict.

        The form enters a bid or a hand, depending on the version of the game. The fields include a new request id.
        """
        fields = {"client_id": secrets.token_urlsafe(12), "version": self.version}
        if self.version % 2:
            return {"path": f"{self.game}/bid", "call": "0:2", **fields}
        seen = self.phone.look(self.game, self.version, TOOK)
        return {"path": f"{self.game}/hands", "mode": "points", "seen": seen, "sure": seen, **TOOK, **fields}


@pytest.mark.database
@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.long), "2"])
def test_no_acknowledged_hand_is_lost(tmp_path: Path, workers: str) -> None:
    moments = random.Random(workers)
    options = ("--workers", workers)
    server = start(command(tmp_path, *options))
    scorers = [begin(server), begin(server)]
    try:
        for _ in range(ROUNDS):
            threads = [threading.Thread(target=scorer.write) for scorer in scorers]
            for thread in threads:
                thread.start()
            wait_for_hands(scorers)
            time.sleep(moments.uniform(0, 0.25))
            os.killpg(server.process.pid, signal.SIGKILL)
            server.process.wait(timeout=60)
            for thread in threads:
                thread.join(timeout=120)
                assert not thread.is_alive()
            for scorer in scorers:
                look_at_the_log(tmp_path, scorer)

            server = start(command(tmp_path, *options))
            for scorer in scorers:
                send_again(server, scorer)
    finally:
        kill_group(server)
        for scorer in scorers:
            scorer.phone.close()


def begin(server: Server) -> Scorer:
    """Start a game with a target too high to reach, and return the phone that scores it."""
    phone = WirePhone(server.url)
    fields = {"rule-target": 999, "seating": "4p", "first_dealer": 3}
    return Scorer(phone, phone.start("setback-21", ("Ann", "Bob", "Cid", "Dee"), **fields))


def wait_for_hands(scorers: list[Scorer]) -> None:
    """Wait until each phone has saved six forms, which are bids or hands, since the server was started."""
    until = time.monotonic() + 120
    while any(scorer.acknowledged < 6 for scorer in scorers):
        assert time.monotonic() < until
        time.sleep(0.005)


def look_at_the_log(folder: Path, scorer: Scorer) -> None:
    """Check that a game's log has all acknowledged events, and at most one more.

    The form that got no reply may have added the extra event.
    """
    game = stored(folder, scorer.game)
    assert game.version - scorer.version in {0, 1}
    hands = (game.version - 1) // 2
    assert len(game.lines) == hands
    assert game.tally.totals == (2 * hands, hands)
    assert (game.open_bid is not None) == (game.version % 2 == 0)


def stored(folder: Path, path: str) -> Game:
    """Replay the event log of the game at `path`, and return the game.

    Check that the log has no gaps, and that the stored summary equals the replay.
    """
    app = create_app(from_environment(databases.variables_for(folder), instance=folder))
    with app.app_context():
        session = db.session()
        found = event_store.find(session, path.rpartition("/")[2])
        assert found is not None
        events = event_store.events_of(session, found)
        assert [logged.seq for logged in events] == list(range(1, found.version + 1))
        assert all(isinstance(e.event, HandScored if e.seq % 2 else BidTaken) for e in events[1:])
        game = replay(logged.event for logged in events)
        row = session.scalars(select(GameRow).where(GameRow.id == found.id)).one()
        assert {name: getattr(row, name) for name in event_store.summary_of(game)} == event_store.summary_of(game)
    with app.app_context():
        db.engine.dispose()
    return game


def send_again(server: Server, scorer: Scorer) -> None:
    """Send the form that got no reply again, as a phone does, and check that its hand or bid counts once."""
    scorer.phone.reach(server.url)
    scorer.acknowledged = 0
    if scorer.sent:
        assert scorer.phone.post(**scorer.sent).status == 303
        scorer.version += 1
    record = scorer.phone.get(f"{scorer.game}/record.json")
    assert record.body.count('"bidder"') == (scorer.version - 1) // 2


@pytest.mark.parametrize(
    ("file", "later"),
    [
        ("secret_key", 0),
        ("scorekeeper.db", 0),
        ("scorekeeper.db-wal", 0),
        ("scorekeeper.db-wal", 0.02),
    ],
)
def test_a_first_start_that_was_killed_can_be_tried_again(tmp_path: Path, file: str, later: float) -> None:
    folder = tmp_path / "new"
    process = subprocess.Popen(
        command(folder), env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    until = time.monotonic() + 120
    while not (reached := (folder / file).exists()) and time.monotonic() < until:
        time.sleep(0.0005)
    time.sleep(later)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=60)
    assert reached, "the start never came to where it was to be killed"

    with running(folder) as server, closing(WirePhone(server.url)) as phone:
        game = phone.start("setback-21", ("Ann", "Bob", "Cid", "Dee"), seating="4p")
        assert phone.get(game).status == 200
