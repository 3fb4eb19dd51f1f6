"""The hands that a phone wrote down without signal, held against a game that went on: pure, on replayed games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.games.logic.request_key import request_key, sorted_json
from scorekeeper.rules.commands import Command, EnterHand, SetHandAside, TakeTail, decide
from scorekeeper.rules.events import Event
from scorekeeper.rules.game import Entry, Game, advance
from scorekeeper.rules.hands import read_hand
from scorekeeper.rules.reports import same_result
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class WaitingHand:
    """A hand as the phone wrote it down: its id made there, its number in the game from 1, a record's hand."""

    client_id: str
    number: int
    data: Mapping[str, Any]
    key: str = field(init=False)
    """The key under which the log keeps it."""

    def __post_init__(self) -> None:
        key = request_key(self.client_id, sorted_json([self.number, dict(self.data)]))
        object.__setattr__(self, "key", key)


@dataclass(frozen=True, slots=True)
class WaitingPair:
    """A waiting hand as the rules read it, and what the score book has under its number: None where nothing."""

    sent: WaitingHand
    hand: Hand
    entry: Entry | None

    @property
    def agrees(self) -> bool:
        """Return whether the score book has the same hand."""
        return self.entry is not None and same_result(self.entry.hand, self.hand)


Step = tuple[tuple[Event, ...], str | None]
"""Events that are written together, and the id of the waiting hand that caused them."""


def told_of(game: Game, hands: Sequence[WaitingHand]) -> tuple[WaitingPair, ...]:
    """Return each hand beside what has its number; raises `RuleViolation`, with the hand, for one that cannot be."""
    told = []
    there = game.hands
    for sent in hands:
        try:
            hand = read_hand(game.table, dict(sent.data), dealer=game.dealer)
        except RuleViolation as violation:
            raise violation.in_hand(sent.number - 1) from None
        entry = there[sent.number - 1].entry if sent.number <= len(there) else None
        told.append(WaitingPair(sent, hand, entry))
    return tuple(told)


def after_fork(told: Sequence[WaitingPair]) -> tuple[WaitingPair, ...]:
    """Return the hands from the first one on that is not what the score book has; none where all agree."""
    fork = next((place for place, each in enumerate(told) if not each.agrees), len(told))
    return tuple(told[fork:])


def taken_over(game: Game, tail: Sequence[WaitingPair], by: int | None) -> Iterator[Step]:
    """Yield what makes the hands of `tail` count from the first of them on; raises `RuleViolation` where they cannot.

    What stands there is struck out. `by` is the seat of the phone.
    """
    struck = decide(game, TakeTail(tail[0].sent.number, by))
    yield struck, None
    after = advance(game, struck)
    for told in tail:
        events = decided(after, EnterHand(told.sent.data), told.sent)
        yield events, told.sent.key
        after = advance(after, events)


def set_aside(game: Game, tail: Sequence[WaitingPair], by: int | None) -> Iterator[Step]:
    """Yield what keeps the hands of `tail` in the log as said and never counted."""
    for told in tail:
        yield decided(game, SetHandAside(told.sent.number, told.sent.data, by), told.sent), told.sent.key


def game_after(game: Game, steps: Iterator[Step]) -> Game:
    """Return the game after these steps."""
    return advance(game, (event for events, _tap in steps for event in events))


def decided(game: Game, command: Command, sent: WaitingHand) -> tuple[Event, ...]:
    """Return the events of a command about a waiting hand; a `RuleViolation` says which hand it is about."""
    try:
        return decide(game, command)
    except RuleViolation as violation:
        raise violation.in_hand(sent.number - 1) from None
