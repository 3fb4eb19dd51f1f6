"""Measure the first page after a start, and the memory of a worker after 1,000 mixed requests.

Run: python tests/bench/start.py [ROUNDS [CHECKOUT]]

A server with one worker starts in a data folder that has a database, and one phone opens the home page. This is done
ROUNDS (5) times. Then each server answers 1,000 requests: games that are started, bids, hands, boards, watch pages, the
home page and the page for a new game, in three languages. Prints the medians of the processor time and of the seconds
from the command to the end of the first page, and of the private memory (USS) afterwards. With CHECKOUT, the folder of
another commit, both are measured in turns with the same Python, and ratios are printed. Nothing is asserted.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.throughput import FOUR, TOOK, memory, processor_seconds  # noqa: E402  the checkout comes first
from tests.support.server import command, environment, kill_group, start  # noqa: E402
from tests.support.wire_phone import WirePhone  # noqa: E402

REQUESTS = 1_000
HANDS = 4
LANGUAGES = ("en", "es", "fr")


def mixed(phone: WirePhone, requests: int) -> None:
    """Send about `requests` requests: games of four hands, and pages beside each hand, in a language for each game."""
    sent = 0
    for language in cycle(LANGUAGES):
        game = phone.start("setback-21", FOUR, seating="4p")
        sent += 2
        for hand in range(HANDS):
            phone.bid(game, 1 + 2 * hand, 0, 2)
            phone.save(game, 2 + 2 * hand, TOOK)
            for path in (game, game.replace("/games/", "/watch/"), f"{game}/log", "/", "/games/new"):
                answer = phone.ask("GET", path, headers={"Accept-Language": language})
                assert answer.status == 200, path
            sent += 8
            if sent >= requests:
                return


def once(checkout: Path, folder: Path) -> tuple[float, float, float]:
    """Start a server of `checkout` with its data in `folder`.

    Return the processor time and the seconds until the first page, and the private memory in MB after all requests.
    """
    began = time.monotonic()
    server = start(command(folder), environment(PYTHONPATH=str(checkout)), cwd=checkout)
    try:
        with closing(WirePhone(server.url)) as phone:
            assert phone.get("/").status == 200
            first = time.monotonic() - began
            busy = processor_seconds(server.process.pid)
            mixed(phone, REQUESTS)
        return busy, first, float(memory(server).split("private: ")[1].split()[0].rstrip(","))
    finally:
        server.stop()
        kill_group(server)


def main(rounds: int, checkouts: list[Path]) -> int:
    """Measure each of `checkouts` `rounds` times, in turns, print the figures, and return 0."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {rounds} rounds")
    with tempfile.TemporaryDirectory() as folder:
        places = [Path(folder, str(number)) for number in range(len(checkouts))]
        turns = list(zip(checkouts, places, strict=True))
        for checkout, place in turns:
            once(checkout, place)
        took = [once(checkout, place) for checkout, place in islice(cycle(turns), rounds * len(turns))]
    columns = [zip(*took[at :: len(turns)], strict=True) for at in range(len(turns))]
    medians = [[statistics.median(each) for each in column] for column in columns]
    for checkout, (busy, first, private) in zip(checkouts, medians, strict=True):
        print(f"{checkout}: first page {busy:.2f} s of processor time, {first:.2f} s; private memory {private:.0f} MB")
    if medians[1:]:
        ratios = [ours / theirs for ours, theirs in zip(*medians, strict=True)]
        print("of the other checkout's: processor time {:.2f}, seconds {:.2f}, memory {:.2f}".format(*ratios))
    return 0


if __name__ == "__main__":
    words = sys.argv[1:]
    sys.exit(main(int(words[0]) if words else 5, [ROOT, *(Path(word).resolve() for word in words[1:])]))
