"""Name phones for people, by owner or role, never by the hash in the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.games.store.audit import Note
from scorekeeper.games.store.event_store import GameHeader
from scorekeeper.games.store.models import EventRow, GameRow, ScorerRow
from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.sentences import isolated


def writers_of(session: Session, found: GameHeader) -> Mapping[int, str]:
    """Return the phone (its hash) that wrote each event of a game, by the event's log position."""
    return dict(session.execute(select(EventRow.seq, EventRow.device).where(EventRow.game_id == found.id)).all())


def names_of(
    session: Session, found: GameHeader, writers: Mapping[int, str], notes: Sequence[Note], players: Sequence[str]
) -> Mapping[str, str]:
    """Return the name of each phone in the log of a game, by its hash: its owner, or its role in the game.

    Other phones are numbered, to keep them apart.
    """
    seats = dict(session.execute(select(ScorerRow.device, ScorerRow.seat).where(ScorerRow.game_id == found.id)).all())
    of_night = session.scalar(select(GameRow.elsewhere).where(GameRow.id == found.id))
    began = writers.get(1)
    named: dict[str, str] = {}
    others = 0
    for device in dict.fromkeys((*writers.values(), *(note.device for note in notes))):
        if seats.get(device) is not None:
            named[device] = phone_name(players, seats[device])
        elif device == found.device and of_night:
            named[device] = _("The device that directs the league")
        elif device == began:
            named[device] = _("Main phone")
        elif device == found.device:
            named[device] = _("New main phone")
        else:
            others += 1
            named[device] = _("Another phone (%(number)s)", number=others)
    return named


def phone_name(names: Sequence[str], seat: int | None, *, first: bool = False) -> str:
    """Return "Ann's phone" for a seat; for None "The first phone" or "Another phone"."""
    if seat is not None and seat < len(names):
        return _("%(name)s's phone", name=isolated(names[seat]))
    return _("The first phone") if first else _("Another phone")
