"""What players wonder about before a game: how often bids are made and the jack is out, and how long a game takes.

The numbers are of simulated hands. How often bids are made follows from the hands (`model.py`) and the table's rules.
The rest is stored in `facts.json`, which `tests/bench/priors.py` writes for the usual rules of each game.
"""

import json
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from scorekeeper.insight.model import legal_hands, prior_key, simulated_hands
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import differing
from scorekeeper.rules.scoring import Hand, new_tally, score_hand
from scorekeeper.rules.table import Table

FACTS = Path(__file__).with_name("facts.json")
ENOUGH = 500
"""Minimum number of simulated hands that the house rules allow."""
ENOUGH_BIDS = 500
"""Minimum number of simulated hands with a bid, so that it is said how often this bid was made."""
CAREFUL = 10_000
"""Of fewer stored hands, it isn't said how often bids were made: their players are too simple to defend well."""
OF_GAME = {"game_tie", "game_minimum", "trump_jack_counts"}
"""Options that change how often Game is tied."""


class Facts(Struct, frozen=True):
    """Shares of simulated hands at a table, from 0 to 1, and what they say about whole games.

    `bids` has a pair for each number that was bid often enough: the bid and the share of these bids that were made.
    `jack` is the share of hands in which somebody scored the jack, and `tied` that in which Game was tied. `length` is
    the average number of hands in a game, and `dealer_wins` the share of games that the side of the first dealer wins.
    A number that isn't known, or that says nothing in this game, is None.
    """

    hands: int
    bids: tuple[tuple[int, float], ...]
    jack: float | None
    tied: float | None
    length: float | None
    dealer_wins: float | None


def facts_of(table: Table) -> Facts | None:
    """Return the facts about games at a table, or None if too few simulated hands fit its rules."""
    legal = tuple(legal_hands(table))
    hands = sum(times for _hand, times in legal)
    if table.called or hands < ENOUGH:
        return None
    stored, jack, tied, length, *wins = _facts()[prior_key(table)]
    # The stored facts are those of each way in which Low is scored.
    changed = differing(PRESETS[table.rules.preset], table.rules).keys() - {"low"}
    every = hands == simulated_hands(table)
    compared = table.rules.compares("game") and not table.rules.game_minimum and not changed & OF_GAME
    return Facts(
        hands,
        _made(table, legal) if stored >= CAREFUL else (),
        jack / stored if every and _is_scored_at_times(table, "jack") else None,
        tied / stored if every and compared else None,
        None if changed else length,
        None if changed else wins[table.side_of[0]],
    )


def _is_scored_at_times(table: Table, point: str) -> bool:
    """Return whether `point` is scored in some hands, and not in all."""
    return any(each.key == point and not each.always for each in table.rules.categories)


def _made(table: Table, hands: Iterable[tuple[Hand, int]]) -> tuple[tuple[int, float], ...]:
    """Return `Facts.bids` of hands with the numbers of times that they occurred."""
    start, bid, made = new_tally(table), Counter[int](), Counter[int]()
    for hand, times in hands:
        if isinstance(hand.bid, int):
            bid[hand.bid] += times
            made[hand.bid] += times * bool(score_hand(table, start, hand).made)
    return tuple((each, made[each] / bid[each]) for each in sorted(bid) if bid[each] >= ENOUGH_BIDS)


@lru_cache(maxsize=1)
def _facts() -> dict[str, list[float]]:
    """Return the content of `facts.json`, which maps each `prior_key` to a list.

    The list has the number of hands, that of hands in which somebody scored the jack, that of hands in which Game was
    tied, the average number of hands in a game, and the win probability of each side if seat 0 deals first.
    """
    facts: dict[str, list[float]] = json.loads(FACTS.read_text(encoding="utf-8"))
    return facts
