"""Read what the home page shows of leagues: those that this phone visited, and the open clubs."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from scorekeeper.leagues.calendar.queries.planned import next_nights
from scorekeeper.leagues.core.access import has_role
from scorekeeper.leagues.core.models import ClubRow, LeagueRow
from scorekeeper.leagues.publishing.pages import HomeClubs, VisitedLeague
from scorekeeper.leagues.publishing.queries.club import all_clubs
from scorekeeper.leagues.publishing.visited import CLUB
from scorekeeper.web.extensions import db

LISTED = 5
"""With more open clubs, the home page has a search instead of a list."""


def home_clubs(marks: Sequence[str], device: str | None) -> HomeClubs:
    """Return the leagues with these marks (`visited.visited_here`) and the open clubs. Unknown marks are left out.

    A visited league has its next night, except one that `device` or its account runs: the home page has that night
    already (`calendar.views.home`).
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
    query = (
        select(LeagueRow.id, LeagueRow.public_id, LeagueRow.name, ClubRow.slug, ClubRow.is_open)
        .outerjoin(ClubRow, ClubRow.league_id == LeagueRow.id)
        .where(LeagueRow.public_id.in_(marks) | ClubRow.slug.in_(slugs))
    )
    rows = session.execute(query).all()
    ids = [row.id for row in rows]
    run = select(LeagueRow.id).where(LeagueRow.id.in_(ids), has_role(device)) if device and ids else None
    coming = next_nights(session, set(ids).difference(() if run is None else session.scalars(run)))
    found: dict[str, VisitedLeague] = {}
    for league, public_id, name, slug, is_open in rows:
        upcoming = coming.get(league, ())
        found[public_id] = VisitedLeague(public_id, name, slug if is_open else "", public_id, upcoming)
        if is_open:
            found[CLUB + slug] = VisitedLeague(CLUB + slug, name, slug, "", upcoming)
    shown: dict[str, VisitedLeague] = {}
    for mark in marks:
        if mark in found:
            # A phone that visited the league's own pages keeps the way there.
            one = found[mark]
            key = one.club or one.league
            if key not in shown or (one.league and not shown[key].league):
                shown[key] = one
    return tuple(shown.values())
