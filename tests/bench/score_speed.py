"""Measure how fast `scorekeeper score` scores a season: hands per second, memory, and the ratio to a bare loop.

Run: `python tests/bench/score_speed.py [GAMES]`. It makes GAMES (100,000) recorded games of 12 hands and scores them
with the command; a minimal loop, which only adds up the points, reads the same file. Both are measured as whole
processes, one after the other, by their processor time.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HANDS = 12
TAKEN = ([4, 0], [3, 1], [3, 0], [2, 2], [2, 1], [1, 3], [1, 2], [0, 4])
BARE_LOOP = """
import json, sys
for line in open(sys.argv[1], encoding="utf-8"):
    record = json.loads(line)
    totals = [0] * len(record["sides"])
    for hand in record["hands"]:
        for side, points in enumerate(hand["taken"]):
            totals[side] += points
    print(totals)
"""


def games(count: int, seed: int = 21) -> Iterator[str]:
    """Yield the game records of `count` random games with `HANDS` hands each, as JSON strings.

    `seed` chooses the games.
    """
    draw = random.Random(seed)
    for _ in range(count):
        hands = [
            {"bidder": draw.randrange(4), "bid": draw.randint(2, 4), "trump": draw.choice("CDHS"), "taken": taken}
            for taken in draw.choices(TAKEN, k=HANDS)
        ]
        yield json.dumps(
            {
                "format": "scorekeeper-game/1",
                # Nobody gets there in twelve hands, so that every hand is scored.
                "ruleset": {"preset": "setback-21", "options": {"target": 100}},
                "players": ["Ann", "Bob", "Cid", "Dee"],
                "sides": [[0, 2], [1, 3]],
                "first_dealer": 3,
                "hands": hands,
            }
        )


def measured(command: list[str]) -> tuple[float, int]:
    """Run a command. Return its processor time in seconds, then its peak memory in kB.

    Raises `RuntimeError` if the command fails.
    """
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def main(count: int) -> None:
    """Print the hands scored per second, the peak memory, and how much slower scoring is than a bare loop.

    The peak memory is measured for `count` games and for a tenth of them.
    """
    with tempfile.TemporaryDirectory() as folder:
        season, tenth = Path(folder, "season.jsonl"), Path(folder, "tenth.jsonl")
        with season.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in games(count))
        with tenth.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in games(count // 10))
        score = [sys.executable, "-m", "scorekeeper", "score"]
        seconds, memory = measured([*score, str(season)])
        bare, _ = measured([sys.executable, "-c", BARE_LOOP, str(season)])
        _, small = measured([*score, str(tenth)])
    print(f"{count} games of {HANDS} hands: {seconds:.2f} s of processor time")
    print(f"{count * HANDS / seconds:,.0f} hands a second on one core")
    print(f"{seconds / bare:.1f} times a loop that only adds the numbers up ({bare:.2f} s)")
    print(f"peak memory {memory} kB, for a tenth of the games {small} kB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
