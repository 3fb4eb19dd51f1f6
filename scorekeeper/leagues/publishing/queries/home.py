"""Read the part of the home page about leagues: those that this phone visited, and the open clubs."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import and_, select

from scorekeeper.leagues.calendar.queries.planned import next_nights
from scorekeeper.leagues.core.access import has_role
from scorekeeper.leagues.core.models import ClubRow, LeagueRow
from scorekeeper.leagues.publishing.pages import HomeClubs, VisitedLeague
from scorekeeper.leagues.publishing.queries.club import all_clubs
from scorekeeper.leagues.publishing.queries.night import latest_of_club
from scorekeeper.leagues.publishing.visited import CLUB
from scorekeeper.leagues.results.latest import latest_results
from scorekeeper.web.extensions import db

LISTED = 5
"""Most open clubs to list on the home page. If there are more, the page has a search field instead of the list."""


def home_clubs(marks: Sequence[str], device: str | None) -> HomeClubs:
    """Return the leagues that this phone has visited, and the open clubs.

    `marks` identify the visited leagues and clubs, as in `visited.visited_here`. Unknown leagues are left out.

    A visited league is returned with its next nights, unless `device` or its account has a role in the league. The next
    nights of such a league are shown in another part of the home page (`calendar.views.home`).
    """
    visited = _visited(marks, device)
    clubs = all_clubs()
    seen = {each.club for each in visited}
    return HomeClubs(
        visited,
        tuple(club for club in clubs if club.slug not in seen) if len(clubs) <= LISTED else (),
        len(clubs),
    )


def _visited(marks: Sequence[str], device: str | None) -> tuple[VisitedLeague, ...]:
    if not marks:
        return ()
    slugs = [mark.removeprefix(CLUB) for mark in marks if mark.startswith(CLUB)]
    session = db.session()
    public = and_(ClubRow.is_open, LeagueRow.off_because.is_(None))
    query = (
        select(LeagueRow.id, LeagueRow.public_id, LeagueRow.name, ClubRow.slug, public)
        .outerjoin(ClubRow, ClubRow.league_id == LeagueRow.id)
        .where(LeagueRow.public_id.in_(marks) | ClubRow.slug.in_(slugs))
    )
    rows = session.execute(query).all()
    ids = [row.id for row in rows]
    run = select(LeagueRow.id).where(LeagueRow.id.in_(ids), has_role(device)) if device and ids else None
    coming = next_nights(session, set(ids).difference(() if run is None else session.scalars(run)))
    of_league = latest_results(session, [row.id for row in rows if row.public_id in marks])
    found: dict[str, VisitedLeague] = {}
    for league, public_id, name, slug, is_open in rows:
        upcoming, latest = coming.get(league, ()), of_league.get(league)
        found[public_id] = VisitedLeague(public_id, name, slug if is_open else "", public_id, upcoming, latest)
        if is_open and public_id not in marks:
            found[CLUB + slug] = VisitedLeague(CLUB + slug, name, slug, "", upcoming, latest_of_club(slug))
        elif is_open:
            found[CLUB + slug] = found[public_id]
    shown: dict[str, VisitedLeague] = {}
    for mark in marks:
        if mark in found:
            # A phone that visited the league's own pages keeps the way there.
            one = found[mark]
            key = one.club or one.league
            if key not in shown or (one.league and not shown[key].league):
                shown[key] = one
    return tuple(shown.values())
