"""What a second phone says of a hand that is written down: the same, which is a check, or something else."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.rules.scoring import Hand

KEEP, TAKE, SPLIT = "keep", "take", "split"
"""How a report is settled: what is written down stays, what was reported takes its place, or both were played."""


@dataclass(frozen=True, slots=True)
class Report:
    """What another phone says a hand was.

    `seq` is where it stands in the log. `by` is the seat of the phone that says so and `first` of the one that
    wrote the hand down; None where nobody said whose phone it is. `agrees`: it was the same when it came in.
    """

    seq: int
    hand: Hand
    by: int | None
    first: int | None
    agrees: bool


@dataclass(frozen=True, slots=True)
class Settled:
    """A report that was settled, at `seq` of the log: `hand` is what was written down then.

    `reason` is None where nobody was asked for one.
    """

    seq: int
    hand: Hand
    report: Report
    how: str
    reason: str | None


def same_result(one: Hand, other: Hand, *, by_point: bool = True) -> bool:
    """Return whether two hands were played alike: dealer, bidder, bid, and what was taken by whom.

    Which suit was trump changes no score and is no disagreement. Who took which point is one, where both hands tell
    it; with `by_point` false the sums alone are compared.
    """
    if not same_deal(one, other) or (one.taken, one.tricks) != (other.taken, other.tricks):
        return False
    return not by_point or one.points is None or other.points is None or dict(one.points) == dict(other.points)


def same_deal(one: Hand, other: Hand) -> bool:
    """Return whether two hands were dealt and bid alike, whatever was taken then."""
    return (one.dealer, one.bidder, one.bid, one.partner) == (other.dealer, other.bidder, other.bid, other.partner)
