"""Calculate the app's guesses of who took each point, from simulated hands.

Run: python tests/bench/guesses.py [HANDS [GAME ...]]

Needs numba 0.68.1. Careful players (`careful.py`) play HANDS (50,000) hands, always the same ones, at every table of
every game with named points, once for each rule about who gets Low. In games that they don't understand, the simple
players of the demo (`scorekeeper/leagues/transfer/demo_data.py`) play 8,000.

Writes `scorekeeper/games/logic/dealt_guesses.py`: for each bid, the assignment of points that
`default_points.best_guess` finds best, that of `simple_guess`, or the one that is there already, whichever leaves the
fewest taps. For a bid that was won in fewer than `ENOUGH` hands, the guess stays. Prints for each table the taps that
the points of a hand took, and the share of hands that could be saved as guessed. If GAMEs (keys of presets) are given,
only the guesses for these games are calculated, and the guesses for other games stay the same.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from operator import attrgetter
from pathlib import Path
from random import Random
from textwrap import wrap

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from scorekeeper.games.logic.dealt_guesses import GUESSES  # noqa: E402
from scorekeeper.games.logic.default_points import (  # noqa: E402
    ENOUGH,
    NOBODY,
    OPEN,
    OURS,
    best_guess,
    outcome_of,
    table_key,
)
from scorekeeper.leagues.transfer.demo_data import deals  # noqa: E402
from scorekeeper.rules.cards import pack_of  # noqa: E402
from scorekeeper.rules.hands import allowed_points  # noqa: E402
from scorekeeper.rules.presets import PRESETS  # noqa: E402
from scorekeeper.rules.table import Table, table_at  # noqa: E402
from tests.bench.careful import SEED, dealt_hands, game_at, understood  # noqa: E402

WRITTEN = ROOT / "scorekeeper" / "games" / "logic" / "dealt_guesses.py"
HANDS, SIMPLE_HANDS = 50_000, 8_000
WIDE = 88
DEALT = 0.6
"""If at least this share of the deck is dealt, each card was probably dealt."""
HEAD = '''"""Guesses for phones whose own games have too few hands to learn from; `tests/bench/guesses.py` writes it.

