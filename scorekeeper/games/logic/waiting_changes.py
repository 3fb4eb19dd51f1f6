"""Changes that a phone made to a game without a signal, besides new hands: pure, on replayed games.

A hand to correct or undo is named by its place in the log, or by the phone's id for it if it was waiting too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.games.logic.reconcile import Behind, Step, WaitingHand, follows, pair_of
from scorekeeper.games.logic.request_key import request_key, sorted_json
from scorekeeper.rules import commands as c
from scorekeeper.rules import events as ev
from scorekeeper.rules.game import Game
from scorekeeper.rules.replay import advance
from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class WaitingEdit:
    """A change other than a new hand, saved on a phone without a signal: the phone's id for it, and the change."""

    client_id: str
    number: int
    """Number of the hand it is about, 0 if it is about none; for the phone's messages."""
    kind: str
    """A key of `KINDS`."""
    data: Mapping[str, Any]
    """Its fields, as the phone sent them."""
    key: str = field(init=False)
    """The request key under which the log keeps it."""

    def __post_init__(self) -> None:
        key = request_key(self.client_id, sorted_json([self.number, self.kind, dict(self.data)]))
        object.__setattr__(self, "key", key)


WaitingChange = WaitingHand | WaitingEdit


@dataclass(frozen=True, slots=True)
class Since:
    """The events since the version that the phone saw, without those it sent itself."""

    kinds: frozenset[str] = frozenset()
    """Kinds of these events."""
    touched: frozenset[int] = frozenset()
    """Places in the log of the hands that were corrected, undone or restored."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """How to read one kind of change. `alone`: nothing else may have happened to the game before it."""

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
"""Kinds of events after which the score is still as the phone saw it."""
TOUCHING = frozenset(("HandCorrected", "HandVoided", "HandRestored"))
"""Kinds of events that change a saved hand."""


def follow_changes(
    game: Game, changes: Sequence[WaitingChange], seqs: Mapping[str, int], since: Since
) -> tuple[Step, ...] | Behind:
    """Return the steps that make `changes` after the last event of `game`.

    `seqs` has the places in the log of the phone's hands that are saved, by the phone's ids. Returns `Behind` at the
    first change that no longer fits because of what happened since. Raises `RuleViolation` for a change that the rules
    do not allow.
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
    """Return the command of `change`; None if its hand, or anything it depends on, has changed since."""
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
    """Return whether the game already has the change, because the request arrived and only its answer was lost."""
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
    """Return the events of `command`; a `RuleViolation` names the hand."""
    try:
        return _events(game, command)
    except RuleViolation as violation:
        raise violation.in_hand(change.number - 1) if change.number else violation from None
