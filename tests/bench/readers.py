"""Measure how much a phone that scores is slowed down by thousands of people who read a league's public page.

Run: python tests/bench/readers.py [--readers 5000] [--seconds 540] [--workers 1] [--database postgresql]

There is one game at a table of a league night, one phone that saves a hand every two seconds, and readers who each
request the public page of the league about every 30 seconds (`--every`), as the page's script does, with
`If-None-Match` over connections that stay open. The readers run in a separate process, pinned to the last core; the
server and the phone have the others. Each hand that is saved changes the night, but not the page.

First the phone plays alone. Then the readers take turns of a minute and a half: in one turn they send their requests to
the server, in the next to a few lines of code in their own process. People at home bring their own computers, and the
second kind of turn shows what simulating them costs on this machine. Since the turns alternate, a machine that is
slower for some minutes is slower for both.

Prints the responses by status and the share of 304, the requests without a response, the processor time of a response,
and how long saving a hand took. The exit status is 1 if the median is higher by more than a quarter while the readers
ask the server, if less than 95 % were 304, or if a request had no response. The 95th percentiles of about 70 hands vary
too much from run to run to decide anything; they are printed. With `--quiet`, the hands are of a game that is in no
league.
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
from tests.bench.watchers import JITTER, MOST, PATIENCE, busy_of, percentile, play  # noqa: E402
from tests.support import databases  # noqa: E402
from tests.support.server import running  # noqa: E402
from tests.support.wire_phone import WirePhone  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing.connection import Connection

NAMES = [f"Player {number:02}" for number in range(1, 25)]
SLUG = "reading-room"
LEAST_UNCHANGED = 0.95
TURN, SETTLES = 90.0, 40.0
"""Seconds in which the readers ask the same address, and seconds at the beginning of a turn that are not measured.

In the latter, the readers open their connections again, which the server closed while it had no requests.
"""
TIME_TO_COME = 45.0
"""Seconds in which the readers come."""
ALONE = 20
"""Hands that the phone saves before the readers come."""
HAND_EVERY = 2.0
"""Seconds between two hands. At a table it takes minutes, but then the bench would have too few hands to compare.

The default time has as many hands as fit into one game.
"""
TARGET = 900
"""Target score of the game, too high to reach."""


@dataclass
class Read:
    """The results of the readers' requests, such as the number of responses with each status."""

    answers: Counter[str] = field(default_factory=Counter)
    """Number of responses by status, without the first page of each reader."""
    broken: int = 0
    slowest: float = 0.0
    busy: float = 0.0
    """Seconds of processor time of the readers' process."""


@dataclass
class Source:
    """One of the two addresses that a reader asks, with the reader's connection and the ETag of the page there."""

    url: str
    tag: str = ""
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self) -> str:
        """Request the page, and return the status of the response, or "" for a response to the first request.

        Raise `OSError`, `EOFError`, `TimeoutError` or `AssertionError` if there is no valid response.
        """
        parts = urlsplit(self.url)
        known = f"If-None-Match: {self.tag}\r\n" if self.tag else ""
        question = f"GET /clubs/{SLUG} HTTP/1.1\r\nHost: {parts.netloc}\r\nAccept-Encoding: gzip\r\n{known}\r\n"
        async with asyncio.timeout(PATIENCE):
            if self.streams is not None and self.streams[0].at_eof():
                self.close()  # the server closed it, because nothing was asked for a whole turn
            if self.streams is None:
                self.streams = await asyncio.open_connection(parts.hostname, parts.port)
            self.streams[1].write(question.encode())
            head = (await self.streams[0].readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            lines = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if line)
            if head[9:12] == "200":
                await self.streams[0].readexactly(int(lines["content-length"]))
            assert head[9:12] in {"200", "304"}, head
        first, self.tag = not self.tag, lines["etag"]
        return "" if first else head[9:12]

    def close(self) -> None:
        """Close the connection, if there is one."""
        if self.streams is not None:
            self.streams[1].close()
            self.streams = None


def turn_at(moment: float) -> int:
    """Return the turn at a time of `time.monotonic`: 0 if readers ask the server, and 1 if they ask elsewhere."""
    return int(moment / TURN) % 2


