"""Reports of a second phone on a saved hand: the same result, or another."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.rules.scoring import Hand

KEEP, TAKE, SPLIT = "keep", "take", "split"
"""How a report is settled: the saved hand stays, the reported one replaces it, or both were played."""


@dataclass(frozen=True, slots=True)
class Report:
    """A report from another phone with its version of a hand.

    `seq` is its place in the log. `by` is the seat of that phone's owner and `first` that of the phone that saved the
    hand; None if unknown. `agrees`: both were the same when it came in.
    """

    seq: int
    hand: Hand
    by: int | None
    first: int | None
    agrees: bool


@dataclass(frozen=True, slots=True)
class Settled:
    """A report that was settled, at `seq` of the log.

    `hand` is the hand saved at that time. `reason` is None if nobody was asked for one.
    """

    seq: int
    hand: Hand
    report: Report
    how: str
    reason: str | None


def same_result(one: Hand, other: Hand, *, by_point: bool = True) -> bool:
    """Return whether two hands were played alike: same dealer, bidder, bid, and points for each side.

    Trump is not compared, since it changes no score. The owner of each point is compared if both hands give it and
    `by_point` is true.
    """
    if not same_deal(one, other) or (one.taken, one.tricks) != (other.taken, other.tricks):
        return False
    return not by_point or one.points is None or other.points is None or dict(one.points) == dict(other.points)


def same_deal(one: Hand, other: Hand) -> bool:
    """Return whether two hands were dealt and bid alike, whatever points were taken."""
    return (one.dealer, one.bidder, one.bid, one.partner) == (other.dealer, other.bidder, other.bid, other.partner)
