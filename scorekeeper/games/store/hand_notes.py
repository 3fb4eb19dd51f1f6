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
"""Our own field of a record: `[{"hand": 3, "note": "..."}]`, with the number of the hand. Photos are not in records."""


def noted_in(game: Game, notes: Mapping[int, HandNote]) -> list[dict[str, object]]:
    """Return the notes on the hands of `game` that count, for its record."""
    lines = (line for line in game.counted if line.is_hand)
    texts = ((line.number, notes.get(line.entry.seq, NO_NOTE).text) for line in lines)
    return [{"hand": number, "note": text} for number, text in texts if text]


def put_noted(session: Session, public_id: str, events: Sequence[Event], told: object) -> None:
    """Save the notes of an imported record for a game with these events; entries that are not notes are left out."""
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
    """Return a text from elsewhere as a note may hold it: in one line, printable, not too long."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())[:NOTE_LENGTH]


def notes_on_hands(session: Session, game: int) -> Mapping[int, HandNote]:
    """Return the notes of a game (row id) by the place of the hand in the log; no photo is read."""
    rows = session.connection().execute(_NOTES, {"game": game})
    return {seq: HandNote(text, key or "") for seq, text, key in rows}


def notes_by_game(session: Session, games: Sequence[int]) -> Mapping[int, Mapping[int, HandNote]]:
    """Return the written notes of games (row ids) by the place of the hand in the log; one query, no photos."""
    query = select(HandNoteRow.game_id, HandNoteRow.seq, HandNoteRow.text)
    found: dict[int, dict[int, HandNote]] = {}
    for game, seq, text in session.execute(query.where(HandNoteRow.game_id.in_(games), HandNoteRow.text != "")):
        found.setdefault(game, {})[seq] = HandNote(text)
    return found


def photo_on_hand(session: Session, game: int, seq: int, key: str) -> bytes | None:
    """Return the photo with that key, None if the hand has another one or none."""
    query = select(HandNoteRow.photo).where(HandNoteRow.game_id == game, HandNoteRow.seq == seq)
    return session.scalars(query.where(HandNoteRow.photo_key == key)).first()


def photos_in(session: Session, game: int) -> int:
    """Return how many photos a game (row id) has."""
    query = select(func.count()).select_from(HandNoteRow)
    return session.scalars(query.where(HandNoteRow.game_id == game, HandNoteRow.photo_key.is_not(None))).one()


def put_note(session: Session, game: int, seq: int, text: str) -> bool:
    """Save the text on a hand, "" for none; return whether that changed anything."""
    row = _row(session, game, seq)
    if row.text == text:
        return False
    row.text = text
    _keep(session, row)
    return True


def put_photo(session: Session, game: int, seq: int, photo: bytes | None) -> bool:
    """Save the photo of a hand, None for none; return whether that changed anything."""
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
    """Save the row, or delete it if nothing is left on the hand."""
    if row.text or row.photo_key:
        session.add(row)
        session.flush()
    elif row.id is not None:
        session.execute(delete(HandNoteRow).where(HandNoteRow.id == row.id))
