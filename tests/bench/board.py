"""How long the live board takes, beside the least that a page of a template could take.

Run: python tests/bench/board.py [TIMES]

In one process, warm: the board of a game of twelve hands as the phone that scores it gets it, and in turn a page of a
bare Flask application whose template shows twelve rows of a dictionary, without a database, a cookie or a form. Prints
the medians of processor time and their ratio, which is to be 5 at most on a quiet machine; ends with status 0.
"""

from __future__ import annotations

import cProfile
import json
import os
import platform
import pstats
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from flask import Flask, render_template  # noqa: E402  the checkout comes first
from flask.testing import FlaskClient  # noqa: E402
from jinja2 import DictLoader  # noqa: E402

from scorekeeper import create_app  # noqa: E402
from scorekeeper.accounts.devices import COOKIE  # noqa: E402
from scorekeeper.config import Settings  # noqa: E402
from scorekeeper.games import service  # noqa: E402
from scorekeeper.games.importing import read_text  # noqa: E402
from scorekeeper.games.service import Tap  # noqa: E402
from scorekeeper.serve.boot import boot  # noqa: E402
from tests.bench.season import DEVICE, SECRET  # noqa: E402

HANDS = 12
MOST = 5
TAKEN = [{"high": 0, "low": 1, "jack": None, "game": 0}, {"high": 1, "low": 0, "jack": 1, "game": 0}]
RECORD = {
    "format": "scorekeeper-game/1",
    "ruleset": {"preset": "setback-21", "options": {"target": 99}},
    "players": ["Ann", "Bob", "Cid", "Dee"],
    "sides": [[0, 2], [1, 3]],
    "first_dealer": 3,
    "hands": [{"bidder": hand % 4, "bid": 2, "points": TAKEN[hand % 2]} for hand in range(HANDS)],
}
BASE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{% block title %}{% endblock %}</title></head>
<body><header><a href="/">Home</a></header><main>{% block main %}{% endblock %}</main></body></html>
"""
PAGE = """{% extends "base.html" %}{% block title %}{{ title }}{% endblock %}
{% block main %}<h1>{{ title }}</h1><table>
{% for row in rows %}<tr>{% for cell in row.values() %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}</table>{% endblock %}
"""


def bare() -> Flask:
    """Return an application with one page."""
    app = Flask("bare")
    app.jinja_loader = DictLoader({"base.html": BASE, "page.html": PAGE})
    rows = [{"hand": hand, "dealer": "Ann", "bid": 2, "us": hand, "them": 2 * hand} for hand in range(HANDS)]

    @app.get("/")
    def page() -> str:
        return render_template("page.html", title="Twelve hands", rows=rows)

    return app


def spent(phone: FlaskClient, path: str) -> float:
    """Return the seconds of processor time that a page takes."""
    begun = time.process_time()
    answer = phone.get(path)
    seconds = time.process_time() - begun
    assert answer.status_code == 200, answer.status
    return seconds


def compare(phone: FlaskClient, game: str, times: int) -> float:
    """Print the medians and return their ratio."""
    other = bare().test_client()
    asked: Sequence[tuple[FlaskClient, str]] = ((other, "/"), (phone, f"/games/{game}"), (phone, f"/watch/{game}"))
    took: list[list[float]] = [[], [], []]
    for turn in range(times + 30):
        for each, (client, path) in zip(took, asked, strict=True):
            seconds = spent(client, path)
            if turn >= 30:
                each.append(seconds)
    plain, board, watch = (statistics.median(each) * 1000 for each in took)
    print(f"{platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}, load {os.getloadavg()[0]:.1f}")
    print(f"bare page {plain:.2f} ms, board of {HANDS} hands {board:.2f} ms, watched {watch:.2f} ms ({times} times)")
    print(f"ratio {board / plain:.2f}, watched {watch / plain:.2f}; at most {MOST}")
    return board / plain


def main(times: int, profiled: bool) -> int:
    """Print what was found; with `profiled` also where the time goes."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder).resolve()}/scorekeeper.db"
        settings = Settings(instance=Path(folder), database_url=url, secret_key="0" * 32)
        boot(settings)
        app = create_app(settings)
        with app.app_context():
            game = service.import_game(record=read_text(json.dumps(RECORD).encode()), tap=Tap(DEVICE, "a-tap-here"))
        phone = app.test_client()
        phone.set_cookie(COOKIE, SECRET)
        compare(phone, game, times)
        if profiled:
            with cProfile.Profile() as profile:
                for _ in range(times):
                    phone.get(f"/games/{game}")
            pstats.Stats(profile).sort_stats("tottime").print_stats(45)
    return 0


if __name__ == "__main__":
    words = sys.argv[1:]
    raise SystemExit(main(int(words[0]) if words else 300, "profile" in words))
