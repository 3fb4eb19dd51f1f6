"""Calculate the cents that each side and player gets or pays after a game. Amounts to pay are negative (RULES 9).

Every result sums to zero. Rates are in cents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.rules.scoring import leaders_of
from scorekeeper.rules.table import Sides

MOST_CENTS = 1_000_000
"""Highest rate in cents: 10,000 of any currency."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The result of a finished game, as far as the payments depend on it.

    `totals` holds each side's score. `sets` holds how often each side was set. `winner` is the winning side.
    """

    totals: tuple[int, ...]
    sets: tuple[int, ...]
    winner: int


@dataclass(frozen=True, slots=True)
class Rates:
    """The rates for settling up, in cents: `rate` per point, `base` per lost game, `per_set` per set."""

    rate: int = 0
    base: int = 0
    per_set: int = 0


def vs_average(game: Finished, rates: Rates) -> tuple[int, ...]:
    """Return the cents that each side gets or pays if sides settle by their distance from the average score.

    A side gets `rates.rate` cents for each point above the average, or pays as much for each point below the average.

    Cents lost in rounding go to the side with the highest score.
    """
    count = len(game.totals)
    whole = sum(game.totals)
    amounts = [rates.rate * (count * total - whole) // count for total in game.totals]
    return _balanced(amounts, game)


def pairwise(game: Finished, rates: Rates) -> tuple[int, ...]:
    """Return the cents that each side gets or pays if every two sides settle the difference between their scores.

    Of each pair, the side with the lower score pays `rates.rate` cents for each point of the difference.
    """
    whole = sum(game.totals)
    return tuple(rates.rate * (len(game.totals) * total - whole) for total in game.totals)


def winner_takes(game: Finished, rates: Rates) -> tuple[int, ...]:
    """Return the cents that each side gets or pays if each losing side pays the winning side.

    A losing side pays `rates.base`, plus `rates.per_set` for each time that the side was set.
    """
    paid = [rates.base + rates.per_set * sets for sets in game.sets]
    paid[game.winner] = 0
    return _to_winner(paid, game.winner)


def pot_per_set(game: Finished, rates: Rates) -> tuple[int, ...]:
    """Return the cents that each side gets or pays if the winning side takes a pot.

    Each side pays `rates.per_set` into the pot for each time that the side was set.
    """
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
"""The rates (fields of `Rates`) that each method uses."""


def share(amounts: Sequence[int], sides: Sides) -> tuple[int, ...]:
    """Return the cents that the player at each seat gets or pays if each side splits its amount evenly.

    Leftover cents go one each to the side's first seats, so that the players' cents add up to the side's amount.
    """
    shared = [0] * sum(map(len, sides))
    for side, amount in zip(sides, amounts, strict=True):
        each, left = divmod(amount, len(side))
        for place, seat in enumerate(side):
            shared[seat] = each + (place < left)
    return tuple(shared)


def transfers(amounts: Sequence[int]) -> tuple[tuple[int, int, int], ...]:
    """Return the payments that settle `amounts` as (payer's seat, receiver's seat, cents).

    `amounts` are cents by seat and add up to zero. The player with the highest debt always pays the player who is owed
    the most, so there are fewer payments than players.
    """
    left = list(amounts)
    handed = []
    while any(left):
        payer, receiver = left.index(min(left)), left.index(max(left))
        cents = min(-left[payer], left[receiver])
        handed.append((payer, receiver, cents))
        left[payer] += cents
        left[receiver] -= cents
    return tuple(handed)


def _to_winner(paid: Sequence[int], winner: int) -> tuple[int, ...]:
    return tuple(sum(paid) - own if side == winner else -own for side, own in enumerate(paid))


def _balanced(amounts: list[int], game: Finished) -> tuple[int, ...]:
    amounts[leaders_of(game.totals)[0]] -= sum(amounts)
    return tuple(amounts)
