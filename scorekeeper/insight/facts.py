"""What players wonder about before a game: how often the jack is out and Game is tied, and how long a game takes.

The numbers are of simulated hands. They are stored in `facts.json`, which `tests/bench/priors.py` writes for the usual
rules of each game. How often bids are made isn't told: the simulated players defend too badly for that.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from scorekeeper.insight.model import legal_hands, prior_key, simulated_hands
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import differing
from scorekeeper.rules.table import Table

FACTS = Path(__file__).with_name("facts.json")
ENOUGH = 500
"""Minimum number of simulated hands that the house rules allow."""
OF_GAME = {"game_tie", "game_minimum", "trump_jack_counts"}
"""Options that change how often Game is tied."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Shares of simulated hands at a table, from 0 to 1, and what they say about whole games.

    `jack` is the share of hands in which somebody scored the jack, and `tied` that in which Game was tied. `length` is
    the average number of hands in a game, and `dealer_wins` the share of games that the side of the first dealer wins.
    A number that isn't known, or that says nothing in this game, is None.
    """

    hands: int
    jack: float | None
    tied: float | None
    length: float | None
    dealer_wins: float | None


def facts_of(table: Table) -> Facts | None:
    """Return the facts about games at a table, or None if too few simulated hands fit its rules."""
    hands = sum(times for _hand, times in legal_hands(table))
    if table.called or hands < ENOUGH:
        return None
    jack, tied, length, *wins = _facts()[prior_key(table)]
    # The stored facts are those of each way in which Low is scored.
    changed = differing(PRESETS[table.rules.preset], table.rules).keys() - {"low"}
    every = hands == simulated_hands(table)
    compared = table.rules.compares("game") and not table.rules.game_minimum and not changed & OF_GAME
    return Facts(
        hands,
        jack / hands if every and _is_scored_at_times(table, "jack") else None,
        tied / hands if every and compared else None,
        None if changed else length,
        None if changed else wins[table.side_of[0]],
    )


def _is_scored_at_times(table: Table, point: str) -> bool:
    """Return whether `point` is scored in some hands, and not in all."""
    return any(each.key == point and not each.always for each in table.rules.categories)


@lru_cache(maxsize=1)
def _facts() -> dict[str, list[float]]:
    """Return the content of `facts.json`, which maps each `prior_key` to a list.

    The list has the number of hands in which somebody scored the jack, that of hands in which Game was tied, the
    average number of hands in a game, and the win probability of each side if seat 0 deals first.
    """
    facts: dict[str, list[float]] = json.loads(FACTS.read_text(encoding="utf-8"))
    return facts
