"""Save the hands and other changes that a phone kept while it had no signal, in their order: all of them, or none.

Each is in the log once, under the id that its phone gave it. If the game went on with other hands, the players decide:
the phone's hands count from the first different one on (`accept_tail`), or are discarded (`discard_tail`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.games.logic.reconcile import (
    Behind,
    HandPair,
    Phones,
    Step,
    WaitingHand,
    follow_on,
    game_after,
    replace_tail,
    set_aside,
    split_at_fork,
    waiting_pairs,
)
from scorekeeper.games.logic.request_key import sender_id
from scorekeeper.games.logic.waiting_changes import TOUCHING, Since, WaitingChange, follow_changes
from scorekeeper.games.services.hand_reports import phones_of, seat_of
from scorekeeper.games.services.scoring import ReusedError
from scorekeeper.games.store.access import AccessLevel, NoSuchGameError, admit
from scorekeeper.games.store.event_store import GameHeader, append, corrections_of, find, load, read_ahead
from scorekeeper.games.store.models import EventRow
from scorekeeper.rules.commands import decide
from scorekeeper.rules.events import HandSetAside
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
"""Kinds of events that may have come since: bids in play and hands are compared one by one."""


@dataclass(frozen=True, slots=True)
class SyncOutcome:
    """The game after waiting hands were saved."""

    game: Game
    disputed: HandPair | None = None
    """The hand that another phone saved differently: both are in the log, and the players settle it."""
    set_aside: frozenset[str] = frozenset()
    """Ids of those hands that were set aside before."""


@dataclass(slots=True)
class _Sync:
    """Hands from a phone, paired with those of the game, in one transaction."""

    session: Session
    found: GameHeader
    game: Game
    pairs: tuple[HandPair, ...]
    """Hands that are not in the log, up to the first other change."""
    rest: tuple[WaitingChange, ...]
    """That change and everything after it."""
    device: str
    carried: bool
    now: datetime

    def write(self, steps: Iterable[Step]) -> None:
        """Add the events of `steps` to the log."""
        for events, key in steps:
            if events:
                session, found, game = self.session, self.found, self.game
                self.game = append(session, found, game, events, device=self.device, client_id=key, now=self.now)

    def reports(self, pairs: Sequence[HandPair]) -> tuple[Step, ...]:
        """Return the steps that log the phone's version of those saved hands that another phone wrote."""
        if not pairs:
            return ()
        corrected = corrections_of(self.session, self.found)
        checked = [self._with_phones(pair, corrected) for pair in pairs]
        return tuple((decide(self.game, pair.report), pair.key) for pair in checked if not pair.phones.same)

    def _with_phones(self, pair: HandPair, corrected: Mapping[int, int]) -> HandPair:
        seq = pair.saved.seq
        phones = phones_of(self.session, self.found, corrected.get(seq, seq), self.device)
        if self.carried:  # it may have come from any phone, so it cannot check another one
            phones = Phones(None, phones.writer, pair.agrees)
        return replace(pair, phones=phones)

    def edited(self, before: Sequence[Step], seqs: Mapping[str, int], since: Since) -> tuple[Step, ...] | Behind:
        """Return `before` and the steps that make the changes of `rest` after it."""
        places = dict(seqs)
        version = self.game.version
        for events, key in before:
            version += len(events)
            places[sender_id(key or "")] = version
        # The hands that the server had already; their reports are not their place.
        places |= {sender_id(pair.key or ""): pair.entry.seq for pair in self.pairs if pair.entry is not None}
        more = follow_changes(game_after(self.game, iter(before)), self.rest, places, since)
        return more if isinstance(more, Behind) else (*before, *more)

    def steps(self, tail: Sequence[HandPair], version: int, *, again: bool) -> tuple[Step, ...] | Behind:
        """Return what saves `tail` on a phone that saw `version`: its hands, or a report where one hand differs.

        `again` means that the log already has some of what the phone sends. The phone then knows what its own changes
        did, even if their answer was lost.
        """
        first = tail[0]
        since = _since(self.session, self.found, version)
        if first.entry is not None:
            seen = not 1 <= version < first.entry.seq or "RulesChanged" in dict(since)
            return (() if seen or len(tail) > 1 else self.reports(tail)) or Behind(first.number)
        others = {kind for kind, device in since if not (again and device == self.device)}
        if version > self.found.version or not others <= HARMLESS:
            return Behind(first.number)
        bidders = (device for kind, device in reversed(since) if kind == "BidTaken")
        return follow_on(self.game, tail, next(bidders, self.device) != self.device)


@use_case
def save_waiting(
    *,
    public_id: str,
    device: str,
    version: int,
    hands: Sequence[WaitingChange],
    carried: bool = False,
    now: datetime | None = None,
) -> SyncOutcome | Behind:
    """Save `hands` from a phone that saw `version`, each once, in one transaction, and return the outcome.

    A hand that is already saved is not saved again; from another phone it is logged as a check. If only the last hand
    differs, both versions are in dispute. Other changes may stand between the hands; nothing is in dispute then, and
    none may change what another phone changed since. `carried` means that another phone scored the hands. Returns
    `Behind` if the game went on in any other way. Raises `NoSuchGameError`, `NotYourGameError`, `ReusedError` or
    `RuleViolation`, and then saves nothing.
    """
    read_ahead(public_id)
    with writing() as session:
        sync, known = _begin(session, public_id, device, hands, carried, now)
        agreed, tail = split_at_fork(sync.pairs)
        steps: tuple[Step, ...] | Behind = sync.steps(tail, version, again=bool(known)) if tail else ()
        if isinstance(steps, Behind):
            return steps
        disputed = tail[0] if tail and tail[0].entry is not None else None
        steps = (*sync.reports(agreed), *steps)
        if sync.rest:
            if disputed is not None:
                return Behind(disputed.number)
            seqs = {sender_id(key): event.seq for key, event in known.items()}
            steps = sync.edited(steps, seqs, _changed_since(session, sync.found, version, device))
            if isinstance(steps, Behind):
                return steps
        sync.write(steps)
        gone = {key for key, event in known.items() if event.kind == HandSetAside.__name__}
        return SyncOutcome(sync.game, disputed, frozenset(hand.client_id for hand in hands if hand.key in gone))


