"""What thousands of readers of an open club cost the phone that scores.

Run: python tests/bench/readers.py [--readers 5000] [--seconds 200] [--workers 1] [--database postgresql]

One game at a table of a league night, one phone that saves a hand every five seconds, and readers who each ask for the
club's page every four seconds, a fifth more or less, as its script does, with `If-None-Match` over connections that
stay open. They run in a process of their own, pinned to the last core; the server and the phone have the others. First
the phone plays alone, then with the readers. Each hand of the night is a new version of the club's page.

Prints the answers by status and the share of 304, what was not answered, the processor time of an answer, and the 95th
percentile of saving a hand, alone and read. Ends with status 1 if that rose by more than a quarter, if less than 95 %
were 304, or if somebody was not answered. With `--quiet` the hands are of a game that is in no league, so that the page
stays as it is: the usual day of a club.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import random
import re
import resource
import statistics
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.hand_post import game_of  # noqa: E402  the checkout comes first
from tests.bench.watchers import EVERY, JITTER, MOST, PATIENCE, SECONDS_TO_COME, busy_of, percentile, play  # noqa: E402
from tests.support import databases  # noqa: E402
from tests.support.server import running  # noqa: E402
from tests.support.wire_phone import WirePhone  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing.connection import Connection

NAMES = [f"Player {number:02}" for number in range(1, 25)]
SLUG = "reading-room"
LEAST_UNCHANGED = 0.95


@dataclass
class Read:
    """What the readers met."""

    answers: Counter[str] = field(default_factory=Counter)
    """By status, after the first page of each."""
    broken: int = 0
    slowest: float = 0.0
    busy: float = 0.0
    """Seconds of processor time."""


async def read(url: str, seen: Read, until: float, delay: float) -> None:
    """Be one reader until that moment."""
    parts = urlsplit(url)
    await asyncio.sleep(delay)
    tag, streams = "", None
    while (asked := time.monotonic()) < until:
        known = f"If-None-Match: {tag}\r\n" if tag else ""
        question = f"GET /clubs/{SLUG} HTTP/1.1\r\nHost: {parts.netloc}\r\nAccept-Encoding: gzip\r\n{known}\r\n"
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
            seen.slowest = max(seen.slowest, time.monotonic() - asked)
            if tag:
                seen.answers[head[9:12]] += 1
            tag = lines["etag"]
        await asyncio.sleep(EVERY * random.uniform(1 - JITTER, 1 + JITTER) - (time.monotonic() - asked))
    if streams:
        streams[1].close()


def crowd(pipe: Connection, url: str, readers: int, seconds: float) -> None:
    """Be all the readers for so long, on the last core, and tell what they met."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    seen = Read()

    async def everybody() -> None:
        until = time.monotonic() + seconds + SECONDS_TO_COME
        await asyncio.gather(*(read(url, seen, until, SECONDS_TO_COME * each / readers) for each in range(readers)))

    asyncio.run(everybody())
    seen.busy = time.process_time()
    pipe.send(seen)


def open_club(phone: WirePhone) -> str:
    """Make a league with 24 players and eight nights, open it, and return the path of its season."""
    league = made_at(phone, "/leagues", "/leagues", name="Reading Room")
    made_at(phone, f"{league}/people", f"{league}/people", names="\n".join(NAMES))
    season = made_at(
        phone, f"{league}/seasons", f"{league}/seasons", name="2026/27", **{"night-rounds": 1, "rule-target": 900}
    )
    head = "date,round,table,player 1,player 2,player 3,player 4,points 1,points 2"
    lines = [
        f"2026-09-{night + 1:02},{each},{table + 1},{','.join(seats_of(night + each, table))},21,{13 + table}"
        for night in range(8)
        for each in (1, 2, 3)
        for table in range(6)
    ]
    made_at(
        phone, f"{season}/results/import", f"{season}/results/import", text="\n".join([head, *lines]), confirmed="1"
    )
    made_at(phone, f"{league}/club", f"{league}/club", is_open="yes", slug=SLUG, names="short")
    return season


