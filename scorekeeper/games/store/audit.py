"""Log changes to a game that are not part of its hands, such as added scorers, lost phones and deletion.

Notes are only added, never changed. Notes are not events of the game, because the rules of the game don't depend on
phones. A replay ignores notes, and pages that show the game stay current when a note is added.

Find readable names for phones, by owner or by role. The hash of a phone is never shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from scorekeeper.games.store.access import ask_keepers
from scorekeeper.games.store.event_store import GameHeader
from scorekeeper.games.store.models import EventRow, GameRow, NoteRow, ScorerRow
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.i18n.sentences import isolated

KINDS = {
    "link_made": N_("Score link created."),
    "link_back": N_("Unused score link removed."),
    "let_in": N_("%(phone)s joined with a score link."),
    "let_in_at_table": N_("%(phone)s joined at this table."),
    "started_here": N_("%(phone)s, where this game started, is now the main phone."),
    "stays": N_("%(phone)s can score this game too, like the one before."),
    "sent_away": N_("%(phone)s was removed and can no longer score."),
    "night_over": N_("%(phone)s can no longer score because the night was closed."),
    "watching_on": N_("Watching turned on."),
    "watching_off": N_("Watching turned off."),
    "code_made": N_("New backup code created. The old one no longer works."),
    "code_used": N_("Backup code entered. Another phone took over the game."),
    "settling_seen": N_("Saw how the disagreement between two phones was settled."),
    "note_written": N_("Note on a hand saved."),
    "note_removed": N_("Note on a hand removed."),
    "photo_added": N_("Photo of a hand saved."),
    "photo_removed": N_("Photo of a hand removed."),
    "coke_hand": N_("Coke hand: %(player)s got new cards."),
    "hidden": N_("Game hidden. It no longer counts."),
    "shown": N_("Game shown again. It counts."),
    "unused": N_("Game deleted automatically: nothing was scored in two weeks."),
    "deleted": N_("Game deleted."),
    "undeleted": N_("Game restored."),
}
"""Maps each kind of note to its sentence. `phone` is the name of a phone, and `player` the player at `Note.seat`."""
WITHDRAWALS = frozenset(
    ("link_back", "sent_away", "night_over", "watching_off", "settling_seen", "note_removed", "photo_removed")
)
"""Kinds of notes about changes that are allowed even if the game is frozen (`hooks.FrozenGameError`)."""


class Note(Struct, frozen=True):
    """A log entry about a change to a game that is not part of its hands. `kind` is a key of `KINDS`.

    `when` is a time in UTC. `device` is the hash of the phone that made the change. If the change concerns another
    phone, `seat` is the seat of that phone's owner, or None if unknown.
    """

    kind: str
    when: datetime
    device: str
    seat: int | None

    def to_json(self) -> dict[str, Any]:
        """Return the note as a JSON object for `from_json`."""
        return {"kind": self.kind, "at": self.when.isoformat(), "device": self.device, "seat": self.seat}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Note:
        """Parse a note from a JSON object made by `to_json`.

        Raises `ValueError`, `KeyError` or `TypeError` if the object is malformed.
        """
        when = datetime.fromisoformat(data["at"])
        note = cls(data["kind"], when.astimezone(UTC), data["device"], data["seat"])
        if note.kind not in KINDS or when.tzinfo is None or len(note.device) > 64:
            raise ValueError(note.kind)
        if note.seat is not None and (type(note.seat) is not int or not 0 <= note.seat < 100):
            raise ValueError(note.kind)
        return note


def note(session: Session, game: int, kind: str, *, device: str, now: datetime, seat: int | None = None) -> None:
    """Add a note of `kind` (a key of `KINDS`) to a game (row id). The caller's transaction commits the note.

    `device` is the hash of the phone that made the change. If the change concerns another phone, `seat` is the seat of
    that phone's owner, or None if unknown. Raises what `note_all` raises.
    """
    note_all(session, [(game, seat)], kind, device=device, now=now)


def note_all(
    session: Session, games: Sequence[tuple[int, int | None]], kind: str, *, device: str, now: datetime
) -> None:
    """Add a note of `kind` (a key of `KINDS`) to several games. The caller's transaction commits the notes.

    `games` has (row id, seat) pairs. The seat has the same meaning as `Note.seat`. `device` is the hash of the phone
    that made the change. Raises `FrozenGameError` if a game may not be changed, unless `kind` is in `WITHDRAWALS`.
    """
    assert kind in KINDS
    if games:
        if kind not in WITHDRAWALS:
            ask_keepers(session, [game for game, _seat in games])
        session.execute(
            insert(NoteRow),
            [{"game_id": game, "at": now, "device": device, "kind": kind, "seat": seat} for game, seat in games],
        )


def put_notes(session: Session, game: int, notes: Sequence[Note]) -> None:
    """Add the notes of an imported game (row id). The caller's transaction commits the notes."""
    if notes:
        session.execute(
            insert(NoteRow),
            [
                {"game_id": game, "at": each.when, "device": each.device, "kind": each.kind, "seat": each.seat}
                for each in notes
            ],
        )


def notes_of(session: Session, game: int) -> tuple[Note, ...]:
    """Return the notes on a game (row id), oldest first."""
    return notes_of_all(session, [game]).get(game, ())


def notes_of_all(session: Session, games: Sequence[int]) -> Mapping[int, tuple[Note, ...]]:
    """Map these games (row ids) to their notes, oldest first. Games without notes are left out."""
    columns = (NoteRow.game_id, NoteRow.kind, NoteRow.at, NoteRow.device, NoteRow.seat)
    notes: defaultdict[int, list[Note]] = defaultdict(list)
    rows = session.execute(select(*columns).where(NoteRow.game_id.in_(games)).order_by(NoteRow.id))
    for game, kind, when, device, seat in rows:
        notes[game].append(Note(kind, when, device, seat))
    return {game: tuple(each) for game, each in notes.items()}


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
