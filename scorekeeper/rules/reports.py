"""Reports of other phones on a saved hand, with the same result or a different one, and how players settle them."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.rules.scoring import Hand

KEEP, TAKE, SPLIT = "keep", "take", "split"
"""Ways to settle a report: the saved hand stays, the reported one replaces it, or both were played."""


@dataclass(frozen=True, slots=True)
class Report:
    """A report from another phone with its version of a hand.

    `seq` is the log position of the report. `by` is the seat of the owner of the reporting phone. `first` is the seat
    of the owner of the phone that saved the hand. An unknown seat is None. `agrees` means that both versions were the
    same when the report arrived.
    """

    seq: int
    hand: Hand
    by: int | None
    first: int | None
    agrees: bool


@dataclass(frozen=True, slots=True)
class Settled:
    """A report that the players have settled, with the decision.

    `hand` is the version of the hand that was saved before the settlement. `how` is `KEEP`, `TAKE` or `SPLIT`. `reason`
    is None if nobody was asked for a reason.
    """

    seq: int
    hand: Hand
    report: Report
    how: str
    reason: str | None


def same_result(one: Hand, other: Hand, *, by_point: bool = True) -> bool:
    """Return whether two hands have the same dealer, bidder, bid, called partner, and points for each side.

    The bidder's tricks, a hung jack, and a revoke are also compared. Trump is not compared, since it doesn't change the
    score. Only the rank of a turned-up card is compared. The winner of each point is compared if both hands name it and
    `by_point` is true.
    """
    if not same_deal(one, other) or _won(one) != _won(other):
        return False
    return not by_point or one.points is None or other.points is None or dict(one.points) == dict(other.points)


def same_deal(one: Hand, other: Hand) -> bool:
    """Return whether two hands have the same dealer, bidder, bid and called partner. The points may differ."""
    return (one.dealer, one.bidder, one.bid, one.partner) == (other.dealer, other.bidder, other.bid, other.partner)


def _won(hand: Hand) -> tuple[object, ...]:
    return hand.taken, hand.tricks, hand.jack_hung, hand.revoked, (hand.turned_up or "")[:1]
