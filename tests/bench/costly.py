"""Measure how long the slowest public pages take, for the largest possible games.

Run: python tests/bench/costly.py [EVENTS]

Makes games with EVENTS events of each kind that takes long (by default as many as a game may have), and prints the
median processor time of each page in milliseconds, without sending it. "cold" is the first request of a process that
hasn't read the game. A quiet machine makes each page in less than a second; the exit status is always 0.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from flask import Flask  # noqa: E402  the checkout comes first
from flask.testing import FlaskClient  # noqa: E402

from scorekeeper import create_app  # noqa: E402
from scorekeeper.accounts.devices import COOKIE  # noqa: E402
from scorekeeper.config import Settings  # noqa: E402
from scorekeeper.games.services.creation import open_game, seat_players  # noqa: E402
from scorekeeper.games.store import event_store  # noqa: E402
from scorekeeper.ops.boot import boot  # noqa: E402
from scorekeeper.rules import events as ev  # noqa: E402
from scorekeeper.rules.presets import PRESETS  # noqa: E402
from scorekeeper.rules.ruleset import with_options  # noqa: E402
from scorekeeper.rules.scoring import Hand  # noqa: E402
from scorekeeper.web.extensions import writing  # noqa: E402
from tests.bench.season import DEVICE, SECRET  # noqa: E402

TIMES = 5
TOOK: Mapping[str, int | None] = {"high": 0, "low": 0, "jack": 1, "game": 1}
HAND = Hand(0, 1, 4, (2, 2), TOOK, "H", calls=("pass", "pass", "pass", 4))
OTHER = HAND._replace(bid=2, calls=None)
REASON = "Points for a revoke in the hand before, as the whole table agreed"
RULES = with_options(PRESETS["setback-21"], {"target": 999})
FEWER = with_options(PRESETS["setback-21"], {"target": 998})
PAGES = (
    "/games/{0}",
    "/watch/{0}",
    "/watch/{0}/tv",
    "/watch/{0}/score.png",
    "/games/{0}/log",
    "/games/{0}/log.csv",
    "/games/{0}/log.json",
    "/games/{0}/race",
    "/games/{0}/sheet",
    "/games/{0}/record.json",
    "/games/{0}/kit.json",
)
OTHERS = ("/", "/tv", "/tv?games=" + "/" * 4000, "/games/new")


def kinds(count: int) -> dict[str, list[ev.Event]]:
    """Return the events of several large games, one for each kind of game that takes long, as a dict.

    The keys are descriptions of the kinds, and the values are lists of events. Each game has `count` events, without
    the event that starts the game.
    """
    one: ev.Event = ev.HandScored(HAND)
    half = count // 2
    calls: list[ev.Event] = [ev.CallMade(call) for call in HAND.calls or ()]
    adjusted: list[ev.Event] = [one, ev.ScoreAdjusted(0, 1, REASON)]
    auctioned: list[ev.Event] = [*calls, ev.BidTaken(0, 1, 4), one]
    first = [one] * half
    corrected: list[ev.Event] = [ev.HandCorrected(2, OTHER), ev.HandCorrected(2, HAND)]
    undone: list[ev.Event] = [ev.HandVoided(2), ev.HandRestored(2)]
    changed: list[ev.Event] = [ev.RulesChanged(FEWER), ev.RulesChanged(RULES)]
    reported: list[ev.Event] = [ev.HandReported(2 + at, OTHER) for at in range(half)]
    return {
        "hands": [one] * count,
        "adjusted after each": (adjusted * count)[:count],
        "auctioned": (auctioned * count)[:count],
        "hands, then corrections": first + (corrected * half)[:half],
        "hands, then rules": [one] * (count - 20) + changed * 10,
        "hands, then undo and redo": first + (undone * half)[:half],
        "hands, then reports": first + reported,
    }


def make(events: list[ev.Event], name: str) -> str:
    """Save a game with these events and return its public id.

    `name` is the id of the request that starts the game, so it must be different for each game.
    """
    with writing() as session:
        start = ev.GameStarted(RULES, seat_players(session, ("Ann", "Bob", "Cid", "Dee")), ((0, 2), (1, 3)), 3)
        row = open_game(session, (start, *events), owner=DEVICE, device=DEVICE, client_id=name, now=datetime.now(UTC))
        return row.public_id


def spent(phone: FlaskClient, path: str) -> float:
    """Return the processor time in milliseconds that a page takes."""
    begun = time.process_time()
    answer = phone.get(path)
    seconds = time.process_time() - begun
    assert answer.status_code in (200, 422), (path, answer.status)
    return seconds * 1000


def measure(app: Flask, phone: FlaskClient, count: int) -> float:
    """Print the processor time of each page in milliseconds, and return the longest. Each game has `count` events."""
    most = 0.0
    with app.app_context():
        games = {name: make(events, name) for name, events in kinds(count).items()}
    for path in OTHERS:
        took = statistics.median(spent(phone, path) for _ in range(TIMES))
        print(f"  {path[:40]:40} {took:7.0f} ms")
        most = max(most, took)
    for name, game in games.items():
        print(f"  {name}")
        event_store._games.clear()
        cold = spent(phone, f"/watch/{game}")
        print(f"    {'/watch, cold':36} {cold:7.0f} ms")
        for path in PAGES:
            took = statistics.median(spent(phone, path.format(game)) for _ in range(TIMES))
            most = max(most, took)
            print(f"    {path.format('…'):36} {took:7.0f} ms")
    wall = "/watch/tv?games=" + ",".join((list(games.values()) * 2)[:12])
    print(f"  the wall of {len(games)} games {statistics.median(spent(phone, wall) for _ in range(TIMES)):7.0f} ms")
    return most


def main(count: int) -> int:
    """Measure games with `count` events each, print the figures, and return 0."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            instance=Path(folder),
            database_url=f"sqlite:///{Path(folder).resolve()}/scorekeeper.db",
            secret_key="0" * 32,
            limits=False,
        )
        boot(settings)
        app = create_app(settings)
        phone = app.test_client()
        phone.set_cookie(COOKIE, SECRET)
        print(
            f"{count} events a game, Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()},"
        )
        print(f"load {os.getloadavg()[0]:.1f}")
        print(f"the costliest page takes {measure(app, phone, count - 1):.0f} ms")
    return 0


if __name__ == "__main__":
    event_store.MOST_EVENTS = max(event_store.MOST_EVENTS, *(int(word) for word in sys.argv[1:]), 0)
    raise SystemExit(main(int(sys.argv[1]) if len(sys.argv) > 1 else event_store.MOST_EVENTS))
