"""Measure how long the live board takes, compared to a page of the same size in a bare Flask application.

Run: python tests/bench/board.py [TIMES] [profile]

The board is that of a game of twelve hands, as the phone that scores gets it, and as a watcher gets it. The bare page
is a template that shows about as much of a dictionary: a base layout, a table of twelve hands with bids, points and
totals, a form with a button for each bid, everything escaped, about as many bytes. It has no database, cookies, tokens
or translations. The "small page" is the least that a template could be: twelve rows of five cells.

On the wire: one server with one worker, started by the real command, answers all requests; the bare application runs in
the same worker. One client requests each page in turn over one connection, without compression. In process: the same
pages with Flask's test client, in processor time, without a server. Prints medians and ratios; the exit status is 1 if
the board takes more than 5 times as long as the bare page on the wire. With `profile`, prints the functions in which
the board spends its time.
"""

from __future__ import annotations

import cProfile
import json
import os
import platform
import pstats
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from flask import Flask, render_template  # noqa: E402  the checkout comes first
from flask.testing import FlaskClient  # noqa: E402
from jinja2 import DictLoader  # noqa: E402

from scorekeeper import create_app  # noqa: E402
from scorekeeper.accounts.devices import COOKIE  # noqa: E402
from scorekeeper.config import Settings  # noqa: E402
from scorekeeper.games.services import scoring  # noqa: E402
from scorekeeper.games.services.scoring import ClientRequest  # noqa: E402
from scorekeeper.games.services.table_file import read_text  # noqa: E402
from scorekeeper.ops.boot import boot  # noqa: E402
from tests.bench.season import DEVICE, SECRET  # noqa: E402
from tests.support.server import command, environment, kill_group, start  # noqa: E402
from tests.support.wire_phone import WirePhone  # noqa: E402

HANDS = 12
MOST = 5
WARM_UP = 30
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
<html lang="en"><head><meta charset="utf-8"><title>{% block title %}{% endblock %}</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<link rel="stylesheet" href="/static/app.css"><script type="module" src="/static/app.js"></script></head>
<body><header><a href="/">Home</a></header><main>{% block main %}{% endblock %}</main></body></html>
"""
SMALL = """{% extends "base.html" %}{% block title %}{{ title }}{% endblock %}
{% block main %}<h1>{{ title }}</h1><table>
{% for row in rows %}<tr><td>{{ row.hand }}</td><td>{{ row.bidder }}</td><td>{{ row.bid }}</td><td>{{ row.us }}</td>
<td>{{ row.them }}</td></tr>
{% endfor %}</table>{% endblock %}
"""
PAGE = """{% extends "base.html" %}{% block title %}{{ title }}{% endblock %}
{% block main %}<h1>{{ title }}</h1>
<ul class="totals">{% for side in sides %}<li class="total"><p class="side"><b class="badge">{{ side.letter }}</b>
<bdi class="name">{{ side.name }}</bdi></p><p class="score">{{ side.total }}</p>
<p class="need">{{ side.needs }}</p></li>
{% endfor %}</ul>
<form method="post" action="/bid"><input type="hidden" name="version" value="{{ rows | length }}">
{% for player in players %}<div class="bid-row" role="group" aria-label="{{ player }}">
<p class="who"><b class="badge">A</b> <span><bdi class="name">{{ player }}</bdi></span></p><div class="cells">
{% for bid in bids %}<button class="cell{{ ' word' if bid | length > 2 else '' }}" name="call"
value="{{ loop.index }}:{{ bid }}">
<span class="vh">{{ player }} bids </span>{{ bid }}</button>
{% endfor %}</div></div>{% endfor %}</form>
<div class="scroll" role="region" aria-label="Hands" tabindex="0"><table class="sheet">
<thead><tr><th scope="col">Hand</th><th scope="col">Bid</th>{% for side in sides %}<th scope="col"><b class="badge">
{{ side.letter }}</b><span class="vh"> {{ side.name }}</span></th>{% endfor %}</tr></thead><tbody>
{% for row in rows | reverse %}<tr class="{{ 'was-set' if not row.made else '' }}">
<th scope="row"><a href="/hands/{{ row.hand }}/correction"><span class="vh">Correct hand </span>{{ row.hand }}</a></th>
<td class="what"><b class="badge">{{ row.letter }}</b> <bdi class="name">{{ row.bidder }}</bdi>
<b class="bid">{{ row.bid }}</b>{% if not row.made %} <span class="stamp">Set</span>{% endif %}
<span class="took">{{ row.took }}</span></td>
<td class="n"><small>{{ "%+d" | format(row.us) }}</small> <b>{{ row.we }}</b></td>
<td class="n"><small>{{ "%+d" | format(row.them) }}</small> <b>{{ row.they }}</b></td></tr>
{% endfor %}</tbody></table></div>
{% for text in texts %}<p class="aside">{{ text }}</p>{% endfor %}{% endblock %}
"""
SERVER = """
import sys
import scorekeeper
from tests.bench.board import bare
plain = scorekeeper.register_pages

