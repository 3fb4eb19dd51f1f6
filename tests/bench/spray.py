"""Measure how long saving a hand takes while strangers try passwords and codes from many networks.

Run: python tests/bench/spray.py [--seconds 30] [--networks 32] [--rate 20] [--database postgresql]

There is one server (one process, 16 threads, all limits) that trusts a proxy, and one phone that saves hands. Three
kinds of periods take turns: quiet ones, ones in which strangers only load the sign-in page, and ones in which they sign
in, sign up, and try printed codes and backup codes, while one known device signs in. The strangers send
--rate requests per second from --networks networks. Everything is on this machine and ends by itself. Prints the
responses to the strangers, the slowest save and the median in each kind of period, and how often the known device could
sign in. The exit status is 1 if a save or that device was refused.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack, closing
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlencode, urlsplit

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.hand_post import TOOK, game_of  # noqa: E402
from tests.support import databases  # noqa: E402  the checkout comes first
from tests.support.server import command, environment, kill_group, start  # noqa: E402
from tests.support.wire_phone import HEADERS, WirePhone  # noqa: E402

WINDOW = 5.0
"""Length in seconds of each period of quiet, of page requests, or of attacks."""
THREADS = 32
"""Number of strangers who send requests at the same time."""
PAUSE = 0.05
"""Seconds between two hands."""
NAME, PASSWORD = "Rita B.", "four sleepy badgers"
WRONG = {"username": "Nobody", "current-password": PASSWORD, "new-password": PASSWORD, "code": "b" * 28}
FORMS = {
    "/account/sign-in": WRONG,
    "/account/sign-up": WRONG,
    "/account/code": WRONG,
    "/recovery": {"code": "bbbbbbbbbbbb"},
}
"""Maps the path of each form that strangers send to the form's fields; each user name that is sent is different."""


class Asker:
    """A phone whose requests look as if a proxy had forwarded them from the IP address `address`."""

    def __init__(self, url: str, address: str) -> None:
        self.wire, self.host, self.address = WirePhone(url), urlsplit(url).netloc, address
        self.get("/account/sign-in")

    def get(self, path: str) -> None:
        """Load a page and remember the token of its forms."""
        answer = self.wire.ask("GET", path, headers=self._headers())
        self.wire.token = answer.body.partition('name="csrf_token" value="')[2].partition('"')[0]

    def post(self, path: str, **fields: str) -> int:
        """Send a form and return the response's status."""
        sent = urlencode({"csrf_token": self.wire.token, **fields}).encode()
        return self.wire.ask("POST", path, sent, self._headers()).status

    def _headers(self) -> dict[str, str]:
        return {**HEADERS, "X-Forwarded-For": self.address, "X-Forwarded-Host": self.host}


