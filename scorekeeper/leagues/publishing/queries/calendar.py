"""Read the calendar of an open club, which is a league with public pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorekeeper.leagues.calendar.feed import FeedNight
from scorekeeper.leagues.calendar.queries.feeds import league_calendar
from scorekeeper.leagues.core.models import LeagueRow
from scorekeeper.leagues.publishing.open_ids import open_id
from scorekeeper.leagues.publishing.queries.club import open_club
from scorekeeper.web.extensions import db


def club_calendar(slug: str) -> tuple[str, Sequence[FeedNight]]:
    """Return the name of a club and its planned nights.

    The nights have open ids (`open_ids`) in place of their public ids, so that readers of the calendar can't find the
    league's own pages. Raises `NoSuchLeagueError` or `MovedClubError`.
    """
    session = db.session()
    league = session.get_one(LeagueRow, open_club(session, slug).league)
    name, nights = league_calendar(league.public_id)
    return name, [replace(night, id=open_id("night", night.id)) for night in nights]
