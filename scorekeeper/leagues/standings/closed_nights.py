"""Stored summaries of closed nights: totals for the standings, and tables for head-to-head games."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from sqlalchemy import ColumnElement, delete, insert, select
from sqlalchemy.orm import Session

from scorekeeper.games.logic.statistics.hands import Played
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
from scorekeeper.leagues.standings.rows import NightSums, Seat, tally_people, tally_teams

Rows = list[list[Any]]


def people_json(night: NightDone) -> Rows:
    """Return the totals of each person on a night, such as games and points, as rows like `[7, null, 2, 1, …]`.

    A row starts with the person's id. The second item is the id of the regular they played for, or null. The remaining
    items are the other fields of `NightSums`.
    """
    return [[*line.seats[0], *line[1:]] for line in tally_people(played_on(night, {}))]


def teams_json(night: NightDone) -> Rows:
    """Return the totals of each partnership on a night, as rows like `[[7, null, 9, 4], 2, 1, …]`.

    A row starts with a list. For each partner, the list has the partner's id and the id of the regular they played for,
    or null. The remaining items are the fields of `NightSums` after `seats`, such as games and points.
    """
    return [[[who for seat in line.seats for who in seat], *line[1:]] for line in tally_teams(played_on(night, {}))]


def byes_json(night: NightDone) -> Rows:
    """Return a row for each bye of a night. A row is a list of the fields of `ByeDone`."""
    return [list(bye) for bye in night.byes]


def tables_json(night: NightDone) -> Rows:
    """Return a row for each table of a night. A row is a list of the fields of `TableDone`.

    If the table had no substitutes, the list of `subs` is empty.
    """
    return [[*table[:-1], table.subs if any(table.subs) else ()] for table in night.tables]


STORED: Mapping[str, Callable[[NightDone], Rows]] = {
    "people": people_json,
    "byes": byes_json,
    "tables": tables_json,
    "teams": teams_json,
}
"""For each column of `TallyRow`: the function that returns the column's content for a night."""
WIDTHS = {"people": len(NightSums._fields) + 1, "teams": len(NightSums._fields)}
"""For two columns of `TallyRow`: the number of items in a stored row.

If the stored rows of a night have another length, an older version of the app stored them with fewer sums. The totals
of that night are then calculated again.
"""


def people_of(session: Session, season: SeasonRow, merged: Merged) -> Iterator[tuple[int, list[NightSums]]]:
    """Yield a pair for each closed night of the season: the night's number, and the totals of its people.

    Takes one query, or more if stored totals are missing.
    """
    for number, sums in _stored(session, season, "people"):
        if merged:
            yield number, [NightSums((_seat(who, sub_for, merged),), *rest) for who, sub_for, *rest in sums]
        else:
            # A season has three thousand rows, and this takes a third less time for each.
            yield number, [NightSums._make((((line[0], line[1]),), *line[2:])) for line in sums]


def teams_of(session: Session, season: SeasonRow, merged: Merged) -> Iterator[tuple[int, list[NightSums]]]:
    """Yield a pair for each closed night of the season: the night's number, and the totals of its fixed partners.

    Takes one query, or more if stored totals are missing.
    """
    for number, sums in _stored(session, season, "teams"):
        yield (
            number,
            [
                NightSums(tuple(_seat(*seat, merged) for seat in zip(who[::2], who[1::2], strict=True)), *rest)
                for who, *rest in sums
            ],
        )


def byes_of(session: Session, season: SeasonRow) -> Iterator[NightDone]:
    """Yield the closed nights of a season, with only their byes filled in.

    Takes one query, or more if the stored byes of a night are missing.
    """
    for number, byes in _stored(session, season, "byes"):
        yield NightDone(number, (), tuple(ByeDone(*bye) for bye in byes))


class Meetings:
    """The games of a season, which can be looked up by the people who played.

    The database is read at the first lookup.
    """

    def __init__(self, session: Session, season: SeasonRow, now: Iterable[NightDone], merged: Merged) -> None:
        """Store what the lookups need: the season, its open nights (`now`), and who was merged into whom (`merged`)."""
        self._session, self._season, self._now, self._merged = session, season, now, merged

    @cached_property
    def _nights(self) -> Sequence[tuple[int, Rows]]:
        """Return a pair for each night: its number, and the stored rows of its tables."""
        now = ((night.number, tables_json(night)) for night in self._now)
        return (*_stored(self._session, self._season, "tables"), *now)

    @cached_property
    def _tables(self) -> Mapping[int, Sequence[tuple[int, list[Any]]]]:
        """Return the tables where each person played, by person id, as pairs (night number, table).

        Tables where a substitute played for the person are included.
        """
        tables: defaultdict[int, list[tuple[int, list[Any]]]] = defaultdict(list)
        for number, rows in self._nights:
            for table in rows:
                for who in (*table[-2], *table[-1]):
                    if who is not None:
                        tables[self._merged.get(who, who)].append((number, table))
        return tables

    def of(self, people: Collection[int] | None) -> Iterator[Played]:
        """Yield the games in which at least two of these people (ids) took part.

        A person takes part by playing, or if a substitute plays for them. If `people` is None, yield all games of the
        season. For each game, one record is yielded for each player at the table.
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
    """Store the totals and tables of each night that matches `which`, for the standings.

    The nights must have saved results, and nothing may be stored for them yet. The caller commits, so that this summary
    is always saved in the same transaction as the results.
    """
    session.flush()
    rows = [
        {"night_id": night, **{name: rows_of(done) for name, rows_of in STORED.items()}}
        for night, done in saved_nights(session, which).items()
    ]
    if rows:
        session.execute(insert(TallyRow), rows)


def forget(session: Session, night: int) -> None:
    """Delete what `sum_up` stored for the night with this id."""
    session.execute(delete(TallyRow).where(TallyRow.night_id == night))