async def read(urls: Sequence[str], seen: Read, until: float, delay: float, every: float) -> None:
    """Act as one reader, who requests the league's public page every `every` seconds. Count the responses in `seen`.

    `urls` are the addresses of the server and of `Elsewhere`; `turn_at` says which of them is asked. The reader starts
    after `delay` seconds and stops at the time `until` (of `time.monotonic`). Only responses of the server are counted.
    """
    sources = [Source(url) for url in urls]
    await asyncio.sleep(delay)
    while (asked := time.monotonic()) < until:
        source = sources[turn_at(asked)]
        try:
            status = await source.ask()
        except (OSError, EOFError, TimeoutError, AssertionError):
            seen.broken += 1
            source.close()
        else:
            if status and source is sources[0]:
                seen.slowest = max(seen.slowest, time.monotonic() - asked)
                seen.answers[status] += 1
        await asyncio.sleep(every * random.uniform(1 - JITTER, 1 + JITTER) - (time.monotonic() - asked))
    for source in sources:
        source.close()


class Elsewhere(asyncio.Protocol):
    """A server that answers 304 to every request, so it does almost no work."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the connection on which to answer."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer each request in `data`."""
        self.transport.write(b'HTTP/1.1 304 Not Modified\r\netag: "same"\r\n\r\n' * data.count(b"\r\n\r\n"))


def crowd(pipe: Connection, url: str, readers: int, every: float, seconds: float) -> None:
    """Run all readers in this process on the last core for `seconds` seconds. Then send their `Read` through `pipe`.

    Each reader requests the page every `every` seconds. `url` is the server's address.
    """
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    seen = Read()

    async def everybody() -> None:
        until = time.monotonic() + seconds
        elsewhere = await asyncio.get_running_loop().create_server(Elsewhere, "127.0.0.1", 0)
        urls = url, f"http://127.0.0.1:{elsewhere.sockets[0].getsockname()[1]}"
        step = TIME_TO_COME / readers
        await asyncio.gather(*(read(urls, seen, until, step * each, every) for each in range(readers)))

    asyncio.run(everybody())
    seen.busy = time.process_time()
    pipe.send(seen)


