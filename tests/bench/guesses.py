"""Calculate the guesses of the points step from dealt and played hands.

Run: python tests/bench/guesses.py [HANDS]

Deals and plays HANDS (8,000) hands (`scorekeeper/leagues/transfer/demo_deals.py`, the same ones each time) at every
table of every game with named points, for each owner of Low, and writes `scorekeeper/games/logic/dealt_guesses.py`: the
assignments that `default_points.best_guess` makes of them. For a bid that was won in fewer than `ENOUGH` hands, it uses
all hands in which the bidder's side took that many points. Prints for each table the taps that the points of a hand
took, and how many hands could be saved as guessed. Three minutes of one core.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from textwrap import wrap

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from scorekeeper.games.logic.default_points import ENOUGH, OPEN, OURS, best_guess, outcome_of, table_key  # noqa: E402
from scorekeeper.leagues.transfer.demo_deals import deals  # noqa: E402
from scorekeeper.rules.presets import PRESETS  # noqa: E402
from scorekeeper.rules.table import Table, set_table, sides_of  # noqa: E402

WRITTEN = ROOT / "scorekeeper" / "games" / "logic" / "dealt_guesses.py"
HANDS = 8_000
WIDE = 80
SLOW = 4
"""How many times fewer hands of a game in which players discard, which takes long to play."""
HEAD = '''"""The guesses for hands of which a phone has too few of its own; written by tests/bench/guesses.py.

By table (`default_points.table_key`), the assignments for the bids 1, 2 and so on.
"""

from __future__ import annotations

GUESSES: dict[str, str] = {
'''


def tables() -> Iterator[Table]:
    """Yield every table of every game with named points, with Low for either owner."""
    for rules in PRESETS.values():
        for low in ("captured", "dealt") if rules.counts("low") else (rules.low,):
            for seating in rules.seatings if rules.categories else ():
                yield set_table(replace(rules, low=low), seating.players, sides_of(seating))


def played(table: Table, hands: int, seed: str = "") -> dict[int, Counter[str]]:
    """Return how often each outcome came up with each bid."""
    counted: dict[int, Counter[str]] = {}
    for hand in islice(deals(table, Random(f"{table_key(table)} {seed}")), hands):
        outcome = outcome_of(table, hand["bidder"], hand["points"])
        counted.setdefault(hand["bid"], Counter())[outcome] += 1
    return counted


def guesses(table: Table, counted: dict[int, Counter[str]]) -> tuple[str, ...]:
    """Return the assignment for each bid from 1 to all points."""
    values = [category.value for category in table.rules.categories]
    every = sum(counted.values(), Counter[str]())

    def hands_with(bid: int) -> Counter[str]:
        if counted.get(bid, Counter()).total() >= ENOUGH:
            return counted[bid]
        worth = {each: sum(value for value, owner in zip(values, each, strict=True) if owner == OURS) for each in every}
        made = Counter({each: times for each, times in every.items() if worth[each] >= bid})
        return made or Counter({OURS * len(values): 1})

    return tuple(best_guess(hands_with(bid), bid, values) for bid in range(1, table.most + 1))


def taps(counted: dict[int, Counter[str]], row: Sequence[str]) -> tuple[float, int, float]:
    """Return the mean and highest number of taps for the points of a hand, and the share of hands that need none."""
    needed = Counter[int]()
    for bid, outcomes in counted.items():
        for outcome, times in outcomes.items():
            needed[sum(told != owner for told, owner in zip(row[bid - 1], outcome, strict=True))] += times
    total = needed.total()
    return sum(count * times for count, times in needed.items()) / total, max(needed), needed[0] / total


def main(hands: int) -> None:
    """Write the guesses of every table, and print what they cost."""
    lines = []
    for table in tables():
        counted = played(table, hands // SLOW if table.rules.discard_to else hands)
        row = guesses(table, counted)
        mean, most, none = taps(counted, row)
        left = sum(each.count(OPEN) for each in row)
        print(f"{table_key(table):32} mean {mean:.2f}  most {most}  none {none:4.0%}  open {left}", flush=True)
        *parts, last = (f'"{part}"' for part in wrap(" ".join(row), WIDE, drop_whitespace=False))
        text = "\n".join(("(", *(f"        {part}" for part in (*parts, last)), "    )")) if parts else last
        lines.append(f'    "{table_key(table)}": {text},\n')
    WRITTEN.write_text(HEAD + "".join(lines) + "}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else HANDS)
