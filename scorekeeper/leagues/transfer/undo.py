"""Undo a whole import of players or past results, as long as nothing else in the league depends on it.

Each import has a line in the league's log that lists the nights and players that it added. To undo the import, these
are deleted, together with their games and the logs of the games. The line is kept, and a new line is added that says
that the import was undone. An import can't be undone while other data refers to one of its nights or players.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import Column, delete, func, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.games.store.hand_notes import remove_games
from scorekeeper.games.store.models import GameRow, PlayerRow
from scorekeeper.leagues.core.access import NoSuchLeagueError, league_at, take_charge
from scorekeeper.leagues.core.models import (
    LeagueEventRow,
    LeagueRow,
    NightRow,
    PersonRow,
    PresentRow,
    SeasonRow,
    SeatRow,
    TableRow,
    TallyRow,
    TotalRow,
)
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import note
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.web.extensions import Model, writing

KINDS = ("past_brought_in", "people_added")
UNDONE = "import_undone"
"""Kind of the log line for an undone import. `KINDS` has the kinds of log lines for imports that can be undone."""
MOST_SHOWN = 20
OWN_PARTS = (PresentRow, TotalRow, TallyRow)
"""Models of the rows that refer to an imported night and are deleted with the night, except its card tables."""


class Imported(Struct, frozen=True):
    """An import that hasn't been undone.

    `nights` and `people` have the public ids of the nights and the new players that it added.
    """

    id: str
    at: datetime
    nights: tuple[str, ...]
    people: tuple[str, ...]
    season: str
    """Public id of the season with the nights, or empty."""


def imports_of(session: Session, league: LeagueRow) -> list[Imported]:
    """Return the last few imports of a league that haven't been undone, newest first. Takes two queries."""
    lines = select(LeagueEventRow.at, LeagueEventRow.data).where(LeagueEventRow.league_id == league.id)
    undone = session.execute(lines.where(LeagueEventRow.kind == UNDONE))
    gone = {data.get("brought_in") for _at, data in undone}
    # A league has few lines of these kinds, and a page shows the last ones.
    made = session.execute(lines.where(LeagueEventRow.kind.in_(KINDS)).order_by(LeagueEventRow.id.desc()))
    found = (_read(at, data) for at, data in made)
    return [each for each in found if each is not None and each.id not in gone][:MOST_SHOWN]


def _read(at: datetime, data: Mapping[str, Any]) -> Imported | None:
    """Return the import that a line of the league's log describes. `at` and `data` come from that line.

    Return None if the line lacks the data for undoing the import, because it comes from an uploaded league file that is
    damaged.
    """
    told = data.get("brought_in"), data.get("night_ids", []), data.get("people")
    if not (isinstance(told[0], str) and isinstance(told[1], list) and isinstance(told[2], list)):
        return None
    if not all(isinstance(each, str) for each in (*told[1], *told[2])):
        return None
    season = data.get("season")
    return Imported(told[0], at, tuple(told[1]), tuple(told[2]), season if isinstance(season, str) else "")


def obstacle_of(session: Session, league: LeagueRow, done: Imported) -> str:
    """Return a sentence that says why the import `done` can't be undone, or an empty string if it can.

    Takes a few queries.
    """
    nights, people = _nights(session, league, done), _people(session, league, done)
    if len(nights) < len(done.nights) or len(people) < len(done.people):
        return Phrase("A night or a player of this import is no longer there.")
    seasons = select(SeasonRow.closed_at).where(SeasonRow.id.in_({night.season_id for night in nights}))
    if any(closed for closed in session.scalars(seasons)):
        return Phrase("The season is closed. Reopen it first.")
    if touched := [night for night in nights if _is_touched(session, night)]:
        numbers = ", ".join(str(night.number) for night in touched[:5])
        return Phrase("These nights were changed after the import: %(nights)s.", nights=numbers)
    if used := [person for person in people if _is_used(session, person, nights)]:
        names = ", ".join(person.name for person in used[:5])
        return Phrase("These players have played or were changed since the import: %(names)s.", names=names)
    return ""


