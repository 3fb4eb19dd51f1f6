"""Read the games and byes that count: saved results for closed nights, current results for open nights.

A table counts once its game is done. A bye counts once at least one table of the same round counts, because a round
that was never played doesn't count. People who were merged count as the person they were merged into.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy import ColumnElement, Text, and_, cast, or_, select
from sqlalchemy.orm import Session

from scorekeeper.games.logic.statistics.hands import Played, Total
from scorekeeper.leagues.core.models import ByeRow, NightRow, PresentRow, SeasonRow, SeatRow, TableRow, TotalRow
from scorekeeper.leagues.standings.table_results import TableState, tables_of

Merged = Mapping[int, int]
"""By id of each merged person: the id of the person they were merged into (`Roster.merged`)."""


class TableDone(NamedTuple):
    """A finished game at a table that counts in the standings.

    `id` is the row id of the table. `points` has each side's points. `sets` says how often each side was set (failed to
    make its bid). `winner` is the index of the winning side, or None for a tie. `hands` is the number of hands played.
    `people` has the id of the player at each seat. `subs` has, for each seat, the id of the regular for whom the player
    substituted, or None if the player wasn't a substitute.
    """

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
    """A person's bye in one round.

    `sub_for` is the regular for whom the person substituted that night, or None. `mates` are the person's fixed
    partners.
    """

    round: int
    person: int
    sub_for: int | None
    mates: Sequence[int]


class TotalDone(NamedTuple):
    """A person's points on one imported night that has no tables.

    `sub_for` is the regular for whom the person substituted that night, or None. `total` has the numbers of games, wins
    and losses.
    """

    person: int
    sub_for: int | None
    points: int
    total: Total


class NightDone(NamedTuple):
    """The tables, byes and imported totals of one night, as far as they count in the standings.

    The ids of people are the original ones, before anybody was merged into another person.
    """

    number: int
    tables: Sequence[TableDone]
    byes: Sequence[ByeDone]
    totals: Sequence[TotalDone] = ()


def played_of(session: Session, season: SeasonRow, merged: Merged) -> tuple[Played, ...]:
    """Return all games and byes of the season so far.

    A game has one record for each of its players. `merged` has, by the id of each merged person, the id of the person
    they were merged into.
    """
    of_season = and_(NightRow.season_id == season.id, NightRow.closed_at.is_not(None), NightRow.playoff.is_not(True))
    nights = (*saved_nights(session, of_season).values(), *open_nights(session, season))
    return tuple(played for night in nights for played in played_on(night, merged))


def saved_nights(session: Session, which: ColumnElement[bool]) -> Mapping[int, NightDone]:
    """Return the saved tables, byes and totals that count, by the id of their night.

    `which` is an SQL condition that selects the nights. Takes five or six queries.
    """
    numbers = session.connection().execute(select(NightRow.id, NightRow.number).where(which).order_by(NightRow.number))
    tables, byes, totals = saved_tables(session, which), _byes(session, which), _totals(session, which)
    return {
        night: _night(number, tables.get(night, ()), byes.get(night, ()), totals.get(night, ()))
        for night, number in numbers.all()
    }


def saved_tables(session: Session, which: ColumnElement[bool]) -> Mapping[int, list[TableDone]]:
    """Return the saved tables of closed nights, by the id of their night.

    `which` is an SQL condition that selects the nights. Takes two queries.
    """
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
    """Return the whole numbers in a JSON list.

    Results are cached, because a season has thousands of such lists and many of them are equal.
    """
    return tuple(json.loads(text))


def open_nights(session: Session, season: SeasonRow) -> tuple[NightDone, ...]:
    """Return the tables and byes that count so far on each open night.

    Takes three queries, plus the queries of `tables_of` for each night.
    """
    which = and_(NightRow.season_id == season.id, NightRow.closed_at.is_(None), NightRow.playoff.is_not(True))
    nights = session.scalars(select(NightRow).where(which).order_by(NightRow.number)).all()
    byes, totals = (_byes(session, which), _totals(session, which)) if nights else ({}, {})
    return tuple(
        _night(
            night.number,
            [_done(table) for table in tables_of(session, night) if table.done],
            byes.get(night.id, ()),
            totals.get(night.id, ()),
        )
        for night in nights
    )


def counted_on(session: Session, night: NightRow, tables: Sequence[TableState]) -> NightDone:
    """Return the tables, byes and imported totals of `night`, as far as they count in the standings.

    `tables` are the current tables of the night, which are used only if the night is open. Takes six queries for a
    closed night, or three for an open night.
    """
    if night.closed_at is not None:
        return saved_nights(session, NightRow.id == night.id)[night.id]
    byes = _byes(session, NightRow.id == night.id).get(night.id, ())
    totals = _totals(session, NightRow.id == night.id).get(night.id, ())
    return _night(night.number, [_done(table) for table in tables if table.done], byes, totals)


def played_on(night: NightDone, merged: Merged) -> Iterator[Played]:
    """Yield the games, byes and totals of a night. A game has one record for each of its players.

    `merged` has, by the id of each merged person, the id of the person they were merged into.
    """
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
    for total in night.totals:
        person = merged.get(total.person, total.person)
        regular = _regular(total.sub_for, person, merged)
        key = f"total-{night.number}"
        yield Played(night.number, 0, 0, key, person, points=total.points, sub_for=regular, total=total.total)


def games_at(night: int, table: TableDone, merged: Merged) -> Iterator[Played]:
    """Yield one record for each player in the game at `table`. `night` is the number of the night.

    `merged` has, by the id of each merged person, the id of the person they were merged into.
    """
    seats = [merged.get(person, person) for person in table.people]
    points, drawn = table.points, table.winner is None
    # The rules make sides like this: side s has every seat i with i % sides == s.
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
    """Return the id of the regular that a person played for, after merges.

    Return None if the person played for themselves, or if the person and the regular were merged into one person.
    """
    regular = None if sub_for is None else merged.get(sub_for, sub_for)
    return None if regular == person else regular


def _night(number: int, tables: Sequence[TableDone], byes: Iterable[ByeDone], totals: Sequence[TotalDone]) -> NightDone:
    rounds = {table.round for table in tables}
    return NightDone(number, tuple(tables), tuple(bye for bye in byes if bye.round in rounds), tuple(totals))


def _totals(session: Session, which: ColumnElement[bool]) -> Mapping[int, list[TotalDone]]:
    """Return the imported totals, by the id of their night. Takes one query.

    `which` is an SQL condition that selects the nights.
    """
    query = (
        select(TotalRow.night_id, TotalRow.person_id, TotalRow.sub_for, TotalRow.points)
        .add_columns(TotalRow.games, TotalRow.wins, TotalRow.losses)
        .join(NightRow, NightRow.id == TotalRow.night_id)
        .where(which)
        .order_by(TotalRow.id)
    )
    found: defaultdict[int, list[TotalDone]] = defaultdict(list)
    for night, person, sub_for, points, *known in session.connection().execute(query):
        found[night].append(TotalDone(person, sub_for, points, Total(*known)))
    return found


def _done(table: TableState) -> TableDone:
    """Convert a finished table of an open night to a `TableDone`."""
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
    """Return the byes, by the id of their night. Takes two queries.

    `which` is an SQL condition that selects the nights.
    """
    connection = session.connection()
    byes = connection.execute(
        select(ByeRow.night_id, ByeRow.round, ByeRow.person_id, ByeRow.team, ByeRow.sub_for)
        .join(NightRow, NightRow.id == ByeRow.night_id)
        .where(which)
        .order_by(ByeRow.id)
    ).all()
    if not byes:
        return {}
    present: dict[tuple[int, int], tuple[int | None, int | None]] = {}
    for night, person, sub_for, team in connection.execute(
        select(PresentRow.night_id, PresentRow.person_id, PresentRow.sub_for, PresentRow.team)
        .join(NightRow, NightRow.id == PresentRow.night_id)
        .where(which, or_(PresentRow.sub_for.is_not(None), PresentRow.team.is_not(None)))
    ):
        present[night, person] = sub_for, team
    together: defaultdict[tuple[int, int, int | None], list[int]] = defaultdict(list)
    told = []
    for night, number, person, team_then, sub_then in byes:
        sub_now, team_now = present.get((night, person), (None, None))
        team = team_now if team_then is None else team_then
        together[night, number, team].append(person)
        told.append((night, number, person, sub_now if sub_then is None else sub_then, team))
    found: defaultdict[int, list[ByeDone]] = defaultdict(list)
    for night, number, person, sub_for, team in told:
        mates = () if team is None else tuple(other for other in together[night, number, team] if other != person)
        found[night].append(ByeDone(number, person, sub_for, mates))
    return found
