"""The state of a game, as `replay` computes it from the event log."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.rules.bidding import Auction, Bid, Call
from scorekeeper.rules.reports import Report, Settled
from scorekeeper.rules.scoring import Hand, Outcome, Tally
from scorekeeper.rules.table import Table
from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points that the table agreed to add to a side outside any hand (negative: subtract), with the reason."""

    side: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A hand or an adjustment in the log. `seq` is its first event; `live` is False once it is undone."""

    seq: int
    what: Hand | Adjustment
    live: bool = True
    corrected: bool = False
    reports: tuple[Report, ...] = ()
    """Reports of other phones that are not settled."""
    settled: tuple[Settled, ...] = ()
    """Reports that are settled."""

    @property
    def disputes(self) -> tuple[Report, ...]:
        """Return the reports that disagree."""
        return tuple(report for report in self.reports if not report.agrees)

    @property
    def verified(self) -> bool:
        """Return whether two phones agree on this hand and none disagrees."""
        return bool(self.reports) and not self.disputes

    def report(self, seq: int) -> Report:
        """Return the open report at `seq`. Raises `RuleViolation` if there is none."""
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
    """An entry that is not undone, with the score before and after it.

    `number` is the number of the hand, from 1; an adjustment has that of the hand before it.
    `before` and `tally` are the score before and after it. `after_end`: the game was over
    before it, so it does not count. `made` is None if there was no bid.
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
        """Return whether the game ended here by the rules."""
        return self.tally.outcome is not None and not self.after_end


@dataclass(frozen=True, slots=True)
class OpenBid:
    """The bid in play."""

    dealer: int
    bidder: int
    bid: Bid
    trump: str | None = None
    calls: tuple[Call, ...] | None = None


@dataclass(frozen=True, slots=True)
class Substitution:
    """The event `seq` put another player on a seat in place of `player`, who played the hands before it."""

    seq: int
    seat: int
    player: int


@dataclass(frozen=True, slots=True)
class Game:
    """The state of a game after some events.

    `version` is the number of events. `dealer` deals the hand in play or the next one.
    `undone` holds the seqs of the undone hands that can be redone, the last one last.
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
    """The auction in progress; None before its first call."""
    stopped: Outcome | None = None
    undone: tuple[int, ...] = ()
    final: tuple[int, ...] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    changed: int = 1
    """The version since which only reports came in, and nothing changed the score."""
    rule_changes: int = 0
    """Number of rule changes so far."""
    substitutions: tuple[Substitution, ...] = ()
    """In the order in which they happened; a new name for the same player is none."""

    def player_at(self, seat: int, seq: int) -> int:
        """Return the player who sat on `seat` when the event `seq` happened."""
        left = (each.player for each in self.substitutions if each.seat == seat and each.seq > seq)
        return next(left, self.players[seat])

    def stands_at(self, version: int | None) -> bool:
        """Return whether a page of this version is up to date. Reports do not make a page outdated."""
        return version is not None and self.changed <= version <= self.version

    @property
    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it runs."""
        return self.tally.outcome or self.stopped

    @property
    def over(self) -> bool:
        """Return whether the game is over, so that no hand can be added."""
        return self.outcome is not None

    @property
    def in_play(self) -> bool:
        """Return whether a hand is in play: there is a call, or a winning bid whose hand isn't scored yet."""
        return self.open_bid is not None or self.auction is not None

    @property
    def counted(self) -> tuple[Line, ...]:
        """Return the lines that count: not undone, and not after the end."""
        return tuple(line for line in self.lines if not line.after_end)

    @property
    def hands(self) -> tuple[Line, ...]:
        """Return the lines of hands, without adjustments."""
        return tuple(line for line in self.lines if line.is_hand)

    @property
    def last_hand(self) -> Line | None:
        """Return the last hand that counts, None before the first."""
        return next((line for line in reversed(self.lines) if line.is_hand and not line.after_end), None)

    def entry(self, seq: int) -> Entry:
        """Return the hand first saved at `seq`. Raises `RuleViolation` if there is none."""
        at = bisect_left(self.entries, seq, key=lambda entry: entry.seq)
        if at < len(self.entries) and self.entries[at].seq == seq:
            return self.entries[at]
        raise RuleViolation("hand_unknown", "That hand isn't in this game.")
