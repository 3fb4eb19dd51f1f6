"""Export a home table with its people, photos and games as one file (`table_file`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from scorekeeper.games.services.table_file import FORMAT, FilePerson, person_line
from scorekeeper.games.store.game_export import Whole, game_record, wholes_of
from scorekeeper.games.store.hand_notes import IN_RECORD, HandNote, noted_in, notes_by_game
from scorekeeper.games.store.models import GameRow, PlayerRow
from scorekeeper.people.models import HomePersonRow, HomePhotoRow, HomeTableRow
from scorekeeper.people.tables import current_table
from scorekeeper.rules.game import Game
from scorekeeper.web.extensions import db

AT_ONCE = 500
"""Maximum number of games in memory at once."""


def table_lines(device: str | None) -> Iterator[dict[str, Any]]:
    """Yield the lines of the export file of the phone's current home table, as JSON objects.

    A phone without a home table gets no lines. Each game is replayed. Deleted games are left out, and so are games with
    players who are not people of the home table. Notes on hands are part of the records. Photos of hands are left out,
    because the photos of a few evenings would make the file too large.
    """
    session = db.session()
    table = current_table(session, device)
    if table is None:
        return
    row = session.get_one(HomeTableRow, table)
    yield {"format": FORMAT, "table": row.origin or row.public_id, "name": row.name}
    yield from map(person_line, _people(session, table))
    yield from _games(session, table)


def _games(session: Session, table: int) -> Iterator[dict[str, Any]]:
    """Yield the lines of a home table's games in the order of play, reading `AT_ONCE` games at a time."""
    before = aliased(GameRow)
    query = (
        select(GameRow, before.public_id, before.origin)
        .outerjoin(before, before.id == GameRow.rematch_of)
        .where(GameRow.home_table_id == table, GameRow.deleted_at.is_(None))
    )
    rows = session.execute(query.order_by(GameRow.started_at, GameRow.id)).all()
    persons = _persons(session, table)
    for first in range(0, len(rows), AT_ONCE):
        some = rows[first : first + AT_ONCE]
        ids = [game.id for game, _earlier, _origin in some]
        wholes, notes = dict(wholes_of(session, ids)), notes_by_game(session, ids)
        for game, earlier, origin in some:
            line = _game_line(game, wholes[game.id], notes.get(game.id, {}), persons)
            if line is not None:
                yield line | {"rematch_of": origin or earlier}


def _people(session: Session, table: int) -> Iterator[FilePerson]:
    into = aliased(HomePersonRow)
    query = (
        select(HomePersonRow, func.coalesce(into.origin, into.public_id), HomePhotoRow.data)
        .outerjoin(into, into.id == HomePersonRow.joined_into)
        .outerjoin(HomePhotoRow, HomePhotoRow.id == HomePersonRow.photo_id)
        .where(HomePersonRow.table_id == table)
    )
    for row, joined, photo in session.execute(query.order_by(HomePersonRow.id)):
        yield FilePerson(row.origin or row.public_id, row.name, row.color, row.emoji, row.hidden, joined, photo or b"")


def _persons(session: Session, table: int) -> Mapping[int, str]:
    """Map the `PlayerRow` id of each player at a home table (row id) to the id of that person in the file."""
    query = (
        select(PlayerRow.id, HomePersonRow.origin, HomePersonRow.public_id)
        .join(HomePersonRow, HomePersonRow.id == PlayerRow.home_person_id)
        .where(HomePersonRow.table_id == table)
    )
    return {player: origin or public_id for player, origin, public_id in session.execute(query)}


def _game_line(
    row: GameRow, whole: Whole, notes: Mapping[int, HandNote], persons: Mapping[int, str]
) -> dict[str, Any] | None:
    if not set(whole.players) <= set(persons):
        return None
    game = whole.replayed()
    person = [persons[player] for player in whole.players]
    record = game_record(game, [whole.names[player] for player in game.players], whole.times)
    noted = noted_in(game, notes)
    return {
        "game": row.origin or row.public_id,
        "started_at": row.started_at.isoformat(),
        "updated_at": row.updated_at.isoformat(),
        "hidden": row.hidden_at is not None,
        "side_names": row.side_names,
        "people": [person[player] for player in game.players],
        "changes": [
            [_hands_before(game, each.seq), each.seat, whole.names[each.player], person[each.player]]
            for each in game.substitutions
        ],
        "record": {**record, IN_RECORD: noted} if noted else record,
    }


def _hands_before(game: Game, seq: int) -> int:
    return sum(line.is_hand and line.entry.seq < seq for line in game.counted)
