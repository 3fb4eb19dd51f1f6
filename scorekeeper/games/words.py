"""Words for what stands on a hand: suits, bids, who took what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import Table
from scorekeeper.wording import SideName, join_names, number

LETTERS = "ABCDEFG"
SUIT_SIGNS: Mapping[str, str] = {"C": "♣", "D": "♦", "H": "♥", "S": "♠", "none": "NT"}
SUIT_NAMES: Mapping[str, str] = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades", "none": "no trump"}


def suit_sign(trump: str | None) -> str:
    """Return the sign of a trump suit, "12s" for a numbered one, empty for none given."""
    return "" if trump is None else SUIT_SIGNS.get(trump, f"{trump}s")


def suit_name(trump: str | None) -> str:
    """Return "hearts", "12s", "no trump", or empty."""
    return "" if trump is None else SUIT_NAMES.get(trump, f"{trump}s")


def bid_text(bid: Bid | None) -> str:
    """Return a bid as the sheet shows it; "thrown in" where nobody bid."""
    return "thrown in" if bid is None else str(bid)


def said_bid(bid: Bid) -> str:
    """Return a bid as it stands in a sentence: "3" or "a pitch"."""
    return str(bid) if isinstance(bid, int) else f"a {bid}"


def hand_text(table: Table, names: Sequence[str], sides: Sequence[SideName], hand: Hand) -> str:
    """Return what a hand says, in two sentences: "Ann bid 3 in hearts. Ann and Cid: High, Jack. Bob and Dee: Low."."""
    if hand.bidder is None or hand.bid is None:
        return f"{names[hand.dealer]} dealt and everyone passed."
    suit = f" in {suit_name(hand.trump)}" if hand.trump not in (None, "none") else ""
    partner = ""
    if table.called:
        partner = " alone" if hand.partner is None else f" with {names[hand.partner]}"
    bid = f"{names[hand.dealer]} dealt, {names[hand.bidder]} bid {said_bid(hand.bid)}{suit}{partner}."
    return f"{bid} {_took(table, sides, hand)}"


def _took(table: Table, sides: Sequence[SideName], hand: Hand) -> str:
    if table.called:
        return f"The bidder's party took {number(hand.taken[0])}, the others {number(hand.taken[1])}."
    if hand.points is None:
        return " ".join(f"{side.name}: {hand.taken[index]}." for index, side in enumerate(sides))
    labels = {category.key: category.label for category in table.rules.categories}
    won = {index: [labels[key] for key, owner in hand.points.items() if owner == index] for index in range(len(sides))}
    told = [f"{sides[index].name}: {', '.join(points)}." for index, points in won.items() if points]
    nobody = [labels[key] for key, owner in hand.points.items() if owner is None]
    return " ".join([*told, *([f"Nobody: {', '.join(nobody)}."] if nobody else [])])


def adjustment_text(side: SideName, points: int, reason: str) -> str:
    """Return what an adjustment says: "Ann and Cid lose 2: a revoke"."""
    verb = f"{side:get|gets}" if points > 0 else f"{side:lose|loses}"
    return f"{side.name} {verb} {abs(points)}: {reason}"


def hand_numbers(numbers: Sequence[int]) -> str:
    """Return "Hand 8" or "Hands 8 and 9"."""
    return f"{'Hand' if len(numbers) == 1 else 'Hands'} {join_names([str(item) for item in numbers])}"
