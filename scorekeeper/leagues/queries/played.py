"""The games of a season as people count them: closed nights as they were written down, open ones as they stand.

A table counts once it is done. A bye counts once a table of its round does: a round that was drawn and never played is
no round. Whoever was merged into somebody else is that person everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import Session

from scorekeeper.leagues.models import ByeRow, NightRow, PresentRow, SeasonRow, SeatRow, TableRow
from scorekeeper.leagues.results import Standing, tables_of
from scorekeeper.leagues.standings.played import Played

Sat = list[tuple[int, int | None]]
"""Who sat at a table by seat, and for whom."""


class TableDone(NamedTuple):
    """A table that counts: where and when it was played, what came of it, and who sat there."""

    night: int
    round: int
    number: int
    id: int
    points: Sequence[int]
    winner: int | None
    sets: Sequence[int]
    hands: int
    sat: Sat


def played_of(session: Session, season: SeasonRow, merged: Mapping[int, int]) -> tuple[Played, ...]:
    """Return all games and byes of the season so far; `merged` says whom somebody turned out to be (`Book.merged`)."""
    return (*closed_games(session, season, merged), *open_games(session, season, merged))


def closed_games(session: Session, season: SeasonRow, merged: Mapping[int, int]) -> tuple[Played, ...]:
    """Return the games and byes of the nights that are closed, as everybody counts them; three queries or four."""
    return _counted(session, season, merged, list(_closed(session, season)), NightRow.closed_at.is_not(None))


def open_games(session: Session, season: SeasonRow, merged: Mapping[int, int]) -> tuple[Played, ...]:
    """Return the games and byes of the nights that are open as they stand: the queries of `results.tables_of` each."""
    return _counted(session, season, merged, list(_open(session, season)), NightRow.closed_at.is_(None))


def _counted(
    session: Session,
    season: SeasonRow,
    merged: Mapping[int, int],
    done: Sequence[TableDone],
    which: ColumnElement[bool],
) -> tuple[Played, ...]:
    games = [played for table in done for played in games_at(table, merged)]
    rounds = {(table.night, table.round) for table in done}
    return (*games, *_byes(session, and_(NightRow.season_id == season.id, which), merged, rounds))


def games_at(table: TableDone, merged: Mapping[int, int]) -> Iterator[Played]:
    """Yield the game of a table as each of its people counts it."""
    seats = tuple(merged.get(person, person) for person, _sub_for in table.sat)
    points, drawn = table.points, table.winner is None
    # Side s holds every seat i with i % sides == s: that is how the rules make sides.
    count = len(points)
    sides = [seats[side::count] for side in range(count)]
    best = [max(points[other] for other in range(count) if other != side) for side in range(count)]
    others = [tuple(seat for other in range(count) if other != side for seat in sides[other]) for side in range(count)]
    for seat, (person, (_person, sub_for)) in enumerate(zip(seats, table.sat, strict=True)):
        side = seat % count
        regular = merged.get(sub_for, sub_for) if sub_for is not None else None
        yield Played(
            table.night,
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
            sub_for=None if regular == person else regular,
        )


def _closed(session: Session, season: SeasonRow) -> Iterator[TableDone]:
    connection = session.connection()
    in_season = (NightRow.season_id == season.id, NightRow.closed_at.is_not(None), TableRow.hands.is_not(None))
    seats = connection.execute(
        select(SeatRow.table_id, SeatRow.person_id, SeatRow.sub_for)
        .join(TableRow, TableRow.id == SeatRow.table_id)
        .join(NightRow, NightRow.id == TableRow.night_id)
        .where(*in_season)
        .order_by(SeatRow.table_id, SeatRow.seat)
    )
    sat: dict[int, Sat] = {}
    for table, person, sub_for in seats:
        sat.setdefault(table, []).append((person, sub_for))
    tables = connection.execute(
        select(
            NightRow.number,
            TableRow.round,
            TableRow.number,
            TableRow.id,
            TableRow.points,
            TableRow.winner,
            TableRow.sets,
            TableRow.hands,
        )
        .join(NightRow, NightRow.id == TableRow.night_id)
        .where(*in_season)
    )
    for night, round_number, number, table, points, winner, sets, hands in tables:
        assert points is not None
        assert sets is not None
        assert hands is not None
        yield TableDone(night, round_number, number, table, points, winner, sets, hands, sat[table])


def _open(session: Session, season: SeasonRow) -> Iterator[TableDone]:
    query = select(NightRow).where(NightRow.season_id == season.id, NightRow.closed_at.is_(None))
    for night in session.scalars(query.order_by(NightRow.number)).all():
        for table in tables_of(session, night):
            if table.done:
                yield _standing(night.number, table)


def _standing(night: int, table: Standing) -> TableDone:
    """Return a table of an open night, which is done."""
    assert table.verdict is not None
    return TableDone(
        night,
        table.round,
        table.number,
        table.id,
        table.points,
        table.verdict.winner,
        table.sets,
        table.hands,
        [(person, table.subs.get(person)) for person in table.seats],
    )


def _byes(
    session: Session, of_nights: ColumnElement[bool], merged: Mapping[int, int], rounds: set[tuple[int, int]]
) -> Iterator[Played]:
    query = (
        select(NightRow.id, NightRow.number, ByeRow.round, ByeRow.person_id)
        .join(NightRow, NightRow.id == ByeRow.night_id)
        .where(of_nights)
    )
    byes = [row for row in session.execute(query) if (row[1], row[2]) in rounds]
    if not byes:
        return
    subs: dict[tuple[int, int], int] = {}
    teams: dict[tuple[int, int], list[int]] = {}
    team_of: dict[tuple[int, int], int] = {}
    present = (
        select(PresentRow.night_id, PresentRow.person_id, PresentRow.sub_for, PresentRow.team)
        .join(NightRow, NightRow.id == PresentRow.night_id)
        .where(of_nights, or_(PresentRow.sub_for.is_not(None), PresentRow.team.is_not(None)))
    )
    for night, person, sub_for, team in session.execute(present):
        if sub_for is not None:
            subs[night, person] = merged.get(sub_for, sub_for)
        if team is not None:
            team_of[night, person] = team
            teams.setdefault((night, team), []).append(person)
    for night, number, round_number, person in byes:
        team = team_of.get((night, person))
        mates = () if team is None else tuple(other for other in teams[night, team] if other != person)
        yield Played(
            number,
            round_number,
            0,
            f"bye-{number}-{round_number}",
            merged.get(person, person),
            tuple(merged.get(mate, mate) for mate in mates),
            bye=True,
            sub_for=subs.get((night, person)),
        )
