"""Read the people of a home table (a group that plays at home), for pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import and_, exists, or_, select
from sqlalchemy.orm import Session

from scorekeeper.games.logic.likely_people import PastGame, by_likelihood
from scorekeeper.games.logic.statistics.table_games import STOPPED
from scorekeeper.games.store.models import GameRow, PlayerRow, ScorerRow
from scorekeeper.people.looks import PersonLook
from scorekeeper.people.models import HomePersonRow, HomePhoneRow, HomePhotoRow
from scorekeeper.people.names import folded
from scorekeeper.people.tables import NoSuchPersonError, current_table
from scorekeeper.web.extensions import db

LOOKED_AT = 300
"""Maximum number of games that are read to sort the people of a home table: the latest games of that table."""
OFFERED_PEOPLE = 16
"""Maximum number of people who are offered for a new game; other names can be typed."""


@dataclass(frozen=True, slots=True)
class TablePerson:
    """A person of a home table, as pages show them."""

    id: str
    """Public id of the person."""
    name: str
    look: PersonLook
    hidden: bool
    games: int
    """Number of games that count for this person in "Our table" (`logic.statistics.table_games`)."""
    played: bool
    """Whether this person ever had a seat, even in a deleted game; if so, they can't be deleted."""


def people_at(device: str | None, *, preset: str = "", seated: Collection[str] = ()) -> tuple[TablePerson, ...]:
    """Return the people of the current home table of the phone `device`, or () if the phone has no home table.

    Home tables at which the phone may not score don't count. People are ordered by how likely they are to play,
    likeliest first. This depends on the game `preset` and on `seated`, the names of people who have a seat already.
    """
    session = db.session()
    table = current_table(session, device, to_score=True)
    if table is None:
        return ()
    rows = {row.id: (row, photo) for row, photo in _rows(session, table)}
    person = _people_of_players(session, rows)
    games = _games(session, table, person)
    counts = Counter(each for game in games if game.counts for each in game.people)
    names = {folded(name) for name in seated}
    there = [key for key, (row, _photo) in rows.items() if folded(row.name) in names]
    played = set(person.values())
    return tuple(
        _told(*rows[key], games=counts[key], played=key in played)
        for key in by_likelihood(list(rows), games[:LOOKED_AT], preset, there)
    )


def person_at(device: str | None, person: str) -> TablePerson:
    """Return the person with the public id `person` at the current home table of the phone `device`.

    Raises `NoSuchPersonError`.
    """
    found = next((each for each in people_at(device) if each.id == person), None)
    if found is None:
        raise NoSuchPersonError
    return found


def photo_for(device: str | None, photo: str) -> tuple[str, bytes]:
    """Return the content type and the bytes of the photo with the public id `photo`.

    Phones at the person's home table may see the photo. Phones that score a game of that table may see it, too, because
    the board shows it. Watchers must not see it, because watch links are shared in chats. Raises `NoSuchPersonError` if
    there is no such photo, or the phone may not see it.
    """
    session = db.session()
    query = (
        select(HomePersonRow.table_id, HomePhotoRow)
        .join(HomePhotoRow, HomePhotoRow.id == HomePersonRow.photo_id)
        .where(HomePhotoRow.public_id == photo)
    )
    found = session.execute(query).first()
    if found is None or device is None:
        raise NoSuchPersonError
    at_table = exists().where(
        HomePhoneRow.table_id == found.table_id, HomePhoneRow.device == device, HomePhoneRow.left_at.is_(None)
    )
    lets_in = exists().where(
        ScorerRow.game_id == GameRow.id, ScorerRow.device == device, ScorerRow.revoked_at.is_(None)
    )
    scores = exists().where(GameRow.home_table_id == found.table_id, or_(GameRow.device == device, lets_in))
    if not session.scalar(select(or_(at_table, scores))):
        raise NoSuchPersonError
    row: HomePhotoRow = found.HomePhotoRow
    return row.content_type, row.data


def _rows(session: Session, table: int) -> Sequence[tuple[HomePersonRow, str | None]]:
    """Return the people of a home table with the public ids of their photos, in the order in which they were added."""
    query = (
        select(HomePersonRow, HomePhotoRow.public_id)
        .outerjoin(HomePhotoRow, HomePhotoRow.id == HomePersonRow.photo_id)
        .where(HomePersonRow.table_id == table, HomePersonRow.joined_into.is_(None))
        .order_by(HomePersonRow.id)
    )
    return [(row, photo) for row, photo in session.execute(query)]


def _people_of_players(session: Session, people: Collection[int]) -> Mapping[int, int]:
    """Return a dict that maps `PlayerRow` ids to the row ids of `people`.

    A person may have several `PlayerRow`s, from different games.
    """
    query = select(PlayerRow.id, PlayerRow.home_person_id).where(PlayerRow.home_person_id.in_(people))
    return {player: person for player, person in session.execute(query) if person is not None}


def _games(session: Session, table: int, person: Mapping[int, int]) -> list[PastGame]:
    """Return the games of a home table, latest first. `person` maps players (`PlayerRow` ids) to people (row ids)."""
    now = datetime.now(UTC)
    query = (
        select(GameRow.preset, GameRow.updated_at, GameRow.players)
        .add_columns(and_(GameRow.over, GameRow.ended_by.is_distinct_from(STOPPED), GameRow.hidden_at.is_(None)))
        .where(GameRow.home_table_id == table, GameRow.deleted_at.is_(None))
        .order_by(GameRow.updated_at.desc(), GameRow.id.desc())
    )
    return [
        PastGame(
            preset,
            (now - updated).days,
            people := frozenset(person[player] for player in players if player in person),
            counts=counts and len(people) == len(players),
        )
        for preset, updated, players, counts in session.execute(query)
    ]


def _told(row: HomePersonRow, photo: str | None, *, games: int, played: bool) -> TablePerson:
    return TablePerson(
        row.public_id, row.name, PersonLook(row.color, row.emoji, photo or ""), row.hidden, games, played
    )
