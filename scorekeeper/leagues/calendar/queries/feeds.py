"""Read the planned nights of a league for the league's calendar and for players' calendars."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.leagues.calendar.feed import FeedNight
from scorekeeper.leagues.calendar.links import CALENDAR, holder_of
from scorekeeper.leagues.calendar.queries.planned import zone_of
from scorekeeper.leagues.calendar.replies import NO
from scorekeeper.leagues.calendar.service import PLANNED
from scorekeeper.leagues.core.access import league_at
from scorekeeper.leagues.core.models import (
    AnswerRow,
    LeagueRow,
    PersonRow,
    PlannedRow,
    SeasonRow,
)
from scorekeeper.web.extensions import db


def league_calendar(league_id: str) -> tuple[str, list[FeedNight]]:
    """Return the name of a league, and the planned nights of all its seasons. Raises `NoSuchLeagueError`."""
    session = db.session()
    league = league_at(session, league_id)
    return league.name, [_in_feed(row, season, league.name) for row, season in _all_rows(session, league.id)]


def league_calendar_version(league_id: str) -> str:
    """Return a hash that changes whenever the calendar of a league changes. Raises `NoSuchLeagueError`."""
    session = db.session()
    league = league_at(session, league_id)
    return _version(league.name, *_counts(session, league.id))


def personal_calendar_version(person: str, token: str, key: str) -> str:
    """Return a hash that changes whenever a player's calendar changes.

    Takes the same parameters as `personal_calendar`, and raises the same errors.
    """
    session = db.session()
    who = holder_of(session, person, token, CALENDAR, key)
    league = session.get_one(LeagueRow, who.league_id)
    return _version(league.name, *_counts(session, league.id), sorted(_declined(session, who)))


def _counts(session: Session, league: int) -> Sequence[object]:
    """Return values that show whether planned nights of a league have changed.

    After each change, at least one of the values differs. `league` is the row id of the league.
    """
    query = (
        select(func.count(), func.sum(PlannedRow.sequence), func.max(PlannedRow.changed_at))
        .join(SeasonRow, SeasonRow.id == PlannedRow.season_id)
        .where(SeasonRow.league_id == league)
    )
    return session.execute(query).one()


def _version(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


def _declined(session: Session, who: PersonRow) -> set[int]:
    """Return the row ids of the planned nights for which a person answered no."""
    query = select(AnswerRow.planned_id).where(AnswerRow.person_id == who.id, AnswerRow.says == NO)
    return set(session.scalars(query))


def personal_calendar(person: str, token: str, key: str) -> tuple[str, list[FeedNight]]:
    """Return the name of a player's league, and the league's planned nights for the player's calendar.

    `person` (public id) and `token` are from the address of the calendar. `key` is the installation's secret key. The
    calendar shows the player as free on nights that the player declined. Raises `NoSuchLeagueError` for a wrong or
    revoked link.
    """
    session = db.session()
    who = holder_of(session, person, token, CALENDAR, key)
    league = session.get_one(LeagueRow, who.league_id)
    free = _declined(session, who)
    rows = _all_rows(session, league.id)
    return league.name, [_in_feed(row, season, league.name, free=row.id in free) for row, season in rows]


def _all_rows(session: Session, league: int) -> Sequence[tuple[PlannedRow, SeasonRow]]:
    """Return (planned night, season) pairs for the calendar of a league (row id), sorted by date."""
    query = (
        select(PlannedRow, SeasonRow)
        .join(SeasonRow, SeasonRow.id == PlannedRow.season_id)
        .where(SeasonRow.league_id == league)
        .order_by(PlannedRow.day, PlannedRow.id)
    )
    return [(row, season) for row, season in session.execute(query)]


def _in_feed(row: PlannedRow, season: SeasonRow, title: str, *, free: bool = False) -> FeedNight:
    return FeedNight(
        id=row.public_id,
        title=title,
        zone=zone_of(season),
        day=row.day,
        starts=row.starts,
        place=row.place,
        note=row.note,
        canceled=row.state != PLANNED,
        sequence=row.sequence,
        made_at=row.made_at,
        changed_at=row.changed_at,
        free=free,
    )
