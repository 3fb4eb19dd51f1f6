"""Make the page for the note and the photo of a hand."""

from __future__ import annotations

from scorekeeper.games import pages
from scorekeeper.games.presenters.snapshot import Snapshot, new_tap_id
from scorekeeper.games.presenters.vocabulary import hand_text
from scorekeeper.games.store.hand_notes import NO_NOTE
from scorekeeper.games.store.models import NOTE_LENGTH
from scorekeeper.rules.game import Entry


def hand_note_page(snapshot: Snapshot, entry: Entry, *, error: str = "", text: str | None = None) -> pages.HandNotePage:
    """Return the page for the note and photo of the hand `entry`.

    `text` is a new note that was refused with `error`, or None to show the saved note.
    """
    game, known = snapshot.game, snapshot.hand_notes.get(entry.seq, NO_NOTE)
    return pages.HandNotePage(
        game_id=snapshot.public_id,
        seq=entry.seq,
        number=next((line.number for line in game.lines if line.entry.seq == entry.seq), 0),
        said=hand_text(game.table, snapshot.said_names, snapshot.sides, entry.hand),
        text=known.text if text is None else text,
        photo=known.photo,
        longest=NOTE_LENGTH,
        version=game.version,
        client_id=new_tap_id(),
        error=error,
    )
