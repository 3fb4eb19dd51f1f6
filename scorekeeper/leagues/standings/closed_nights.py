"""Stored summaries of closed nights: sums for the standings, and the tables for head-to-head games.

Both are plain JSON (`models.TallyRow`), made from the tables when the night is closed and deleted when it is reopened.
They hold the ids of people as of that night; merges and settings are applied when they are read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from sqlalchemy import ColumnElement, delete, insert, select
from sqlalchemy.orm import Session

from scorekeeper.games.logic.statistics.person_game import Played
from scorekeeper.leagues.core.models import NightRow, SeasonRow, TallyRow
from scorekeeper.leagues.standings.counted_games import (
    ByeDone,
    Merged,
    NightDone,
    TableDone,
    games_at,
    played_on,
    saved_nights,
)
from scorekeeper.leagues.standings.night_sums import NightSums, Seat, tally_people, tally_teams

Rows = list[list[Any]]


def people_json(night: NightDone) -> Rows:
    """Return the sums of each person: their id, the regular they played for or null, and the fields of `NightSums`."""
    return [[*line.seats[0], *line[1:]] for line in tally_people(played_on(night, {}))]


def teams_json(night: NightDone) -> Rows:
    """Return the sums of partners: a list of each id and regular (or null) in turn, and the fields of `NightSums`."""
    return [[[who for seat in line.seats for who in seat], *line[1:]] for line in tally_teams(played_on(night, {}))]


def byes_json(night: NightDone) -> Rows:
    """Return the byes of a night, each as the fields of `ByeDone`."""
    return [list(bye) for bye in night.byes]


def tables_json(night: NightDone) -> Rows:
    """Return the tables of a night, each as the fields of `TableDone`; `subs` is empty if there were none."""
    return [[*table[:-1], table.subs if any(table.subs) else ()] for table in night.tables]


STORED: Mapping[str, Callable[[NightDone], Rows]] = {
    "people": people_json,
    "byes": byes_json,
    "tables": tables_json,
    "teams": teams_json,
}
"""What is stored of a night, by the name of its column."""
WIDTHS = {"people": len(NightSums._fields) + 1, "teams": len(NightSums._fields)}
"""The length of a row with all of today's sums."""


def people_of(session: Session, season: SeasonRow, merged: Merged) -> Iterator[tuple[int, list[NightSums]]]:
    """Yield the number and sums of people for each closed night; one query, and more if some are missing."""
    for number, sums in _stored(session, season, "people"):
        if merged:
            yield number, [NightSums((_seat(who, sub_for, merged),), *rest) for who, sub_for, *rest in sums]
        else:
            # A season has three thousand rows, and this takes a third less time for each.
            yield number, [NightSums._make((((line[0], line[1]),), *line[2:])) for line in sums]


def teams_of(session: Session, season: SeasonRow, merged: Merged) -> Iterator[tuple[int, list[NightSums]]]:
    """Yield the number and sums of partners for each closed night; queries as in `people_of`."""
    for number, sums in _stored(session, season, "teams"):
        yield (
            number,
            [
                NightSums(tuple(_seat(*seat, merged) for seat in zip(who[::2], who[1::2], strict=True)), *rest)
                for who, *rest in sums
            ],
        )


def byes_of(session: Session, season: SeasonRow) -> Iterator[NightDone]:
    """Yield the closed nights of a season with only their byes; queries as in `people_of`."""
    for number, byes in _stored(session, season, "byes"):
        yield NightDone(number, (), tuple(ByeDone(*bye) for bye in byes))


class Meetings:
    """The games of a season by the people in them; nothing is read until it is needed."""

    def __init__(self, session: Session, season: SeasonRow, now: Iterable[NightDone], merged: Merged) -> None:
        """Take the season, its open nights, and the people who were merged."""
        self._session, self._season, self._now, self._merged = session, season, now, merged

    @cached_property
    def _nights(self) -> Sequence[tuple[int, Rows]]:
        """Return the number of each night with its tables."""
        now = ((night.number, tables_json(night)) for night in self._now)
        return (*_stored(self._session, self._season, "tables"), *now)

    @cached_property
    def _tables(self) -> Mapping[int, Sequence[tuple[int, list[Any]]]]:
        """Return the tables, with the numbers of their nights, by the people who played or had a substitute there."""
        tables: defaultdict[int, list[tuple[int, list[Any]]]] = defaultdict(list)
        for number, rows in self._nights:
            for table in rows:
                for who in (*table[-2], *table[-1]):
                    if who is not None:
                        tables[self._merged.get(who, who)].append((number, table))
        return tables

    def of(self, people: Collection[int] | None) -> Iterator[Played]:
        """Yield the games in which two of these people or their substitutes played, one record per player at the table.

        Yields all games of the season for None.
        """
        if people is None:
            found: Iterable[tuple[int, list[Any]]] = (
                (night, table) for night, tables in self._nights for table in tables
            )
        else:
            found = self._shared(people)
        for number, table in found:
            yield from games_at(number, _table(table), self._merged)

    def _shared(self, people: Collection[int]) -> Collection[tuple[int, list[Any]]]:
        seen: set[int] = set()
        twice: dict[int, tuple[int, list[Any]]] = {}
        for person in people:
            for number, table in self._tables.get(person, ()):
                key = table[2]
                if key in seen:
                    twice[key] = number, table
                seen.add(key)
        return twice.values()


def _stored(session: Session, season: SeasonRow, what: str) -> Iterator[tuple[int, Rows]]:
    query = (
        select(NightRow.id, NightRow.number, getattr(TallyRow, what))
        .outerjoin(TallyRow, TallyRow.night_id == NightRow.id)
        .where(NightRow.season_id == season.id, NightRow.closed_at.is_not(None), NightRow.playoff.is_not(True))
        .order_by(NightRow.number)
    )
    missing = []
    for night, number, rows in session.connection().execute(query):
        if rows is None or (rows and len(rows[0]) != WIDTHS.get(what, len(rows[0]))):
            missing.append(night)
        else:
            yield number, rows
    # A night that an older version closed without these sums is read from its tables.
    for done in saved_nights(session, NightRow.id.in_(missing)).values() if missing else ():
        yield done.number, STORED[what](done)


def _table(row: list[Any]) -> TableDone:
    *_where, people, subs = row
    return TableDone(*row) if subs else TableDone(*row)._replace(subs=[None] * len(people))


def _seat(person: int, sub_for: int | None, merged: Merged) -> Seat:
    who = merged.get(person, person)
    regular = None if sub_for is None else merged.get(sub_for, sub_for)
    return who, None if regular == who else regular


def sum_up(session: Session, which: ColumnElement[bool]) -> None:
    """Store the sums of the nights matching `which`, all with saved tables and none with sums yet.

    The caller commits, so that sums and tables always belong to the same transaction.
    """
    session.flush()
    rows = [
        {"night_id": night, **{name: rows_of(done) for name, rows_of in STORED.items()}}
        for night, done in saved_nights(session, which).items()
    ]
    if rows:
        session.execute(insert(TallyRow), rows)


def forget(session: Session, night: int) -> None:
    """Delete the sums of the night with this id."""
    session.execute(delete(TallyRow).where(TallyRow.night_id == night))
