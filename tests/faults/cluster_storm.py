"""A night on a cluster that loses one machine after another: no acknowledged hand is lost or saved twice.

Run: python tests/faults/cluster_storm.py [--leaders 10] [--tables 6] [--app-every 5] [--seed 1]

Starts the cluster of CLUSTER.md on loopback (`tests.support.patroni`) and plays the storm of `storm.py` on it, through
HAProxy. The leader of the database is killed and cut off from etcd in turns, --leaders times, each time as soon as all
three nodes are up again, and an app process is killed every --app-every seconds. Prints the counts, the longest wait of
a save, and how long each failover took. The exit status is 1 if a hand was lost, saved twice or overwritten, or if a
save waited 30 s or more. A busy machine takes long to start an app again, and then a save waits for that.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from scorekeeper import create_app  # noqa: E402
from scorekeeper.config import from_environment  # noqa: E402
from tests.faults.storm import Aftermath, Table, tell  # noqa: E402
from tests.faults.storm_judge import judge  # noqa: E402
from tests.faults.storm_phone import Counts  # noqa: E402
from tests.support.patroni import NODES, machines, missing  # noqa: E402

if TYPE_CHECKING:
    from tests.support.patroni import Machines

MOST_HANDS = 150
"""Most hands of one game, so that the game's event log doesn't reach its maximum length."""
LONGEST_PAUSE = 30.0
"""A save that takes this many seconds or more makes the storm fail."""
DOWN = 2.0
"""Seconds that the killed machine of a leader stays off after another leader replaced it."""
CUT_OFF = 15.0
"""Seconds that a leader stays cut off from etcd after another one replaced it."""


@dataclass(frozen=True, slots=True)
class Losses:
    """The settings of a storm, a simulated night in which machines of a cluster are killed.

    `tables` is the number of tables that play. `leaders` is the number of database leaders to kill. `app_every` is the
    number of seconds from one killed app process to the next.
    """

    leaders: int
    tables: int
    app_every: float
    pause: float = 2.0
    """Seconds between two hands of a table."""


def rage(losses: Losses, seed: int) -> tuple[Aftermath, list[float]]:
    """Run the storm on a new cluster.

    Return the result of the storm and a list of durations in seconds. For each killed leader of the database, the list
    has the time until another machine became the leader.
    """
    with machines() as cluster:
        cluster.start_app(NODES[0])  # makes the tables
        cluster.until(cluster.is_served)
        for node in NODES[1:]:
            cluster.start_app(node)
        return storm_on(cluster, losses, seed)


def storm_on(cluster: Machines, losses: Losses, seed: int) -> tuple[Aftermath, list[float]]:
    """Run the storm on a cluster that is already running.

    Return the result of the storm and a list of durations in seconds. For each killed leader of the database, the list
    has the time until another machine became the leader.
    """
    begun = time.monotonic()
    counts, over = Counts(), threading.Event()
    tables = [Table(cluster.url, number, seed, counts) for number in range(losses.tables)]
    chance = random.Random(f"{seed} machines")
    with ThreadPoolExecutor(losses.tables + 2) as hall:
        hall.submit(cluster.keep_up, over)
        apps = hall.submit(kill_apps, cluster, losses.app_every, over, random.Random(f"{seed} apps"))
        playing = {table: hall.submit(table.play, MOST_HANDS, over, losses.pause) for table in tables}
        try:
            failovers = [lose_leader(cluster, chance, cut_off=bool(number % 2)) for number in range(losses.leaders)]
        finally:
            over.set()
        for table, played in playing.items():
            if error := played.exception():
                counts.faults.append(f"{table.phones[0].game} after {table.played} hands: {error!r}")
    for node in NODES:
        if cluster.processes[f"app-{node}"].poll() is not None:
            cluster.start_app(node)
    cluster.until(cluster.is_served)
    book = create_app(from_environment(cluster.settings, instance=cluster.folder / "judge"))
    verdict = judge(book, {table.phones: table.played for table in tables})
    for table in tables:
        for phone in table.phones:
            phone.wire.close()
    return Aftermath(counts, verdict, apps.result(), time.monotonic() - begun), failovers


def lose_leader(cluster: Machines, chance: random.Random, *, cut_off: bool) -> float:
    """Kill the machine of the database's leader, or cut it off, and return the seconds until there is another leader.

    The machine comes back afterwards. It may not become the leader again by that, because the hands that were saved
    meanwhile are on the others. The function first waits until the leader has a synchronous standby, because Patroni
    makes only such a standby the new leader.
    """
    cluster.until(cluster.is_whole)
    time.sleep(chance.uniform(1, 4))
    leader = cluster.node_with("leader")
    assert leader is not None
    (cluster.cut_off if cut_off else cluster.kill_node)(leader)
    seconds = cluster.until(lambda: cluster.node_with("leader") not in {None, leader})
    time.sleep(CUT_OFF if cut_off else DOWN)
    (cluster.join_again if cut_off else cluster.start_node)(leader)
    return seconds


def kill_apps(cluster: Machines, every: float, over: threading.Event, chance: random.Random) -> int:
    """Kill a random app process every `every` seconds until `over` is set. Return how many were killed."""
    killed = 0
    while not over.wait(every):
        name = f"app-{chance.choice(NODES)}"
        if cluster.processes[name].poll() is None:
            cluster.kill(name)
            killed += 1
    return killed


def main(losses: Losses, seed: int) -> int:
    """Run the storm, print its counts and return the exit status."""
    after, failovers = rage(losses, seed)
    tell(seed, after)
    times = ", ".join(f"{seconds:.1f}" for seconds in failovers)
    longest = after.counts.longest
    print(f"  {len(failovers)} leaders lost, replaced after {times} s; longest wait of a save {longest:.1f} s")
    return 0 if after.clean and longest < LONGEST_PAUSE else 1


if __name__ == "__main__":
    words = argparse.ArgumentParser()
    words.add_argument("--leaders", type=int, default=10)
    words.add_argument("--tables", type=int, default=6)
    words.add_argument("--app-every", type=float, default=5.0)
    words.add_argument("--seed", type=int, default=1)
    asked = words.parse_args()
    if gone := missing():
        sys.exit(f"Not installed: {', '.join(gone)}")
    sys.exit(main(Losses(asked.leaders, asked.tables, asked.app_every), asked.seed))
