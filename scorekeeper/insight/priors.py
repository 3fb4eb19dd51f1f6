"""The built-in models. They count how often each hand occurred when simple programs played against each other.

The counts are stored in `priors.json`, which `tests/bench/priors.py` writes. The programs don't look at the score, so
they bid the same at the end of a game as at its beginning.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from scorekeeper.insight.model import Chance, Model, check_table, flat_model, hand_at
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import Table
from scorekeeper.rules.violation import RuleViolation

SIMULATED = "simulated"
"""Name of the built-in models that were counted from simulated hands."""
WRITTEN = Path(__file__).with_name("priors.json")


def prior_key(table: Table) -> str:
    """Return the key in `priors.json` of the built-in model for a table.

    The key has the preset, the numbers of players and of sides, and the options that decide how Low is scored and which
    points a hand has, with spaces between them.
    """
    rules = table.rules
    low = rules.low if rules.counts("low") else ""
    return " ".join(f"{rules.preset} {table.players}/{len(table.sides)} {low} {rules.points}".split())


def has_prior(table: Table) -> bool:
    """Return whether there are simulated hands for a table, even if its house rules forbid some or all of them."""
    return prior_key(table) in _priors()


def simulated_hands(table: Table) -> int:
    """Return the number of simulated hands for a table, including those that its house rules forbid."""
    return sum(row[-1] for row in _priors().get(prior_key(table), ()))


def prior_hands(table: Table) -> int:
    """Return the number of simulated hands for a table, without those that its house rules forbid."""
    return sum(times for _, times in legal_hands(table))


def prior_model(table: Table) -> Model:
    """Return the built-in model for a table.

    Of the stored hands, those that the table's house rules forbid are left out. If none is left, or if the game has no
    built-in model, all hands that the rules allow are equally likely. Raises `RuleViolation` if no win probability can
    be calculated for this table. The same error is raised if no stored hand is left and the table has too many sides
    for `flat_model`.
    """
    check_table(table)
    counted = list(legal_hands(table))
    total = sum(times for _, times in counted)
    if not total:
        return flat_model(table)
    return Model(tuple(Chance(hand, times / total) for hand, times in counted), prior=SIMULATED)


def legal_hands(table: Table) -> Iterator[tuple[Hand, int]]:
    """Yield each stored hand that the table's house rules allow, and how often it occurred."""
    for seats, bid, *taken, times in _priors().get(prior_key(table), ()):
        try:
            yield hand_at(table, seats, bid, taken), times
        except RuleViolation:
            continue


@lru_cache(maxsize=1)
def _priors() -> dict[str, list[list[Any]]]:
    """Return the content of `priors.json`, which maps each `prior_key` to a list of hands.

    Each hand is a list: the number of seats from the dealer clockwise to the bidder, the bid, the points of each side
    (the bidder's side first), and how often the hand occurred.
    """
    priors: dict[str, list[list[Any]]] = json.loads(WRITTEN.read_text(encoding="utf-8"))
    return priors
