"""What happens to a game beside its hands: who may score and watch it, a lost phone, deletion. Notes are only added.

They are no events of the game: the rules know nothing of phones, a replay goes without them, and none makes a page old.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from scorekeeper.games.store.models import NoteRow
from scorekeeper.i18n.catalog import N_

KINDS = {
    "link_made": N_("A score link was made."),
    "link_back": N_("The score link that nobody had used was taken back."),
    "let_in": N_("%(phone)s was let in by a score link."),
    "let_in_at_table": N_("%(phone)s was let in at its table of the night."),
    "stays": N_("%(phone)s may score this game too, as the one before."),
    "sent_away": N_("%(phone)s was sent away and scores no more."),
    "night_over": N_("The night was closed: %(phone)s scores no more."),
    "watching_on": N_("Others may watch."),
    "watching_off": N_("Others may watch no more."),
    "code_made": N_("A new code for a lost phone was made. The one before opens nothing."),
    "code_used": N_("The code for a lost phone was entered: another phone took its place."),
    "settling_seen": N_("It was seen how the difference between two phones was settled."),
    "deleted": N_("The game was deleted."),
    "undeleted": N_("The game was brought back."),
}
"""What happened, to how it is said; `phone` is the one to which it happened."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note: what happened, when, on which phone (its hash), and whose phone it happened to where that is known."""

    kind: str
    when: datetime
    device: str
    seat: int | None

    def to_json(self) -> dict[str, Any]:
        """Return the note as a JSON object; `from_json` reads the same one."""
        return {"kind": self.kind, "at": self.when.isoformat(), "device": self.device, "seat": self.seat}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Note:
        """Return the note of a JSON object; raises `ValueError`, and what reading something else raises."""
        when = datetime.fromisoformat(data["at"])
        note = cls(data["kind"], when.astimezone(UTC), data["device"], data["seat"])
        if note.kind not in KINDS or when.tzinfo is None or len(note.device) > 64:
            raise ValueError(note.kind)
        if note.seat is not None and (type(note.seat) is not int or not 0 <= note.seat < 100):
            raise ValueError(note.kind)
        return note


def note(session: Session, game: int, kind: str, *, device: str, now: datetime, seat: int | None = None) -> None:
    """Write down that `kind`, one of `KINDS`, happened to a game (its id); the caller's transaction commits it."""
    note_all(session, [(game, seat)], kind, device=device, now=now)


def note_all(
    session: Session, games: Sequence[tuple[int, int | None]], kind: str, *, device: str, now: datetime
) -> None:
    """Write down that `kind` happened to each of these games, and to whose phone."""
    assert kind in KINDS
    if games:
        session.execute(
            insert(NoteRow),
            [{"game_id": game, "at": now, "device": device, "kind": kind, "seat": seat} for game, seat in games],
        )


def put_notes(session: Session, game: int, notes: Sequence[Note]) -> None:
    """Write down the notes that a game (its id) brought along from elsewhere."""
    if notes:
        session.execute(
            insert(NoteRow),
            [
                {"game_id": game, "at": each.when, "device": each.device, "kind": each.kind, "seat": each.seat}
                for each in notes
            ],
        )


def notes_of(session: Session, game: int) -> tuple[Note, ...]:
    """Return the notes on a game (its id), the oldest first."""
    return notes_of_all(session, [game]).get(game, ())


def notes_of_all(session: Session, games: Sequence[int]) -> Mapping[int, tuple[Note, ...]]:
    """Return the notes on those of these games (their ids) that have any, the oldest first."""
    columns = (NoteRow.game_id, NoteRow.kind, NoteRow.at, NoteRow.device, NoteRow.seat)
    told: defaultdict[int, list[Note]] = defaultdict(list)
    rows = session.execute(select(*columns).where(NoteRow.game_id.in_(games)).order_by(NoteRow.id))
    for game, kind, when, device, seat in rows:
        told[game].append(Note(kind, when, device, seat))
    return {game: tuple(notes) for game, notes in told.items()}
