"""Measure the processor time of the board, and of saving a hand with the page after it, in two checkouts.

Run: python tests/bench/turns.py CHECKOUT [ROUNDS]

One process of this checkout and one of CHECKOUT, the folder of another commit, answer in turns, ROUNDS (25) times each:
40 boards of a game of twelve hands, then 24 hands, each posted by an open page, which gets the new board. Both use the
same Python, and Flask's test client. Prints the medians of the rounds, and their ratios. Nothing is asserted.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[2]
BURST = "burst"
sys.path.insert(0, str(Path.cwd() if BURST in sys.argv else ROOT))

from flask.testing import FlaskClient  # noqa: E402  the checkout comes first

from scorekeeper import create_app  # noqa: E402
from scorekeeper.accounts.devices import COOKIE  # noqa: E402
from scorekeeper.config import Settings  # noqa: E402
from scorekeeper.games.services import scoring  # noqa: E402
from scorekeeper.games.services.scoring import ClientRequest  # noqa: E402
from scorekeeper.games.services.table_file import read_text  # noqa: E402
from scorekeeper.games.views.blueprint import PART  # noqa: E402
from scorekeeper.ops.boot import boot  # noqa: E402
from tests.bench.board import RECORD  # noqa: E402
from tests.bench.hand_post import TOOK  # noqa: E402
from tests.bench.season import DEVICE, SECRET  # noqa: E402

BOARDS, GAMES, HANDS = 40, 3, 8


def answer(folder: Path) -> None:
    """For each line of standard input, print the median milliseconds of a board, and of a saved hand.

    `folder` is for the database.
    """
    url = f"sqlite:///{folder}/scorekeeper.db"
    settings = Settings(instance=folder, database_url=url, secret_key="0" * 32)
    boot(settings)
    app = create_app(settings)
    app.config["WTF_CSRF_ENABLED"] = False
    phone = app.test_client()
    phone.set_cookie(COOKIE, SECRET)

    def new_game() -> str:
        record = RECORD | {"ruleset": {"preset": "setback-21", "options": {"target": 900}}}
        with app.app_context():
            key = secrets.token_urlsafe(12)
            return scoring.import_game(
                record=read_text(json.dumps(record).encode()), request=ClientRequest(DEVICE, key)
            )

    first = f"/games/{new_game()}"
    for _ in sys.stdin:
        boards = [spent(lambda: phone.get(first).text) for _ in range(BOARDS)]
        saves = [saved for _ in range(GAMES) for saved in hands(phone, f"/games/{new_game()}")]
        print(statistics.median(boards), statistics.median(saves), flush=True)


def hands(phone: FlaskClient, game: str) -> list[float]:
    """Save hands of the game at the path `game`, and return the milliseconds of each."""
    found = re.search(r'name="version" value="(\d+)"', phone.get(game).text)
    assert found is not None
    took = []
    for version in range(int(found[1]), int(found[1]) + 2 * HANDS, 2):
        post(phone, f"{game}/bid", version, {"call": "0:2"})
        look = urlencode({"mode": "points", "version": version + 1, **TOOK})
        seen = json.loads(phone.get(f"{game}/preview?{look}").text)["seen"]
        fields = {"mode": "points", "seen": seen, "sure": seen, **TOOK}
        took.append(spent(lambda: post(phone, f"{game}/hands", version + 1, fields)))  # noqa: B023  called at once
    return took


def post(phone: FlaskClient, path: str, version: int, fields: dict[str, object]) -> str:
    """Post a form as an open page does, and return the new content of the page."""
    sent = {"version": version, "client_id": secrets.token_urlsafe(12), **fields}
    response = phone.post(path, data=sent, headers={PART: "main"})
    assert response.status_code == 200, response.status
    return response.text


def spent(run: Callable[[], object]) -> float:
    """Run a function, and return the milliseconds of processor time that it took."""
    begun = time.process_time()
    run()
    return 1000 * (time.process_time() - begun)


def main(checkout: Path, rounds: int) -> None:
    """Measure this checkout and `checkout` in turns, and print the figures."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {rounds} rounds")
    words = [sys.executable, str(Path(__file__).resolve()), BURST]
    sides = [
        subprocess.Popen(words, cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for folder in (ROOT, checkout)
    ]
    took: list[list[list[float]]] = [[], []]
    for number in range(rounds + 1):
        for side, process in enumerate(sides):
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("go\n")
            process.stdin.flush()
            told = [float(word) for word in process.stdout.readline().split()]
            took[side].extend([told] if number else [])
    for process in sides:
        process.communicate()
    for what, *both in zip(("board", "saved hand"), *(zip(*each, strict=True) for each in took), strict=True):
        ours, theirs = map(statistics.median, both)
        print(f"{what}: {ours:.2f} ms, there {theirs:.2f} ms, ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    if sys.argv[1] == BURST:
        with tempfile.TemporaryDirectory() as folder:
            answer(Path(folder))
    else:
        main(Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 25)
