"""Read and write notes and photos on hands, within the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, func, select
from sqlalchemy.orm import Session

from scorekeeper.db.tokens import new_public_id
from scorekeeper.games.store.models import NOTE_LENGTH, GameRow, HandNoteRow
from scorekeeper.games.store.redaction import hold
from scorekeeper.rules.events import Event, HandScored, HandThrownIn
from scorekeeper.rules.game import Game

_NOTES = select(HandNoteRow.seq, HandNoteRow.text, HandNoteRow.photo_key).where(
    HandNoteRow.game_id == bindparam("game")
)


@dataclass(frozen=True, slots=True)
class HandNote:
    """The note and the photo of a hand."""

    text: str = ""
    photo: str = ""
    """The key of the photo; empty without one."""


NO_NOTE = HandNote()
IN_RECORD = "x_hand_notes"
"""Field of a game record that only this app uses, for the notes on hands: `[{"hand": 3, "note": "..."}]`.

"hand" is the number of the hand in the game, from 1. Photos are left out.
"""


def noted_in(game: Game, notes: Mapping[int, HandNote]) -> list[dict[str, object]]:
    """Return the notes on hands as a list of dicts, for the field `IN_RECORD` of a game record.

    `notes` maps the log position of a hand to its note. Only hands that count are included.
    """
    lines = (line for line in game.counted if line.is_hand)
    texts = ((line.number, notes.get(line.entry.seq, NO_NOTE).text) for line in lines)
    return [{"hand": number, "note": text} for number, text in texts if text]


def put_noted(session: Session, public_id: str, events: Sequence[Event], told: object) -> None:
    """Save the notes on hands of an imported record. `events` are the events of the imported game.

    `told` is the value of the record's field `IN_RECORD`. Malformed entries are ignored.
    """
    game = session.scalars(select(GameRow.id).where(GameRow.public_id == public_id)).one()
    hold(session, [game])
    hands = [seq for seq, event in enumerate(events, 1) if isinstance(event, HandScored | HandThrownIn)]
    texts: dict[int, str] = {}
    for each in told if isinstance(told, list) else []:
        number, text = (each.get("hand"), each.get("note")) if isinstance(each, dict) else (None, None)
        if type(number) is int and isinstance(text, str) and 1 <= number <= len(hands) and (shown := note_in(text)):
            texts[hands[number - 1]] = shown
    # One note a hand and one statement, however many the record has: other writers wait.
    session.add_all(HandNoteRow(game_id=game, seq=seq, text=text) for seq, text in texts.items())
    session.flush()


def note_in(text: str) -> str:
    """Return imported text as a valid note. A note is one printable line and has at most `NOTE_LENGTH` characters."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())[:NOTE_LENGTH]


def notes_on_hands(session: Session, game: int) -> Mapping[int, HandNote]:
    """Map the log position of each hand of a game (row id) to the note and photo of the hand.

    Hands with neither a note nor a photo are left out. Only the keys of photos are read, not the photos.
    """
    rows = session.connection().execute(_NOTES, {"game": game})
    return {seq: HandNote(text, key or "") for seq, text, key in rows}


def notes_by_game(session: Session, games: Sequence[int]) -> Mapping[int, Mapping[int, HandNote]]:
    """Map each of these games (row ids) to a dict of its notes on hands by log position of the hand.

    Notes without text and all photos are left out. Games without notes are left out, too. The function runs a single
    query.
    """
    query = select(HandNoteRow.game_id, HandNoteRow.seq, HandNoteRow.text)
    found: dict[int, dict[int, HandNote]] = {}
    for game, seq, text in session.execute(query.where(HandNoteRow.game_id.in_(games), HandNoteRow.text != "")):
        found.setdefault(game, {})[seq] = HandNote(text)
    return found


def photo_on_hand(session: Session, game: int, seq: int, key: str) -> bytes | None:
    """Return the photo of the hand at log position `seq`, or None if the hand has no photo with the key `key`."""
    query = select(HandNoteRow.photo).where(HandNoteRow.game_id == game, HandNoteRow.seq == seq)
    return session.scalars(query.where(HandNoteRow.photo_key == key)).first()


def photos_in(session: Session, game: int) -> int:
    """Return the number of photos on the hands of a game (row id)."""
    query = select(func.count()).select_from(HandNoteRow)
    return session.scalars(query.where(HandNoteRow.game_id == game, HandNoteRow.photo_key.is_not(None))).one()


def put_note(session: Session, game: int, seq: int, text: str) -> bool:
    """Save the note text of the hand at log position `seq`, and return whether that changed anything.

    An empty `text` removes the note.
    """
    row = _row(session, game, seq)
    if row.text == text:
        return False
    row.text = text
    _keep(session, row)
    return True


def put_photo(session: Session, game: int, seq: int, photo: bytes | None) -> bool:
    """Save the photo of the hand at log position `seq`, and return whether that changed anything.

    If `photo` is None, the photo is removed.
    """
    row = _row(session, game, seq)
    if row.photo == photo:
        return False
    row.photo, row.photo_key = photo, None if photo is None else new_public_id()
    _keep(session, row)
    return True


def _row(session: Session, game: int, seq: int) -> HandNoteRow:
    query = select(HandNoteRow).where(HandNoteRow.game_id == game, HandNoteRow.seq == seq)
    return session.scalars(query).first() or HandNoteRow(game_id=game, seq=seq, text="", photo=None, photo_key=None)


def _keep(session: Session, row: HandNoteRow) -> None:
    """Save the row of a hand's note and photo, or delete the row if it has neither."""
    if row.text or row.photo_key:
        session.add(row)
        session.flush()
    elif row.id is not None:
        session.execute(delete(HandNoteRow).where(HandNoteRow.id == row.id))
