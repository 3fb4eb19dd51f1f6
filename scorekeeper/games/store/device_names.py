"""Find readable names for phones, by owner or by role. The hash of a phone is never shown."""

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
    """Map the log position of each event of a game to the hash of the phone that sent the event."""
    return dict(session.execute(select(EventRow.seq, EventRow.device).where(EventRow.game_id == found.id)).all())


def names_of(
    session: Session, found: GameHeader, writers: Mapping[int, str], notes: Sequence[Note], players: Sequence[str]
) -> Mapping[str, str]:
    """Map the hash of each phone in the log of a game to a name that people can read.

    A phone is named after its owner, or after its role in the game. Phones without a known owner or role are numbered.
    `writers` maps log positions to the hashes of the phones that sent the events. `notes` are the notes on the game.
    `players` are the players' names, by seat.
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
            named[device] = _("The league director's device")
        elif device == began:
            named[device] = _("Main phone")
        elif device == found.device:
            named[device] = _("New main phone")
        else:
            others += 1
            named[device] = _("Another phone (%(number)s)", number=others)
    return named


def phone_name(names: Sequence[str], seat: int | None, *, main: bool = False) -> str:
    """Return the name of a phone whose owner has the given seat, for example "Ann's phone".

    If `seat` is None, return "The main phone" (with `main`, for the main phone of the game) or "Another phone". `names`
    are the players' names, by seat.
    """
    if seat is not None and seat < len(names):
        return _("%(name)s's phone", name=isolated(names[seat]))
    return _("The main phone") if main else _("Another phone")
