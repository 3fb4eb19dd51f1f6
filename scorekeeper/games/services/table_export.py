"""Write a home table with its people, photos and games as one file (`table_file`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from scorekeeper.games.services.table_file import FORMAT, FilePerson, person_line
from scorekeeper.games.store.event_store import find, load
from scorekeeper.games.store.game_export import game_record
from scorekeeper.games.store.models import GameRow, PlayerRow
from scorekeeper.people.models import HomePersonRow, HomePhotoRow, HomeTableRow
from scorekeeper.people.tables import current_table
from scorekeeper.rules.game import Game
from scorekeeper.web.extensions import db


def table_lines(device: str | None) -> Iterator[dict[str, Any]]:
    """Yield the lines of the file of the phone's current table; none without a table. Each game is replayed.

    Deleted games are left out, and so are games with players who are not people of the table.
    """
    session = db.session()
    table = current_table(session, device)
    if table is None:
        return
    row = session.get_one(HomeTableRow, table)
    yield {"format": FORMAT, "table": row.origin or row.public_id, "name": row.name}
    yield from map(person_line, _people(session, table))
    before = aliased(GameRow)
    games = (
        select(GameRow, before.public_id, before.origin)
        .outerjoin(before, before.id == GameRow.rematch_of)
        .where(GameRow.home_table_id == table, GameRow.deleted_at.is_(None))
    )
    persons = _persons(session, table)
    for game, earlier, origin in session.execute(games.order_by(GameRow.started_at, GameRow.id)):
        line = _game_line(session, game, persons)
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
    """Return the person of each player of the table, by the id that the file has."""
    query = (
        select(PlayerRow.id, HomePersonRow.origin, HomePersonRow.public_id)
        .join(HomePersonRow, HomePersonRow.id == PlayerRow.home_person_id)
        .where(HomePersonRow.table_id == table)
    )
    return {player: origin or public_id for player, origin, public_id in session.execute(query)}


def _game_line(session: Session, row: GameRow, persons: Mapping[int, str]) -> dict[str, Any] | None:
    found = find(session, row.public_id)
    if found is None:
        return None
    game = load(session, found).game
    seated = {*game.players, *(each.player for each in game.substitutions)}
    if not seated <= set(persons):
        return None
    names = dict(session.execute(select(PlayerRow.id, PlayerRow.name).where(PlayerRow.id.in_(seated))).all())
    return {
        "game": row.origin or row.public_id,
        "started_at": row.started_at.isoformat(),
        "updated_at": row.updated_at.isoformat(),
        "hidden": row.hidden_at is not None,
        "side_names": row.side_names,
        "people": [persons[player] for player in game.players],
        "changes": [
            [_hands_before(game, each.seq), each.seat, names[each.player], persons[each.player]]
            for each in game.substitutions
        ],
        "record": game_record(game, [names[player] for player in game.players]),
    }


def _hands_before(game: Game, seq: int) -> int:
    return sum(line.is_hand and line.entry.seq < seq for line in game.counted)
