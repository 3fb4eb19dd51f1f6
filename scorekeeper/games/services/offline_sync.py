"""Save the changes that a phone made while it was offline. Either all of the changes are saved, in order, or none.

Each change is logged once, under the id that its phone chose. If other hands were saved first, the players decide.
Either the phone's hands count from the first different hand on (`accept_tail`), or they are discarded (`discard_tail`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from msgspec import Struct, field, structs
from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import keyed_use_case
from scorekeeper.games.logic.reconcile import (
    Behind,
    HandPair,
    Phones,
    Step,
    WaitingHand,
    follow_on,
    game_after,
    replace_tail,
    sender_id,
    set_aside,
    split_at_fork,
    waiting_pairs,
)
from scorekeeper.games.logic.waiting_changes import TOUCHING, Since, WaitingChange, follow_changes
from scorekeeper.games.services.hands import phones_of, seat_of
from scorekeeper.games.services.scoring import ReusedError
from scorekeeper.games.store.access import AccessLevel, NoSuchGameError, admit, ask_closers
from scorekeeper.games.store.event_store import GameHeader, append, corrections_of, find, load, read_ahead
from scorekeeper.games.store.models import EventRow
from scorekeeper.rules.commands import decide
from scorekeeper.rules.events import Event, GameEnded, HandScored, HandSetAside, HandThrownIn
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
"""Kinds of events that don't prevent saving a phone's waiting hands if other phones added them in the meantime.

The hands and the bid in play that such events entered are compared with the waiting hands one by one.
"""

ENDED_FOR_GOOD = ("time", "agreed")
"""How a league game ended, a value of `Outcome.rule`, that the bell or the desk ended: no phone adds hands to it."""


class SyncOutcome(Struct, frozen=True):
    """The result of saving the changes that a phone made offline. `game` is the game after these changes."""

    game: Game
    disputed: HandPair | None = None
    """The hand in dispute, for which another phone saved a different result; None if there is no dispute.

    Both results are in the log, and the players decide between them.
    """
    set_aside: frozenset[str] = frozenset()
    """Ids of the hands in this request that don't count, made by the phone.

    They had been discarded before, or they are in `too_late`.
    """
    too_late: frozenset[str] = frozenset()
    """Ids of the hands in this request that were played after the game's last hand."""


