"""Measure how soon thousands of watchers see each hand, and how much they slow down the phone that scores.

Run: python tests/bench/watchers.py [--watchers 2000] [--seconds 200] [--workers 1] [--database postgresql]

There is one game, one phone that saves a hand every five seconds, and watchers who each request the board every four
seconds, a fifth more or less, with `If-None-Match` over connections that stay open. They run in a separate process,
pinned to the last core; the server and the phone have the others. First the phone plays alone, then with the watchers.
Prints how long each change took to reach half, 95 % and all of them, the requests without a response or with a status
other than 200 or 304, the processor time of a request in the server and in the watchers, and the 95th percentile of
saving a hand, alone and watched. The exit status is 1 if a watcher had to wait for more than five seconds for a hand, a
request had no response, or that percentile rose by more than a quarter.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import random
import resource
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.hand_post import TOOK, game_of  # noqa: E402
from tests.support import databases  # noqa: E402  the checkout comes first
from tests.support.server import running  # noqa: E402
from tests.support.wire_phone import WirePhone  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing.connection import Connection

EVERY = 4.0
"""Average number of seconds between two requests of a watcher."""
JITTER = 0.2
HAND_EVERY = 5.0
PATIENCE = 8.0
"""Seconds after which a watcher gives up waiting for a response."""
SEEN_WITHIN = 5.0
MOST = 1.25
SECONDS_TO_COME = 10.0
"""Seconds during which the watchers open the page, one after another."""


@dataclass
class Seen:
    """What the watchers received."""

    tags: dict[str, list[float]] = field(default_factory=dict)
    """Maps the ETag of each version of the board to the times at which the watchers received that version."""
    answers: int = 0
    broken: int = 0
    slowest: float = 0.0
    busy: float = 0.0
    """Seconds of processor time of the watchers' process."""


async def watch(url: str, path: str, seen: Seen, until: float, delay: float) -> None:
    """Act as one watcher, who requests the board again and again. Store the results in `seen`.

    The watcher starts after `delay` seconds and stops at the time `until` (of `time.monotonic`).
    """
    parts = urlsplit(url)
    await asyncio.sleep(delay)
    tag, streams = "", None
    while (asked := time.monotonic()) < until:
        known = f"If-None-Match: {tag}\r\n" if tag else ""
        question = f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nAccept-Encoding: gzip\r\n{known}\r\n"
        try:
            async with asyncio.timeout(PATIENCE):
                if streams is None:
                    streams = await asyncio.open_connection(parts.hostname, parts.port)
                streams[1].write(question.encode())
                head = (await streams[0].readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                lines = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if line)
                if head[9:12] == "200":
                    await streams[0].readexactly(int(lines["content-length"]))
                assert head[9:12] in {"200", "304"}, head
        except (OSError, EOFError, TimeoutError, AssertionError):
            seen.broken += 1
            if streams:
                streams[1].close()
            streams = None
        else:
            now = time.monotonic()
            seen.answers += 1
            seen.slowest = max(seen.slowest, now - asked)
            if lines["etag"] != tag:
                tag = lines["etag"]
                seen.tags.setdefault(tag, []).append(now)
        await asyncio.sleep(EVERY * random.uniform(1 - JITTER, 1 + JITTER) - (time.monotonic() - asked))
    if streams:
        streams[1].close()


def crowd(pipe: Connection, url: str, path: str, watchers: int, seconds: float) -> None:
    """Run all watchers in this process on the last core for `seconds` seconds.

    Then send their `Seen` through `pipe`.
    """
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[-1]})
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    seen = Seen()

    async def everybody() -> None:
        until = time.monotonic() + seconds + SECONDS_TO_COME
        await asyncio.gather(
            *(watch(url, path, seen, until, SECONDS_TO_COME * each / watchers) for each in range(watchers))
        )

    asyncio.run(everybody())
    seen.busy = time.process_time()
    pipe.send(seen)


