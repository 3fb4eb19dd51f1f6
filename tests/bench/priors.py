"""Simulate hands, and count how often each one occurs, for the built-in models of win probabilities.

Run: python tests/bench/priors.py [HANDS]

Deals and plays HANDS (2,000) hands (`scorekeeper/leagues/transfer/demo_deals.py`, the same ones each time) at every
table of two or three sides of every game with bids. In games in which players discard, it plays a quarter as many.
Writes how often each hand occurred to `scorekeeper/insight/priors.json`. It takes five minutes of one core.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from scorekeeper.insight.model import MOST_SIDES, from_dealer, hand_at  # noqa: E402  the checkout comes first
from scorekeeper.insight.priors import WRITTEN, prior_key  # noqa: E402
from scorekeeper.leagues.transfer.demo_deals import deals  # noqa: E402
from scorekeeper.rules.hands import read_hand  # noqa: E402
from scorekeeper.rules.presets import PRESETS  # noqa: E402
from scorekeeper.rules.table import Table, table_at  # noqa: E402

HANDS = 2_000
SLOW = 4


def tables() -> Iterator[Table]:
    """Yield every table that gets a built-in model, once for each rule about who gets Low."""
    for rules in PRESETS.values():
        for low in ("captured", "dealt") if rules.counts("low") else (rules.low,):
            for seating in rules.seatings:
                table = table_at(replace(rules, low=low), seating)
                if rules.has_bids and not table.called and len(table.sides) <= MOST_SIDES:
                    yield table


def counted(table: Table, hands: int) -> list[list[Any]]:
    """Play `hands` random hands at a table, and return how often each one occurred, the most frequent first.

    The result is a list of lists in the format of `priors.json`. The last item of each list is the number of times.

    Hands that a model can't contain, such as a hand with a revoke, are left out.
    """
    seen = Counter[tuple[Any, ...]]()
    # The same cards for as many players, however they form sides.
    seed = prior_key(table).replace(f"/{len(table.sides)}", "")
    for told in islice(deals(table, Random(seed)), hands):
        kept = {key: told[key] for key in ("dealer", "bidder", "bid", "points", "taken", "tricks") if key in told}
        outcome = from_dealer(table, read_hand(table, kept, dealer=told["dealer"]))
        if outcome is not None:
            hand_at(table, outcome[0], outcome[1], list(outcome[2]))
            seen[outcome[0], outcome[1], *outcome[2]] += 1
    return [[*outcome, times] for outcome, times in seen.most_common()]


def main(hands: int) -> None:
    """Write the models of all tables, one per line, and print how many different hands each has."""
    lines = []
    for table in tables():
        rows = counted(table, hands // SLOW if table.rules.discard_to else hands)
        lines.append(f"{json.dumps(prior_key(table))}: {json.dumps(rows, separators=(',', ':'))}")
        print(f"{prior_key(table):34} {len(rows)} different hands", flush=True)
    WRITTEN.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else HANDS)
