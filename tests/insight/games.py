"""Play random games with the app's own scoring, to check win probabilities. A model gives the chance of each hand."""

from __future__ import annotations

from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING

from scorekeeper.insight.model import dealt_by
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.scoring import Tally, add_hand
from scorekeeper.rules.table import Table, dealer_after, table_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.insight.model import Model


def two_sided_tables() -> Iterator[Table]:
    """Yield a table for each preset with bids that two sides can play, with the fewest players."""
    for rules in PRESETS.values():
        for seating in sorted(rules.seatings, key=lambda each: each.players):
            table = table_at(rules, seating)
            if len(table.sides) == 2 and rules.has_bids and not table.called:
                yield table
                break


def played_out(table: Table, model: Model, tally: Tally, dealer: int, games: int, chance: Random) -> tuple[int, int]:
    """Play `games` games to the end, each from the score in `tally`, with `dealer` as the next dealer.

    Return how many games side 0 won, and how many hands were played in all games together.
    """
    hands = [[dealt_by(table, each.hand, seat) for each in model.chances] for seat in range(table.players)]
    weights = list(accumulate(each.p for each in model.chances))
    won = played = 0
    for _ in range(games):
        now, deals = tally, dealer
        while now.outcome is None:
            hand = chance.choices(hands[deals], cum_weights=weights)[0]
            now, _ = add_hand(table, now, hand)
            deals = dealer_after(table, deals, thrown_in=hand.thrown_in)
            played += 1
        won += now.outcome.winner == 0
    return won, played
