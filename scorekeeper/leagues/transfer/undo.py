"""Undo an import of players or past results as a whole, as long as nothing was built on it.

An import is found by its line in the league's log, which lists what it added. All of it is deleted, with the games and
their logs; the line stays, and another one says that it was undone. Anything that refers to a night or a player of the
import, and isn't part of it, is in the way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, delete, func, select, update
from sqlalchemy.orm import Session

from scorekeeper.db.retry import use_case
from scorekeeper.games.store.models import GameRow, PlayerRow
from scorekeeper.games.store.redaction import remove_games
from scorekeeper.leagues.core.access import NoSuchLeagueError, league_at, take_charge
from scorekeeper.leagues.core.audit_log import note
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
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import Model, writing

KINDS = ("past_brought_in", "people_added")
UNDONE = "import_undone"
"""Kinds of lines in the log."""
MOST_SHOWN = 20
OWN_PARTS = (PresentRow, TotalRow, TallyRow)
"""What an imported night has besides its tables, by the night."""


@dataclass(frozen=True, slots=True)
class Imported:
    """An import that wasn't undone, with the public ids of its nights and new players."""

    id: str
    at: datetime
    nights: tuple[str, ...]
    people: tuple[str, ...]


def imports_of(session: Session, league: LeagueRow) -> list[Imported]:
    """Return the last imports of a league that were not undone, newest first; two queries."""
    lines = select(LeagueEventRow.at, LeagueEventRow.data).where(LeagueEventRow.league_id == league.id)
    undone = session.execute(lines.where(LeagueEventRow.kind == UNDONE))
    gone = {data.get("brought_in") for _at, data in undone}
    # A league has few lines of these kinds, and a page shows the last ones.
    made = session.execute(lines.where(LeagueEventRow.kind.in_(KINDS)).order_by(LeagueEventRow.id.desc()))
    found = (_read(at, data) for at, data in made)
    return [each for each in found if each is not None and each.id not in gone][:MOST_SHOWN]


def _read(at: datetime, data: Mapping[str, Any]) -> Imported | None:
    """Return the import in a line of the log, None if it can't be undone: an older one, or one in a damaged file."""
    told = data.get("brought_in"), data.get("night_ids", []), data.get("people")
    if not (isinstance(told[0], str) and isinstance(told[1], list) and isinstance(told[2], list)):
        return None
    if not all(isinstance(each, str) for each in (*told[1], *told[2])):
        return None
    return Imported(told[0], at, tuple(told[1]), tuple(told[2]))


def obstacle_of(session: Session, league: LeagueRow, done: Imported) -> str:
    """Return why an import can't be undone, empty if it can; a few queries for each import."""
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
    """Delete everything that the import `brought_in` (its id) added to the league (public id).

    Does nothing if it was undone before. Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` if anything
    outside the import refers to what it added.
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
    """Return whether anything but the import itself belongs to a night, or one of its games went on."""
    own = {model.__tablename__ for model in (*OWN_PARTS, TableRow)}
    if night.closed_at is None or _refers(session, "night", night.id, own):
        return True
    changed = select(GameRow.id).join(TableRow, TableRow.game_id == GameRow.id)
    changed = changed.where(TableRow.night_id == night.id, GameRow.updated_at > night.closed_at)
    return session.scalars(changed.limit(1)).first() is not None


def _is_used(session: Session, person: PersonRow, nights: Sequence[NightRow]) -> bool:
    """Return whether anything refers to a person that is not part of these nights."""
    ids = [night.id for night in nights]
    seats = select(SeatRow.id).join(TableRow, TableRow.id == SeatRow.table_id).where(TableRow.night_id.not_in(ids))
    if person.merged_into is not None:
        return True
    for column in _pointing("person"):
        query = select(func.count()).select_from(column.table).where(column == person.id)
        match column.table.name:
            case "league_seat":
                query = query.where(SeatRow.id.in_(seats))
            case "present" | "league_total":
                query = query.where(column.table.c.night_id.not_in(ids))
            case "player":
                continue  # the players of the games go with the games
        if session.scalar(query):
            return True
    return False


def _refers(session: Session, table: str, row: int, own: Collection[str]) -> bool:
    """Return whether a row of another table than `own` refers to this row."""
    columns = (column for column in _pointing(table) if column.table.name not in own)
    return any(
        session.scalar(select(func.count()).select_from(column.table).where(column == row)) for column in columns
    )


def _pointing(table: str) -> Iterator[Column[Any]]:
    """Yield every column of the database that refers to a table, those of other features included."""
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