class _Sync(Struct):
    """The new hands and other changes from a phone, and the transaction in which they are saved.

    Each pair in `pairs` has a new hand and the saved hand with the same number, if a hand with that number is saved.
    """

    session: Session
    found: GameHeader
    game: Game
    pairs: tuple[HandPair, ...]
    """The hands that are not in the log yet, up to the first change that is not a hand."""
    rest: tuple[WaitingChange, ...]
    """The changes that are not in the log yet, starting with the first change that is not a hand."""
    device: str
    carried: bool
    now: datetime
    times: Mapping[str, datetime]
    """When the changes were made by the phone's clock, by request key."""
    too_late: list[str] = field(default_factory=list)
    """Ids of the hands that were played after the last hand, as the league ended the game: logged, but not counted."""

    @property
    def is_ended(self) -> bool:
        """Return whether the bell or the desk has ended this league game, so that no phone adds hands to it."""
        stopped = self.game.stopped
        return bool(self.found.elsewhere) and stopped is not None and stopped.rule in ENDED_FOR_GOOD

    def write(self, steps: Iterable[Step]) -> None:
        """Add the events of `steps` to the log of the game. Each step is a pair (events, request key).

        A change keeps the time when it was made, but none is dated before an earlier one, or in the future. What a
        league adds is added last, because later steps refer to log positions.
        """
        latest, first = self.found.updated_at, self.game
        ended = False
        for events, key in steps:
            if not events:
                continue
            latest = min(max(self.times.get(key or "", self.now), latest), self.now)
            late = ended and isinstance(events[0], HandScored | HandThrownIn)
            if late:
                self.too_late.append(sender_id(key or ""))
            before = self.game
            self._append(self._aside(events) if late else events, key, latest)
            if self.found.elsewhere and not late:
                more = ask_closers(self.session, self.found.id, before, self.game, latest)
                ended = any(isinstance(event, GameEnded) for event in more)
        if self.found.elsewhere:
            self._append(ask_closers(self.session, self.found.id, first, self.game, latest), None, latest)

    def _append(self, events: Sequence[Event], key: str | None, happened: datetime) -> None:
        if events:
            self.game = append(
                self.session,
                self.found,
                self.game,
                events,
                device=self.device,
                client_id=key,
                now=self.now,
                happened=happened,
                closed=False,
            )

    def _aside(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return the event that logs the hand of `events` as one that doesn't count."""
        number = len(self.game.hands) + len(self.too_late)
        return tuple(
            HandSetAside(number, event.hand, self._seat())
            for event in events
            if isinstance(event, HandScored | HandThrownIn)
        )

    def _seat(self) -> int | None:
        """Return the seat of the owner of the phone whose hands these are, or None if unknown."""
        return None if self.carried else seat_of(self.session, self.found, self.device)

    def reports(self, pairs: Sequence[HandPair]) -> tuple[Step, ...]:
        """Return the steps that log this phone's versions of hands that another phone saved first.

        Each version is logged as a report, so it doesn't count as another hand. Each pair in `pairs` has a hand from
        this phone and the saved hand with the same number.
        """
        if not pairs:
            return ()
        corrected = corrections_of(self.session, self.found)
        checked = [self._with_phones(pair, corrected) for pair in pairs]
        return tuple((decide(self.game, pair.report), pair.key) for pair in checked if not pair.phones.same)

    def _with_phones(self, pair: HandPair, corrected: Mapping[int, int]) -> HandPair:
        seq = pair.saved.seq
        phones = phones_of(self.session, self.found, corrected.get(seq, seq), self.device)
        if self.carried:  # it may have come from any phone, so it cannot check another one
            phones = Phones(None, phones.writer, pair.agrees, phones.main)
        return structs.replace(pair, phones=phones)

    def edited(self, before: Sequence[Step], seqs: Mapping[str, int], since: Since) -> tuple[Step, ...] | Behind:
        """Return the steps `before`, followed by the steps that make the changes in `self.rest`.

        `seqs` maps the phone's id of each hand to the log position of that hand. `since` describes what other phones
        have changed. Returns `Behind` if a change no longer fits the game.
        """
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
        """Return the steps that save the hands `tail`, or `Behind` if the game has changed too much since `version`.

        `tail` starts with the first hand that doesn't agree with a saved hand. Hands after the last saved hand are
        added to the game. If `tail` is a single hand that differs from the saved hand, the phone's version is logged as
        a report. If more hands follow in `tail`, or if the phone had already seen the saved hand at `version`, the
        result is `Behind`.

        Hands that follow the end of a league game at the bell or at the desk are logged, but don't count.

        `again` means that an earlier request already saved some of the phone's changes. Those changes then don't count
        as changes since `version`.
        """
        first = tail[0]
        since = _since(self.session, self.found, version)
        if first.entry is not None:
            seen = not 1 <= version < first.entry.seq or "RulesChanged" in dict(since)
            return (() if seen or len(tail) > 1 else self.reports(tail)) or Behind(first.number)
        if self.is_ended:
            self.too_late += [sender_id(pair.key or "") for pair in tail]
            return tuple(set_aside(self.game, tail, self._seat()))
        others = {kind for kind, device in since if not (again and device == self.device)}
        if version > self.found.version or not others <= HARMLESS:
            return Behind(first.number)
        bidders = (device for kind, device in reversed(since) if kind == "BidTaken")
        return follow_on(self.game, tail, next(bidders, self.device) != self.device)


@keyed_use_case
def save_waiting(
    *,
    public_id: str,
    device: str,
    version: int,
    hands: Sequence[WaitingChange],
    carried: bool = False,
    now: datetime | None = None,
) -> SyncOutcome | Behind:
    """Save the changes `hands` that a phone made offline, in one transaction, and return the outcome.

    `version` is the version of the game that the phone last saw. Each change is saved only once. `carried` means that
    the phone `device` sends the hands for another phone, which scored them.

    If another phone saved a hand with the same result, this phone's hand is only logged as a report that confirms it.
    If only the last hand differs from the saved hand, both versions are in dispute.

    `hands` may also contain other kinds of changes, such as corrections. In that case no hand can be in dispute, and no
    change may touch anything that another phone has changed since `version`.

    Returns `Behind` if the phone's changes don't fit the game. Raises `NoSuchGameError`, `NotYourGameError`,
    `ReusedError` or `RuleViolation`. In all of these cases nothing is saved.
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
        aside = frozenset(hand.client_id for hand in hands if hand.key in gone)
        # The answer may have been lost, so a repeated request is told again.
        too_late = frozenset(sync.too_late) | (aside if sync.is_ended else frozenset())
        return SyncOutcome(sync.game, disputed, aside | too_late, too_late)


def accept_tail(
    *,
    public_id: str,
    device: str,
    version: int,
    hands: Sequence[WaitingHand],
    carried: bool = False,
    now: datetime | None = None,
) -> Game | Behind:
    """Replace the saved hands with a phone's own `hands`, from the first hand that differs or is new.

    The saved hands from that point on are deleted. The phone's hands are saved in the same transaction. If a phone's
    hand agrees with a saved hand, the phone's hand is only logged as a report.

    `version` is the version of the game that the page showed. `carried` means that the phone `device` sends the hands
    for another phone, which scored them. Returns the game afterwards, also for a repeated request. Returns `Behind` if
    `version` is outdated. Raises what `save_waiting` raises.
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
    """Keep the saved hands, and log a phone's own `hands` as discarded, from the first hand that differs or is new.

    Discarded hands don't count, but the history shows them. The parameters, the result and the errors are those of
    `accept_tail`.
    """
    return _settle(public_id, device, version, hands, carried, now, set_aside)


Settling = Callable[[Game, Sequence[HandPair], int | None], Iterator[Step]]


@keyed_use_case
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
    """Return the hands from `hands` that are not in the log of the game `public_id` yet.

    Raises `NoSuchGameError`. Raises `ReusedError` if a hand in the log has the same id but different content.
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
    """Lock a game, and separate a phone's changes into new changes and changes that are already in the log.

    Returns a pair. The first item is a `_Sync` with the new changes. The second item is a dict of the changes in the
    log (see `_known`). Raises what `admit` raises, or `ReusedError`.
    """
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
    times = {change.key: change.at for change in fresh if change.at is not None}
    return _Sync(session, found, game, pairs, rest, device, carried, now or datetime.now(UTC), times), known


class _Known(NamedTuple):
    """The kind and the log position of an event that a phone's change added to the log."""

    kind: str
    seq: int


def _known(session: Session, found: GameHeader, hands: Sequence[WaitingChange]) -> Mapping[str, _Known]:
    """Map the request key of each change in `hands` that was already saved to the event that it added to the log.

    Raises `ReusedError` if a change in the log has the same id but different content.
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
    """Return what phones other than `device` have changed in a game since `version`.

    The result has the kinds of these changes, and the log positions of the hands that were changed.
    """
    query = select(EventRow.kind, EventRow.data).where(
        EventRow.game_id == found.id, EventRow.seq > version, EventRow.device != device
    )
    rows = session.execute(query).all()
    touched = (data["seq"] for kind, data in rows if kind in TOUCHING)
    return Since(frozenset(kind for kind, _data in rows), frozenset(touched))


def _since(session: Session, found: GameHeader, version: int) -> Sequence[tuple[str, str]]:
    """Return the (kind, device) pairs of the events after `version`, oldest first."""
    query = select(EventRow.kind, EventRow.device).where(EventRow.game_id == found.id, EventRow.seq > version)
    return [(kind, device) for kind, device in session.execute(query.order_by(EventRow.seq))]
