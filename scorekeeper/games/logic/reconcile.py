"""Make request keys, which make repeated requests harmless, and digests of choices that a page previewed.

Compare the hands that a phone sent with the saved hands of the same numbers, without using the database.

A phone can be behind because its page was old or because it was offline. In both cases, each of its hands is paired
with the saved hand of the same number (`HandPair`).
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct, field

from scorekeeper.rules.commands import Command, EnterHand, ReportHand, SetHandAside, TakeTail, decide
from scorekeeper.rules.events import Event, HandScored, HandThrownIn
from scorekeeper.rules.game import KEEP, SPLIT, TAKE, Entry, Game, same_result
from scorekeeper.rules.hands import read_hand
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.replay import advance, replay
from scorekeeper.rules.scoring import Hand

LONGEST_ID = 43
"""Maximum number of characters of the id in a request key, so that the key fits the database column of the log."""


def request_key(client_id: str, content: bytes) -> str:
    """Return the request key, which is made of the id from a page or phone and a digest of the content sent.

    If a player uses the back button and changes the form, the page sends its old id with new content. The key is then
    different, so the request doesn't count as a repetition.
    """
    return f"{client_id[:LONGEST_ID]}.{hashlib.sha256(content).hexdigest()[:20]}"


def sender_id(key: str) -> str:
    """Return the page's or phone's id in a request key, which is the part before the digest."""
    return key.partition(".")[0]


def choice_digest(data: Mapping[str, Any], version: int) -> str:
    """Return a short digest of the choices in a form and of the version of the game.

    The page on which a player reviews a change sends this digest, and the form sends it back. The digest shows that the
    player has reviewed exactly these choices.
    """
    return hashlib.sha256(sorted_json([version, dict(data)])).hexdigest()[:16]


def sorted_json(content: object) -> bytes:
    """Return the content as JSON with sorted keys, so that equal content gives equal JSON."""
    return json.dumps(content, sort_keys=True).encode()


class WaitingHand(Struct, frozen=True):
    """A hand that a phone saved while offline and has not yet sent to the server.

    `client_id` is the id that the phone made for the hand. `number` is the number of the hand in its game, from 1.
    `data` is the hand in the format of a game record. `at` is when it was entered by the phone's clock, or None if the
    phone didn't say.
    """

    client_id: str
    number: int
    data: Mapping[str, Any]
    at: datetime | None = None

    @property
    def key(self) -> str:
        """Return the request key under which the log stores the hand."""
        return request_key(self.client_id, sorted_json([self.number, dict(self.data)]))


class Phones(Struct, frozen=True):
    """The two phones that sent the two versions of a hand.

    Each phone is given as the seat of its owner, or None if unknown.
    """

    sender: int | None = None
    """Seat of the owner of the phone that sent the hand now."""
    writer: int | None = None
    """Seat of the owner of the phone that saved the hand, or corrected it last."""
    same: bool = False
    """Whether both are the same phone, so that neither checks the other."""
    main: bool = False
    """Whether the main phone of the game saved the hand, or corrected it last."""


class HandPair(Struct, frozen=True):
    """A hand that a phone sent, paired with the hand saved under the same number."""

    number: int
    hand: Hand
    """The hand that the phone sent."""
    entry: Entry | None
    """The hand that is saved; None if no hand is saved under the number."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """The sent hand as in a record, if it was saved offline; else empty."""
    key: str | None = None
    """The request key of the sent hand, if it was saved offline; else None."""
    phones: Phones = Phones()

    @property
    def agrees(self) -> bool:
        """Return whether a saved hand exists and has the same result as the sent hand."""
        return self.entry is not None and same_result(self.entry.hand, self.hand)

    @property
    def saved(self) -> Entry:
        """Return the saved hand, which must exist."""
        assert self.entry is not None
        return self.entry

    @property
    def report(self) -> ReportHand:
        """Return the command that logs the sent hand as a report, which is a second version of the saved hand."""
        return ReportHand(self.saved.seq, self.hand, self.phones.sender, self.phones.writer)


class Behind(Struct, frozen=True):
    """The result for a phone that showed an old version of the game. None of the phone's hands were saved."""

    number: int | None = None
    """Number of the first hand that could not be saved, if several were sent; else None."""


class DisputeRole(Struct, frozen=True):
    """The role of a phone in a dispute about a hand that two phones entered differently.

    `wrote` means that the phone saved the hand or was the last to correct it. `reported` means that the phone sent the
    other version. `started` means that the phone started the game. `main_wrote` and `main_reported` say what the main
    phone of the game did, which may be this phone or another one.
    """

    wrote: bool
    reported: bool
    started: bool
    main_wrote: bool = False
    main_reported: bool = False

    def accepts(self, how: str) -> bool:
        """Return whether this phone accepts the other phone's version by settling the dispute with `how`.

        If so, no other phone has to agree. `how` is `KEEP` (the saved hand stays), `TAKE` (the other version replaces
        it) or `SPLIT` (both versions were separate hands).
        """
        if how == SPLIT:  # both versions count
            return self.wrote or self.reported
        return self.reported and not self.wrote if how == KEEP else how == TAKE and self.wrote and not self.reported


def game_at(log: Sequence[Event], version: int | None) -> Game | None:
    """Return the game as it was at `version`, or None if the log has no such version."""
    if version is None or not 1 <= version <= len(log):
        return None
    return replay(log[:version])


