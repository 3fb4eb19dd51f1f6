"""Reports of other phones on a saved hand, with the same result or a different one, and how players settle them.

The state of a game, as `replay` computes it from the event log.
"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.rules.bidding import Auction, Bid, Call
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.scoring import Hand, Outcome, Tally
from scorekeeper.rules.table import Table

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


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points added to the score of a side outside any hand, with the reason. Negative points are subtracted."""

    side: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A hand or adjustment of the game, with the reports that other phones made about it.

    `what` is the hand or adjustment, and `seq` is the log position of the event that entered it. `live` is False while
    the entry is undone.
    """

    seq: int
    what: Hand | Adjustment
    live: bool = True
    corrected: bool = False
    reports: tuple[Report, ...] = ()
    """Other phones' reports on this hand that are not settled."""
    settled: tuple[Settled, ...] = ()
    """Other phones' reports on this hand that are settled."""

    @property
    def disputes(self) -> tuple[Report, ...]:
        """Return the open reports that differ from the saved hand."""
        return tuple(report for report in self.reports if not report.agrees)

    @property
    def verified(self) -> bool:
        """Return whether another phone agrees with this hand and none disagrees."""
        return bool(self.reports) and not self.disputes

    def report(self, seq: int) -> Report:
        """Return the open report at log position `seq`. Raises `RuleViolation` if that position has no open report."""
        for report in self.reports:
            if report.seq == seq:
                return report
        raise RuleViolation("report_settled", "That's already settled.")

    @property
    def hand(self) -> Hand:
        """Return the hand. Raises `RuleViolation` if this is an adjustment."""
        if isinstance(self.what, Adjustment):
            raise RuleViolation("hand_unknown", "That hand isn't in this game.")
        return self.what


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the score sheet, which shows a hand or adjustment that is not undone.

    `number` is the number of the hand, from 1. An adjustment has the number of the hand before it. `before` is the
    score before the hand or adjustment, and `tally` is the score after it. `delta` holds the points that the hand or
    adjustment gave each side.

    `after_end` means that the hand or adjustment doesn't count, because the game was already over. `made` is whether
    the bid was made, or None if there was no bid.
    """

    entry: Entry
    number: int
    before: Tally
    tally: Tally
    delta: tuple[int, ...]
    made: bool | None
    after_end: bool = False

    @property
    def is_hand(self) -> bool:
        """Return whether this is a hand, not an adjustment."""
        return isinstance(self.entry.what, Hand)

    @property
    def ended(self) -> bool:
        """Return whether this line ended the game by the rules."""
        return self.tally.outcome is not None and not self.after_end


@dataclass(frozen=True, slots=True)
class OpenBid:
    """The winning bid of the hand in play.

    `trump` is None if it was not entered yet. `calls` is None if only the winning bid was entered, not every call.
    """

    dealer: int
    bidder: int
    bid: Bid
    trump: str | None = None
    calls: tuple[Call, ...] | None = None


@dataclass(frozen=True, slots=True)
class Substitution:
    """At event `seq`, a substitute took over a seat from `player`, who had played the earlier hands there."""

    seq: int
    seat: int
    player: int


@dataclass(frozen=True, slots=True)
class Game:
    """The state of a game after some events.

    `version` is the number of events. `dealer` deals the hand in play, or else the next hand. `stopped` says how the
    players ended the game early, and is None if they didn't.

    `undone` holds the log positions of the undone hands and adjustments that can be redone, in the order of undoing.
    `final` holds the totals by side of a game without hands, and is None for any other game.
    """

    table: Table
    players: tuple[int, ...]
    first_dealer: int
    version: int
    dealer: int
    tally: Tally
    entries: tuple[Entry, ...] = ()
    lines: tuple[Line, ...] = ()
    open_bid: OpenBid | None = None
    auction: Auction | None = None
    """The auction in progress; None before its first call and after its last call."""
    stopped: Outcome | None = None
    undone: tuple[int, ...] = ()
    final: tuple[int, ...] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    changed: int = 1
    """Version after the last event that can change the score.

    Later events are only reports of other phones, settlements of these, and discarded hands.
    """
    rule_changes: int = 0
    """Number of rule changes so far."""
    substitutions: tuple[Substitution, ...] = ()
    """Substitutions in the order in which they happened, without new names for the same player."""

    def player_at(self, seat: int, seq: int) -> int:
        """Return the id of the player who sat at `seat` when the event at log position `seq` happened."""
        left = (each.player for each in self.substitutions if each.seat == seat and each.seq > seq)
        return next(left, self.players[seat])

    def stands_at(self, version: int | None) -> bool:
        """Return whether a page that shows the game at `version` is still up to date.

        Reports of other phones do not make a page outdated. The result is False if `version` is None.
        """
        return version is not None and self.changed <= version <= self.version

    @property
    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it is in progress."""
        return self.tally.outcome or self.stopped

    @property
    def over(self) -> bool:
        """Return whether the game is over, so that no hand can be added."""
        return self.outcome is not None

    @property
    def in_play(self) -> bool:
        """Return whether a hand is in progress, because a call was made or the bid is won but not yet scored."""
        return self.open_bid is not None or self.auction is not None

    @property
    def counted(self) -> tuple[Line, ...]:
        """Return the score sheet lines that count, without lines after the end of the game."""
        return tuple(line for line in self.lines if not line.after_end)

    @property
    def hands(self) -> tuple[Line, ...]:
        """Return the score sheet lines that show a hand, without the lines that show an adjustment."""
        return tuple(line for line in self.lines if line.is_hand)

    @property
    def last_hand(self) -> Line | None:
        """Return the score sheet line of the last hand that counts, or None before the first hand."""
        return next((line for line in reversed(self.lines) if line.is_hand and not line.after_end), None)

    def entry(self, seq: int) -> Entry:
        """Return the hand or adjustment at log position `seq`. Raises `RuleViolation` if there is none."""
        at = bisect_left(self.entries, seq, key=lambda entry: entry.seq)
        if at < len(self.entries) and self.entries[at].seq == seq:
            return self.entries[at]
        raise RuleViolation("hand_unknown", "That hand isn't in this game.")
