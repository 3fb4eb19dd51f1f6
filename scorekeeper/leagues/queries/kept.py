"""Closed nights as they are kept: summed up for the standings, and with their tables for who met whom.

Both are plain JSON (`models.TallyRow`), made from what closing the night wrote down of its tables and gone when the
night is opened again. People stand there as they were called that night; who was merged is found when it is read, and
so is everything that settings say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Literal

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from scorekeeper.leagues.models import NightRow, SeasonRow, TallyRow
from scorekeeper.leagues.queries.played import (
    ByeDone,
    Merged,
    NightDone,
    TableDone,
    games_at,
    played_on,
    written_nights,
)
from scorekeeper.leagues.standings.played import Played
from scorekeeper.leagues.standings.tally import Chair, Tally, tally_night

Kept = dict[str, Any]


def tallies_json(night: NightDone) -> Kept:
    """Return the sums of a night as a JSON object: those of "people" and those of "teams", a list each.

    A line is a list too: for each chair who sat there and for whom (or null), then the sums of `Tally` in their order.
    """
    told = tally_night(played_on(night, {}))
    return {
        "people": [[who for chair in line.chairs for who in chair] + list(line[1:]) for line in told.people],
        "teams": [[[who for chair in line.chairs for who in chair], *line[1:]] for line in told.teams],
    }


def games_json(night: NightDone) -> Kept:
    """Return the tables and the byes of a night as a JSON object; `night_of` reads the same night."""
    return {"tables": [list(table) for table in night.tables], "byes": [list(bye) for bye in night.byes]}


def night_of(number: int, kept: Kept) -> NightDone:
    """Return the night of that number that `games_json` told."""
    return NightDone(
        number,
        tuple(TableDone(*table) for table in kept["tables"]),
        tuple(ByeDone(*bye) for bye in kept["byes"]),
    )


def kept_nights(session: Session, season: SeasonRow, what: Literal["tallies", "games"]) -> Mapping[int, Kept]:
    """Return what is kept of the closed nights of a season by number; one query, and more where some have nothing."""
    nights = and_(NightRow.season_id == season.id, NightRow.closed_at.is_not(None))
    query = (
        select(NightRow.id, NightRow.number, getattr(TallyRow, what))
        .outerjoin(TallyRow, TallyRow.night_id == NightRow.id)
        .where(nights)
        .order_by(NightRow.number)
    )
    rows = session.connection().execute(query).all()
    # A night that was closed before sums were kept is read from its tables.
    missing = [night for night, _number, kept in rows if kept is None]
    raw = written_nights(session, NightRow.id.in_(missing)) if missing else {}
    told = tallies_json if what == "tallies" else games_json
    return {number: told(raw[night]) if kept is None else kept for night, number, kept in rows}


def nights_of(session: Session, season: SeasonRow, now: Iterable[NightDone]) -> Iterator[NightDone]:
    """Yield every night of a season with its tables, those that are kept before those that are open `now`."""
    for number, kept in kept_nights(session, season, "games").items():
        yield night_of(number, kept)
    yield from now


def people_lines(kept: Kept, merged: Merged) -> list[Tally]:
    """Return the sums of people."""
    if merged:
        return [Tally((_chair(who, sub_for, merged),), *sums) for who, sub_for, *sums in kept["people"]]
    return [Tally(((who, sub_for),), *sums) for who, sub_for, *sums in kept["people"]]


def team_lines(kept: Kept, merged: Merged) -> list[Tally]:
    """Return the sums of partners."""
    return [
        Tally(tuple(_chair(*chair, merged) for chair in zip(chairs[::2], chairs[1::2], strict=True)), *sums)
        for chairs, *sums in kept["teams"]
    ]


def meetings(nights: Iterable[NightDone], people: Collection[int], merged: Merged) -> Iterator[Played]:
    """Yield the games at which two of these people sat, or were stood in for, as everybody there counts them."""
    names = {*people, *(gone for gone, kept in merged.items() if kept in people)}
    for night in nights:
        for table in night.tables:
            there = [who for who in (*table.people, *table.subs) if who in names]
            if len(there) > 1:
                yield from games_at(night.number, table, merged)


def games_of(nights: Iterable[NightDone], person: int, merged: Merged) -> Iterator[Played]:
    """Yield the games and byes that somebody sat at, or was stood in for, as who sat there counts them."""
    names = {person, *(gone for gone, kept in merged.items() if kept == person)}
    for night in nights:
        own = NightDone(
            night.number,
            [each for each in night.tables if not names.isdisjoint(each.people) or not names.isdisjoint(each.subs)],
            [each for each in night.byes if each.person in names or each.sub_for in names],
        )
        for played in played_on(own, merged):
            if person in (played.person, played.sub_for):
                yield played


def _chair(person: int, sub_for: int | None, merged: Merged) -> Chair:
    who = merged.get(person, person)
    regular = None if sub_for is None else merged.get(sub_for, sub_for)
    return who, None if regular == who else regular