def open_club(phone: WirePhone) -> str:
    """Create a league with 24 players and the results of eight nights, and make it public. Return its season's path."""
    league = made_at(phone, "/leagues", "/leagues", name="Reading Room")
    made_at(phone, f"{league}/people", f"{league}/people", names="\n".join(NAMES))
    season = made_at(
        phone,
        f"{league}/seasons",
        f"{league}/seasons",
        name="2026/27",
        of="setback-21",
        preset="setback-21",
        **{"night-rounds": 1, "rule-target": TARGET},
    )
    head = "date,round,table,player 1,player 2,player 3,player 4,points 1,points 2"
    lines = [
        f"2026-09-{night + 1:02},{each},{table + 1},{','.join(seats_of(night + each, table))},{TARGET},{13 + table}"
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
    """Return the names of the players at a table.

    `table` is the number of the table, from 0. For each `turn`, such as the number of the round, the players are
    distributed differently.
    """
    step = (1, 5, 7, 11, 13)[turn % 5]  # each without a factor of 24
    return [NAMES[(each * step + turn) % len(NAMES)] for each in range(table * 4, table * 4 + 4)]


def made_at(phone: WirePhone, page: str, path: str, **fields: object) -> str:
    """Load the page `page` and send a form with the fields `fields` to `path`.

    Return the address to which the response redirects.
    """
    phone.get(page)
    answer = phone.post(path, **fields)
    assert answer.status == 303, (path, answer.status, re.sub(r"<[^>]+>", " ", answer.body)[-800:])
    return answer.location


def table_of(phone: WirePhone, season: str) -> str:
    """Open a night with one table, start its game, and return the path of the game."""
    night = made_at(phone, season, f"{season}/nights", day="2026-12-01")
    night = night.removesuffix("/desk")
    found = re.findall(r'name="person" value="([^"]+)"', phone.get(f"{night}/desk").body)
    people = [*dict.fromkeys(found)][:4]  # a person's row has more than one form
    made_at(phone, f"{night}/desk", f"{night}/people", person=people)
    made_at(phone, f"{night}/desk", f"{night}/draw")
    table = re.findall(r'name="table" value="(\d+)"', phone.get(f"{night}/desk").body)[0]
    return made_at(phone, f"{night}/desk", f"{night}/games", table=table)


def main(readers: int, every: float, seconds: float, workers: int, *, quiet: bool) -> int:
    """Measure and print the figures. Return 1 if a figure is worse than allowed, else 0.

    With `quiet`, the phone scores a game outside the league.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(running(folder, "--workers", str(workers)))
        phone = stack.enter_context(closing(WirePhone(server.url)))
        game_of(phone, 3)
        season = open_club(phone)
        game = game_of(phone, 0) if quiet else table_of(phone, season)
        alone, _ = play(phone, game, ALONE, 0, HAND_EVERY)
        ours, theirs = multiprocessing.Pipe()
        lasts = TIME_TO_COME + seconds + 5
        people = multiprocessing.Process(target=crowd, args=(theirs, server.url, readers, every, lasts))
        people.start()
        time.sleep(TIME_TO_COME)
        # The server has closed the connection, which nothing used since the part before.
        phone.connection.close()
        saves: tuple[list[float], list[float]] = ([], [])
        busy = [0.0, 0.0]
        number, end = ALONE, time.monotonic() + seconds
        while (began := time.monotonic()) < end:
            before = busy_of(server.process.pid)
            spent, _ = play(phone, game, 1, number, HAND_EVERY)
            number += 1
            # Just after a change of turns, the readers open their connections again.
            if turn_at(began - SETTLES) == turn_at(began) == turn_at(time.monotonic()):
                saves[turn_at(began)].extend(spent)
                busy[0] += busy_of(server.process.pid) - before if turn_at(began) == 0 else 0.0
                busy[1] += time.monotonic() - began if turn_at(began) == 0 else 0.0
        seen: Read = ours.recv()
        people.join()
    return report(readers, alone, saves, seen, busy[0] / busy[1])


def report(
    readers: int, alone: Sequence[float], saves: tuple[Sequence[float], Sequence[float]], seen: Read, share: float
) -> int:
    """Print the figures. Return 1 if a figure is worse than allowed, else 0.

    `alone` holds the seconds that each save took without readers. `saves` holds those while readers asked the server,
    and those while they asked elsewhere. `share` is how much of a core the server used while readers asked it.
    """
    answers = seen.answers.total()
    unchanged = seen.answers["304"] / answers
    print(f"{readers} readers, {answers} answers: {dict(seen.answers)}, {unchanged:.1%} of them 304")
    print(f"{seen.broken} not answered, slowest {seen.slowest:.2f} s")
    print(f"server {share:.0%} of a core; readers {seen.busy * 1000 / answers:.2f} ms of processor time an answer")
    asked, beside = saves
    for name, each in (("alone", alone), ("while they ask elsewhere", beside), ("while they ask the server", asked)):
        middle, high = statistics.median(each) * 1000, percentile(each) * 1000
        print(f"saving a hand {name}: median {middle:.1f} ms, 95th percentile {high:.1f} ms ({len(each)} hands)")
    ratio = statistics.median(asked) / statistics.median(beside)
    print(f"ratios: medians {ratio:.2f}, 95th percentiles {percentile(asked) / percentile(beside):.2f}")
    return int(seen.broken > 0 or unchanged < LEAST_UNCHANGED or ratio > MOST)


if __name__ == "__main__":
    words = argparse.ArgumentParser()
    words.add_argument("--readers", type=int, default=5000)
    words.add_argument("--every", type=float, default=30)
    words.add_argument("--seconds", type=float, default=540)
    words.add_argument("--workers", type=int, default=1)
    words.add_argument("--quiet", action="store_true")
    words.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    asked = words.parse_args()
    with databases.chosen(asked.database):
        sys.exit(main(asked.readers, asked.every, asked.seconds, asked.workers, quiet=asked.quiet))
