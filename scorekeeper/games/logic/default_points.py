"""Guess the winner of each point of a hand: the points step starts with these, so that few taps are needed.

Measured on hands dealt and played by `leagues/transfer/demo_deals.py`: the bidder is the likeliest winner of each
point, at any table, but seldom of all of them. A card that was probably not dealt belongs to nobody, unless the bid
was so high that the bidder must have held it.
"""

from __future__ import annotations

from collections.abc import Mapping

from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.cards import pack_of
from scorekeeper.rules.hands import allowed_points
from scorekeeper.rules.table import Table

DEALT = 0.6
"""Share of the pack dealt from which a given card is likelier with the bidder than not dealt."""


def likely_points(table: Table, bidder: int, bid: Bid) -> Mapping[str, int | None]:
    """Return the likely winner of each point, by category key: the bidder's side, or None for nobody.

    Empty for a game without named points. The bidder gets as many points as were bid, if a hand has so many. The other
    points may each be likely, but not all at once, so they are left out.
    """
    ours = table.side_of[bidder]
    absent = often_absent(table)
    wanted = bid if isinstance(bid, int) else table.most
    owners: dict[str, int | None] = {}
    for category in sorted(table.rules.categories, key=lambda each: each.key in absent):
        if wanted > 0:
            owners[category.key] = ours
            wanted -= category.value
        elif category.key in absent:
            owners[category.key] = None
    return owners


def often_absent(table: Table) -> frozenset[str]:
    """Return the category keys of the points whose card was probably not dealt."""
    if table.rules.cards_each * table.players >= DEALT * len(pack_of(table.rules)):
        return frozenset()
    allowed = allowed_points(table)
    return frozenset(
        category.key for category in table.rules.categories if category.card and None in allowed[category.key]
    )
