"""Games started offline are sent while the server is killed and replies are lost, and each is saved once."""

from __future__ import annotations

import http.client
import json
import os
import random
import secrets
import signal
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper import create_app
from scorekeeper.config import from_environment
from scorekeeper.db.tokens import ALPHABET, ID_LENGTH
from scorekeeper.games.store.models import EventRow, GameRow
from scorekeeper.web.extensions import db
from tests.support import databases
from tests.support.server import command, kill_group, start
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.database]

GAMES = 8
KILLS = 2
LOST = 0.3
"""Share of replies that the phone never sees."""
POINTS = ("high", "low", "jack", "game")
TURNED = 3
"""Number of the hand, from 1, that is undone and played again with another result."""


@dataclass
class Evening:
    """A phone that played several games offline. `waiting` has the games that the phone still has to send."""

    phone: WirePhone
    chance: random.Random
    waiting: list[dict[str, Any]] = field(default_factory=list)
    totals: dict[str, list[int]] = field(default_factory=dict)
    """Maps the public id of each game to the totals of both sides that the server should calculate."""

    def play(self) -> None:
        """Play one game offline: five hands, of which one is undone and played again."""
        game = "".join(self.chance.choice(ALPHABET) for _ in range(ID_LENGTH))
        hands = [self.change(number) for number in range(1, TURNED + 1)]
        undone = {"id": secrets.token_urlsafe(12), "kind": "undo", "number": TURNED, "of": hands[-1]["id"]}
        again = [self.change(number) for number in range(TURNED, 6)]
        record = {
            "format": "scorekeeper-game/1",
            "ruleset": {"preset": "setback-21", "options": {"target": 999}},
            "players": ["Ann", "Bob", "Cid", "Dee"],
            "sides": [[0, 2], [1, 3]],
            "first_dealer": 3,
        }
        begun = {"id": secrets.token_urlsafe(12), "at": int(time.time() * 1000), "record": record}
        sent = {"game": game, "version": 1, "start": begun, "hands": [*hands, undone, *again]}
        self.waiting.append(sent)
        counted = [*hands[:-1], *again]
        took = [[*hand["hand"]["points"].values()] for hand in counted]
        self.totals[game] = [sum(owners.count(side) for owners in took) for side in (0, 1)]

    def change(self, number: int) -> dict[str, Any]:
        """Return a random hand as a phone sends it from its outbox. `number` is the number of the hand.

        In this hand, the bidder bids 2 and makes the bid.
        """
        side = self.chance.randrange(2)
        owners = [side, side, self.chance.randrange(2), self.chance.randrange(2)]
        hand = {"dealer": (number + 2) % 4, "bidder": side, "bid": 2, "points": dict(zip(POINTS, owners, strict=True))}
        return {"id": secrets.token_urlsafe(12), "number": number, "hand": hand}

    def send(self) -> None:
        """Send all waiting games in order. Stop if the connection breaks.

        Each game is sent again until the phone gets a reply. Some replies are treated as lost.
        """
        try:
            while self.waiting:
                sent = self.waiting[0]
                token = json.loads(self.phone.ask("GET", "/games/token").body)["token"]
                headers = {"Content-Type": "application/json", "Accept": "application/json", "X-CSRFToken": token}
                answer = self.phone.ask("POST", f"/games/{sent['game']}/waiting", json.dumps(sent).encode(), headers)
                if answer.status == 503 or self.chance.random() < LOST:
                    continue
                assert answer.status == 200, answer.body
                told = json.loads(answer.body)
                assert told["saved"] == [each["id"] for each in sent["hands"]]
                assert told["state"]["totals"] == self.totals[sent["game"]]
                self.waiting.pop(0)
        except (OSError, http.client.HTTPException):
            self.phone.close()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_each_game_arrives_once(tmp_path: Path, workers: str) -> None:
    moments = random.Random(workers)
    options = ("--workers", workers)
    server = start(command(tmp_path, *options))
    with closing(WirePhone(server.url)) as phone:
        evening = Evening(phone, random.Random(f"evening {workers}"))
        phone.get("/games/new")
        for _game in range(GAMES):
            evening.play()
        try:
            for kills in range(KILLS + 1):
                phone.close()
                phone.reach(server.url)
                left = len(evening.waiting)
                sending = threading.Thread(target=evening.send)
                sending.start()
                if kills < KILLS:
                    wait_until_fewer(evening, left)
                    time.sleep(moments.uniform(0, 0.15))
                    os.killpg(server.process.pid, signal.SIGKILL)
                    server.process.wait(timeout=10)
                sending.join(timeout=120)
                assert not sending.is_alive()
                if kills < KILLS:
                    server = start(command(tmp_path, *options))
        finally:
            kill_group(server)
    assert evening.waiting == []
    assert arrived(tmp_path) == evening.totals


def wait_until_fewer(evening: Evening, left: int) -> None:
    """Wait until the phone has fewer than `left` games to send."""
    until = time.monotonic() + 60
    while len(evening.waiting) >= left and evening.waiting:
        assert time.monotonic() < until
        time.sleep(0.002)


def arrived(folder: Path) -> Mapping[str, Sequence[int]]:
    """Return the games in the database, as a mapping from public id to the totals of both sides.

    Check that each game has each hand once, and that all games have the same home table.
    """
    app = create_app(from_environment(databases.variables_for(folder), instance=folder))
    with app.app_context():
        session = db.session()
        games = session.scalars(select(GameRow)).all()
        assert len({game.home_table_id for game in games}) == 1
        assert {game.hands for game in games} == {5}
        for game in games:
            keys = session.scalars(select(EventRow.client_id).where(EventRow.game_id == game.id)).all()
            taps = [key.partition(".")[0] for key in keys if key]
            assert len(taps) == len(set(taps)) == 8, "the start, six hands and the undo"
        totals = {game.public_id: game.totals for game in games}
        assert len(totals) == len(games)
    with app.app_context():  # after the session gave its connection back
        db.engine.dispose()
    return totals
