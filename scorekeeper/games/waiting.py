"""Hands that a phone kept while it had no signal, written down in the order they were played: all of them, or none."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from scorekeeper.extensions import writing
from scorekeeper.games.access import Standing, admit
from scorekeeper.games.log import Found, append, find, load
from scorekeeper.games.models import EventRow
from scorekeeper.retrying import use_case
from scorekeeper.rules.commands import EnterHand, decide
from scorekeeper.rules.game import Game
from scorekeeper.rules.hands import read_hand
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.violation import RuleViolation

HARMLESS = frozenset(
    (
        "BidTaken",
        "BidWithdrawn",
        "CallMade",
        "CallTakenBack",
        "HandScored",
        "HandThrownIn",
        "HandReported",
    )
)
"""Kinds of events that may have come since: a bid in play is looked at, hands are compared one by one."""


@dataclass(frozen=True, slots=True)
class WaitingHand:
    """A hand as the phone wrote it down: its id made there, its number in the game from 1, a record's hand."""

    client_id: str
    number: int
    data: Mapping[str, Any]

    @property
    def tap(self) -> str:
        """Return the id under which the log keeps it: the phone's, and a digest of what it tells."""
        told = json.dumps([self.number, dict(self.data)], sort_keys=True)
        return f"{self.client_id}.{hashlib.sha256(told.encode()).hexdigest()[:20]}"


class OtherHandError(Exception):
    """The game has moved on, so that hand `number` of the phone does not follow from what stands there."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class ReusedIdError(Exception):
    """Hand `number` came before, under the same id, and told something else."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@use_case
def save_waiting(
    *, public_id: str, device: str, version: int, hands: Sequence[WaitingHand], now: datetime | None = None
) -> Game:
    """Write `hands` down after version `version`, each once, in one transaction; return the game after them.

    A hand that is there already, under its id or with the same result from another phone, counts as saved. Raises
    `NoSuchGameError`, `NotYourGameError`, `OtherHandError`, `ReusedIdError` or `RuleViolation`, and nothing is written.
    """
    with writing() as session:
        found = find(session, public_id, to_write=True)
        admit(session, found, device, Standing.SCORES)
        assert found is not None
        game = load(session, found).game
        saved = _saved_before(session, found, hands)
        if all(hand.tap in saved for hand in hands):
            return game
        since = _since(session, found, version)
        if version > found.version or not HARMLESS.issuperset(row.kind for row in since):
            raise OtherHandError(hands[0].number)
        foreign_bid = next((row.device != device for row in reversed(since) if row.kind == "BidTaken"), False)
        for hand in hands:
            if hand.tap in saved:
                continue
            if hand.number <= len(game.hands):
                if not _same(game, game.hands[hand.number - 1].entry.hand, hand.data):
                    raise OtherHandError(hand.number)
                continue
            if not _follows(game, hand, foreign_bid):
                raise OtherHandError(hand.number)
            try:
                events = decide(game, EnterHand(hand.data))
            except RuleViolation as violation:
                raise violation.in_hand(hand.number - 1) from None
            moment = now or datetime.now(UTC)
            game = append(session, found, game, events, device=device, client_id=hand.tap, now=moment)
        return game


def _saved_before(session: Session, found: Found, hands: Sequence[WaitingHand]) -> frozenset[str]:
    """The taps of these hands that are in the log; raises `ReusedIdError` where one told something else then."""
    stems = [EventRow.client_id.startswith(f"{hand.client_id}.", autoescape=True) for hand in hands]
    query = select(EventRow.client_id).where(EventRow.game_id == found.id, or_(*stems))
    stored = {str(tap).rpartition(".")[0]: str(tap) for tap in session.scalars(query)}
    for hand in hands:
        if stored.get(hand.client_id, hand.tap) != hand.tap:
            raise ReusedIdError(hand.number)
    return frozenset(stored.values())


def _since(session: Session, found: Found, version: int) -> Sequence[Any]:
    query = select(EventRow.kind, EventRow.device).where(EventRow.game_id == found.id, EventRow.seq > version)
    return session.execute(query.order_by(EventRow.seq)).all()


def _follows(game: Game, hand: WaitingHand, foreign_bid: bool) -> bool:
    """Whether the hand is the next one here too; a bid that another phone took meanwhile must be the hand's own."""
    bid = game.open_bid
    if hand.number != len(game.hands) + 1 or hand.data.get("dealer") != game.dealer:
        return False
    return bid is None or not foreign_bid or (bid.bidder, bid.bid) == (hand.data.get("bidder"), hand.data.get("bid"))


def _same(game: Game, stands: Hand, data: Mapping[str, Any]) -> bool:
    """Whether two phones tell the same hand: who dealt, bid what and took how many."""
    told = read_hand(game.table, dict(data), dealer=stands.dealer)
    return (told.dealer, told.bidder, told.bid, told.taken) == (stands.dealer, stands.bidder, stands.bid, stands.taken)