def late_pair(then: Game, now: Game, command: Command) -> HandPair | None:
    """Pair a hand from a phone that was out of date with the saved hand of the same number.

    `then` is the state of the game that the phone saw, and `now` is the current state. `command` enters the phone's
    hand. Return None if `command` enters no hand, if no hand with that number was saved after `then`, or if the rules
    have changed. Raises `RuleViolation` for an impossible hand.
    """
    entry = saved_since(then, now)
    if entry is None or then.table != now.table:
        return None
    (event, *_) = decide(then, command) or (None,)
    if not isinstance(event, HandScored | HandThrownIn):
        return None
    return HandPair(len(then.hands) + 1, event.hand, entry)


def saved_since(then: Game, now: Game) -> Entry | None:
    """Return the hand that followed the older state `then` of a game, or None if no such hand was saved.

    The hand is taken from the newer state `now`, so the result includes corrections.
    """
    number = len(then.hands) + 1
    return next((line.entry for line in now.hands if line.number == number and line.entry.seq > then.version), None)


def same_bidding(then: Game, now: Game, command: Command) -> bool:
    """Return whether carrying out `command` in the older state `then` results in the same bids as in the state `now`.

    Raises `RuleViolation` if the command is not allowed.
    """
    after = advance(then, decide(then, command))
    return _bidding(after) == _bidding(now)


def _bidding(game: Game) -> tuple[object, ...]:
    return game.table, len(game.hands), game.dealer, game.open_bid, game.auction


Step = tuple[tuple[Event, ...], str | None]
"""Events that are saved together, and the request key of the waiting hand or change that they belong to.

The key is None for events that belong to no waiting hand or change.
"""


def waiting_pairs(game: Game, hands: Sequence[WaitingHand]) -> tuple[HandPair, ...]:
    """Pair each waiting hand with the saved hand of the same number.

    Raises `RuleViolation` for an impossible hand. The exception's `hand` is the index of that hand in the game.
    """
    return tuple(pair_of(game, sent) for sent in hands)


def pair_of(game: Game, sent: WaitingHand) -> HandPair:
    """Pair a waiting hand with the saved hand of the same number.

    Raises `RuleViolation` for an impossible hand. The exception's `hand` is the index of that hand in the game.
    """
    try:
        hand = read_hand(game.table, dict(sent.data), dealer=game.dealer)
    except RuleViolation as violation:
        raise violation.in_hand(sent.number - 1) from None
    there = game.hands
    entry = there[sent.number - 1].entry if sent.number <= len(there) else None
    return HandPair(sent.number, hand, entry, sent.data, sent.key)


def split_at_fork(pairs: Sequence[HandPair]) -> tuple[tuple[HandPair, ...], tuple[HandPair, ...]]:
    """Split `pairs` at the first pair that doesn't agree. Return the pairs before that pair, and the rest."""
    fork = next((place for place, pair in enumerate(pairs) if not pair.agrees), len(pairs))
    return tuple(pairs[:fork]), tuple(pairs[fork:])


def follow_on(game: Game, tail: Sequence[HandPair], foreign_bid: bool) -> tuple[Step, ...] | Behind:
    """Return the steps that add the hands of `tail` after the last hand of `game`.

    A step is a pair: the events of one hand, and the request key of that hand. If a hand has the wrong number or
    dealer, return `Behind` instead. `foreign_bid` means that another phone entered the winning bid of the hand in play.
    In that case, also return `Behind` if the phone's hand has a different bidder or bid. Raises `RuleViolation` with
    the index of the hand if a hand breaks the rules.
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
    """Return whether the sent hand has the number and dealer of the next hand of `game`.

    `foreign_bid` means that another phone entered the winning bid of the hand in play. In that case, the sent hand must
    also have the same bid and bidder.
    """
    bid, data = game.open_bid, pair.data
    if pair.number != len(game.hands) + 1 or data.get("dealer") != game.dealer:
        return False
    return bid is None or not foreign_bid or (bid.bidder, bid.bid) == (data.get("bidder"), data.get("bid"))


def replace_tail(game: Game, tail: Sequence[HandPair], by: int | None) -> Iterator[Step]:
    """Yield the steps that replace the last saved hands with the hands of `tail`.

    The saved hand with the number of the first hand in `tail` is deleted. All later saved hands are deleted, too.

    A step is a pair: events, and a request key. The first step deletes the saved hands, and its key is None. Each other
    step adds a hand. `by` is the seat of the owner of the sending phone, or None if unknown. Raises `RuleViolation` if
    the hands break the rules.
    """
    struck = decide(game, TakeTail(tail[0].number, by))
    yield struck, None
    after = advance(game, struck)
    for pair in tail:
        events = _decided(after, EnterHand(pair.data), pair)
        yield events, pair.key
        after = advance(after, events)


def set_aside(game: Game, tail: Sequence[HandPair], by: int | None) -> Iterator[Step]:
    """Yield the steps that log the hands of `tail` as discarded, so that they never count.

    A step is a pair: the events of one hand, and the request key of that hand. `by` is the seat of the owner of the
    sending phone, or None if unknown.
    """
    for pair in tail:
        yield _decided(game, SetHandAside(pair.number, pair.data, by), pair), pair.key


def game_after(game: Game, steps: Iterator[Step]) -> Game:
    """Return `game` after the events of `steps`. A step is a pair: events, and a request key."""
    return advance(game, (event for events, _key in steps for event in events))


def _decided(game: Game, command: Command, pair: HandPair) -> tuple[Event, ...]:
    """Return the events that carry out `command`, which is about the hand that a phone sent in `pair`.

    Raises `RuleViolation` with the index of that hand in the game if the rules refuse the command.
    """
    try:
        return decide(game, command)
    except RuleViolation as violation:
        raise violation.in_hand(pair.number - 1) from None
