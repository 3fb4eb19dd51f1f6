"""Who most likely took what: the points step starts from it, so that only what differs is tapped.

Measured on hands dealt and played out by `tests/bench/dealt.py`: whoever bid is the likeliest single
taker of every point, at any table. Only a card that was probably not dealt belongs to nobody, unless the
bid was so high that the bidder must have held it.
"""

from __future__ import annotations

from collections.abc import Mapping

from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.cards import pack_of
from scorekeeper.rules.hands import allowed_points
from scorekeeper.rules.table import Table

CARDS_EACH = 6
DEALT = 0.6
"""Share of the pack from which on a given card is likelier with the bidder than not dealt at all."""


def likely_points(table: Table, bidder: int, bid: Bid) -> Mapping[str, int | None]:
    """Return who most likely took each point, by category: the bidder's side, or None for nobody.

    Empty for a game that does not say which points were taken. At least as many points as
    were bid go to the bidder, where a hand has so many.
    """
    if not table.rules.categories:
        return {}
    ours = table.side_of[bidder]
    absent = often_absent(table)
    wanted = bid if isinstance(bid, int) else table.most
    owners: dict[str, int | None] = {}
    worth = 0
    for category in table.rules.categories:
        owners[category.key] = None if category.key in absent else ours
        worth += 0 if category.key in absent else category.value
    for category in table.rules.categories:
        if worth < wanted and owners[category.key] is None:
            owners[category.key] = ours
            worth += category.value
    return owners


def often_absent(table: Table) -> frozenset[str]:
    """Return the keys of the points whose card was probably not dealt."""
    if CARDS_EACH * table.players >= DEALT * len(pack_of(table.rules)):
        return frozenset()
    allowed = allowed_points(table)
    return frozenset(
        category.key for category in table.rules.categories if category.card and None in allowed[category.key]
    )
