"""What counts of the nights of a season: closed ones as they were written down, open ones as they stand.

A table counts once it is done. A bye counts once a table of its round does: a round that was drawn and never played is
no round. Whoever was merged into somebody else is that person everywhere.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy import ColumnElement, Text, and_, cast, or_, select
from sqlalchemy.orm import Session

from scorekeeper.leagues.core.models import ByeRow, NightRow, PresentRow, SeasonRow, SeatRow, TableRow
from scorekeeper.leagues.standings.person_game import Played
from scorekeeper.leagues.standings.table_results import TableState, tables_of

Merged = Mapping[int, int]
"""Whom each of those who were merged turned out to be (`Book.merged`)."""


class TableDone(NamedTuple):
    """A table that counts: where it was played, what came of it by side, and who sat there by seat, and for whom."""

    round: int
    number: int
    id: int
    points: Sequence[int]
    winner: int | None
    sets: Sequence[int]
    hands: int
    people: Sequence[int]
    subs: Sequence[int | None]


class ByeDone(NamedTuple):
    """A round that somebody sat out: for whom they stood in that night, and who their fixed partners were."""

    round: int
    person: int
    sub_for: int | None
    mates: Sequence[int]


class NightDone(NamedTuple):
    """What counts of a night; people stand there as they were called then, whoever they turned out to be."""

    number: int
    tables: Sequence[TableDone]
    byes: Sequence[ByeDone]


def played_of(session: Session, season: SeasonRow, merged: Merged) -> tuple[Played, ...]:
    """Return all games and byes of the season so far, as everybody counts them."""
    of_season = and_(NightRow.season_id == season.id, NightRow.closed_at.is_not(None))
    nights = (*written_nights(session, of_season).values(), *open_nights(session, season))
    return tuple(played for night in nights for played in played_on(night, merged))


def written_nights(session: Session, which: ColumnElement[bool]) -> Mapping[int, NightDone]:
    """Return what counts of `which` nights, as their tables were written down, by id; four queries or five."""
    numbers = session.connection().execute(select(NightRow.id, NightRow.number).where(which).order_by(NightRow.number))
    tables, byes = written_tables(session, which), _byes(session, which)
    return {night: _night(number, tables.get(night, ()), byes.get(night, ())) for night, number in numbers.all()}


def written_tables(session: Session, which: ColumnElement[bool]) -> Mapping[int, list[TableDone]]:
    """Return `which` tables of closed nights, as they were written down, by the id of the night; two queries."""
    connection = session.connection()
    done = and_(which, TableRow.hands.is_not(None))
    sat: defaultdict[int, list[tuple[int, int | None]]] = defaultdict(list)
    for table, person, sub_for in connection.execute(
        select(SeatRow.table_id, SeatRow.person_id, SeatRow.sub_for)
        .join(TableRow, TableRow.id == SeatRow.table_id)
        .join(NightRow, NightRow.id == TableRow.night_id)
        .where(done)
        .order_by(SeatRow.table_id, SeatRow.seat)
    ):
        sat[table].append((person, sub_for))
    tables: defaultdict[int, list[TableDone]] = defaultdict(list)
    for night, number, table_number, table, points, winner, sets, hands in connection.execute(
        select(
            TableRow.night_id,
            TableRow.round,
            TableRow.number,
            TableRow.id,
            cast(TableRow.points, Text),
            TableRow.winner,
            cast(TableRow.sets, Text),
            TableRow.hands,
        )
        .join(NightRow, NightRow.id == TableRow.night_id)
        .where(done)
        .order_by(TableRow.id)
    ):
        assert hands is not None
        people, subs = zip(*sat[table], strict=True)
        tables[night].append(
            TableDone(
                number, table_number, table, whole_numbers(points), winner, whole_numbers(sets), hands, people, subs
            )
        )
    return tables


@lru_cache(maxsize=4096)
def whole_numbers(text: str) -> tuple[int, ...]:
    """Return what a list in the database holds, which is read as text: there are thousands, and few that differ."""
    return tuple(json.loads(text))


def open_nights(session: Session, season: SeasonRow) -> tuple[NightDone, ...]:
    """Return what counts of the nights that are open as they stand: two queries, those of `tables_of` each."""
    which = and_(NightRow.season_id == season.id, NightRow.closed_at.is_(None))
    nights = session.scalars(select(NightRow).where(which).order_by(NightRow.number)).all()
    byes = _byes(session, which) if nights else {}
    return tuple(
        _night(
            night.number,
            [_done(table) for table in tables_of(session, night) if table.done],
            byes.get(night.id, ()),
        )
        for night in nights
    )


def played_on(night: NightDone, merged: Merged) -> Iterator[Played]:
    """Yield the games and byes of a night as each of its people counts them."""
    for table in night.tables:
        yield from games_at(night.number, table, merged)
    for bye in night.byes:
        person = merged.get(bye.person, bye.person)
        yield Played(
            night.number,
            bye.round,
            0,
            f"bye-{night.number}-{bye.round}",
            person,
            tuple(merged.get(mate, mate) for mate in bye.mates),
            bye=True,
            sub_for=_regular(bye.sub_for, person, merged),
        )


def games_at(night: int, table: TableDone, merged: Merged) -> Iterator[Played]:
    """Yield the game of a table as each of its people counts it; `night` is its number."""
    seats = [merged.get(person, person) for person in table.people]
    points, drawn = table.points, table.winner is None
    # Side s holds every seat i with i % sides == s: that is how the rules make sides.
    count = len(points)
    sides = [tuple(seats[side::count]) for side in range(count)]
    best = [max(points[other] for other in range(count) if other != side) for side in range(count)]
    others = [tuple(seat for other in range(count) if other != side for seat in sides[other]) for side in range(count)]
    for seat, (person, sub_for) in enumerate(zip(seats, table.subs, strict=True)):
        side = seat % count
        yield Played(
            night,
            table.round,
            table.number,
            table.id,
            person,
            tuple(mate for mate in sides[side] if mate != person),
            others[side],
            points[side],
            best[side],
            table.winner == side,
            drawn,
            table.sets[side],
            table.hands,
            sub_for=_regular(sub_for, person, merged),
        )


def _regular(sub_for: int | None, person: int, merged: Merged) -> int | None:
    """For whom somebody stood in, None for nobody, also where that turned out to be themselves."""
    regular = None if sub_for is None else merged.get(sub_for, sub_for)
    return None if regular == person else regular


def _night(number: int, tables: Sequence[TableDone], byes: Iterable[ByeDone]) -> NightDone:
    rounds = {table.round for table in tables}
    return NightDone(number, tuple(tables), tuple(bye for bye in byes if bye.round in rounds))


def _done(table: TableState) -> TableDone:
    """A table of an open night, which is done."""
    assert table.verdict is not None
    return TableDone(
        table.round,
        table.number,
        table.id,
        table.points,
        table.verdict.winner,
        table.sets,
        table.hands,
        table.seats,
        tuple(table.subs.get(person) for person in table.seats),
    )


def _byes(session: Session, which: ColumnElement[bool]) -> Mapping[int, list[ByeDone]]:
    """All byes of `which` nights, by night; two queries."""
    connection = session.connection()
    byes = connection.execute(
        select(ByeRow.night_id, ByeRow.round, ByeRow.person_id)
        .join(NightRow, NightRow.id == ByeRow.night_id)
        .where(which)
        .order_by(ByeRow.id)
    ).all()
    if not byes:
        return {}
    subs: dict[tuple[int, int], int] = {}
    teams: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    team_of: dict[tuple[int, int], int] = {}
    for night, person, sub_for, team in connection.execute(
        select(PresentRow.night_id, PresentRow.person_id, PresentRow.sub_for, PresentRow.team)
        .join(NightRow, NightRow.id == PresentRow.night_id)
        .where(which, or_(PresentRow.sub_for.is_not(None), PresentRow.team.is_not(None)))
        .order_by(PresentRow.id)
    ):
        if sub_for is not None:
            subs[night, person] = sub_for
        if team is not None:
            team_of[night, person] = team
            teams[night, team].append(person)
    told: defaultdict[int, list[ByeDone]] = defaultdict(list)
    for night, round_number, person in byes:
        team = team_of.get((night, person))
        mates = () if team is None else tuple(other for other in teams[night, team] if other != person)
        told[night].append(ByeDone(round_number, person, subs.get((night, person)), mates))
    return told
