"""A night with a bad signal and dying workers: no acknowledged hand is lost, saved twice or overwritten.

Run: python tests/faults/storm.py [--database postgresql] [--tables 20] [--hands 100] [--seeds 5] [--kills 50]

At each table two phones score one game, which one of them may have started offline. They enter hands in four ways:
both at once with the same bid and sometimes another result, one phone alone, one phone from its outbox, and one from
its outbox while the other enters the same hands. Of all replies 30 % are lost, and the phones send the request again
under the same id. Workers are killed (-9) at random moments, --kills of them for each seed. Prints the counts of each
seed. The exit status is 1 if a hand was lost, saved twice or silently overwritten, or if a disagreement isn't shown.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from scorekeeper import create_app  # noqa: E402
from scorekeeper.config import from_environment  # noqa: E402
from tests.faults.storm_judge import Verdict, judge  # noqa: E402
from tests.faults.storm_phone import Counts, StormPhone, Told  # noqa: E402
from tests.support import databases  # noqa: E402  the checkout comes first
from tests.support.server import running, workers_of  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tests.support.server import Server

DIFFERS = 0.15
"""Share of hands for which the second phone enters another result."""
OFFLINE = 0.5
"""Share of tables that start their game offline."""
MEET = 300.0
"""Seconds that one phone waits for the other, much longer than a server without workers needs to start new ones."""
SHAPES = (("both", 4), ("alone", 2), ("outbox", 2), ("race", 2))
"""(method of `Table`, relative frequency) for each way in which the next hands of a table can be entered."""
LONGEST = 6
"""Most hands that an outbox sends at once."""


@dataclass(frozen=True, slots=True)
class Storm:
    """The settings of a storm, a simulated night with lost replies and killed workers.

    A storm has a number of tables, of hands at each table, of workers to kill, and of workers that run at the same
    time.
    """

    tables: int
    hands: int
    kills: int
    workers: int = 2


@dataclass(frozen=True, slots=True)
class Aftermath:
    """The result of a storm.

    It has the phones' counts, the judge's verdict, the number of killed processes, and the duration in seconds.
    """

    counts: Counts
    verdict: Verdict
    kills: int
    seconds: float

    @property
    def clean(self) -> bool:
        """True if neither the judge nor the phones found a fault."""
        return self.verdict.clean and not self.counts.faults


class Table:
    """A table at which two phones score one game.

    `played` is the number of hands so far. For some hands, the two phones enter different winners.
    """

    def __init__(self, url: str, number: int, seed: int, counts: Counts) -> None:
        self.chance = random.Random(f"{seed} table {number}")
        self.phones = tuple(
            StormPhone(url, f"table {number} phone {which}", random.Random(f"{seed} {number} {which}"), counts)
            for which in range(2)
        )
        self.meeting = threading.Barrier(2, timeout=MEET)
        self.played = 0

    def play(self, hands: int, over: threading.Event | None = None, pause: float = 0.0) -> None:
        """Play `hands` hands, or fewer if `over` is set earlier; wait `pause` seconds after each."""
        first, second = self.phones
        if self.chance.random() < OFFLINE:
            heard = [self.hear(1 + hand) for hand in range(min(self.chance.randint(1, LONGEST), hands))]
            first.start_offline([mine for mine, _ in heard])
            self.played = len(heard)
        else:
            first.start()
        first.let_in(second)
        while self.played < hands and not (over and over.is_set()):
            shape = self.chance.choices([name for name, _ in SHAPES], [often for _, often in SHAPES])[0]
            count = 1 if shape in ("both", "alone") else min(self.chance.randint(1, LONGEST), hands - self.played)
            heard = [self.hear(self.played + 1 + hand) for hand in range(count)]
            one, other = self.chance.sample(self.phones, 2)
            getattr(self, shape)(one, [mine for mine, _ in heard], other, [theirs for _, theirs in heard])
            self.played += count
            time.sleep(pause * count)

    def hear(self, number: int) -> tuple[Told, Told]:
        """Return two versions of a random hand with the number `number`.

        The first version is for the first phone to enter, and the second version for the second phone. Some hands have
        different winners in the two versions.
        """
        points = tuple(self.chance.choice(sides) for sides in ((0, 1), (0, 1), (0, 1, None), (0, 1)))
        told = Told(number, self.chance.randrange(4), self.chance.randint(2, 4), points)
        if self.chance.random() >= DIFFERS:
            return told, told
        turned = tuple(None if side is None else 1 - side for side in points)
        misheard = (turned[0], turned[1], turned[2], points[3])
        return told, Told(number, told.bidder, told.bid, misheard)

    def both(self, one: StormPhone, mine: Sequence[Told], other: StormPhone, theirs: Sequence[Told]) -> None:
        """Let both phones enter a hand at the same moment, from pages that show the same version of the game.

        The phone `one` enters the first hand of `mine`, and the phone `other` enters the first hand of `theirs`.
        """
        self.together(lambda: self.enter(one, mine[0], meet=True), lambda: self.enter(other, theirs[0], meet=True))

    def alone(self, one: StormPhone, mine: Sequence[Told], other: StormPhone, theirs: Sequence[Told]) -> None:
        """Let only the phone `one` enter a hand, which is the first of `mine`.

        The phone `other` enters nothing, so `theirs` isn't used.
        """
        self.enter(one, mine[0])

    def outbox(self, one: StormPhone, mine: Sequence[Told], other: StormPhone, theirs: Sequence[Told]) -> None:
        """Let the phone `one` send the hands `mine` from its outbox, as a phone does after being offline.

        The phone `other` enters nothing, so `theirs` isn't used.
        """
        one.send_outbox(mine, one.refresh()["version"])

    def race(self, one: StormPhone, mine: Sequence[Told], other: StormPhone, theirs: Sequence[Told]) -> None:
        """Let the phone `one` send the hands `mine` from its outbox while the phone `other` enters the hands `theirs`.

        Afterwards the phone `other` enters those of its hands that the game still lacks.
        """
        version = one.refresh()["version"]

        def come_back() -> None:
            time.sleep(self.chance.uniform(0, 0.2 * len(mine)))
            one.send_outbox(mine, version)

        def play_on() -> None:
            for told in theirs:
                self.enter(other, told)

        self.together(come_back, play_on)
        for told in theirs:
            self.enter(other, told)

    def enter(self, phone: StormPhone, told: Told, *, meet: bool = False) -> None:
        """Enter a hand with the forms of the board, unless the other phone already entered it.

        With `meet`, wait for the other phone before the bid and before the save.
        """
        phone.refresh()
        if meet:
            self.meeting.wait()
        phone.take_bid(told)
        if meet:
            self.meeting.wait()
        phone.save(told)

    def together(self, *does: Callable[[], None]) -> None:
        """Call these functions at the same time in threads. If a function raises an exception, raise it afterwards."""
        with ThreadPoolExecutor(len(does)) as pool:
            for done in [pool.submit(one) for one in does]:
                done.result()


def rage(storm: Storm, folder: Path, seed: int) -> Aftermath:
    """Run the storm on a server with a new database in `folder`, and return the result."""
    begun = time.monotonic()
    counts = Counts()
    with running(folder, "--workers", str(storm.workers)) as server:
        tables = [Table(server.url, number, seed, counts) for number in range(storm.tables)]
        with ThreadPoolExecutor(storm.tables) as hall:
            playing = {table: hall.submit(table.play, storm.hands) for table in tables}
            killed = kill_workers(server, storm, playing, random.Random(f"{seed} kills"))
        for table, played in playing.items():
            if error := played.exception():
                counts.faults.append(f"{table.phones[0].game} after {table.played} hands: {error!r}")
        book = create_app(from_environment(databases.variables_for(folder), instance=folder))
        verdict = judge(book, {table.phones: storm.hands for table in tables})
        for table in tables:
            for phone in table.phones:
                phone.wire.close()
    return Aftermath(counts, verdict, killed, time.monotonic() - begun)


def kill_workers(server: Server, storm: Storm, playing: Mapping[Table, Future[None]], chance: random.Random) -> int:
    """Kill `storm.kills` random workers, at random moments spread over the storm. Return how many were killed.

    `playing` has a future for each table, which is done when all hands of the table were played.
    """
    total = storm.tables * storm.hands
    moments = sorted(chance.uniform(0, 0.97) * total for _ in range(storm.kills))
    killed = 0
    for moment in moments:
        while sum(table.played for table in playing) < moment and not all(each.done() for each in playing.values()):
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.05))
        until = time.monotonic() + 120
        while not (workers := workers_of(server)) and time.monotonic() < until:
            time.sleep(0.01)
        with suppress(ProcessLookupError):
            os.kill(chance.choice(workers), signal.SIGKILL)
            killed += 1
    return killed


def tell(seed: int, after: Aftermath) -> None:
    """Print the counts and up to 20 faults of a storm.

    `seed` is the random seed of the storm, and `after` is its result.
    """
    counts, verdict = after.counts, after.verdict
    print(
        f"seed {seed}: {verdict.hands} hands, {counts.sent} requests, {counts.lost} replies lost, {after.kills} kills "
        f"that broke {counts.broken} requests, {counts.busy} busy, {after.seconds:.0f} s"
    )
    print(
        f"  acknowledged {verdict.acknowledged}: lost {len(verdict.lost)}, doubled {len(verdict.doubled)}, overwritten "
        f"{len(verdict.overwritten)}; both phones agree on {verdict.verified}, differ on {verdict.disputed} of which "
        f"not shown {len(verdict.unseen)}; refused in words {verdict.kept}; summaries other than the log "
        f"{len(verdict.summaries)}; other faults {len(counts.faults)}",
        flush=True,
    )
    wrong = (verdict.lost, verdict.doubled, verdict.overwritten, verdict.unseen, verdict.summaries, counts.faults)
    for line in [line for lines in wrong for line in lines][:20]:
        print(f"  ! {line}", flush=True)


def main(storm: Storm, seeds: Sequence[int]) -> int:
    """Run a storm for each random seed, print its counts, and return the exit status."""
    clean = True
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            after = rage(storm, Path(folder), seed)
        tell(seed, after)
        clean = clean and after.clean and after.kills >= storm.kills
    return 0 if clean else 1


if __name__ == "__main__":
    words = argparse.ArgumentParser()
    words.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    words.add_argument("--tables", type=int, default=20)
    words.add_argument("--hands", type=int, default=100)
    words.add_argument("--seeds", type=int, default=5)
    words.add_argument("--first-seed", type=int, default=1)
    words.add_argument("--kills", type=int, default=50, help="with each seed")
    words.add_argument("--workers", type=int, default=2)
    asked = words.parse_args()
    with databases.chosen(asked.database):
        seeds = range(asked.first_seed, asked.first_seed + asked.seeds)
        sys.exit(main(Storm(asked.tables, asked.hands, asked.kills, asked.workers), seeds))