@use_case
def undo_import(*, league: str, brought_in: str, device: str, now: datetime | None = None) -> None:
    """Delete everything that an import added to a league.

    `league` is a public id, and `brought_in` is the id of the import. If the import was already undone, nothing
    happens. Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` if anything else in the league
    depends on the import.
    """
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.OWNER)
        done = next((each for each in imports_of(session, row) if each.id == brought_in), None)
        if done is None:
            if _was_undone(session, row, brought_in):
                return
            raise NoSuchLeagueError
        if obstacle := obstacle_of(session, row, done):
            raise RuleViolation("import_used", obstacle)
        nights, people = _nights(session, row, done), _people(session, row, done)
        _delete_nights(session, [night.id for night in nights])
        ids = [person.id for person in people]
        session.execute(update(PlayerRow).where(PlayerRow.person_id.in_(ids)).values(person_id=None))
        session.execute(delete(PersonRow).where(PersonRow.id.in_(ids)))
        when = now or datetime.now(UTC)
        note(session, row, UNDONE, device=device, now=when, brought_in=done.id, nights=len(nights), players=len(people))


def _was_undone(session: Session, league: LeagueRow, brought_in: str) -> bool:
    lines = select(LeagueEventRow.data).where(LeagueEventRow.league_id == league.id, LeagueEventRow.kind == UNDONE)
    return any(data.get("brought_in") == brought_in for data in session.scalars(lines))


def _nights(session: Session, league: LeagueRow, done: Imported) -> Sequence[NightRow]:
    query = select(NightRow).join(SeasonRow, SeasonRow.id == NightRow.season_id).where(SeasonRow.league_id == league.id)
    return session.scalars(query.where(NightRow.public_id.in_(done.nights), NightRow.number > 0)).all()


def _people(session: Session, league: LeagueRow, done: Imported) -> Sequence[PersonRow]:
    query = select(PersonRow).where(PersonRow.league_id == league.id, PersonRow.public_id.in_(done.people))
    return session.scalars(query.order_by(PersonRow.name)).all()


def _is_touched(session: Session, night: NightRow) -> bool:
    """Return whether an imported night was changed after the import.

    A night was changed if it is open again, if anything was added to it, or if one of its games was changed.
    """
    own = {model.__tablename__ for model in (*OWN_PARTS, TableRow)}
    if night.closed_at is None or _refers(session, "night", night.id, own):
        return True
    changed = select(GameRow.id).join(TableRow, TableRow.game_id == GameRow.id)
    changed = changed.where(TableRow.night_id == night.id, GameRow.updated_at > night.closed_at)
    return session.scalars(changed.limit(1)).first() is not None


def _is_used(session: Session, person: PersonRow, nights: Sequence[NightRow]) -> bool:
    """Return whether anything other than the given nights refers to a person. A merged person always counts as used."""
    ids = [night.id for night in nights]
    if person.merged_into is not None:
        return True
    for column in _pointing("person"):
        query = select(func.count()).select_from(column.table).where(column == person.id)
        match column.table.name:
            case "league_seat":
                query = query.join(TableRow, TableRow.id == SeatRow.table_id).where(TableRow.night_id.not_in(ids))
            case "present" | "league_total":
                query = query.where(column.table.c.night_id.not_in(ids))
            case "player":
                continue  # the players of the games go with the games
        if session.scalar(query):
            return True
    return False


def _refers(session: Session, table: str, row: int, own: Collection[str]) -> bool:
    """Return whether any row in the database refers to a certain row.

    `table` is the name of the table with that row, and `row` is its id. References from the tables in `own` don't
    count.
    """
    columns = (column for column in _pointing(table) if column.table.name not in own)
    return any(
        session.scalar(select(func.count()).select_from(column.table).where(column == row)) for column in columns
    )


def _pointing(table: str) -> Iterator[Column[Any]]:
    """Yield every column in the database that refers to the table with this name."""
    for each in Model.metadata.sorted_tables:
        for column in each.columns:
            if any(key.column.table.name == table for key in column.foreign_keys):
                yield column


def _delete_nights(session: Session, nights: Sequence[int]) -> None:
    tables = select(TableRow.id).where(TableRow.night_id.in_(nights))
    games = session.scalars(select(TableRow.game_id).where(TableRow.night_id.in_(nights))).all()
    session.execute(delete(SeatRow).where(SeatRow.table_id.in_(tables)))
    for model in (TableRow, *OWN_PARTS):
        session.execute(delete(model).where(model.night_id.in_(nights)))
    remove_games(session, [game for game in games if game is not None])
    session.execute(delete(NightRow).where(NightRow.id.in_(nights)))
