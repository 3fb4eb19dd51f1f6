"""Compare how many taps people need to correct the app's guesses and to correct the guesses of a simple rule.

Run: python tests/bench/guess_taps.py [HANDS [GAME ...]]

Plays HANDS (20,000) hands (`guesses.played`) that the guesses were not calculated from, at every table of every GAME
(key of a preset; by default all with named points). The simple rule gives the bidder's side as many points as were bid,
gives nobody the points whose card was probably not dealt, and leaves the other points open; an earlier version of the
app guessed like this. Prints for each table the mean and the highest number of taps with both. A point that is wrong or
open costs one tap. The exit status is 1 if the mean of a table is higher with the app's guesses by more than `NOISE`.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from scorekeeper.games.logic.dealt_guesses import GUESSES  # noqa: E402  the checkout comes first
from scorekeeper.games.logic.default_points import table_key  # noqa: E402
from tests.bench.careful import SEED  # noqa: E402
from tests.bench.guesses import played, simple_row, tables, taps  # noqa: E402

HANDS = 20_000
NOISE = 0.02
"""Largest difference of two means, in taps, that can be due to chance alone with `HANDS` hands."""


def main(hands: int, *games: str) -> int:
    """Print the taps for each table of `games`, or of all games.

    Return 1 if people at any table need more taps with the app's guesses than with the simple rule, else 0.
    """
    worse = 0
    for table in tables():
        if games and table.rules.preset not in games:
            continue
        counted = played(table, hands, SEED + 1)
        simple, simple_most, _ = taps(counted, simple_row(table))
        app, app_most, _ = taps(counted, GUESSES[table_key(table)].split())
        note = "  MORE" if app > simple + NOISE else ""
        print(
            f"{table_key(table):34} {simple:.2f}, at most {simple_most} -> {app:.2f}, at most {app_most}{note}",
            flush=True,
        )
        worse += bool(note)
    print(f"{worse} tables need more taps than with the simple rule")
    return int(worse > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else HANDS, *sys.argv[2:]))
