"""What a phone that was behind says, held against what the game says: pure, on replayed games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.rules.commands import Command, decide
from scorekeeper.rules.events import Event, HandScored, HandThrownIn
from scorekeeper.rules.game import Entry, Game, advance, replay
from scorekeeper.rules.reports import KEEP, SPLIT, TAKE, same_result
from scorekeeper.rules.scoring import Hand


@dataclass(frozen=True, slots=True)
class Compared:
    """A hand that a phone sent, and the one that has its number by now."""

    number: int
    entry: Entry
    """The hand that is written down."""
    hand: Hand
    """What the phone says it was."""
    own: bool = False
    """The same phone wrote both: that is no check of one by the other."""
    by: int | None = None
    """Seat of the phone that sent it, None where nobody said whose it is; `first`: of the one that came first."""
    first: int | None = None

    @property
    def agrees(self) -> bool:
        """Return whether both say the same."""
        return same_result(self.entry.hand, self.hand)


@dataclass(frozen=True, slots=True)
class Part:
    """What a phone is to a report: it wrote the hand down, it reported it, it started the game."""

    wrote: bool
    reported: bool
    started: bool

    def accepts(self, how: str) -> bool:
        """Return whether settling it so gives in to the other phone: then nobody else needs to be asked."""
        if how == SPLIT:  # what each of them said counts
            return self.wrote or self.reported
        return self.reported and not self.wrote if how == KEEP else how == TAKE and self.wrote and not self.reported


def game_at(log: Sequence[Event], version: int | None) -> Game | None:
    """Return the game as a phone saw it that saw `version`; None where there never was such a version."""
    if version is None or not 1 <= version <= len(log):
        return None
    return replay(log[:version])


def compared(then: Game, now: Game, command: Command) -> Compared | None:
    """Return the hand that `command` writes down in the game `then`, beside the one that has its number `now`.

    None where it is no hand, its number is free, or the rules have changed. Raises `RuleViolation` for a hand
    that could not be.
    """
    entry = taker(then, now)
    if entry is None or then.table != now.table:
        return None
    (event, *_) = decide(then, command) or (None,)
    if not isinstance(event, HandScored | HandThrownIn):
        return None
    return Compared(len(then.hands) + 1, entry, event.hand)


def taker(then: Game, now: Game) -> Entry | None:
    """Return the hand that has the number `now` that was the next one `then`, None where it was not written since."""
    number = len(then.hands) + 1
    for line in now.hands:
        if line.number == number and line.entry.seq > then.version:
            return line.entry
    return None


def done_alike(then: Game, now: Game, command: Command) -> bool:
    """Return whether the hand in play stands where `command` would have brought it; raises `RuleViolation`."""
    after = advance(then, decide(then, command))
    return _in_play(after) == _in_play(now)


def _in_play(game: Game) -> tuple[object, ...]:
    return game.table, len(game.hands), game.dealer, game.open_bid, game.auction
