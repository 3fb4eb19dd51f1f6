"""Play random games with the app's own scoring, to check win probabilities. A model gives the chance of each hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorekeeper.insight.model import dealt_by
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.scoring import Tally, add_hand
from scorekeeper.rules.table import Table, dealer_after, table_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.insight.model import Model

UNKNOWN, NOBODY = -9, -3
"""What `Games.after` has for a hand that was not scored yet, and for the end of a game that nobody won.

The end of a game that side 0 or 1 won is -1 or -2.
"""


def two_sided_tables() -> Iterator[Table]:
    """Yield a table for each preset with bids that two sides can play, with the fewest players."""
    for rules in PRESETS.values():
        for seating in sorted(rules.seatings, key=lambda each: each.players):
            table = table_at(rules, seating)
            if len(table.sides) == 2 and rules.has_bids and not table.called:
                yield table
                break


class Games:
    """Random games at a table with the hands of a model.

    All games of a call are played at once, a hand in each. Each hand is scored once at each score (`add_hand`); `after`
    has the number of the score after it, or which side has won.
    """

    def __init__(self, table: Table, model: Model) -> None:
        self.table = table
        self.hands = [[dealt_by(table, each.hand, seat) for each in model.chances] for seat in range(table.players)]
        self.until = np.cumsum([each.p for each in model.chances])[:-1]
        self.scores: list[tuple[Tally, int]] = []
        self.numbers: dict[tuple[Tally, int], int] = {}
        self.after = np.full((64, len(model.chances)), UNKNOWN, np.int32)

    def play(self, tally: Tally, dealer: int, games: int, chance: np.random.Generator) -> tuple[float, int]:
        """Play `games` games to the end, each from the score in `tally`, with `dealer` as the next dealer.

        Return how many games side 0 won, where a game that nobody won counts a half, and how many hands were played in
        all games together.
        """
        now = np.full(games, self._number(tally, dealer))
        won, played = 0.0, 0
        while now.size:
            drawn = np.searchsorted(self.until, chance.random(now.size), side="right")
            new = np.flatnonzero(self.after[now, drawn] == UNKNOWN)
            for score, hand in sorted(set(zip(now[new].tolist(), drawn[new].tolist(), strict=True))):
                tally_before, dealer_before = self.scores[score]
                after = self._scored(tally_before, dealer_before, hand)
                self.after[score, hand] = after
            played += now.size
            now = self.after[now, drawn]
            won += np.count_nonzero(now == -1) + np.count_nonzero(now == NOBODY) / 2
            now = now[now >= 0]
        return won, played

    def _scored(self, tally: Tally, dealer: int, number: int) -> int:
        hand = self.hands[dealer][number]
        after, _ = add_hand(self.table, tally, hand)
        if after.outcome is not None:
            return NOBODY if after.outcome.winner is None else -1 - after.outcome.winner
        return self._number(after, dealer_after(self.table, dealer, thrown_in=hand.thrown_in))

    def _number(self, tally: Tally, dealer: int) -> int:
        """Return the number of a score, without the counts by which no game at this table ends."""
        rules = self.table.rules
        if rules.hands_limit is None:
            tally = tally._replace(hands=0)
        if rules.max_sets is None:
            tally = tally._replace(sets=(0, 0))
        number = self.numbers.setdefault((tally, dealer), len(self.scores))
        if number == len(self.scores):
            self.scores.append((tally, dealer))
            if number == len(self.after):
                self.after = np.concatenate((self.after, np.full_like(self.after, UNKNOWN)))
        return number
