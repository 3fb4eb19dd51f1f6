"""Divide a prize fund among places.

A list of shares gives the prize of each place. Fixed amounts are paid first, from first place down, as far as the money
goes; percentages are taken of the rest and rounded down to a cent. Units (people or teams of partners) that share a
place pool the prizes of all the places they fill and divide them equally: two that share second place get half of the
second and third prizes each. Cents lost to rounding, and the prizes of places that nobody has, go to first place; if
several share first place, the cents that don't divide go one each to the units listed first. If the percentages add up
to less than 100, the rest is kept. Partners divide their prize equally; cents that don't divide go one each, lowest id
first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from scorekeeper.games.logic.statistics.person_game import Unit
from scorekeeper.leagues.money.settings import Share
from scorekeeper.leagues.standings.rows import StandingRow

Places = Sequence[Sequence[Unit]]
"""The people or teams in first place, in the next place, and so on; several of them if they share a place."""


@dataclass(frozen=True, slots=True)
class Prize:
    """The prize that a person or a team of partners gets, in cents.

    `unit` has their person ids, and `place` is their place in the ranking, from 1.
    """

    place: int
    unit: Unit
    cents: int


@dataclass(frozen=True, slots=True)
class Payout:
    """The prizes paid from a prize fund, best place first, and the cents of the fund that are not paid out."""

    prizes: tuple[Prize, ...]
    kept: int


def places_of(rows: Iterable[StandingRow]) -> tuple[tuple[Unit, ...], ...]:
    """Return the people or teams in each place of the standings, first place first. Omit unranked people and teams."""
    placed = (row for row in rows if row.place is not None)
    return tuple(tuple(row.unit for row in group) for _, group in groupby(placed, key=lambda row: row.place))


def pay_out(fund: int, shares: Sequence[Share], places: Places) -> Payout:
    """Divide `fund` cents among the people or teams in `places`. Return the prizes and the cents not paid out.

    `shares` has the share of each place, first place first. Prizes of 0 cents are left out.
    """
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
    """Return `cents` divided into `among` nearly equal parts; the first parts get the remainder, one cent each."""
    part, left = divmod(cents, among)
    return [part + (index < left) for index in range(among)]


def _amounts(fund: int, shares: Sequence[Share]) -> tuple[list[int], int]:
    """Return the prize of each place in `shares`, and the part of the fund that isn't paid out, all in cents.

    Part of the fund isn't paid out if the percentages add up to less than 100. Because of rounding, the prizes and that
    part can add up to a few cents less than the fund.
    """
    left = fund
    amounts = []
    for share in shares:
        paid = min(share.fixed, left)
        left -= paid
        amounts.append(paid)
    percent = sum(share.percent for share in shares)
    kept = left - left * percent // 100
    return [paid + left * share.percent // 100 for paid, share in zip(amounts, shares, strict=True)], kept
