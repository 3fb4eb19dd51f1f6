"""Closed nights as they are kept: summed up for the standings, and with their tables for who met whom.

Both are plain JSON (`models.TallyRow`), made from what closing the night wrote down of its tables and gone when the
night is opened again. People stand there as they were called that night; who was merged is found when it is read, and
so is everything that settings say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from sqlalchemy import ColumnElement, delete, insert, select
from sqlalchemy.orm import Session

from scorekeeper.leagues.core.models import NightRow, SeasonRow, TallyRow
from scorekeeper.leagues.standings.counted_games import (
    ByeDone,
    Merged,
    NightDone,
    TableDone,
    games_at,
    played_on,
    written_nights,
)
from scorekeeper.leagues.standings.night_sums import Chair, NightSums, tally_people, tally_teams
from scorekeeper.leagues.standings.person_game import Played

Kept = list[list[Any]]


def people_json(night: NightDone) -> Kept:
    """Return the sums of each person of a night: who, for whom (or null), and `NightSums` in its order."""
    return [[*line.chairs[0], *line[1:]] for line in tally_people(played_on(night, {}))]


def teams_json(night: NightDone) -> Kept:
    """Return the sums of all partners of a night: who and for whom (or null) one after another, then `NightSums`."""
    return [[[who for chair in line.chairs for who in chair], *line[1:]] for line in tally_teams(played_on(night, {}))]


def byes_json(night: NightDone) -> Kept:
    """Return the byes of a night, for each what `ByeDone` says of it."""
    return [list(bye) for bye in night.byes]


def tables_json(night: NightDone) -> Kept:
    """Return the tables of a night, for each what `TableDone` says; `subs` is empty where nobody stood in."""
    return [[*table[:-1], table.subs if any(table.subs) else ()] for table in night.tables]


KEPT: Mapping[str, Callable[[NightDone], Kept]] = {
    "people": people_json,
    "byes": byes_json,
    "tables": tables_json,
    "teams": teams_json,
}
"""What is kept of a night, by the name of its column."""
WIDTHS = {"people": len(NightSums._fields) + 1, "teams": len(NightSums._fields)}
"""Of a line with the sums that there are by now."""


def people_of(session: Session, season: SeasonRow, merged: Merged) -> Iterator[tuple[int, list[NightSums]]]:
    """Yield the sums of people on the closed nights of a season; one query, and more where some have none."""
    for number, sums in _kept(session, season, "people"):
        if merged:
            yield number, [NightSums((_chair(who, sub_for, merged),), *told) for who, sub_for, *told in sums]
        else:
            # A season has three thousand: made from one tuple, each takes a third less time.
            yield number, [NightSums._make((((line[0], line[1]),), *line[2:])) for line in sums]


def teams_of(session: Session, season: SeasonRow, merged: Merged) -> Iterator[tuple[int, list[NightSums]]]:
    """Yield the sums of partners on the closed nights of a season; queries as for `people_of`."""
    for number, sums in _kept(session, season, "teams"):
        yield (
            number,
            [
                NightSums(tuple(_chair(*chair, merged) for chair in zip(who[::2], who[1::2], strict=True)), *told)
                for who, *told in sums
            ],
        )


def byes_of(session: Session, season: SeasonRow) -> Iterator[NightDone]:
    """Yield the closed nights of a season with their byes alone; queries as for `people_of`."""
    for number, byes in _kept(session, season, "byes"):
        yield NightDone(number, (), tuple(ByeDone(*told) for told in byes))


class Meetings:
    """Who met whom on the nights of a season; nothing is read before somebody asks."""

    def __init__(self, session: Session, season: SeasonRow, now: Iterable[NightDone], merged: Merged) -> None:
        """Take the season, the nights of it that are open, and who was merged."""
        self._session, self._season, self._now, self._merged = session, season, now, merged

    @cached_property
    def _nights(self) -> Sequence[tuple[int, Kept]]:
        """The tables of each night, by its number."""
        now = ((night.number, tables_json(night)) for night in self._now)
        return (*_kept(self._session, self._season, "tables"), *now)

    @cached_property
    def _tables(self) -> Mapping[int, Sequence[tuple[int, list[Any]]]]:
        """The tables by the people who sat there or were stood in for, each with the number of its night."""
        tables: defaultdict[int, list[tuple[int, list[Any]]]] = defaultdict(list)
        for number, told in self._nights:
            for table in told:
                for who in (*table[-2], *table[-1]):
                    if who is not None:
                        tables[self._merged.get(who, who)].append((number, table))
        return tables

    def of(self, people: Collection[int] | None) -> Iterator[Played]:
        """Yield the games at which two of these people sat, or were stood in for, as everybody there counts them.

        All games of the season for None.
        """
        if people is None:
            told: Iterable[tuple[int, list[Any]]] = (
                (night, table) for night, tables in self._nights for table in tables
            )
        else:
            told = self._shared(people)
        for number, table in told:
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


def _kept(session: Session, season: SeasonRow, what: str) -> Iterator[tuple[int, Kept]]:
    query = (
        select(NightRow.id, NightRow.number, getattr(TallyRow, what))
        .outerjoin(TallyRow, TallyRow.night_id == NightRow.id)
        .where(NightRow.season_id == season.id, NightRow.closed_at.is_not(None))
        .order_by(NightRow.number)
    )
    missing = []
    for night, number, kept in session.connection().execute(query):
        if kept is None or (kept and len(kept[0]) != WIDTHS.get(what, len(kept[0]))):
            missing.append(night)
        else:
            yield number, kept
    # A night that was closed before all of that was kept is read from its tables.
    for done in written_nights(session, NightRow.id.in_(missing)).values() if missing else ():
        yield done.number, KEPT[what](done)


def _table(told: list[Any]) -> TableDone:
    *_where, people, subs = told
    return TableDone(*told) if subs else TableDone(*told)._replace(subs=[None] * len(people))


def _chair(person: int, sub_for: int | None, merged: Merged) -> Chair:
    who = merged.get(person, person)
    regular = None if sub_for is None else merged.get(sub_for, sub_for)
    return who, None if regular == who else regular


def sum_up(session: Session, which: ColumnElement[bool]) -> None:
    """Keep the sums of `which` nights, whose tables are written down and which have none yet.

    The caller's transaction commits it, so the sums are never those of another moment than the tables.
    """
    session.flush()
    rows = [
        {"night_id": night, **{name: keep(told) for name, keep in KEPT.items()}}
        for night, told in written_nights(session, which).items()
    ]
    if rows:
        session.execute(insert(TallyRow), rows)


def forget(session: Session, night: int) -> None:
    """Let go of the sums of a night (its id)."""
    session.execute(delete(TallyRow).where(TallyRow.night_id == night))
