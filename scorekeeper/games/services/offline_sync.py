"""Hands that a phone kept while it had no signal, written down in the order they were played: all of them, or none.

Each is in the log once, under the id that its phone gave it. Where the game went on with other hands, the table
decides: what the phone has counts from the fork on (`accept_tail`), or is set aside (`discard_tail`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.games.logic.divergence import (
    Step,
    WaitingHand,
    WaitingPair,
    after_fork,
    decided,
    set_aside,
    taken_over,
    told_of,
)
from scorekeeper.games.logic.request_key import sender_id
from scorekeeper.games.services.hand_reports import phones_of, seat_of
from scorekeeper.games.services.scoring import ReusedError, StaleError
from scorekeeper.games.store.access import AccessLevel, NoSuchGameError, admit
from scorekeeper.games.store.event_store import GameHeader, append, corrections_of, find, load, read_ahead
from scorekeeper.games.store.models import EventRow
from scorekeeper.rules.commands import EnterHand, ReportHand, decide
from scorekeeper.rules.events import Event, HandSetAside
from scorekeeper.rules.game import Game
from scorekeeper.web.extensions import db, writing

HARMLESS = frozenset(
    (
        "BidTaken",
        "BidWithdrawn",
        "CallMade",
        "CallTakenBack",
        "HandScored",
        "HandThrownIn",
        "HandReported",
        "HandSetAside",
    )
)
"""Kinds of events that may have come since: a bid in play is looked at, hands are compared one by one."""


@dataclass(frozen=True, slots=True)
class SyncOutcome:
    """The game after a sending that is in the log now."""

    game: Game
    disputed: WaitingPair | None = None
    """The hand that another phone has otherwise: both are in the log, and the table settles it."""
    set_aside: frozenset[str] = frozenset()
    """Ids of those hands that the table let go of before."""


@dataclass(slots=True)
class _Sending:
    """What a phone sends, beside the game that it is for, in one transaction."""

    session: Session
    found: GameHeader
    game: Game
    told: tuple[WaitingPair, ...]
    """Hands that are not in the log."""
    device: str
    carried: bool
    now: datetime

    def write(self, events: Sequence[Event], tap: str | None) -> None:
        """Add events to the log."""
        if events:
            session, found, game = self.session, self.found, self.game
            self.game = append(session, found, game, events, device=self.device, client_id=tap, now=self.now)

    def enter(self, hands: Sequence[WaitingPair], foreign_bid: bool) -> None:
        """Write down the hands that follow; raises `StaleError` for one that does not, and `RuleViolation`."""
        for told in hands:
            if not _follows(self.game, told.sent, foreign_bid):
                raise StaleError(told.sent.number)
            self.write(decided(self.game, EnterHand(told.sent.data), told.sent), told.sent.key)

    def report(self, hands: Sequence[WaitingPair]) -> tuple[bool, ...]:
        """Keep what the phone says of hands that are written down, and return which of these another phone wrote.

        Who carries hands over cannot tell whose they were: then nothing is a check of one phone by another.
        """
        if not hands:
            return ()
        corrected = corrections_of(self.session, self.found)
        others = []
        for told in hands:
            assert told.entry is not None
            phones = phones_of(self.session, self.found, corrected, told.entry.seq, self.device)
            by = None if self.carried else phones.by
            other = not told.agrees if self.carried else not phones.same
            if other:
                self.write(decide(self.game, ReportHand(told.entry.seq, told.hand, by, phones.first)), told.sent.key)
            others.append(other)
        return tuple(others)


@use_case
def save_waiting(
    *,
    public_id: str,
    device: str,
    version: int,
    hands: Sequence[WaitingHand],
    carried: bool = False,
    now: datetime | None = None,
) -> SyncOutcome:
    """Write `hands` down after version `version`, each once, in one transaction; return what came of it.

    A hand that the score book has already counts as saved; from another phone it is a check, and where only the last
    one is another, both stand in dispute. `carried`: another phone wrote them. Raises `NoSuchGameError`,
    `NotYourGameError`, `StaleError`, `ReusedError` or `RuleViolation`, and nothing is written.
    """
    read_ahead(public_id)
    with writing() as session:
        sending, kinds = _sending(session, public_id, device, hands, carried, now)
        gone = frozenset(hand.client_id for hand in hands if kinds.get(hand.key) == HandSetAside.__name__)
        tail = after_fork(sending.told)
        agreed = sending.told[: len(sending.told) - len(tail)]
        if not tail:
            sending.report(agreed)
            return SyncOutcome(sending.game, None, gone)
        since = _since(session, sending.found, version)
        first = tail[0]
        if first.entry is not None:
            seen = not 1 <= version < first.entry.seq or "RulesChanged" in dict(since)
            sending.report(agreed)
            if len(tail) == 1 and not seen and sending.report(tail) == (True,):
                return SyncOutcome(sending.game, first, gone)
            raise StaleError(first.sent.number)
        if version > sending.found.version or not HARMLESS.issuperset(kind for kind, _device in since):
            raise StaleError(first.sent.number)
        sending.report(agreed)
        sending.enter(tail, next((phone != device for kind, phone in reversed(since) if kind == "BidTaken"), False))
        return SyncOutcome(sending.game, None, gone)


def accept_tail(
    *,
    public_id: str,
    device: str,
    version: int,
    hands: Sequence[WaitingHand],
    carried: bool = False,
    now: datetime | None = None,
) -> Game:
    """Let `hands` count from the first one on that the score book has otherwise, or not at all.

    What stands from there on is struck out, and the hands are written down, in one transaction; hands before that are
    checked ones. Returns the game; once more, it changes nothing. Raises `StaleError` where `version`, which was shown
    beside them, is not what stands, and otherwise as `save_waiting`.
    """
    return _settle(public_id, device, version, hands, carried, now, taken_over)


def discard_tail(
    *,
    public_id: str,
    device: str,
    version: int,
    hands: Sequence[WaitingHand],
    carried: bool = False,
    now: datetime | None = None,
) -> Game:
    """Set aside what `accept_tail` would let count: the log keeps it, the score stays. Returns and raises as that."""
    return _settle(public_id, device, version, hands, carried, now, set_aside)


Settling = Callable[[Game, Sequence[WaitingPair], int | None], Iterator[Step]]


@use_case
def _settle(
    public_id: str,
    device: str,
    version: int,
    hands: Sequence[WaitingHand],
    carried: bool,
    now: datetime | None,
    settling: Settling,
) -> Game:
    read_ahead(public_id)
    with writing() as session:
        sending, _kinds = _sending(session, public_id, device, hands, carried, now)
        tail = after_fork(sending.told)
        if tail and not sending.game.stands_at(version):
            raise StaleError
        sending.report(sending.told[: len(sending.told) - len(tail)])
        if tail:
            by = None if carried else seat_of(session, sending.found, device)
            for events, tap in settling(sending.game, tail, by):
                sending.write(events, tap)
        return sending.game


def unsaved(public_id: str, hands: Sequence[WaitingHand]) -> tuple[WaitingHand, ...]:
    """Return those hands that are not in the log of a game; raises `NoSuchGameError` or `ReusedError`."""
    session = db.session()
    found = find(session, public_id)
    if found is None:
        raise NoSuchGameError
    kinds = _kinds(session, found, hands)
    return tuple(hand for hand in hands if hand.key not in kinds)


def _sending(
    session: Session,
    public_id: str,
    device: str,
    hands: Sequence[WaitingHand],
    carried: bool,
    now: datetime | None,
) -> tuple[_Sending, Mapping[str, str]]:
    """What is sent and not in the log yet, and what is: its taps with the kinds of their events."""
    found = find(session, public_id, to_write=True)
    admit(session, found, device, AccessLevel.SCORES)
    assert found is not None
    game = load(session, found).game
    kinds = _kinds(session, found, hands)
    told = told_of(game, [hand for hand in hands if hand.key not in kinds])
    return _Sending(session, found, game, told, device, carried, now or datetime.now(UTC)), kinds


def _kinds(session: Session, found: GameHeader, hands: Sequence[WaitingHand]) -> Mapping[str, str]:
    """The taps of these hands that are in the log; raises `ReusedError` where one told something else then."""
    stems = [EventRow.client_id.startswith(f"{hand.client_id}.", autoescape=True) for hand in hands]
    query = select(EventRow.client_id, EventRow.kind).where(EventRow.game_id == found.id, or_(*stems))
    kinds = {str(tap): kind for tap, kind in session.execute(query)}
    stored = {sender_id(tap): tap for tap in kinds}
    for hand in hands:
        if stored.get(hand.client_id, hand.key) != hand.key:
            raise ReusedError(hand.number)
    return kinds


def _since(session: Session, found: GameHeader, version: int) -> Sequence[tuple[str, str]]:
    """What came after a version: kinds of events, and the phones they came from."""
    query = select(EventRow.kind, EventRow.device).where(EventRow.game_id == found.id, EventRow.seq > version)
    return [(kind, device) for kind, device in session.execute(query.order_by(EventRow.seq))]


def _follows(game: Game, hand: WaitingHand, foreign_bid: bool) -> bool:
    """Whether the hand is the next one here too; a bid that another phone took meanwhile must be the hand's own."""
    bid = game.open_bid
    if hand.number != len(game.hands) + 1 or hand.data.get("dealer") != game.dealer:
        return False
    return bid is None or not foreign_bid or (bid.bidder, bid.bid) == (hand.data.get("bidder"), hand.data.get("bid"))
