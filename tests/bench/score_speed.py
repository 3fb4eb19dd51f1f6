"""Measure how fast `scorekeeper score` scores a season: hands per second, and the ratio to a bare loop.

Run: `python tests/bench/score_speed.py [GAMES [CHECKOUT]]`. It makes GAMES (10,000) recorded games of 12 hands of one
game, and as many games of up to 12 hands, each by house rules of its own, with calls in two hands of five. It scores
each file with the command; a minimal loop, which only adds up the points, reads the same file. All are measured as
whole processes, in turns, by the median of their processor time. CHECKOUT is the folder of another commit to compare.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from scorekeeper.rules.options import OPTIONS  # noqa: E402  the checkout comes first
from scorekeeper.rules.presets import PRESETS  # noqa: E402
from tests.rules.client_games import table_with, values_of  # noqa: E402
from tests.rules.random_play import play  # noqa: E402

HANDS = 12
ROUNDS = 5
TAKEN = ([4, 0], [3, 1], [3, 0], [2, 2], [2, 1], [1, 3], [1, 2], [0, 4])
BARE_LOOP = """
import json, sys
for line in open(sys.argv[1], encoding="utf-8"):
    record = json.loads(line)
    totals = [0] * len(record["sides"])
    for hand in record["hands"]:
        for side, points in enumerate(hand.get("taken", ())):
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


def games_of_many_rules(count: int, seed: int = 21) -> Iterator[str]:
    """Yield the records of `count` random games as JSON strings, each game by random house rules of its own."""
    draw = random.Random(seed)
    wishes = [(preset, {key: value}) for key in OPTIONS for value in values_of(key) for preset in PRESETS]
    for number in range(count):
        yield json.dumps(play(table_with(draw, *draw.choice(wishes)), number, HANDS, ("taken",)))


def measured(command: list[str], folder: Path) -> float:
    """Run a command in `folder`, and return its processor time in seconds.

    Raises `RuntimeError` if the command fails.
    """
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=folder) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def compare(name: str, lines: list[str], checkouts: list[Path]) -> None:
    """Print how fast each of `checkouts` scores the games in `lines`, and how much slower that is than a bare loop."""
    with tempfile.TemporaryDirectory() as folder:
        season = Path(folder, "season.jsonl")
        season.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        turns = [(ROOT, ["-c", BARE_LOOP]), *((checkout, ["-m", "scorekeeper", "score"]) for checkout in checkouts)]
        rounds = [
            [measured([sys.executable, *words, str(season)], place) for place, words in turns] for _ in range(ROUNDS)
        ]
    floor, *ours = map(statistics.median, zip(*rounds, strict=True))
    hands = sum(len(json.loads(line)["hands"]) for line in lines)
    print(f"{name}: {len(lines)} games, {hands} hands; a loop that only adds the numbers up takes {floor:.2f} s")
    for checkout, seconds in zip(checkouts, ours, strict=True):
        times, speed = seconds / floor, hands / seconds
        print(f"  {checkout}: {seconds:.2f} s, {times:.1f} times the loop; {speed:,.0f} hands a second on one core")


def main(count: int, checkouts: list[Path]) -> None:
    """Print the figures of each of `checkouts` for `count` games of one game, and for as many of random house rules."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, medians of {ROUNDS} rounds")
    compare("one game", list(games(count)), checkouts)
    compare("random rules", list(games_of_many_rules(count)), checkouts)


if __name__ == "__main__":
    words = sys.argv[1:]
    main(int(words[0]) if words else 10_000, [ROOT, *(Path(word).resolve() for word in words[1:])])
