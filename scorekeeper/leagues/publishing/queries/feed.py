"""Read the feed of an open club, which is a league with public pages: its last closed nights."""

from __future__ import annotations

from sqlalchemy import func, select

from scorekeeper.leagues.core.models import LeagueEventRow, LeagueRow, NightRow
from scorekeeper.leagues.publishing.open_ids import urn
from scorekeeper.leagues.publishing.pages import FeedEntry, FeedPage
from scorekeeper.leagues.publishing.queries.club import open_club, seasons_of
from scorekeeper.leagues.publishing.queries.night import night_page_of
from scorekeeper.web.extensions import db

MOST = 10
"""Most entries in a feed. Each entry takes about 25 queries whenever the league has changed."""


def feed_page(slug: str) -> FeedPage:
    """Return the feed of a club.

    The `updated` time of a night is the time of the night's last entry in the league's log. That of the feed is the
    time of the league's last entry, so that it never goes back when a night is reopened or removed. Raises
    `NoSuchLeagueError` or `MovedClubError`.
    """
    session = db.session()
    club = open_club(session, slug)
    seasons = {season.row.id: season for season in seasons_of(session, club)}
    changed = select(func.max(LeagueEventRow.at)).where(LeagueEventRow.night_id == NightRow.id).scalar_subquery()
    query = (
        select(NightRow.public_id, NightRow.season_id, NightRow.number, func.coalesce(changed, NightRow.closed_at))
        .where(NightRow.season_id.in_(seasons), NightRow.number > 0, NightRow.closed_at.is_not(None))
        .order_by(NightRow.day.desc(), NightRow.id.desc())
        .limit(MOST)
    )
    entries = tuple(
        FeedEntry(urn(night), updated, night_page_of(club, seasons[season], number))
        for night, season, number, updated in session.execute(query).all()
    )
    league = session.get_one(LeagueRow, club.league)
    last = session.scalar(select(func.max(LeagueEventRow.at)).where(LeagueEventRow.league_id == league.id))
    updated = max([entry.updated for entry in entries] + [last or league.made_at])
    return FeedPage(club.head, urn(league.public_id), updated, entries)
