"""Measure how many hands and pages 1, 2 and 3 app processes handle with one PostgreSQL, and what limits them.

Run: python tests/bench/app_processes.py [--phones 8] [--seconds 10] [--apps 1 2 3]

Each app is a server with its own data folder and one worker, as on its own machine. The phones are spread over the
apps. Each phone plays a game and saves one hand after another (bid, preview, save) as fast as it gets responses. Then
all phones open watch pages, each time with a different query, so that no page comes from a cache. Prints for each
number of apps: hands and requests per second, the median and 95th percentile of a save, pages per second with their
95th percentile, and the processor time of apps, PostgreSQL and phones in cores. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.support.postgresql import cluster  # noqa: E402  the checkout comes first
from tests.support.server import command, environment, kill_group, start  # noqa: E402
from tests.support.wire_phone import WirePhone  # noqa: E402

NAMES = ("Ann", "Bob", "Cid", "Dee")
TOOK = {"high": 0, "low": 1, "jack": "none", "game": 0}
MOST_HANDS = 280
"""Number of hands after which a phone starts another game."""


def play(url: str, until: float) -> list[float]:
    """Save hands on the server at `url` until the time `until`. Return the seconds that each save took.

    `until` is a time of the clock `time.monotonic`.
    """
    took: list[float] = []
    with closing(WirePhone(url)) as phone:
        while time.monotonic() < until:
            game, version = phone.start("setback-21", NAMES, seating="4p", first_dealer=3, **{"rule-target": 999}), 1
            while time.monotonic() < until and version < 2 * MOST_HANDS:
                assert phone.bid(game, version, 0, 2).status == 303
                seen = phone.look(game, version + 1, TOOK)
                begun = time.monotonic()
                fields = {"mode": "points", "version": version + 1, "seen": seen, "sure": seen}
                assert phone.post(f"{game}/hands", **fields, **TOOK).status == 303
                took.append(time.monotonic() - begun)
                version += 2
    return took


def look(url: str, number: int, until: float) -> list[float]:
    """Open watch pages on the server at `url` until the time `until`. Return the seconds that each page took.

    `until` is a time of the clock `time.monotonic`. `number` is part of the address of each page. Phones with different
    numbers never request the same address, so no page comes from a cache.
    """
    took: list[float] = []
    with closing(WirePhone(url)) as phone:
        game = phone.start("setback-21", NAMES, seating="4p", first_dealer=3)
        while time.monotonic() < until:
            begun = time.monotonic()
            page = phone.get(f"{game.replace('/games/', '/watch/')}?n={number}-{len(took)}")
            assert page.status == 200
            took.append(time.monotonic() - begun)
    return took


def cores(pids: list[int]) -> float:
    """Return the total processor time in seconds that these processes and their descendants have used so far."""
    spent, ticks = 0.0, os.sysconf("SC_CLK_TCK")
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        parents.setdefault(int(words[1]), []).append(int(stat.parent.name))
    waiting = list(pids)
    while waiting:
        pid = waiting.pop()
        waiting += parents.get(pid, [])
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        spent += (int(words[11]) + int(words[12])) / ticks
    return spent


def told(took: list[float], seconds: float) -> str:
    """Return a line of text with the number of requests per second, and the median and 95th percentile of their times.

    `took` has the seconds that each request took. `seconds` is how long the whole measurement lasted.
    """
    if not took:
        return "none"
    ordered = sorted(took)
    p95 = ordered[int(0.95 * len(ordered))]
    return f"{len(took) / seconds:6.1f}/s, {1000 * statistics.median(took):4.0f} ms, p95 {1000 * p95:4.0f} ms"


def measure(number: int, phones: int, seconds: float) -> None:
    """Measure `number` app processes with `phones` phones for `seconds` seconds, and print a line of figures."""
    with ExitStack() as around:
        folder = Path(around.enter_context(tempfile.TemporaryDirectory()))
        book = around.enter_context(cluster())
        env = environment(DATABASE_URL=book.url("postgres"), SECRET_KEY="a key for all of the app processes")
        servers = []
        for app in range(number):
            servers.append(start(command(folder / str(app)), env))
            around.callback(kill_group, servers[-1])
        assert book.process is not None
        groups = [[server.process.pid for server in servers], [book.process.pid], [os.getpid()]]
        urls = [servers[phone % number].url for phone in range(phones)]
        before, begun = [cores(pids) for pids in groups], time.monotonic()
        with ThreadPoolExecutor(phones) as hall:
            saves = [one for each in hall.map(play, urls, [begun + seconds] * phones) for one in each]
        lasted = time.monotonic() - begun
        spent = [(cores(pids) - was) / lasted for pids, was in zip(groups, before, strict=True)]
        spent[2] -= spent[0] + spent[1]  # this process started the others
        until = time.monotonic() + seconds
        with ThreadPoolExecutor(phones) as hall:
            pages = [one for each in hall.map(look, urls, range(phones), [until] * phones) for one in each]
        print(
            f"{number} apps: saves {told(saves, lasted)}; pages {told(pages, seconds)}; cores: apps {spent[0]:.2f}, "
            f"PostgreSQL {spent[1]:.2f}, phones {spent[2]:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    words = argparse.ArgumentParser()
    words.add_argument("--phones", type=int, default=8)
    words.add_argument("--seconds", type=float, default=10.0)
    words.add_argument("--apps", type=int, nargs="+", default=[1, 2, 3])
    asked = words.parse_args()
    for count in asked.apps:
        measure(count, asked.phones, asked.seconds)
