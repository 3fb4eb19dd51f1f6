"""Compare the hands that a phone sent with those saved under their numbers: pure, on replayed games.

A phone may be behind: its page was old, or it had no signal. The same pairs serve both cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.games.logic.request_key import request_key, sorted_json
from scorekeeper.rules.commands import Command, EnterHand, ReportHand, SetHandAside, TakeTail, decide
from scorekeeper.rules.events import Event, HandScored, HandThrownIn
from scorekeeper.rules.game import Entry, Game
from scorekeeper.rules.hands import read_hand
from scorekeeper.rules.replay import advance, replay
from scorekeeper.rules.reports import KEEP, SPLIT, TAKE, same_result
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class WaitingHand:
    """A hand saved on a phone without a signal.

    `client_id` is the phone's id for it, `number` its number in the game from 1, and `data` is the hand as in a record.
    """

    client_id: str
    number: int
    data: Mapping[str, Any]
    key: str = field(init=False)
    """The request key under which the log keeps it."""

    def __post_init__(self) -> None:
        key = request_key(self.client_id, sorted_json([self.number, dict(self.data)]))
        object.__setattr__(self, "key", key)


@dataclass(frozen=True, slots=True)
class Phones:
    """The phones behind two versions of a hand, by the seats of their owners; None if the seat is unknown."""

    sender: int | None = None
    """Seat of the phone that sent the hand now."""
    writer: int | None = None
    """Seat of the phone that saved or last corrected it."""
    same: bool = False
    """They are one phone, so neither checks the other."""


@dataclass(frozen=True, slots=True)
class HandPair:
    """A hand that a phone sent, paired with the hand saved under the same number."""

    number: int
    hand: Hand
    """What the phone sent."""
    entry: Entry | None
    """What is saved; None where the number is free."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """What a phone without a signal sent, as a record's hand."""
    key: str | None = None
    """Its request key."""
    phones: Phones = Phones()

    @property
    def agrees(self) -> bool:
        """Return whether a hand is saved under the number, with the same result as the one sent."""
        return self.entry is not None and same_result(self.entry.hand, self.hand)

    @property
    def saved(self) -> Entry:
        """Return the saved hand; call it only if the number is not free."""
        assert self.entry is not None
        return self.entry

    @property
    def report(self) -> ReportHand:
        """Return the command that adds the sent hand to the log beside the saved one."""
        return ReportHand(self.saved.seq, self.hand, self.phones.sender, self.phones.writer)


@dataclass(frozen=True, slots=True)
class Behind:
    """The outcome for a phone whose version of the game is too old to continue from: nothing was saved."""

    number: int | None = None
    """The first of several hands that could not be saved."""


@dataclass(frozen=True, slots=True)
class DisputeRole:
    """The part of a phone in a disputed hand: it saved one version, sent the other, or started the game."""

    wrote: bool
    reported: bool
    started: bool

    def accepts(self, how: str) -> bool:
        """Return whether this settlement accepts the other phone's version, so that nobody else needs to be asked."""
        if how == SPLIT:  # both versions count
            return self.wrote or self.reported
        return self.reported and not self.wrote if how == KEEP else how == TAKE and self.wrote and not self.reported


def game_at(log: Sequence[Event], version: int | None) -> Game | None:
    """Return the game as it stood at `version`; None if the log has no such version."""
    if version is None or not 1 <= version <= len(log):
        return None
    return replay(log[:version])


def late_pair(then: Game, now: Game, command: Command) -> HandPair | None:
    """Pair the hand that `command` enters in the older game `then` with the hand of the same number in `now`.

    Return None if the command enters no hand, the number is free, or the rules have changed since. Raises
    `RuleViolation` for an impossible hand.
    """
    entry = saved_since(then, now)
    if entry is None or then.table != now.table:
        return None
    (event, *_) = decide(then, command) or (None,)
    if not isinstance(event, HandScored | HandThrownIn):
        return None
    return HandPair(len(then.hands) + 1, event.hand, entry)


def saved_since(then: Game, now: Game) -> Entry | None:
    """Return the hand saved next after the older game `then`, as it is in `now`; None if it was not saved since."""
    number = len(then.hands) + 1
    return next((line.entry for line in now.hands if line.number == number and line.entry.seq > then.version), None)


