"""List the hands of a replayed game as statistics count them: as they stand, without those that were deleted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.game import Game
from scorekeeper.rules.scoring import Hand, bidding_sides


class CountedHand(NamedTuple):
    """A hand that counts.

    `seq` is its first event, and `number` counts from 1. `bidder`, `bid` and `made` are None if all passed, and then
    `bidding`, the sides that share the bid, is empty. `delta` holds the points of each side.
    """

    seq: int
    number: int
    dealer: int
    bidder: int | None
    bid: Bid | None
    made: bool | None
    bidding: tuple[int, ...]
    delta: tuple[int, ...]


def counted_hands(game: Game) -> Iterator[CountedHand]:
    """Yield the hands of a game that count, in order. A final score that was entered has none."""
    for line in game.counted:
        hand = line.entry.what
        if isinstance(hand, Hand):
            bidding = () if hand.thrown_in else bidding_sides(game.table, hand)
            yield CountedHand(
                line.entry.seq, line.number, hand.dealer, hand.bidder, hand.bid, line.made, bidding, line.delta
            )
