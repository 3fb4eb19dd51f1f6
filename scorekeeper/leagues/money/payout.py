"""A fund paid out by a template.

The template says what each place is paid. Fixed amounts come first, from the first place down, as far as the money
goes; percentages are of what they leave, rounded down to a cent. Who shares a place puts the shares of all the places
they fill together and divides them equally: two who share the second place take half of the second and the third share
each. Cents that rounding and dividing leave go to the first place, and so do shares of places that nobody has; where
several share the first place, those cents too are divided, the last ones a cent each in the order in which they stand.
What the template gives to nobody, where its percentages are less than a hundred, is kept.
Partners divide what they are paid equally, what is left a cent each from the lowest id on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from scorekeeper.leagues.money.settings import Share
from scorekeeper.leagues.standings.person_game import Unit
from scorekeeper.leagues.standings.rows import StandingRow

Places = Sequence[Sequence[Unit]]
"""Who has the first place, who has the next one, and so on: several where it is shared."""


@dataclass(frozen=True, slots=True)
class Prize:
    """What one unit is paid for its place, in cents."""

    place: int
    unit: Unit
    cents: int


@dataclass(frozen=True, slots=True)
class Payout:
    """The prizes, the best place first, and the cents that nobody gets."""

    prizes: tuple[Prize, ...]
    kept: int


def places_of(rows: Iterable[StandingRow]) -> tuple[tuple[Unit, ...], ...]:
    """Return who has each place of the standings; those without a place are left out."""
    placed = (row for row in rows if row.place is not None)
    return tuple(tuple(row.unit for row in group) for _, group in groupby(placed, key=lambda row: row.place))


def pay_out(fund: int, shares: Sequence[Share], places: Places) -> Payout:
    """Return how `fund` cents are paid; prizes of no cent are left out."""
    groups = [group for group in places if group]
    if not groups or not shares:
        return Payout((), fund)
    amounts, kept = _amounts(fund, shares)
    pools: list[int] = []
    above = 0
    for group in groups:
        pools.append(sum(amounts[above : above + len(group)]))
        above += len(group)
    each = [pool // len(group) for pool, group in zip(pools, groups, strict=True)]
    first = fund - kept - sum(cents * len(group) for cents, group in zip(each[1:], groups[1:], strict=True))
    prizes: list[Prize] = []
    place = 1
    for cents, group in zip(each, groups, strict=True):
        paid = divided(first, len(group)) if place == 1 else [cents] * len(group)
        prizes += (Prize(place, unit, amount) for unit, amount in zip(group, paid, strict=True) if amount)
        place += len(group)
    return Payout(tuple(prizes), kept)


def divided(cents: int, among: int) -> list[int]:
    """Return `cents` in equal parts; the first ones have a cent more where it does not divide."""
    part, left = divmod(cents, among)
    return [part + (index < left) for index in range(among)]


def _amounts(fund: int, shares: Sequence[Share]) -> tuple[list[int], int]:
    """What each place is paid before cents that are left, and what the template gives to nobody."""
    left = fund
    amounts = []
    for share in shares:
        paid = min(share.fixed, left)
        left -= paid
        amounts.append(paid)
    percent = sum(share.percent for share in shares)
    kept = left - left * percent // 100
    return [paid + left * share.percent // 100 for paid, share in zip(amounts, shares, strict=True)], kept
