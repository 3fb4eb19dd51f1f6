"""What another phone says of a hand that is written down already: held against it, and kept in the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.games.logic.hand_comparison import Compared, compared, game_at
from scorekeeper.games.services.scoring import StaleError, Tap, add_events, game_for, kind_before
from scorekeeper.games.store.event_store import GameHeader, corrections_of, events_of, find, read_ahead, writer_of
from scorekeeper.games.store.models import ScorerRow
from scorekeeper.rules import events as ev
from scorekeeper.rules.commands import Command, ReportHand, decide
from scorekeeper.rules.game import Game
from scorekeeper.web.extensions import db, writing


@use_case
def report_hand(
    *, public_id: str, command: Callable[[Game], Command], number: int | None, tap: Tap, now: datetime | None = None
) -> Compared:
    """Hold the hand that a late tap makes of the game it saw against the one that has its number, and return both.

    What another phone said is kept in the log: the score stays as it is. `number` is the number of the hand as the
    phone showed it, None where it did not say. Raises as `service.act` does; `StaleError` where there is nothing to
    compare.
    """
    read_ahead(public_id)
    then = game_seen(public_id, tap.version)
    told = None if then is None else command(then)
    with writing() as session:
        found, game = game_for(session, public_id, tap)
        kept = None if then is None or told is None else compared(then, game, told)
        if kept is None or number not in (None, kept.number):
            raise StaleError
        phones = phones_of(session, found, corrections_of(session, found), kept.entry.seq, tap.device)
        by, first = phones.by, phones.first
        kept = replace(kept, own=phones.same, by=by, first=first)
        if not kept.own and kind_before(session, found, tap) is None:
            add_events(session, found, game, decide(game, ReportHand(kept.entry.seq, kept.hand, by, first)), tap, now)
        return kept


@dataclass(frozen=True, slots=True)
class Phones:
    """The seats of the phone that speaks of a hand and of the one that wrote it; `same`: it is one phone."""

    by: int | None
    first: int | None
    same: bool


def game_seen(public_id: str, version: int | None) -> Game | None:
    """Return the game as a phone saw it at `version`, None where there never was such a version."""
    found = find(db.session(), public_id)
    if found is None or version is None:
        return None
    return game_at([logged.event for logged in events_of(db.session(), found, until=version)], version)


def phones_of(session: Session, found: GameHeader, corrected: Mapping[int, int], seq: int, device: str) -> Phones:
    """Return whose phones speak of the hand `seq`: `device`, and the one that said last what it was.

    `corrected` is what `corrections_of` returns: who corrected a hand is the one who says what it was.
    """
    writer = writer_of(session, found, corrected.get(seq, seq))
    return Phones(seat_of(session, found, device), seat_of(session, found, writer), writer == device)


@dataclass(frozen=True, slots=True)
class Changed:
    """A hand that was corrected or struck out: `event`, and the phone it came from: its seat, and whether it asks."""

    event: ev.HandCorrected | ev.HandVoided
    by: int | None
    own: bool


def changed_since(public_id: str, device: str, seq: int, version: int | None) -> Changed | None:
    """Return the last correction of hand `seq`, or that it was struck out, after `version`; None where neither came."""
    session = db.session()
    found = find(session, public_id)
    if found is None or version is None:
        return None
    for logged in reversed(events_of(session, found, since=version + 1)):
        event = logged.event
        if isinstance(event, ev.HandCorrected | ev.HandVoided) and event.seq == seq:
            writer = writer_of(session, found, logged.seq)
            return Changed(event, seat_of(session, found, writer), writer == device)
    return None


def seat_of(session: Session, found: GameHeader, device: str | None) -> int | None:
    """Return whose phone it is, None where nobody said."""
    query = select(ScorerRow.seat).where(ScorerRow.game_id == found.id, ScorerRow.device == device)
    return session.scalars(query).first()
