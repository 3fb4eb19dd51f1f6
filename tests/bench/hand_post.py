"""Measure how long saving a hand takes, compared to the fastest page that saves anything.

Run: python tests/bench/hand_post.py [TIMES]

One server with one worker, warm, serves the app and, beside it, two bare Flask routes that insert one row into a SQLite
file with the same settings: through Flask-SQLAlchemy, as the app does, and through `sqlite3` alone. One client requests
all in turn over one connection. Prints the medians and both ratios for the first ten hands of a game and for the
thirtieth; the exit status is 1 if a hand takes more than 2.5 times as long as the insert through Flask-SQLAlchemy.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.support.server import command, environment, kill_group, start  # noqa: E402  the checkout comes first
from tests.support.wire_phone import WirePhone  # noqa: E402

MOST = 2.5
WARM_UP = 40
LONG_GAME = 30
TOOK = {"high": 0, "low": 0, "jack": "none", "game": 1}


@dataclass
class Times:
    """The seconds that each POST took, for four kinds of POST.

    The kinds are an insert through Flask-SQLAlchemy, an insert through `sqlite3`, a bid, and a hand.
    """

    bare: list[float] = field(default_factory=list)
    plain: list[float] = field(default_factory=list)
    bids: list[float] = field(default_factory=list)
    saves: list[float] = field(default_factory=list)


SERVER = """
import sqlite3
import sys
from threading import local
import scorekeeper
from flask import Flask, request
from flask_sqlalchemy import SQLAlchemy
from msgspec.structs import replace
from scorekeeper.db.database import engine_options, set_up_engine
from scorekeeper.web import rate_limit

# Hands are counted as everywhere; games start here faster than in any hall.
rate_limit.NEW_GAMES = rate_limit.NEW_GAMES_BY_HOUR = replace(rate_limit.NEW_GAMES, amount=10**6)
plain = scorekeeper.register_pages

def with_bare_route(app):
    plain(app)
    url = app.config["SQLALCHEMY_DATABASE_URI"] + ".bare"
    bare = Flask("bare")
    bare.config["SQLALCHEMY_DATABASE_URI"] = url
    bare.config["SQLALCHEMY_ENGINE_OPTIONS"] = engine_options(url)
    db = SQLAlchemy(bare)

    class Row(db.Model):
        id = db.Column(db.Integer, primary_key=True)
        what = db.Column(db.String(200))

    with bare.app_context():
        set_up_engine(db.engine)
        db.create_all()
        db.engine.dispose()
        path = db.engine.url.database
    here = local()

    @bare.post("/bare")
    def insert_one():
        db.session.add(Row(what=request.form["what"]))
        db.session.commit()
        return "", 303, {"Location": "/bare"}

    @bare.post("/plain")
    def insert_plain():
        if not hasattr(here, "file"):
            here.file = sqlite3.connect(path)
            here.file.execute("PRAGMA synchronous = FULL")
        with here.file:
            here.file.execute("INSERT INTO row (what) VALUES (?)", (request.form["what"],))
        return "", 303, {"Location": "/plain"}

    book = app.wsgi_app
    app.wsgi_app = lambda env, start: (bare if env["PATH_INFO"] in ("/bare", "/plain") else book)(env, start)

scorekeeper.register_pages = with_bare_route
from scorekeeper.cli.app import main
main(sys.argv[1:])
"""
"""Source of the server: the real command, with the bare application at `/bare` and `/plain` in the same worker."""


def main(hands: int) -> int:
    """Measure `hands` hands early in a game and `hands` hands late in a game, and print the figures.

    Return 1 if saving a hand takes too long, else 0.
    """
    machine = f"{os.cpu_count()} cores, {platform.machine()}, load {os.getloadavg()[0]:.1f}"
    print(f"Python {platform.python_version()}, {machine}")
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-c", SERVER, *command(Path(folder))[3:]]
        server = start(words, environment(SCOREKEEPER_LIMITS="on"))
        try:
            with closing(WirePhone(server.url)) as phone:
                compare(phone, range(1, 11), WARM_UP)
                usual = report("Hands 1 to 10", compare(phone, range(1, 11), hands))
                long = report(f"Hand {LONG_GAME}", compare(phone, range(LONG_GAME, LONG_GAME + 1), hands))
        finally:
            server.stop()
            kill_group(server)
    return 0 if max(usual, long) <= MOST else 1


def compare(phone: WirePhone, numbers: range, hands: int) -> Times:
    """Send four kinds of POST in turn, at least `hands` times each. Return how long each POST took.

    `Times` describes the four kinds. `numbers` says which hands of a game are measured, counted from 1. Earlier hands
    of the game are imported without being measured.
    """
    times = Times()
    while len(times.saves) < hands:
        game = game_of(phone, numbers.start - 1)
        for played in range(numbers.start - 1, numbers.stop - 1):
            version = 1 + played + (played - numbers.start + 1)
            times.bare.append(spent(phone, "/bare", {"what": "x" * 150}))
            times.plain.append(spent(phone, "/plain", {"what": "x" * 150}))
            times.bids.append(spent(phone, f"{game}/bid", {"version": version, "call": "0:2"}))
            seen = phone.look(game, version + 1, TOOK)
            fields = {"mode": "points", "version": version + 1, "seen": seen, "sure": seen, **TOOK}
            times.saves.append(spent(phone, f"{game}/hands", fields))
    return times


def game_of(phone: WirePhone, hands: int) -> str:
    """Import a game with `hands` hands and return its path. Its target is too high to reach."""
    record = {
        "format": "scorekeeper-game/1",
        "ruleset": {"preset": "setback-21", "options": {"target": 900}},
        "players": ["Ann", "Bob", "Cid", "Dee"],
        "sides": [[0, 2], [1, 3]],
        "first_dealer": 3,
        "hands": [{"bidder": 0, "bid": 2, "points": TOOK | {"jack": None}}] * hands,
    }
    phone.get("/games/new")
    answer = phone.post("/games/import", text=json.dumps(record))
    assert answer.status == 303, answer.body[-2000:]
    phone.get(answer.location)
    return answer.location


def spent(phone: WirePhone, path: str, fields: dict[str, Any]) -> float:
    """Send a form and return the seconds that it took. The status must be 303."""
    begun = time.perf_counter()
    answer = phone.post(path, **fields)
    seconds = time.perf_counter() - begun
    assert answer.status == 303, answer.body[-2000:]
    return seconds


def report(what: str, times: Times) -> float:
    """Print the medians. Return how many times as long saving a hand takes as an insert through Flask-SQLAlchemy.

    `what` is printed first and says which hands of the game were measured.
    """
    kinds = (times.plain, times.bare, times.bids, times.saves)
    plain, bare, bid, save = (statistics.median(each) * 1000 for each in kinds)
    print(f"{what}, {len(times.saves)} times: bid {bid:.2f} ms, hand {save:.2f} ms; insert {bare:.2f} ms through")
    print(f"Flask-SQLAlchemy, {plain:.2f} ms through sqlite3. A hand takes {save / bare:.2f} times as long as the one,")
    print(f"at most {MOST}, and {save / plain:.2f} times as long as the other.")
    return save / bare


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 300))
