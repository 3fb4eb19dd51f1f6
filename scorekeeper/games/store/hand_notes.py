"""Remove players' names from games, and delete games for good, within the caller's transaction.

Names are not part of an event log, so the log does not change, and phones can still save hands that they kept offline.
`GameRow.renamed` counts up, so that pages with the old name are outdated.

Read and write notes and photos on hands, within the caller's transaction.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import bindparam, delete, func, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.database import opened
from scorekeeper.db.tokens import new_public_id
from scorekeeper.games.store.game_export import players_of
from scorekeeper.games.store.models import (
    NOTE_LENGTH,
    EventRow,
    GameRow,
    HandNoteRow,
    NoteRow,
    PlayerRow,
    RecoveryRow,
    ScoreLinkRow,
    ScorerRow,
)
from scorekeeper.rules.events import Event, HandScored, HandThrownIn
from scorekeeper.rules.game import Game

AT_ONCE = 500
"""Maximum number of ids in one query."""
WRITTEN = ("ScoreAdjusted",)
"""Kinds of events whose field `reason` is a text that people typed."""


def typed_names(session: Session, games: Collection[int]) -> dict[int, str]:
    """Map `PlayerRow` ids to names, for the players of these games (row ids) who are not people of a league."""
    query = select(PlayerRow.id, PlayerRow.name).where(PlayerRow.person_id.is_(None))
    return {
        player: name
        for some in _some(games)
        for player, name in session.execute(query.where(PlayerRow.id.in_(players_of(session, some))))
    }


def with_company(session: Session, games: Iterable[int], players: Collection[int] = ()) -> set[int]:
    """Return the row ids of `games` and of related games.

    Related games are all games of `players` (`PlayerRow` ids). For each game in the result, all games of its series are
    also included.
    """
    near: dict[int, set[int]] = {}
    found = set(games)
    wanted = set(players)
    for game, before, seated in session.execute(select(GameRow.id, GameRow.rematch_of, GameRow.players)):
        if before is not None:
            near.setdefault(game, set()).add(before)
            near.setdefault(before, set()).add(game)
        if not wanted.isdisjoint(seated):
            found.add(game)
    to_look = list(found)
    while to_look:
        new = near.get(to_look.pop(), set()) - found
        found |= new
        to_look += new
    return found


def hold(session: Session, games: Collection[int]) -> None:
    """Lock these games (row ids) until the end of the transaction, and mark pages with these games as outdated."""
    for some in _some(games):
        newer = update(GameRow).where(GameRow.id.in_(some)).values(renamed=func.coalesce(GameRow.renamed, 0) + 1)
        session.execute(newer)


def rename(session: Session, players: Collection[int], name: str) -> None:
    """Give these players (`PlayerRow` ids) the new name `name` in all of their games."""
    for some in _some(players):
        session.execute(update(PlayerRow).where(PlayerRow.id.in_(some)).values(name=name))


def written(session: Session, games: Collection[int]) -> dict[int, dict[str, Any]]:
    """Map the row id of each event with typed text in these games (row ids) to the data of the event."""
    query = select(EventRow.id, EventRow.data).where(EventRow.kind.in_(WRITTEN))
    return {
        event: data for some in _some(games) for event, data in session.execute(query.where(EventRow.game_id.in_(some)))
    }


def hand_notes(session: Session, games: Collection[int]) -> dict[int, str]:
    """Map the row id of each note on a hand in these games (row ids) to the text of the note."""
    query = select(HandNoteRow.id, HandNoteRow.text)
    return {
        row: text for some in _some(games) for row, text in session.execute(query.where(HandNoteRow.game_id.in_(some)))
    }


def _some(ids: Collection[int]) -> Iterator[Sequence[int]]:
    ordered = sorted(ids)
    for first in range(0, len(ordered), AT_ONCE):
        yield ordered[first : first + AT_ONCE]


def remove_games(session: Session, games: Sequence[int]) -> None:
    """Delete these games (row ids), the rows that belong to them, and players who are in no other game."""
    for some in _some(games):
        _remove(session, some)


def _remove(session: Session, games: Sequence[int]) -> None:
    players = players_of(session, games)
    beside = with_company(session, games, players) - set(games)
    for model in (ScorerRow, ScoreLinkRow, RecoveryRow, HandNoteRow):
        session.execute(delete(model).where(model.game_id.in_(games)))
    # Rematches of these games stay, and so do their players.
    session.execute(update(GameRow).where(GameRow.rematch_of.in_(games)).values(rematch_of=None))
    with opened(session, "game_note"):
        session.execute(delete(NoteRow).where(NoteRow.game_id.in_(games)))
    with opened(session, "game_event"):
        session.execute(delete(EventRow).where(EventRow.game_id.in_(games)))
    session.execute(delete(GameRow).where(GameRow.id.in_(games)))
    session.execute(delete(PlayerRow).where(PlayerRow.id.in_(players - players_of(session, sorted(beside)))))


_NOTES = select(HandNoteRow.seq, HandNoteRow.text, HandNoteRow.photo_key).where(
    HandNoteRow.game_id == bindparam("game")
)


class HandNote(Struct, frozen=True):
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