`GUESSES` maps the key of a table (`default_points.table_key`) to one text: the guesses for the bids 1, 2 and so on,
with spaces between them. `default_points` describes the format of a guess.
"""

from __future__ import annotations

GUESSES: dict[str, str] = {
'''


def tables() -> Iterator[Table]:
    """Yield every possible table of the games that have bids and named points.

    If a game has the point Low, its tables appear once for each rule about who gets Low.
    """
    for rules in filter(attrgetter("has_bids"), PRESETS.values()):
        for low in ("captured", "dealt") if rules.counts("low") else (rules.low,):
            for seating in rules.seatings if rules.categories else ():
                yield table_at(replace(rules, low=low), seating)


def played(table: Table, hands: int, seed: int = SEED) -> dict[int, Counter[str]]:
    """Simulate `hands` hands. Return a dict that maps each bid to a count of the outcomes of the hands with that bid.

    An outcome is a string with one character for each point, which says who took the point. The same `seed` always
    gives the same hands. Where careful players don't understand the game, there are at most `SIMPLE_HANDS`. A pitch and
    a moon are left out, because no guess depends on them.
    """
    counted: dict[int, Counter[str]] = {}
    if understood(table):
        for rows in dealt_hands(table, hands, seed):
            for (_bidder, bid, *owners), times in Counter(map(tuple, rows.tolist())).items():
                if bid != game_at(table).special:
                    outcome = "".join(NOBODY if owner < 0 else str(owner) for owner in owners)
                    counted.setdefault(bid, Counter())[outcome] += times
        return counted
    for hand in islice(deals(table, Random(f"{table_key(table)} {seed}")), min(hands, SIMPLE_HANDS)):
        outcome = outcome_of(table, hand["bidder"], hand["points"])
        counted.setdefault(hand["bid"], Counter())[outcome] += 1
    return counted


def guesses(table: Table, counted: dict[int, Counter[str]], before: Sequence[str]) -> tuple[str, ...]:
    """Return the best guess of who took each point, as one string for each bid from 1 to the highest sum of points.

    Each string has one character for each point. `counted` holds how often each outcome occurred, by bid. `before` has
    the guesses so far.
    """
    values = [category.value for category in table.rules.categories]

    def best(bid: int) -> str:
        hands = counted.get(bid, Counter[str]())
        if hands.total() < ENOUGH:
            return before[bid - 1]
        known = best_guess(hands, bid, values), before[bid - 1], simple_guess(table, bid)
        return min(known, key=lambda guess: sum(times * _wrong(guess, each) for each, times in hands.items()))

    return tuple(map(best, range(1, table.most + 1)))


def _wrong(guess: str, outcome: str) -> int:
    """Return for how many points a guess has another owner than the outcome of a hand, or none."""
    return sum(told != owner for told, owner in zip(guess, outcome, strict=True))


def simple_guess(table: Table, bid: int) -> str:
    """Return the guess of the simple rule, as a string with one letter for each point (see `default_points`)."""
    rules = table.rules
    absent: set[str] = set()
    if rules.cards_each * table.players < DEALT * len(pack_of(rules)):
        allowed = allowed_points(table)
        absent = {each.key for each in rules.categories if each.card and None in allowed[each.key]}
    owners = dict.fromkeys((each.key for each in rules.categories), OPEN) | dict.fromkeys(absent, NOBODY)
    wanted = bid
    for category in sorted(rules.categories, key=lambda each: each.key in absent):
        if wanted > 0:
            owners[category.key] = OURS
            wanted -= category.value
    return "".join(owners.values())


def simple_row(table: Table) -> tuple[str, ...]:
    """Return the guesses of the simple rule, one string for each bid from 1 to the highest sum of points."""
    return tuple(simple_guess(table, bid) for bid in range(1, table.most + 1))


def taps(counted: dict[int, Counter[str]], row: Sequence[str]) -> tuple[float, int, float]:
    """Return the mean number of taps per hand, the highest number of taps, and the share of hands without a tap.

    Each wrong guess costs a tap. `row` holds the guesses, one string for each bid. `counted` holds how often each
    outcome occurred, by bid.
    """
    needed = Counter[int]()
    for bid, outcomes in counted.items():
        for outcome, times in outcomes.items():
            needed[_wrong(row[bid - 1], outcome)] += times
    total = needed.total()
    return sum(count * times for count, times in needed.items()) / total, max(needed), needed[0] / total


def main(hands: int, games: Sequence[str] = ()) -> None:
    """Calculate and print the guesses for the tables of `games`, or of all games if `games` is empty.

    Then write the app's module of guesses again. The guesses for games that were not calculated stay the same.
    """
    rows = {
        table_key(table): GUESSES[table_key(table)].split()
        if games and table.rules.preset not in games
        else calculated(table, hands)
        for table in tables()
    }
    WRITTEN.write_text(HEAD + "".join(line_of(key, row) for key, row in rows.items()) + "}\n")


def calculated(table: Table, hands: int) -> Sequence[str]:
    """Return the guesses for a table, calculated from `hands` hands.

    Also print how many taps people need to correct these guesses.
    """
    counted = played(table, hands)
    row = guesses(table, counted, GUESSES[table_key(table)].split())
    mean, most, none = taps(counted, row)
    left = sum(each.count(OPEN) for each in row)
    print(f"{table_key(table):32} mean {mean:.2f}  most {most}  none {none:4.0%}  open {left}", flush=True)
    return row


def line_of(key: str, row: Sequence[str]) -> str:
    """Return the line of Python source with the guesses for a table, for the module that `main` writes.

    `key` is the key of the table in that module. `row` has the guesses, one string for each bid.
    """
    *parts, last = (f'"{part}"' for part in wrap(" ".join(row), WIDE, drop_whitespace=False))
    text = "\n".join(("(", *(f"        {part}" for part in (*parts, last)), "    )")) if parts else last
    return f'    "{key}": {text},\n'


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else HANDS, sys.argv[2:])