def seats_of(turn: int, table: int) -> Sequence[str]:
    """Return who sits at a table: they move on by the turn."""
    step = (1, 5, 7, 11, 13)[turn % 5]  # each without a factor of 24
    return [NAMES[(each * step + turn) % len(NAMES)] for each in range(table * 4, table * 4 + 4)]


def made_at(phone: WirePhone, page: str, path: str, **fields: object) -> str:
    """Send a form of a page, and return where its answer leads."""
    phone.get(page)
    answer = phone.post(path, **fields)
    assert answer.status == 303, (path, answer.status, re.sub(r"<[^>]+>", " ", answer.body)[-800:])
    return answer.location


def table_of(phone: WirePhone, season: str) -> str:
    """Open a night with one table, and return the path of its game."""
    night = made_at(phone, season, f"{season}/nights", day="2026-12-01")
    night = night.removesuffix("/desk")
    people = re.findall(r'name="person" value="([^"]+)"', phone.get(f"{night}/desk").body)[:4]
    made_at(phone, f"{night}/desk", f"{night}/people", person=people)
    made_at(phone, f"{night}/desk", f"{night}/draw")
    table = re.findall(r'name="table" value="(\d+)"', phone.get(f"{night}/desk").body)[0]
    return made_at(phone, f"{night}/desk", f"{night}/games", table=table)


def main(readers: int, seconds: float, workers: int, *, quiet: bool) -> int:
    """Measure, print what was found, and return the exit status."""
    hands = round(seconds / 5)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(running(folder, "--workers", str(workers)))
        phone = stack.enter_context(closing(WirePhone(server.url)))
        game_of(phone, 3)
        season = open_club(phone)
        alone, _ = play(phone, game_of(phone, 0), hands, 0)
        game = game_of(phone, 0) if quiet else table_of(phone, season)
        ours, theirs = multiprocessing.Pipe()
        people = multiprocessing.Process(target=crowd, args=(theirs, server.url, readers, seconds + 8))
        people.start()
        time.sleep(SECONDS_TO_COME)
        before = busy_of(server.process.pid)
        loaded, _ = play(phone, game, hands, 0)
        busy = busy_of(server.process.pid) - before
        seen: Read = ours.recv()
        people.join()
    return report(readers, alone, loaded, seen, busy / (hands * 5))


def report(readers: int, alone: Sequence[float], loaded: Sequence[float], seen: Read, share: float) -> int:
    """Print what was found and return the exit status."""
    answers = seen.answers.total()
    unchanged = seen.answers["304"] / answers
    print(f"{readers} readers, {answers} answers: {dict(seen.answers)}, {unchanged:.1%} of them 304")
    print(f"{seen.broken} not answered, slowest {seen.slowest:.2f} s")
    print(f"server {share:.0%} of a core; readers {seen.busy * 1000 / answers:.2f} ms of processor time an answer")
    before, after = (percentile(each) * 1000 for each in (alone, loaded))
    middle = [statistics.median(each) * 1000 for each in (alone, loaded)]
    print(f"saving a hand, 95th percentile: {before:.1f} ms alone, {after:.1f} ms read, ratio {after / before:.2f}")
    print(f"(medians {middle[0]:.1f} and {middle[1]:.1f} ms, {len(alone)} hands each)")
    return int(seen.broken > 0 or unchanged < LEAST_UNCHANGED or after / before > MOST)


if __name__ == "__main__":
    words = argparse.ArgumentParser()
    words.add_argument("--readers", type=int, default=5000)
    words.add_argument("--seconds", type=float, default=200)
    words.add_argument("--workers", type=int, default=1)
    words.add_argument("--quiet", action="store_true")
    words.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    asked = words.parse_args()
    with databases.chosen(asked.database):
        sys.exit(main(asked.readers, asked.seconds, asked.workers, quiet=asked.quiet))
