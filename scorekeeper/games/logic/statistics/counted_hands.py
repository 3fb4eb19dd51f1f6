"""List the hands of a replayed game that count, in their corrected form and without deleted hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.game import Game
from scorekeeper.rules.scoring import Hand, bidding_sides


class CountedHand(NamedTuple):
    """A hand that counts.

    `seq` is the log position of the hand's first event. `number` is the number of the hand, from 1. `bidding` lists the
    sides that share the bid, and `made` tells whether the bid was made. If all passed or the game has no bids,
    `bidder`, `bid` and `made` are None, and `bidding` is empty. `delta` holds the points of each side.
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
    """Yield the hands of a game that count, in order. A game entered as a final score has none."""
    for line in game.counted:
        hand = line.entry.what
        if isinstance(hand, Hand):
            bidding = bidding_sides(game.table, hand)
            yield CountedHand(
                line.entry.seq, line.number, hand.dealer, hand.bidder, hand.bid, line.made, bidding, line.delta
            )
