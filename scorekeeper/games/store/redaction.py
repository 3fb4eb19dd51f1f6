"""Remove players' names from games, and delete games for good, within the caller's transaction.

Names are not part of an event log, so the log does not change, and phones can still save hands that they kept offline.
`GameRow.renamed` counts up, so that pages with the old name are outdated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.append_only import opened
from scorekeeper.games.store.game_export import players_of
from scorekeeper.games.store.models import (
    EventRow,
    GameRow,
    HandNoteRow,
    NoteRow,
    PlayerRow,
    RecoveryRow,
    ScoreLinkRow,
    ScorerRow,
)

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