def play(
    phone: WirePhone, game: str, hands: int, first: int, every: float = HAND_EVERY
) -> tuple[list[float], list[tuple[float, str]]]:
    """Save `hands` hands, one in `every` seconds. `first` is the number of hands already in the game.

    Return the seconds that each save took, then (time, ETag) of each new board.
    """
    spent, boards = [], []
    for number in range(first, first + hands):
        began = time.monotonic()
        version = 1 + 2 * number
        assert phone.bid(game, version, 0, 2).status == 303
        seen = phone.look(game, version + 1, TOOK)
        before = time.perf_counter()
        answer = phone.post(f"{game}/hands", mode="points", version=version + 1, seen=seen, sure=seen, **TOOK)
        spent.append(time.perf_counter() - before)
        assert answer.status == 303, answer.body[-2000:]
        boards.append((time.monotonic(), tag_of(phone, game)))
        time.sleep(max(0.0, every - (time.monotonic() - began)))
    return spent, boards


def tag_of(phone: WirePhone, game: str) -> str:
    """Return the ETag of a game's watch page, in lower case."""
    phone.connection.request("HEAD", game.replace("/games/", "/watch/"))
    answer = phone.connection.getresponse()
    answer.read()
    return answer.headers["ETag"].lower()


def busy_of(process: int) -> float:
    """Return the processor time in seconds that a process and its child processes have used."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        if int(stat.parent.name) == process or int(words[1]) == process:
            ticks += int(words[11]) + int(words[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def main(watchers: int, seconds: float, workers: int) -> int:
    """Measure and print the figures. Return 1 if a figure is worse than allowed, else 0."""
    hands = round(seconds / HAND_EVERY)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(running(folder, "--workers", str(workers)))
        phone = stack.enter_context(closing(WirePhone(server.url)))
        game_of(phone, 3)
        alone, _ = play(phone, game_of(phone, 0), hands, 0)
        game = game_of(phone, 0)
        ours, theirs = multiprocessing.Pipe()
        path = game.replace("/games/", "/watch/")
        people = multiprocessing.Process(target=crowd, args=(theirs, server.url, path, watchers, seconds + 8))
        people.start()
        time.sleep(SECONDS_TO_COME)
        before = busy_of(server.process.pid)
        watched, boards = play(phone, game, hands, 0)
        busy = busy_of(server.process.pid) - before
        seen: Seen = ours.recv()
        people.join()
    return report(watchers, alone, watched, boards, seen, busy / (hands * HAND_EVERY))


def report(
    watchers: int,
    alone: Sequence[float],
    watched: Sequence[float],
    boards: Sequence[tuple[float, str]],
    seen: Seen,
    share: float,
) -> int:
    """Print the figures. Return 1 if a figure is worse than allowed, else 0.

    `alone` and `watched` hold the seconds that each save took, without and with watchers. `boards` holds the time and
    ETag of each new board. `share` is how much of a core the server used.
    """
    waits = [sorted(when - since for when in seen.tags.get(tag, ())) for since, tag in boards]
    missed = sum(watchers - len(each) for each in waits)
    everybody = [each[-1] for each in waits if each]
    print(f"{watchers} watchers, {seen.answers} answers, {seen.broken} not answered, slowest {seen.slowest:.2f} s")
    print(
        f"server {share:.0%} of a core; watchers {seen.busy * 1000 / seen.answers:.2f} ms of processor time an answer"
    )
    for part, word in ((0.5, "half"), (0.95, "95 %")):
        print(f"a hand reached {word} after {max(each[int(len(each) * part)] for each in waits):.2f} s at most,")
    print(
        f"and all after {max(everybody):.2f} s at most (median {statistics.median(everybody):.2f} s); {missed} missed"
    )
    quiet, loaded = (percentile(each) * 1000 for each in (alone, watched))
    middle = [statistics.median(each) * 1000 for each in (alone, watched)]
    print(f"saving a hand, 95th percentile: {quiet:.1f} ms alone, {loaded:.1f} ms watched, ratio {loaded / quiet:.2f}")
    print(f"(medians {middle[0]:.1f} and {middle[1]:.1f} ms, {len(alone)} hands each)")
    return int(max(everybody) > SEEN_WITHIN or seen.broken > 0 or missed > 0 or loaded / quiet > MOST)


def percentile(times: Sequence[float]) -> float:
    """Return the 95th percentile of `times`."""
    return statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]


if __name__ == "__main__":
    words = argparse.ArgumentParser()
    words.add_argument("--watchers", type=int, default=2000)
    words.add_argument("--seconds", type=float, default=200)
    words.add_argument("--workers", type=int, default=1)
    words.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    asked = words.parse_args()
    with databases.chosen(asked.database):
        sys.exit(main(asked.watchers, asked.seconds, asked.workers))
