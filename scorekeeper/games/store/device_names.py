"""Which phone did something at a game, in words: never by the hash that the score book knows it by."""

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
    """Return the phones (their hashes) from which the events of a game came, by the place of the event."""
    return dict(session.execute(select(EventRow.seq, EventRow.device).where(EventRow.game_id == found.id)).all())


def names_of(
    session: Session, found: GameHeader, writers: Mapping[int, str], notes: Sequence[Note], players: Sequence[str]
) -> Mapping[str, str]:
    """Return what the log calls each phone that did something: whose it is, or what it is to the game.

    Those of which nothing is known are numbered, so that one can be told from another.
    """
    seats = dict(session.execute(select(ScorerRow.device, ScorerRow.seat).where(ScorerRow.game_id == found.id)).all())
    of_night = session.scalar(select(GameRow.elsewhere).where(GameRow.id == found.id))
    began = writers.get(1)
    told: dict[str, str] = {}
    others = 0
    for device in dict.fromkeys((*writers.values(), *(note.device for note in notes))):
        if seats.get(device) is not None:
            told[device] = phone_name(players, seats[device])
        elif device == found.device and of_night:
            told[device] = _("The device that directs the league")
        elif device == began:
            told[device] = _("The phone that started the game")
        elif device == found.device:
            told[device] = _("The phone that took its place")
        else:
            others += 1
            told[device] = _("Another phone (%(number)s)", number=others)
    return told


def phone_name(names: Sequence[str], seat: int | None, *, first: bool = False) -> str:
    """Return whose phone it is: "Ann's phone", or which of the two where nobody said."""
    if seat is not None and seat < len(names):
        return _("%(name)s's phone", name=isolated(names[seat]))
    return _("The first phone") if first else _("Another phone")