def accept_tail(
    *,
    public_id: str,
    device: str,
    version: int,
    hands: Sequence[WaitingHand],
    carried: bool = False,
    now: datetime | None = None,
) -> Game | Behind:
    """Make `hands` count from the first one on that differs from the saved hands, or has no saved hand.

    Saved hands from there on are deleted and the new ones saved, in one transaction; hands before that are logged as
    checked. Returns the game, also for a repeated request, or `Behind` if `version`, which the page showed, is
    outdated. Raises what `save_waiting` raises.
    """
    return _settle(public_id, device, version, hands, carried, now, replace_tail)


def discard_tail(
    *,
    public_id: str,
    device: str,
    version: int,
    hands: Sequence[WaitingHand],
    carried: bool = False,
    now: datetime | None = None,
) -> Game | Behind:
    """Log as discarded the hands that `accept_tail` would make count. Returns and raises what it does."""
    return _settle(public_id, device, version, hands, carried, now, set_aside)


Settling = Callable[[Game, Sequence[HandPair], int | None], Iterator[Step]]


@use_case
def _settle(
    public_id: str,
    device: str,
    version: int,
    hands: Sequence[WaitingHand],
    carried: bool,
    now: datetime | None,
    settling: Settling,
) -> Game | Behind:
    read_ahead(public_id)
    with writing() as session:
        sync, _known = _begin(session, public_id, device, hands, carried, now)
        agreed, tail = split_at_fork(sync.pairs)
        if tail and not sync.game.stands_at(version):
            return Behind()
        sync.write(sync.reports(agreed))
        if tail:
            sync.write(settling(sync.game, tail, None if carried else seat_of(session, sync.found, device)))
        return sync.game


def unsaved(public_id: str, hands: Sequence[WaitingHand]) -> tuple[WaitingHand, ...]:
    """Return the hands that are not yet in the log of a game.

    Raises `NoSuchGameError`, or `ReusedError` if the log has other content under the id of a hand.
    """
    session = db.session()
    found = find(session, public_id)
    if found is None:
        raise NoSuchGameError
    known = _known(session, found, hands)
    return tuple(hand for hand in hands if hand.key not in known)


def _begin(
    session: Session,
    public_id: str,
    device: str,
    hands: Sequence[WaitingChange],
    carried: bool,
    now: datetime | None,
) -> tuple[_Sync, Mapping[str, _Known]]:
    """Return the hands that are not in the log, paired, and what `_known` returns for the others."""
    found = find(session, public_id, to_write=True)
    admit(session, found, device, AccessLevel.SCORES)
    assert found is not None
    game = load(session, found).game
    known = _known(session, found, hands)
    fresh = [hand for hand in hands if hand.key not in known]
    first: list[WaitingHand] = []
    for change in fresh:
        if not isinstance(change, WaitingHand):
            break
        first.append(change)
    pairs, rest = waiting_pairs(game, first), tuple(fresh[len(first) :])
    return _Sync(session, found, game, pairs, rest, device, carried, now or datetime.now(UTC)), known


class _Known(NamedTuple):
    """The event that the log has for a change: its kind, and its place in the log."""

    kind: str
    seq: int


def _known(session: Session, found: GameHeader, hands: Sequence[WaitingChange]) -> Mapping[str, _Known]:
    """Return the request keys of these changes that are in the log, each with its event.

    Raises `ReusedError` where the log has other content under the id of a change.
    """
    stems = [EventRow.client_id.startswith(f"{hand.client_id}.", autoescape=True) for hand in hands]
    query = select(EventRow.client_id, EventRow.kind, EventRow.seq).where(EventRow.game_id == found.id, or_(*stems))
    known = {str(key): _Known(kind, seq) for key, kind, seq in session.execute(query)}
    stored = {sender_id(key): key for key in known}
    for hand in hands:
        if stored.get(hand.client_id, hand.key) != hand.key:
            raise ReusedError(hand.number)
    return known


def _changed_since(session: Session, found: GameHeader, version: int, device: str) -> Since:
    """Return what other phones did after `version`."""
    query = select(EventRow.kind, EventRow.data).where(
        EventRow.game_id == found.id, EventRow.seq > version, EventRow.device != device
    )
    rows = session.execute(query).all()
    touched = (data["seq"] for kind, data in rows if kind in TOUCHING)
    return Since(frozenset(kind for kind, _data in rows), frozenset(touched))


def _since(session: Session, found: GameHeader, version: int) -> Sequence[tuple[str, str]]:
    """Return kind and device of each event after `version`."""
    query = select(EventRow.kind, EventRow.device).where(EventRow.game_id == found.id, EventRow.seq > version)
    return [(kind, device) for kind, device in session.execute(query.order_by(EventRow.seq))]
