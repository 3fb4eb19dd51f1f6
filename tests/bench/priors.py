"""Deal and play hands, and count how often each one occurs, for the built-in models of win probabilities.

Run: python tests/bench/priors.py [HANDS] [PRESET …]
     python tests/bench/priors.py check [HANDS] [PRESET …]

Needs numba 0.68.1. Careful players (`careful.py`) play HANDS (50,000) hands, always the same ones, at every table of
two or three sides of every game with bids. They don't understand `smear-6` and Some'R'Set; there, the simple players of
the demo (`scorekeeper/leagues/transfer/demo_data.py`) play 2,000. Hands rarer than 1 in 10,000 are left out, because
they make the largest games slow to solve; the line that is printed for each table has their share. Hands in which
everyone passed are left out as well.

Writes how often each hand occurred to `scorekeeper/insight/priors.json`, and what players wonder about to `facts.json`
beside it: how often the jack was out and Game was tied, how long a game takes, and how often each side wins if seat 0
deals first. If PRESETs are named, the lines of all others stay. It takes about ten minutes of one core.

With `check`, other careful players' hands, HANDS (1,000,000) at each table, are compared with the stored ones: their
seats, bids and points together, by chi-square. The exit status is 1 if a table has a worse one than 1 in 1,000.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from math import sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.careful import SEED, dealt_hands, game_at, understood  # noqa: E402, I001  before numpy loads its threads
import numpy as np  # noqa: E402

from scorekeeper.insight import odds  # noqa: E402
from scorekeeper.insight.facts import FACTS  # noqa: E402
from scorekeeper.insight.model import MOST_SIDES, WRITTEN, from_dealer, hand_at, prior_key, prior_model  # noqa: E402
from scorekeeper.leagues.transfer.demo_data import deals  # noqa: E402
from scorekeeper.rules.hands import read_hand  # noqa: E402
from scorekeeper.rules.presets import PRESETS  # noqa: E402
from scorekeeper.rules.scoring import new_tally  # noqa: E402
from scorekeeper.rules.table import Table, table_at  # noqa: E402

HANDS, SIMPLE_HANDS, CHECKED_HANDS = 50_000, 2_000, 1_000_000
RARE = 5
"""Hands that occurred less often among `HANDS` are left out."""
FEW = 10
"""Hands of which fewer are expected are counted together, because chi-square needs that many."""
GAMES = 20_000
"""Games from which the facts about three sides are estimated."""
Outcomes = Counter[tuple[Any, ...]]
"""How often each hand occurred, by the seats from the dealer to the bidder, the bid, and the points of each side."""


def tables() -> Iterator[Table]:
    """Yield every table that gets a built-in model, once for each rule about who gets Low."""
    for rules in PRESETS.values():
        for low in ("captured", "dealt") if rules.counts("low") else (rules.low,):
            for seating in rules.seatings:
                table = table_at(replace(rules, low=low), seating)
                if rules.has_bids and not table.called and len(table.sides) <= MOST_SIDES:
                    yield table


def careful(table: Table, hands: int, seed: int) -> tuple[Outcomes, list[int]]:
    """Count the hands of careful players. Also return in how many hands the jack was scored, and Game was tied."""
    game, names = game_at(table), [category.key for category in table.rules.categories]
    seen, told = Outcomes(), Counter[str]()
    for rows in dealt_hands(table, hands, seed):
        points = [(rows[:, 2:] == party) @ game.value for party in range(table.parties)]
        each, times = np.unique(np.column_stack((rows[:, :2], *points)), axis=0, return_counts=True)
        for (seats, bid, *taken), count in zip(each.tolist(), times.tolist(), strict=True):
            seen[seats, table.rules.special_bid if bid == game.special else bid, *taken] += count
        owners = dict(zip(names, rows[:, 2:].T, strict=True))
        told["jack"] += int((owners.get("jack", np.array([])) >= 0).sum())
        told["game"] += int((owners.get("game", np.array([])) < 0).sum())
    return seen, [told["jack"], told["game"]]


def simple(table: Table, hands: int) -> tuple[Outcomes, list[int]]:
    """Return the same as `careful`, for the players of the demo.

    Hands that a model can't contain, such as a hand with a revoke, are left out.
    """
    seen, told = Outcomes(), Counter[str]()
    # The same cards for as many players, however they form sides.
    seed = prior_key(table).replace(f"/{len(table.sides)}", "")
    for each in islice(deals(table, Random(seed)), hands):
        kept = {key: each[key] for key in ("dealer", "bidder", "bid", "points", "taken", "tricks") if key in each}
        outcome = from_dealer(table, read_hand(table, kept, dealer=each["dealer"]))
        if outcome is not None:
            seen[outcome[0], outcome[1], *outcome[2]] += 1
            points = each.get("points", {})
            told["jack"] += points.get("jack") is not None
            told["game"] += "game" in points and points["game"] is None
    return seen, [told["jack"], told["game"]]


def told_facts(table: Table) -> list[float]:
    """Return the expected number of hands of a game, and the win probability of each side if seat 0 deals first."""
    start = new_tally(table)
    found = odds.odds_for(table, prior_model(table), 0, table.rules.target)
    return [round(each, 4) for each in (found.hands_left(start, 0), *found.win(start, 0))]


def main(hands: int, presets: set[str]) -> None:
    """Write the models and the facts of all tables, one per line, and print a line for each table."""
    stored, facts = (
        {key: json.dumps(row, separators=(",", ":")) for key, row in json.loads(path.read_text()).items()}
        for path in (WRITTEN, FACTS)
    )
    chosen = [table for table in tables() if not presets or table.rules.preset in presets]
    counts = {}
    for table in chosen:
        key = prior_key(table)
        seen, told = careful(table, hands, SEED) if understood(table) else simple(table, SIMPLE_HANDS)
        kept = [(each, times) for each, times in seen.most_common() if times >= (RARE if understood(table) else 1)]
        for (seats, bid, *taken), _times in kept:
            hand_at(table, seats, bid, taken)
        stored[key] = json.dumps([[*each, times] for each, times in kept], separators=(",", ":"))
        counts[table] = [seen.total(), *told]
        rare = 1 - sum(times for _each, times in kept) / seen.total()
        print(f"{key:34} {len(kept)} different hands, {rare:.2%} of all are rarer", flush=True)
    _write(WRITTEN, stored)
    odds.GAMES = GAMES
    for table in chosen:
        facts[prior_key(table)] = json.dumps([*counts[table], *told_facts(table)])
    _write(FACTS, facts)


def _write(path: Path, lines: dict[str, str]) -> None:
    order = [prior_key(table) for table in tables()]
    told = (f"{json.dumps(key)}: {lines[key]}" for key in sorted(lines, key=order.index))
    path.write_text("{\n" + ",\n".join(told) + "\n}\n", encoding="utf-8")


def chance(table: Table, hands: int, seed: int) -> float:
    """Return how likely a chi-square as large as that of `hands` new hands of careful players is by chance.

    It compares two samples, the stored hands and the new ones. Those that are rarer than `RARE` are one kind of hand.
    """
    old = Outcomes({tuple(row[:-1]): row[-1] for row in json.loads(WRITTEN.read_text())[prior_key(table)]})
    old["rarer",] = json.loads(FACTS.read_text())[prior_key(table)][0] - old.total()
    new = Outcomes()
    for each, times in careful(table, hands, seed)[0].items():
        new[each if each in old else ("rarer",)] += times
    sizes = old.total(), new.total()
    pooled = Outcomes(), Outcomes()
    for counts, into in zip((old, new), pooled, strict=True):
        for each, times in counts.items():
            into[each if (old[each] + new[each]) * min(sizes) >= FEW * sum(sizes) else ("rarer",)] += times
    chi = 0.0
    for each in pooled[0].keys() | pooled[1].keys():
        for counts, size in zip(pooled, sizes, strict=True):
            expected = (pooled[0][each] + pooled[1][each]) * size / sum(sizes)
            chi += (counts[each] - expected) ** 2 / expected if expected else 0.0
    free = len(pooled[0].keys() | pooled[1].keys()) - 1
    # Wilson and Hilferty: the cube root of a chi-square is nearly normal.
    return 1 - NormalDist().cdf(((chi / free) ** (1 / 3) - 1 + 2 / (9 * free)) / sqrt(2 / (9 * free)))


def check(hands: int, presets: set[str]) -> int:
    """Print `chance` for all tables of careful players, and return 1 if it is too small anywhere."""
    failed = 0
    for table in tables():
        if understood(table) and (not presets or table.rules.preset in presets):
            started = perf_counter()
            p = chance(table, hands, SEED + 1)
            failed += p < 0.001
            print(f"{prior_key(table):34} {p:.4f}  {perf_counter() - started:.0f} s", flush=True)
    print(f"seed {SEED + 1}: {failed} tables worse than 1 in 1,000")
    return int(failed > 0)


if __name__ == "__main__":
    numbers = [int(each) for each in sys.argv[1:] if each.isdigit()]
    named = {each for each in sys.argv[1:] if each in PRESETS}
    if "check" in sys.argv:
        sys.exit(check(numbers[0] if numbers else CHECKED_HANDS, named))
    main(numbers[0] if numbers else HANDS, named)
