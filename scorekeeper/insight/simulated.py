"""Estimate win probabilities by simulating games, where there are too many states to calculate all of them."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from math import sqrt
from random import Random

from scorekeeper.insight.model import Model, check_table, dealt_by
from scorekeeper.rules.scoring import Tally, add_hand
from scorekeeper.rules.table import Table, dealer_after
from scorekeeper.rules.violation import RuleViolation

GAMES = 4_000
"""Number of games that are simulated to estimate the probabilities at one state: a score and the next dealer."""
PLUS_MINUS = 1.96 * sqrt(0.25 / GAMES)
"""In at least 95 of 100 cases, an estimated probability differs from the exact one by at most this much."""
MOST_HANDS = 2_000
"""A simulated game with this many hands is considered endless, and raises an error."""


class SimulatedOdds:
    """The win probabilities at a table, estimated by simulating `GAMES` games from each state that is asked for.

    The same state always gets the same estimate.
    """

    def __init__(self, table: Table, model: Model) -> None:
        check_table(table)
        self.table = table
        self.hands = [[dealt_by(table, each.hand, seat) for each in model.chances] for seat in range(table.players)]
        self.weights = list(accumulate(each.p for each in model.chances))
        self.known: dict[tuple[Tally, int], tuple[tuple[float, ...], float]] = {}

    def win(self, tally: Tally, dealer: int) -> tuple[float, ...]:
        """Return the estimated probability that each side wins, by side. `dealer` is the seat that deals next."""
        return self._estimate(tally, dealer)[0]

    def hands_left(self, tally: Tally, dealer: int) -> float:
        """Return the estimated number of hands until the end, counting those in which everyone passes."""
        return self._estimate(tally, dealer)[1]

    def _estimate(self, tally: Tally, dealer: int) -> tuple[tuple[float, ...], float]:
        """Return the estimates for a state. Raises `RuleViolation` if a simulated game practically never ends."""
        if (tally, dealer) not in self.known:
            chance = Random(f"{tally} {dealer}")  # noqa: S311  the same for the same state
            played = [self._play(tally, dealer, chance) for _ in range(GAMES)]
            won = Counter(winner for winner, _ in played)
            sides = range(len(self.table.sides))
            # A game that nobody won counts for all alike.
            win = tuple((won[side] + won[None] / len(sides)) / GAMES for side in sides)
            self.known[tally, dealer] = win, sum(hands for _, hands in played) / GAMES
        return self.known[tally, dealer]

    def _play(self, tally: Tally, dealer: int, chance: Random) -> tuple[int | None, int]:
        """Simulate a game from this state. Return the winning side (None for nobody) and the number of hands played."""
        for number in range(MOST_HANDS):
            if tally.outcome is not None:
                return tally.outcome.winner, number
            hand = chance.choices(self.hands[dealer], cum_weights=self.weights)[0]
            tally, _ = add_hand(self.table, tally, hand)
            dealer = dealer_after(self.table, dealer, thrown_in=hand.thrown_in)
        raise RuleViolation("model_endless", "By this model, a game practically never ends.")
