"""Settle up after a game: the amount that each side and each player gets or pays, in whole cents (RULES 9).

Every result sums to zero. Rates are in cents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.rules.scoring import leaders_of
from scorekeeper.rules.table import Sides

MOST_CENTS = 1_000_000
"""Highest rate: 10,000 of any currency."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The parts of a finished game that money depends on: totals and sets by side, and the winning side."""

    totals: tuple[int, ...]
    sets: tuple[int, ...]
    winner: int


@dataclass(frozen=True, slots=True)
class Rates:
    """Rates in cents: `rate` per point, `base` per lost game, `per_set` per set."""

    rate: int = 0
    base: int = 0
    per_set: int = 0


def vs_average(game: Finished, rates: Rates) -> tuple[int, ...]:
    """Return cents by side: the rate times each side's difference from the average score.

    Rounding cents go to the highest score.
    """
    count = len(game.totals)
    whole = sum(game.totals)
    amounts = [rates.rate * (count * total - whole) // count for total in game.totals]
    return _balanced(amounts, game)


def pairwise(game: Finished, rates: Rates) -> tuple[int, ...]:
    """Return cents by side: the rate times its difference from every other side."""
    whole = sum(game.totals)
    return tuple(rates.rate * (len(game.totals) * total - whole) for total in game.totals)


def winner_takes(game: Finished, rates: Rates) -> tuple[int, ...]:
    """Return cents by side: each loser pays the base plus `per_set` for each of its sets to the winner."""
    paid = [rates.base + rates.per_set * sets for sets in game.sets]
    paid[game.winner] = 0
    return _to_winner(paid, game.winner)


def pot_per_set(game: Finished, rates: Rates) -> tuple[int, ...]:
    """Return cents by side: every set pays into a pot, the winner's own sets too, and the winner takes it."""
    return _to_winner([rates.per_set * sets for sets in game.sets], game.winner)


METHODS: Mapping[str, Callable[[Finished, Rates], tuple[int, ...]]] = {
    "vs_average": vs_average,
    "pairwise": pairwise,
    "winner_takes": winner_takes,
    "pot_per_set": pot_per_set,
}

USES: Mapping[str, tuple[str, ...]] = {
    "vs_average": ("rate",),
    "pairwise": ("rate",),
    "winner_takes": ("base", "per_set"),
    "pot_per_set": ("per_set",),
}
"""The rates that each method uses."""


def share(amounts: Sequence[int], sides: Sides) -> tuple[int, ...]:
    """Return cents by seat: each side's amount split evenly among its players, adding up to it exactly.

    Leftover cents go to the side's first seats, one each.
    """
    shared = [0] * sum(map(len, sides))
    for side, amount in zip(sides, amounts, strict=True):
        each, left = divmod(amount, len(side))
        for place, seat in enumerate(side):
            shared[seat] = each + (place < left)
    return tuple(shared)


def _to_winner(paid: Sequence[int], winner: int) -> tuple[int, ...]:
    return tuple(sum(paid) - own if side == winner else -own for side, own in enumerate(paid))


def _balanced(amounts: list[int], game: Finished) -> tuple[int, ...]:
    amounts[leaders_of(game.totals)[0]] -= sum(amounts)
    return tuple(amounts)