def same_bidding(then: Game, now: Game, command: Command) -> bool:
    """Return whether `command` on the older game `then` leads to the bidding of `now`. Raises `RuleViolation`."""
    after = advance(then, decide(then, command))
    return _bidding(after) == _bidding(now)


def _bidding(game: Game) -> tuple[object, ...]:
    return game.table, len(game.hands), game.dealer, game.open_bid, game.auction


Step = tuple[tuple[Event, ...], str | None]
"""Events that are saved together, and the request key of the waiting hand that caused them."""


def waiting_pairs(game: Game, hands: Sequence[WaitingHand]) -> tuple[HandPair, ...]:
    """Pair each waiting hand with the saved one of its number.

    Raises `RuleViolation` with the index of an impossible hand.
    """
    return tuple(pair_of(game, sent) for sent in hands)


def pair_of(game: Game, sent: WaitingHand) -> HandPair:
    """Pair a waiting hand with the saved one of its number. Raises what `waiting_pairs` raises."""
    try:
        hand = read_hand(game.table, dict(sent.data), dealer=game.dealer)
    except RuleViolation as violation:
        raise violation.in_hand(sent.number - 1) from None
    there = game.hands
    entry = there[sent.number - 1].entry if sent.number <= len(there) else None
    return HandPair(sent.number, hand, entry, sent.data, sent.key)


def split_at_fork(pairs: Sequence[HandPair]) -> tuple[tuple[HandPair, ...], tuple[HandPair, ...]]:
    """Split the pairs before the first one that does not agree."""
    fork = next((place for place, pair in enumerate(pairs) if not pair.agrees), len(pairs))
    return tuple(pairs[:fork]), tuple(pairs[fork:])


def follow_on(game: Game, tail: Sequence[HandPair], foreign_bid: bool) -> tuple[Step, ...] | Behind:
    """Return the steps that add the hands of `tail` after the last hand of `game`.

    Return `Behind` at the first hand that has the wrong number or dealer. With `foreign_bid` (another phone entered
    the winning bid of the hand in play), a hand with a different bidder or bid returns `Behind` too. Raises
    `RuleViolation`, naming the hand, if a hand breaks the rules.
    """
    steps: list[Step] = []
    for pair in tail:
        if not follows(game, pair, foreign_bid=foreign_bid):
            return Behind(pair.number)
        events = _decided(game, EnterHand(pair.data), pair)
        steps.append((events, pair.key))
        game = advance(game, events)
    return tuple(steps)


def follows(game: Game, pair: HandPair, *, foreign_bid: bool = False) -> bool:
    """Return whether the hand is the next one of `game`: number, dealer, and with `foreign_bid` the bid in play."""
    bid, data = game.open_bid, pair.data
    if pair.number != len(game.hands) + 1 or data.get("dealer") != game.dealer:
        return False
    return bid is None or not foreign_bid or (bid.bidder, bid.bid) == (data.get("bidder"), data.get("bid"))


def replace_tail(game: Game, tail: Sequence[HandPair], by: int | None) -> Iterator[Step]:
    """Yield the steps that delete the saved hands from the first number of `tail` on and enter those of `tail`.

    `by` is the seat of the phone. Raises `RuleViolation` if the hands cannot count.
    """
    struck = decide(game, TakeTail(tail[0].number, by))
    yield struck, None
    after = advance(game, struck)
    for pair in tail:
        events = _decided(after, EnterHand(pair.data), pair)
        yield events, pair.key
        after = advance(after, events)


def set_aside(game: Game, tail: Sequence[HandPair], by: int | None) -> Iterator[Step]:
    """Yield the steps that log the hands of `tail` as discarded: they never count."""
    for pair in tail:
        yield _decided(game, SetHandAside(pair.number, pair.data, by), pair), pair.key


def game_after(game: Game, steps: Iterator[Step]) -> Game:
    """Return the game after these steps."""
    return advance(game, (event for events, _key in steps for event in events))


def _decided(game: Game, command: Command, pair: HandPair) -> tuple[Event, ...]:
    """Return the events of `command`; a `RuleViolation` names the hand."""
    try:
        return decide(game, command)
    except RuleViolation as violation:
        raise violation.in_hand(pair.number - 1) from None
