"""Measure how many hands and pages a server handles per second, and how much processor time and memory it uses.

Run: python tests/bench/throughput.py [SECONDS [WORKERS [THREADS]]] [--postgresql]

Eight phones, each with its own game, save hands as fast as they get responses (three requests: the bid, the points
step, the save). Then eight phones open pages: the home page, the board, and the watch page. They run on the same
machine, perhaps beside other programs, so the server can do at least what the rates say. The processor time of the
server and of PostgreSQL hardly depends on that; the rate that one core could reach is calculated from it. The memory is
that of all processes of the server afterwards: the private part of each (USS), and the sum in which each shared part
counts once (PSS).
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.support.postgresql import cluster  # noqa: E402  the checkout comes first
from tests.support.server import Server, command, environment, kill_group, start  # noqa: E402
from tests.support.wire_phone import WirePhone  # noqa: E402

PHONES = 8
FOUR = ("Ann", "Bob", "Cid", "Dee")
TOOK = {"high": 0, "low": 0, "jack": "none", "game": 1}
LONGEST = 6
"""Number of hands after which a phone starts a new game, because the old game would end soon."""
TICKS = os.sysconf("SC_CLK_TCK")


def main(seconds: float, workers: int, threads: int, *, postgresql: bool) -> int:
    """Measure hands and pages for `seconds` seconds each, print the figures, and return 0."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        own = stack.enter_context(cluster()) if postgresql else None
        env = environment(**({"DATABASE_URL": own.url("postgres")} if own else {}))
        server = start(command(folder, "--workers", str(workers), "--threads", str(threads)), env)
        stack.callback(kill_group, server)
        roots = {"server": server.process.pid}
        if own and own.process:
            roots["PostgreSQL"] = own.process.pid
        phones = [stack.enter_context(closing(WirePhone(server.url))) for _ in range(PHONES)]
        for what, act in (("hand", hands), ("page", pages)):
            warm(phones, act)
            measure(what, phones, act, roots, seconds)
        print(memory(server))
    return 0


def hands(phone: WirePhone) -> Iterator[float]:
    """Save one hand after another. Yield the seconds that each save took."""
    while True:
        game = phone.start("setback-21", FOUR, seating="4p")
        for hand in range(LONGEST):
            assert phone.bid(game, 1 + 2 * hand, 0, 2).status == 303
            seen = phone.look(game, 2 + 2 * hand, TOOK)
            began = time.perf_counter()
            answer = phone.post(f"{game}/hands", mode="points", version=2 + 2 * hand, seen=seen, sure=seen, **TOOK)
            assert answer.status == 303, answer.status
            yield time.perf_counter() - began


def pages(phone: WirePhone) -> Iterator[float]:
    """Open one page after another. Yield the seconds that each page took."""
    game = phone.start("setback-21", FOUR, seating="4p")
    while True:
        for path in ("/", game, game.replace("/games/", "/watch/")):
            began = time.perf_counter()
            assert phone.get(path).status == 200
            yield time.perf_counter() - began


def warm(phones: list[WirePhone], act: Callable[[WirePhone], Iterator[float]]) -> None:
    """Let each phone save one hand or open one page before the measurement.

    `act` is `hands` or `pages`, a function that repeats this step forever for the phone that it gets.
    """
    for phone in phones:
        next(act(phone))


def measure(
    what: str,
    phones: list[WirePhone],
    act: Callable[[WirePhone], Iterator[float]],
    roots: dict[str, int],
    seconds: float,
) -> None:
    """Let all phones save hands or open pages for `seconds` seconds, and print the figures.

    `act` is `hands` or `pages`, a function that repeats a step forever and yields the seconds that each step took.
    `what` names the step in the output, "hand" or "page". `roots` holds process ids by the name of the process. The
    processor time of these processes is printed, too.
    """
    times: list[float] = []
    until = time.monotonic() + seconds

    def run(phone: WirePhone) -> None:
        for took in act(phone):
            times.append(took)
            if time.monotonic() > until:
                return

    before = {name: processor_seconds(pid) for name, pid in roots.items()}
    began = time.monotonic()
    crowd = [threading.Thread(target=run, args=(phone,)) for phone in phones]
    for each in crowd:
        each.start()
    for each in crowd:
        each.join()
    lasted = time.monotonic() - began
    spent = {name: processor_seconds(pid) - before[name] for name, pid in roots.items()}
    ordered = sorted(times)
    cost = ", ".join(f"{1000 * each / len(times):.1f} ms of {name}" for name, each in spent.items())
    print(
        f"{what}s: {len(times) / lasted:.0f} a second, p50 {1000 * statistics.median(times):.0f} ms, "
        f"p95 {1000 * ordered[int(0.95 * len(ordered))]:.0f} ms; one takes {cost}; "
        f"one core of the server would do {len(times) / spent['server']:.0f} a second"
    )


def processor_seconds(root: int) -> float:
    """Return the processor time in seconds of a process and all its descendants, including those that ended."""
    return sum(ticks_of(pid) for pid in family(root)) / TICKS


def family(root: int) -> list[int]:
    """Return the ids of the process `root` and all its descendants."""
    found = [root]
    for pid in found:
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            found += map(int, task.read_text().split())
    return found


def ticks_of(pid: int) -> int:
    """Return the processor time of a process and its ended children, in clock ticks.

    The result is 0 if the process has ended.
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15]))


def memory(server: Server) -> str:
    """Return a line of text about the memory that the server's processes use."""
    pss, private = [], []
    for pid in family(server.process.pid):
        rolled = dict(
            line.split(":", 1) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:] if ":" in line
        )
        kilobytes = {name: int(value.split()[0]) for name, value in rolled.items()}
        pss.append(kilobytes["Pss"])
        private.append(kilobytes["Private_Clean"] + kilobytes["Private_Dirty"])
    each = ", ".join(f"{size / 1024:.0f}" for size in private)
    return f"memory: {sum(pss) / 1024:.0f} MB for {len(pss)} processes (PSS); private: {each} MB"


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    given = numbers + [10, 1, 16][len(numbers) :]
    raise SystemExit(main(given[0], given[1], given[2], postgresql="--postgresql" in sys.argv))
