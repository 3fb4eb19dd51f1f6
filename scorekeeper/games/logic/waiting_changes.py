"""Apply to a replayed game the changes that a phone saved while it was offline."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from scorekeeper.games.logic.reconcile import Behind, Step, WaitingHand, follows, pair_of, request_key, sorted_json
from scorekeeper.rules import commands as c
from scorekeeper.rules import events as ev
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.replay import advance


class WaitingEdit(Struct, frozen=True):
    """A change that a phone saved while offline, such as a correction. A new hand is a `WaitingHand` instead.

    `client_id` is the id that the phone made for the change.
    """

    client_id: str
    number: int
    """Number of the hand that the change is about, for messages to the phone; 0 if it is about no hand."""
    kind: str
    """The kind of change, a key of `KINDS`."""
    data: Mapping[str, Any]
    """The fields of the change, as the phone sent them."""
    at: datetime | None = None
    """When the change was made by the phone's clock, or None if the phone didn't say."""

    @property
    def key(self) -> str:
        """Return the request key under which the log stores the change."""
        return request_key(self.client_id, sorted_json([self.number, self.kind, dict(self.data)]))


WaitingChange = WaitingHand | WaitingEdit


class Since(Struct, frozen=True):
    """Events that happened after the version that a phone saw, without the events that this phone sent."""

    kinds: frozenset[str] = frozenset()
    """Class names of these events."""
    touched: frozenset[int] = frozenset()
    """Log positions of the hands that were corrected, undone or restored by these events."""


class _Kind(Struct, frozen=True):
    """How to process one kind of change.

    `command` makes the command for the change. Its first argument is the log position of the hand, or 0 if the change
    is not about a hand. Its second argument has the fields of the change. `alone` means that the change is made only if
    the score has not changed since the phone saw it.
    """

    command: Callable[[int, Mapping[str, Any]], c.Command]
    alone: bool = True


KINDS: Mapping[str, _Kind] = {
    "undo": _Kind(lambda seq, data: c.VoidHand(seq)),
    "delete": _Kind(lambda seq, data: c.VoidHand(seq), alone=False),
    "correct": _Kind(lambda seq, data: c.CorrectHand(seq, data["hand"]), alone=False),
    "dealer": _Kind(lambda seq, data: c.SetDealer(data["dealer"])),
    "misdeal": _Kind(lambda seq, data: c.Misdeal()),
    "adjust": _Kind(lambda seq, data: c.AdjustScore(data["side"], data["points"], data["reason"])),
    "concede": _Kind(lambda seq, data: c.Concede(data["winner"])),
    "abandon": _Kind(lambda seq, data: c.Abandon()),
    "reopen": _Kind(lambda seq, data: c.Reopen()),
}
QUIET = frozenset(
    ("BidTaken", "BidWithdrawn", "CallMade", "CallTakenBack", "HandReported", "HandSetAside", "ReportSettled")
)
"""Class names of events that don't change the score."""
TOUCHING = frozenset(("HandCorrected", "HandVoided", "HandRestored"))
"""Class names of events that change a saved hand."""


def follow_changes(
    game: Game, changes: Sequence[WaitingChange], seqs: Mapping[str, int], since: Since
) -> tuple[Step, ...] | Behind:
    """Return the steps that make `changes` after the last event of `game`.

    A step is a pair: the events of one change, and the request key of that change. `seqs` maps the id that the phone
    gave to each saved hand to the hand's log position. If a change no longer fits because of newer events in `since`,
    return `Behind` instead. Raises `RuleViolation` for a change that the rules do not allow.
    """
    steps: list[Step] = []
    places = dict(seqs)
    for change in changes:
        command = _command(game, change, places, since)
        if command is None:
            return Behind(change.number)
        if isinstance(change, WaitingHand):
            places[change.client_id] = game.version + 1
        events = _decided(game, command, change)
        steps.append((events, change.key))
        game = advance(game, events)
    return tuple(steps)


def _command(game: Game, change: WaitingChange, places: Mapping[str, int], since: Since) -> c.Command | None:
    """Return the command of `change`, or None if the change no longer fits.

    A change no longer fits if its hand, or anything else that it depends on, has changed since the phone saw the game.
    `places` maps the id that the phone gave to each hand to the hand's log position.
    """
    if isinstance(change, WaitingHand):
        follows_on = since.kinds <= QUIET and follows(game, pair_of(game, change))
        return c.EnterHand(change.data) if follows_on else None
    kind = KINDS[change.kind]
    target = change.data.get("of", 0)
    seq = places.get(target, 0) if isinstance(target, str) else target
    fits = since.kinds <= QUIET if kind.alone else seq not in since.touched and "RulesChanged" not in since.kinds
    command = kind.command(seq, change.data)
    return command if fits or _done(game, command) else None


def _done(game: Game, command: c.Command) -> bool:
    """Return whether the change has been made in the game already.

    This happens if the phone sent the change before but did not get the response.
    """
    try:
        return not _events(game, command)
    except RuleViolation:
        return False


def _events(game: Game, command: c.Command) -> tuple[ev.Event, ...]:
    if isinstance(command, c.VoidHand) and not game.entry(command.seq).live:
        return ()
    if isinstance(command, c.CorrectHand | c.VoidHand) and game.entry(command.seq).disputes:
        raise RuleViolation("in_dispute", "Two phones disagree on this hand. Settle that first.")
    return c.decide(game, command)


def _decided(game: Game, command: c.Command, change: WaitingChange) -> tuple[ev.Event, ...]:
    """Return the events of `command`, which is the command for `change`.

    Raises `RuleViolation` if the rules refuse the command. If `change` is about a hand, the exception has the index of
    that hand.
    """
    try:
        return _events(game, command)
    except RuleViolation as violation:
        raise violation.in_hand(change.number - 1) if change.number else violation from None
