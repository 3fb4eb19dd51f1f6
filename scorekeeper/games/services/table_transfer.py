"""Export a home table with its people, photos and games as one file (`table_file`).

Import the file of a home table (`table_file`). Importing the same file again adds only what is missing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session, aliased

from scorekeeper.db.database import use_case
from scorekeeper.db.tokens import new_public_id
from scorekeeper.games.logic.play_times import events_of, times_of
from scorekeeper.games.services.creation import seat_players
from scorekeeper.games.services.home_people import PHOTO_SIDE
from scorekeeper.games.services.recovery import add_code
from scorekeeper.games.services.sharing import add_phone
from scorekeeper.games.services.table_file import FORMAT, FileGame, FilePerson, TableFile, person_line
from scorekeeper.games.store.event_store import begin, check_length
from scorekeeper.games.store.game_export import Whole, game_record, wholes_of
from scorekeeper.games.store.hand_notes import IN_RECORD, HandNote, noted_in, notes_by_game, put_noted
from scorekeeper.games.store.models import GameRow, PlayerRow
from scorekeeper.people.models import HomePersonRow, HomePhoneRow, HomePhotoRow, HomeTableRow
from scorekeeper.people.tables import current_table
from scorekeeper.rules import events as ev
from scorekeeper.rules.game import Game
from scorekeeper.rules.replay import replay
from scorekeeper.web.extensions import db, writing
from scorekeeper.web.uploads import KIND, PhotoRefusedError, photo_from

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


class ImportPlan(Struct, frozen=True):
    """A preview of an import, with the numbers of games and people that the import would add.

    `known` is the number of games in the file that the home table already has. `new_table` is True if the phone doesn't
    have that home table, so the import would create it.
    """

    name: str
    games: int
    people: int
    known: int
    new_table: bool


class _ReadyGame(Struct, frozen=True):
    file: FileGame
    events: tuple[ev.Event, ...]
    """The events of the game; players in them are indexes in `players`."""
    players: tuple[tuple[str, str], ...]
    """Name and person (id in the file) of each player that the game ever had.

    The players at the start of the game come first, by seat.
    """
    game: Game


def plan_import(file: TableFile, device: str | None) -> ImportPlan:
    """Return a preview of importing `file` on this phone. Raises what `import_table` raises."""
    for game in file.games:
        _ready(game)
    session = db.session()
    table = _table_for(session, file.id, device)
    known = set() if table is None else _known_games(session, table)
    people = {} if table is None else _known_people(session, table)
    there = sum(game.id in known for game in file.games)
    new = sum(person.id not in people for person in file.people)
    return ImportPlan(file.name, len(file.games) - there, new, there, table is None)


@use_case
def import_table(*, file: TableFile, device: str, now: datetime | None = None) -> None:
    """Add the people and games of `file` to the home table that the file was exported from.

    If that home table isn't in this database, or the phone may not score there, a new home table is created. The table
    with the imported games becomes the phone's current home table. Games and people that the home table already has are
    not changed. Raises `RuleViolation` for a game that is too long.
    """
    moment = now or datetime.now(UTC)
    # Other writers wait for the transaction, so the slow part comes before it.
    ready = [_ready(game) for game in file.games]
    photos = {person.id: photo for person in file.people if (photo := _photo(person))}
    with writing() as session:
        table = _table_for(session, file.id, device) or _new_table(session, file, device, moment)
        add_phone(session, table, device, moment, may_score=True)
        people = _put_people(session, table, file.people, photos, moment)
        known = _known_games(session, table)
        missing = [each for each in ready if each.file.id not in known]
        for each in missing:
            _put_game(session, table, each, people, device, moment)
        _link_series(session, table, [each.file for each in missing])


def _table_for(session: Session, origin: str, device: str | None) -> int | None:
    """Return the row id of the home table that a file was exported from, or None if it isn't found.

    `origin` is the id of that table in the database that made the file. An imported copy of the table is found, too.
    Only home tables at which the phone may score are found.
    """
    here = (HomePhoneRow.device == device, HomePhoneRow.left_at.is_(None), HomePhoneRow.may_score)
    query = select(HomeTableRow.id).join(HomePhoneRow, HomePhoneRow.table_id == HomeTableRow.id).where(*here)
    same = or_(HomeTableRow.public_id == origin, HomeTableRow.origin == origin)
    return session.scalars(query.where(same).order_by(HomeTableRow.id)).first()


def _new_table(session: Session, file: TableFile, device: str, now: datetime) -> int:
    table = HomeTableRow(public_id=new_public_id(), name=file.name, created_at=now, made_by=None, origin=file.id)
    session.add(table)
    session.flush()
    add_phone(session, table.id, device, now, may_score=True).keeper = True
    return table.id


def _known_people(session: Session, table: int) -> dict[str, int]:
    query = select(HomePersonRow.id, HomePersonRow.origin, HomePersonRow.public_id)
    rows = session.execute(query.where(HomePersonRow.table_id == table))
    return {origin or public_id: id_ for id_, origin, public_id in rows}


def _known_games(session: Session, table: int) -> set[str]:
    query = select(GameRow.origin, GameRow.public_id).where(GameRow.home_table_id == table)
    return {origin or public_id for origin, public_id in session.execute(query)}


def _put_people(
    session: Session, table: int, people: Sequence[FilePerson], photos: Mapping[str, bytes], now: datetime
) -> dict[str, int]:
    """Add people from a file to the home table `table` (row id). People whom the table already has are skipped.

    `photos` maps file ids of people to their photos. Returns a dict that maps the file id of each person in the file to
    their row id.
    """
    known = _known_people(session, table)
    # Those who were merged refer to others, who must be there first.
    for person in sorted(people, key=lambda each: each.joined_into is not None):
        if person.id in known:
            continue
        row = HomePersonRow(
            table_id=table,
            public_id=new_public_id(),
            name=person.name,
            color=person.color,
            emoji=person.emoji,
            photo_id=_put_photo(session, photos.get(person.id)),
            joined_into=known[person.joined_into] if person.joined_into else None,
            added_at=now,
            hidden=person.hidden,
            origin=person.id,
        )
        session.add(row)
        session.flush()
        known[person.id] = row.id
    return known


def _photo(person: FilePerson) -> bytes:
    """Re-encode the photo of a person from a file, and return it.

    Returns b"" if the person has no photo, or if the photo is invalid or too large.
    """
    if not person.photo:
        return b""
    try:
        return photo_from(person.photo, side=PHOTO_SIDE, square=True, most_pixels=PHOTO_SIDE**2).data
    except PhotoRefusedError:
        return b""


def _put_photo(session: Session, data: bytes | None) -> int | None:
    if not data:
        return None
    photo = HomePhotoRow(public_id=new_public_id(), content_type=KIND, data=data)
    session.add(photo)
    session.flush()
    return photo.id


def _ready(file: FileGame) -> _ReadyGame:
    """Convert a game from a file to events, and replay the events. This slow part needs no database."""
    record = file.record
    seats = list(zip(record.names, file.people, strict=True))
    first = list(seats)
    for change in reversed(file.changes):
        first[change.seat] = (change.name, change.person)
    players = [*first]
    replaced: list[tuple[int, ev.PlayerReplaced]] = []
    for place, change in enumerate(file.changes):
        later = [each for each in file.changes[place + 1 :] if each.seat == change.seat]
        players.append((later[0].name, later[0].person) if later else seats[change.seat])
        replaced.append((change.hand, ev.PlayerReplaced(change.seat, len(players) - 1)))
    extra = {key: value for key, value in record.extra.items() if key != IN_RECORD}
    players_at_start = tuple(range(len(first)))
    start = ev.GameStarted(record.table.rules, players_at_start, record.table.sides, record.first_dealer, extra)
    events = (start, *_with_changes(events_of(record), replaced))
    check_length(len(events))
    return _ReadyGame(file, events, tuple(players), replay(events))


def _with_changes(events: Sequence[ev.Event], replaced: Sequence[tuple[int, ev.PlayerReplaced]]) -> Iterator[ev.Event]:
    """Yield the events of a game, with the substitutions in `replaced` inserted.

    `replaced` has (number of hands, event) pairs. Each event is inserted after that number of hands.
    """
    waiting, hands = list(replaced), 0
    for event in events:
        if isinstance(event, ev.HandScored | ev.HandThrownIn):
            while waiting and waiting[0][0] <= hands:
                yield waiting.pop(0)[1]
            hands += 1
        yield event
    yield from (change for _hand, change in waiting)


def _put_game(
    session: Session, table: int, ready: _ReadyGame, people: Mapping[str, int], device: str, now: datetime
) -> None:
    file = ready.file
    names, persons = [name for name, _ in ready.players], [people[person] for _, person in ready.players]
    ids = seat_players(session, names, at_home=persons)
    events = [_renumbered(event, ids) for event in ready.events]
    seated = replace(ready.game, players=tuple(ids[player] for player in ready.game.players))
    left = tuple(replace(each, player=ids[each.player]) for each in seated.substitutions)
    row = begin(
        session,
        new_public_id(),
        events,
        replace(seated, substitutions=left),
        started_by=device,
        device=device,
        client_id=f"table-{file.id}-{table}",
        now=now,
        times=times_of(events, file.started_at, file.updated_at, now),
        home=table,
    )
    row.origin = file.id
    row.hidden_at = now if file.hidden else None
    row.side_names = None if file.side_names is None else list(file.side_names)
    if noted := file.record.extra.get(IN_RECORD):
        put_noted(session, row.public_id, events, noted)
    if not row.over:
        add_code(session, row.id, now)


def _renumbered(event: ev.Event, ids: Sequence[int]) -> ev.Event:
    if isinstance(event, ev.GameStarted):
        return replace(event, players=tuple(ids[player] for player in event.players))
    if isinstance(event, ev.PlayerReplaced):
        return replace(event, player=ids[event.player])
    return event


def _link_series(session: Session, table: int, games: Sequence[FileGame]) -> None:
    """Set `rematch_of` of imported games, so that rematches stay connected to the games before them.

    A rematch is linked to its previous game only if the previous game was already at the table, or is earlier in the
    file. Games that were at the table before the import are not changed, so the links can't form a circle.
    """
    rows = session.scalars(select(GameRow).where(GameRow.home_table_id == table)).all()
    by_id = {row.origin or row.public_id: row for row in rows}
    new = {game.id for game in games}
    for game in games:
        new.discard(game.id)
        if game.rematch_of in by_id and game.rematch_of not in new and game.rematch_of != game.id:
            by_id[game.id].rematch_of = by_id[game.rematch_of].id