def with_bare_pages(app):
    plain(app)
    book, other = app.wsgi_app, bare()
    app.wsgi_app = lambda env, start: (other if env["PATH_INFO"] in ("/bare", "/small") else book)(env, start)

scorekeeper.register_pages = with_bare_pages
from scorekeeper.cli.app import main
main(sys.argv[1:])
"""
"""Source of the server: the real command, with the bare application at `/bare` and `/small` in the same worker."""
KINDS = ("small page", "page", "board", "watched")


def bare() -> Flask:
    """Return a minimal Flask application with the two pages that the live board is compared to."""
    app = Flask("bare")
    app.jinja_loader = DictLoader({"base.html": BASE, "small.html": SMALL, "page.html": PAGE})
    took = "High: A, Low: B, Jack: –, Game: A"
    rows = [
        {"hand": hand, "letter": "A", "bidder": "Ann", "bid": 2, "made": hand % 3, "took": took}
        | {"us": 2, "them": -2, "we": 2 * hand, "they": -2 * hand}
        for hand in range(HANDS)
    ]
    sides = [
        {"letter": letter, "name": name, "total": 12, "needs": "87 to go."}
        for letter, name in (("A", "Ann and Cid"), ("B", "Bob and Dee"))
    ]
    more = {
        "players": RECORD["players"],
        "bids": ["2", "3", "4", "pitch"],
        "sides": sides,
        "texts": ["words " * 50] * 5,
    }

    @app.get("/small")
    def small() -> str:
        return render_template("small.html", title="Twelve hands", rows=rows)

    @app.get("/bare")
    def page() -> str:
        return render_template("page.html", title="Twelve hands", rows=rows, **more)

    return app


class Wire:
    """An HTTP connection that stays open. Its code adds as little as possible to the measured time."""

    def __init__(self, url: str, cookies: Mapping[str, str]) -> None:
        parts = urlsplit(url)
        self.host = parts.netloc
        self.cookies = "; ".join(f"{name}={value}" for name, value in cookies.items())
        self.socket = socket.create_connection((parts.hostname or "", parts.port or 80), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self) -> None:
        """Close the connection."""
        self.socket.close()

    def size(self, path: str) -> int:
        """Request a page, read all of it, and return the size of its body in bytes."""
        lines = (f"GET {path} HTTP/1.1", f"Host: {self.host}", f"Cookie: {self.cookies}", "", "")
        self.socket.sendall("\r\n".join(lines).encode())
        head, _, body = self.socket.recv(1 << 16).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        read = len(body)
        while read < length:
            read += len(self.socket.recv(1 << 16))
        return length


def medians(ask: Mapping[str, Callable[[], object]], clock: Callable[[], float], times: int) -> dict[str, float]:
    """Return the median time of each function in `ask`, in milliseconds, by the function's name in `ask`.

    The functions are called in turn, `times` times each. `clock` returns the current time in seconds.
    """
    took: dict[str, list[float]] = {kind: [] for kind in ask}
    for turn in range(times + WARM_UP):
        for kind, one in ask.items():
            begun = clock()
            one()
            if turn >= WARM_UP:
                took[kind].append(clock() - begun)
    return {kind: statistics.median(each) * 1000 for kind, each in took.items()}


def report(where: str, took: Mapping[str, float]) -> float:
    """Print the medians in `took` and their ratios. Return how many times as long the board takes as the bare page.

    `where` is printed first and says how the pages were requested.
    """
    print(f"{where}: " + ", ".join(f"{kind} {took[kind]:.2f} ms" for kind in KINDS))
    board, watched, page, small = (took[kind] for kind in ("board", "watched", "page", "small page"))
    print(f"  board {board / page:.2f} times the page, {board / small:.2f} times the small one; ", end="")
    print(f"watched {watched / page:.2f} and {watched / small:.2f}")
    return board / page


def on_the_wire(times: int) -> float:
    """Request the pages from a real server over HTTP, `times` times each, and print the figures.

    Return how many times as long the board takes as the bare page.
    """
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-c", SERVER, *command(Path(folder))[3:]]
        server = start(words, environment(PYTHONPATH=str(ROOT)))
        try:
            with closing(WirePhone(server.url)) as phone:
                phone.get("/games/new")
                game = phone.post("/games/import", text=json.dumps(RECORD)).location
                phone.get(game)
            with closing(Wire(server.url, phone.cookies)) as wire:
                paths = dict(zip(KINDS, ("/small", "/bare", game, game.replace("/games/", "/watch/")), strict=True))
                print("bytes: " + ", ".join(f"{kind} {wire.size(path)}" for kind, path in paths.items()))
                ask = {kind: (lambda path=path: wire.size(path)) for kind, path in paths.items()}
                return report("on the wire", medians(ask, time.perf_counter, times))
        finally:
            server.stop()
            kill_group(server)


def got(phone: FlaskClient, path: str) -> None:
    """Request the page at `path`, and check that its status is 200."""
    answer = phone.get(path)
    assert answer.status_code == 200, answer.status


def in_process(times: int, profiled: bool) -> None:
    """Measure the pages with Flask's test client, `times` times each, and print the figures.

    If `profiled` is true, also print the slowest functions.
    """
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder).resolve()}/scorekeeper.db"
        settings = Settings(instance=Path(folder), database_url=url, secret_key="0" * 32)
        boot(settings)
        app = create_app(settings)
        with app.app_context():
            game = scoring.import_game(
                record=read_text(json.dumps(RECORD).encode()), request=ClientRequest(DEVICE, "a-tap-here")
            )
        phone, other = app.test_client(), bare().test_client()
        phone.set_cookie(COOKIE, SECRET)
        ask = {
            "small page": lambda: got(other, "/small"),
            "page": lambda: got(other, "/bare"),
            "board": lambda: got(phone, f"/games/{game}"),
            "watched": lambda: got(phone, f"/watch/{game}"),
        }
        report("in process", medians(ask, time.process_time, times))
        if profiled:
            with cProfile.Profile() as profile:
                for _ in range(times):
                    ask["board"]()
            pstats.Stats(profile).sort_stats("tottime").print_stats(45)


def main(times: int, profiled: bool) -> int:
    """Measure each page `times` times and print the figures. Return 1 if the board is too slow, else 0.

    If `profiled` is true, also print the slowest functions.
    """
    machine = f"{os.cpu_count()} cores, {platform.machine()}, load {os.getloadavg()[0]:.1f}"
    print(f"Python {platform.python_version()}, {machine}; {times} times each, at most {MOST}")
    ratio = on_the_wire(times)
    in_process(times, profiled)
    return 0 if ratio <= MOST else 1


if __name__ == "__main__":
    words = sys.argv[1:]
    raise SystemExit(main(int(words[0]) if words and words[0].isdigit() else 300, "profile" in words))
