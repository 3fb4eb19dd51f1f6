"""Compare hands from a phone that was out of date with those saved since, and log the differences as reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.retry import keyed_use_case
from scorekeeper.games.logic.reconcile import Behind, HandPair, Phones, game_at, late_pair
from scorekeeper.games.services.scoring import ClientRequest, add_events, game_for, kind_before
from scorekeeper.games.store.event_store import GameHeader, corrections_of, events_of, find, read_ahead, writer_of
from scorekeeper.games.store.models import ScorerRow
from scorekeeper.rules import events as ev
from scorekeeper.rules.commands import Command, decide
from scorekeeper.rules.game import Game
from scorekeeper.web.extensions import db, writing


@keyed_use_case
def report_hand(
    *,
    public_id: str,
    command: Callable[[Game], Command],
    number: int | None,
    request: ClientRequest,
    now: datetime | None = None,
) -> HandPair | Behind:
    """Return the hand that a request from an outdated page enters, paired with the saved hand of the same number.

    `command` takes the game as the phone saw it, and returns the command that enters the hand. `number` is the number
    of the hand that the page showed, or None if the page showed none.

    If another phone saved the hand, the late version is added to the log as a report, and the score doesn't change.
    Return `Behind` if there is nothing to compare. Raises the errors of `scoring.act`.
    """
    read_ahead(public_id)
    then = game_seen(public_id, request.version)
    entered = None if then is None else command(then)
    with writing() as session:
        found, game = game_for(session, public_id, request)
        pair = None if then is None or entered is None else late_pair(then, game, entered)
        if pair is None or number not in (None, pair.number):
            return Behind()
        seq = pair.saved.seq
        phones = phones_of(session, found, corrections_of(session, found).get(seq, seq), request.device)
        pair = replace(pair, phones=phones)
        if not phones.same and kind_before(session, found, request) is None:
            add_events(session, found, game, decide(game, pair.report), request, now)
        return pair


def game_seen(public_id: str, version: int | None) -> Game | None:
    """Return the game as it was at `version`, or None if there is no such game or version.

    `version` is None if the phone's page showed no version. Then the result is None, too.
    """
    found = find(db.session(), public_id)
    if found is None or version is None:
        return None
    return game_at([logged.event for logged in events_of(db.session(), found, until=version)], version)


def phones_of(session: Session, found: GameHeader, seq: int, device: str) -> Phones:
    """Return the phone `device` and the phone that wrote the event at log position `seq`.

    In the result, each phone is given as the seat of its owner.
    """
    writer = writer_of(session, found, seq)
    main = writer == found.device
    return Phones(seat_of(session, found, device), seat_of(session, found, writer), writer == device, main)


def changed_since(
    public_id: str, device: str, seq: int, version: int | None
) -> tuple[ev.HandCorrected | ev.HandVoided, Phones] | None:
    """Return the last correction or deletion of a hand after `version`, and the two phones involved.

    `seq` is the log position of the hand. The two phones are `device` and the phone that changed the hand. The result
    is None if the hand wasn't changed after `version`, or if `version` is None.
    """
    session = db.session()
    found = find(session, public_id)
    if found is None or version is None:
        return None
    for logged in reversed(events_of(session, found, since=version + 1)):
        event = logged.event
        if isinstance(event, ev.HandCorrected | ev.HandVoided) and event.seq == seq:
            return event, phones_of(session, found, logged.seq, device)
    return None


def seat_of(session: Session, found: GameHeader, device: str | None) -> int | None:
    """Return the seat of the owner of the phone `device` in a game, or None if unknown."""
    query = select(ScorerRow.seat).where(ScorerRow.game_id == found.id, ScorerRow.device == device)
    return session.scalars(query).first()
