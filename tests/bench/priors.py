"""Simulate hands, and count how often each one occurs, for the built-in models of win probabilities.

Run: python tests/bench/priors.py [HANDS]

Deals and plays HANDS (2,000) hands (`scorekeeper/leagues/transfer/demo_data.py`, the same ones each time) at every
table of two or three sides of every game with bids. In games in which players discard, it plays a quarter as many.
Writes how often each hand occurred to `scorekeeper/insight/priors.json`, and what players wonder about to `facts.json`
beside it: how often the jack was out and Game was tied, how long a game takes, and how often each side wins if seat 0
deals first. It takes ten minutes of one core.
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

from scorekeeper.insight.facts import FACTS  # noqa: E402  the checkout comes first
from scorekeeper.insight.model import MOST_SIDES, WRITTEN, from_dealer, hand_at, prior_key, prior_model  # noqa: E402  # noqa: E402
from scorekeeper.insight.odds import odds_for  # noqa: E402
from scorekeeper.leagues.transfer.demo_data import deals  # noqa: E402
from scorekeeper.rules.hands import read_hand  # noqa: E402
from scorekeeper.rules.presets import PRESETS  # noqa: E402
from scorekeeper.rules.scoring import new_tally  # noqa: E402
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


def counted(table: Table, hands: int) -> tuple[list[list[Any]], list[int]]:
    """Play `hands` random hands at a table, and return how often each one occurred, the most frequent first.

    The first result is a list of lists in the format of `priors.json`. The last item of each list is the number of
    times. The second result has in how many of the hands somebody scored the jack, and Game was tied.

    Hands that a model can't contain, such as a hand with a revoke, are left out.
    """
    seen = Counter[tuple[Any, ...]]()
    jack = tied = 0
    # The same cards for as many players, however they form sides.
    seed = prior_key(table).replace(f"/{len(table.sides)}", "")
    for told in islice(deals(table, Random(seed)), hands):
        kept = {key: told[key] for key in ("dealer", "bidder", "bid", "points", "taken", "tricks") if key in told}
        outcome = from_dealer(table, read_hand(table, kept, dealer=told["dealer"]))
        if outcome is not None:
            hand_at(table, outcome[0], outcome[1], list(outcome[2]))
            seen[outcome[0], outcome[1], *outcome[2]] += 1
            points = told.get("points", {})
            jack += points.get("jack") is not None
            tied += "game" in points and points["game"] is None
    return [[*outcome, times] for outcome, times in seen.most_common()], [jack, tied]


def told_facts(table: Table) -> list[float]:
    """Return the expected number of hands of a game, and the win probability of each side if seat 0 deals first."""
    start = new_tally(table)
    odds = odds_for(table, prior_model(table), 0, table.rules.target)
    return [round(each, 4) for each in (odds.hands_left(start, 0), *odds.win(start, 0))]


def main(hands: int) -> None:
    """Write the models of all tables, one per line, and print how many different hands each has."""
    lines, points = [], {}
    for table in tables():
        rows, points[table] = counted(table, hands // SLOW if table.rules.discard_to else hands)
        lines.append(f"{json.dumps(prior_key(table))}: {json.dumps(rows, separators=(',', ':'))}")
        print(f"{prior_key(table):34} {len(rows)} different hands", flush=True)
    _write(WRITTEN, lines)
    _write(
        FACTS,
        [f"{json.dumps(prior_key(table))}: {json.dumps([*points[table], *told_facts(table)])}" for table in points],
    )


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else HANDS)