class Spray:
    """Strangers, each in a separate thread. They send requests while the event `loose` is set.

    If `looks` is true, the strangers load the sign-in page. If not, they send forms with wrong passwords and codes.
    """

    def __init__(self, url: str, networks: int, rate: float) -> None:
        self.answers: Counter[tuple[str, int]] = Counter()
        self.loose, self.over = threading.Event(), threading.Event()
        self.looks = True
        self._pause = THREADS / rate
        self._threads = [
            threading.Thread(target=self._ask, args=(url, number, networks), daemon=True) for number in range(THREADS)
        ]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Stop all strangers."""
        self.over.set()
        self.loose.set()
        for thread in self._threads:
            thread.join(timeout=30)

    def _ask(self, url: str, number: int, networks: int) -> None:
        asker, sent = Asker(url, f"198.51.{number}.1"), number
        paths = list(FORMS)
        while self.loose.wait() and not self.over.is_set():
            time.sleep(self._pause * random.uniform(0.5, 1.5))
            sent += 1
            asker.address = f"198.51.{(number + sent) % networks}.{1 + sent % 200}"
            path = paths[sent % len(paths)]
            fields = FORMS[path] | ({"username": f"Nobody {number} {sent}"} if "username" in FORMS[path] else {})
            try:
                if self.looks:
                    asker.get("/account/sign-in")
                    continue
                self.answers[path, asker.post(path, **fields)] += 1
            except (OSError, HTTPException):
                self.answers[path, 0] += 1
                asker.wire.close()


class Scorer:
    """A phone that saves hands. `times` holds the seconds that each hand took, from the bid to the reply to the save.

    The keys of `times` say what strangers did meanwhile. "quiet" means nothing, "looked at" means that strangers loaded
    pages, and "sprayed" means that strangers tried passwords and codes.
    """

    def __init__(self, url: str) -> None:
        self.wire, self.game, self.version = WirePhone(url), "", 0
        self.times: dict[str, list[float]] = {"quiet": [], "looked at": [], "sprayed": []}
        self.refused: Counter[int] = Counter()

    def play(self, seconds: float, kind: str) -> None:
        """Save hands for `seconds` seconds. Add the seconds that each bid and save took together to `times[kind]`."""
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            if not self.game or self.version > 40:
                self.game, self.version = game_of(self.wire, 0), 1
            begun = time.perf_counter()
            bid = self.wire.bid(self.game, self.version, 0, 2)
            saved = self.wire.save(self.game, self.version + 1, TOOK) if bid.status == 303 else bid
            self.times[kind].append(time.perf_counter() - begun)
            if saved.status != 303:
                self.refused[saved.status] += 1
            self.version, self.game = self.version + 2, self.game if saved.status == 303 else ""
            time.sleep(PAUSE)


def main(seconds: float, networks: int, rate: float) -> int:
    """Measure for about `seconds` seconds and print the figures.

    The strangers have addresses in `networks` networks. All strangers together send `rate` requests per second.

    Return 1 if a hand was refused or if a known device couldn't sign in, else 0.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        more = {"SCOREKEEPER_LIMITS": "on", "SCOREKEEPER_PROXIES": "1", "SCOREKEEPER_SIGN_UP": "open"}
        server = start(command(folder), environment(**more, **databases.variables_for(folder)))
        stack.callback(kill_group, server)
        known, inside = Asker(server.url, "203.0.113.1"), []
        assert known.post("/account/sign-up", username=NAME, **{"new-password": PASSWORD}) == 200
        scorer, spray = Scorer(server.url), Spray(server.url, networks, rate)
        stack.callback(spray.end)
        stack.enter_context(closing(scorer.wire))
        scorer.play(2, "quiet")
        scorer.times["quiet"].clear()
        for _ in range(max(1, round(seconds / (3 * WINDOW)))):
            scorer.play(WINDOW, "quiet")
            spray.looks = True
            spray.loose.set()
            scorer.play(WINDOW, "looked at")
            spray.looks = False
            scorer.play(WINDOW, "sprayed")
            known.get("/account/sign-in")
            inside.append(known.post("/account/sign-in", username=NAME, **{"current-password": PASSWORD}))
            spray.loose.clear()
            time.sleep(1)
    return report(spray.answers, scorer, inside)


def report(answers: Counter[tuple[str, int]], scorer: Scorer, inside: list[int]) -> int:
    """Print the figures. Return 1 if a hand was refused or if the known device couldn't sign in, else 0.

    `answers` counts the responses to strangers by path and status; status 0 means no response. `inside` holds the
    statuses of the known device's sign-ins.
    """
    for path in FORMS:
        told = ", ".join(f"{status}: {times}" for (at, status), times in sorted(answers.items()) if at == path)
        print(f"{path}: {told}")
    for kind, times in scorer.times.items():
        middle, most = statistics.median(times) * 1000, max(times) * 1000
        print(f"{kind}: {len(times)} hands, median {middle:.0f} ms, slowest {most:.0f} ms")
    print(f"refused hands: {dict(scorer.refused)}; the known device got in {inside.count(303)} of {len(inside)} times")
    return 0 if not scorer.refused and set(inside) == {303} else 1


if __name__ == "__main__":
    words = argparse.ArgumentParser()
    words.add_argument("--seconds", type=float, default=30)
    words.add_argument("--networks", type=int, default=32)
    words.add_argument("--rate", type=float, default=20)
    words.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    asked = words.parse_args()
    with databases.chosen(asked.database):
        sys.exit(main(asked.seconds, asked.networks, asked.rate))
