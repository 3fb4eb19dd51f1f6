"""Calculate the cents that each side and player gets or pays after a game. Amounts to pay are negative (RULES 9).

Every result sums to zero. Rates are in cents.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.rules.scoring import leaders_of
from scorekeeper.rules.table import Sides

MOST_SORTED = 10
"""Number of players up to which the fewest payments are looked for: twice the work for each more."""
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

    `amounts` are cents by seat and add up to zero. For up to `MOST_SORTED` players who owe or
    get something, there are as few payments as possible; for more, fewer than players. In a group of players who settle
    among themselves, the player with the highest debt pays the player who is owed the most.
    """
    handed = []
    for group in _groups(amounts):
        handed += _handed([cents if seat in group else 0 for seat, cents in enumerate(amounts)])
    return tuple(handed)


def _groups(amounts: Sequence[int]) -> list[set[int]]:
    """Return the seats with an amount in as many groups as possible, each of which adds up to zero.

    Each group needs one payment less than it has players.
    """
    seats = [seat for seat, cents in enumerate(amounts) if cents]
    if len(seats) > MOST_SORTED:
        return [set(seats)]
    most: list[tuple[int, list[set[int]], int]] = [(0, [set()], 0)]
    for chosen in range(1, 1 << len(seats)):
        added = [place for place in range(len(seats)) if chosen >> place & 1]
        last = max(added, key=lambda place: most[chosen ^ 1 << place][0])
        closed, groups, total = most[chosen ^ 1 << last]
        groups, total = [*groups[:-1], groups[-1] | {seats[last]}], total + amounts[seats[last]]
        most.append((closed, groups, total) if total else (closed + 1, [*groups, set()], 0))
    return sorted(most[-1][1][:-1], key=min)


def _handed(left: list[int]) -> list[tuple[int, int, int]]:
    handed = []
    while any(left):
        payer, receiver = left.index(min(left)), left.index(max(left))
        cents = min(-left[payer], left[receiver])
        handed.append((payer, receiver, cents))
        left[payer] += cents
        left[receiver] -= cents
    return handed


def _to_winner(paid: Sequence[int], winner: int) -> tuple[int, ...]:
    return tuple(sum(paid) - own if side == winner else -own for side, own in enumerate(paid))


def _balanced(amounts: list[int], game: Finished) -> tuple[int, ...]:
    amounts[leaders_of(game.totals)[0]] -= sum(amounts)
    return tuple(amounts)
