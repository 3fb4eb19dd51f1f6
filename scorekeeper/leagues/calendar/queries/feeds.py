"""Read the planned nights of a league for its calendar, and for that of one of its players."""

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
    PlannedRow,
    SeasonRow,
)
from scorekeeper.web.extensions import db


def league_calendar(league_id: str) -> tuple[str, list[FeedNight]]:
    """Return the name of a league, and the planned nights of its seasons. Raises `NoSuchLeagueError`."""
    session = db.session()
    league = league_at(session, league_id)
    return league.name, [_in_feed(row, season, league.name) for row, season in _all_rows(session, league.id)]


def league_calendar_version(league_id: str) -> str:
    """Return a hash that changes whenever the calendar of a league does. Raises `NoSuchLeagueError`."""
    session = db.session()
    league = league_at(session, league_id)
    query = (
        select(func.count(), func.sum(PlannedRow.sequence), func.max(PlannedRow.changed_at))
        .join(SeasonRow, SeasonRow.id == PlannedRow.season_id)
        .where(SeasonRow.league_id == league.id)
    )
    state = repr((league.name, tuple(session.execute(query).one())))
    return hashlib.sha256(state.encode()).hexdigest()[:12]


def personal_calendar(person: str, token: str, key: str) -> tuple[str, list[FeedNight]]:
    """Return the name of a person's league and its planned nights for their calendar.

    Nights to which they said no block no time. Raises `NoSuchLeagueError` for a wrong or revoked link.
    """
    session = db.session()
    who = holder_of(session, person, token, CALENDAR, key)
    league = session.get_one(LeagueRow, who.league_id)
    noes = select(AnswerRow.planned_id).where(AnswerRow.person_id == who.id, AnswerRow.says == NO)
    free = set(session.scalars(noes))
    rows = _all_rows(session, league.id)
    return league.name, [_in_feed(row, season, league.name, free=row.id in free) for row, season in rows]


def _all_rows(session: Session, league: int) -> Sequence[tuple[PlannedRow, SeasonRow]]:
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
