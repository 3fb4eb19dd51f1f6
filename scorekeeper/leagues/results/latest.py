"""Find the last closed night of leagues and its winners, for the home page and the pages of leagues."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.db.database import Recent
from scorekeeper.leagues.core.access import league_at
from scorekeeper.leagues.core.models import NightRow, SeasonRow
from scorekeeper.leagues.results.pages import LatestResults
from scorekeeper.leagues.results.queries import results_of
from scorekeeper.leagues.standings.night_snapshot import Seen, night_version, seen
from scorekeeper.web.extensions import db
from scorekeeper.web.links import PageLink
from scorekeeper.web.locale import day_text, page_language

REMEMBERED = 256
"""Number of nights whose winners each process keeps in memory."""


def latest_results(session: Session, leagues: Collection[int]) -> Mapping[int, LatestResults]:
    """Return the last closed night of each of these leagues, by the league's row id.

    Leagues without a closed night are left out.
    """
    if not leagues:
        return {}
    place = func.row_number().over(partition_by=SeasonRow.league_id, order_by=(NightRow.day.desc(), NightRow.id.desc()))
    nights = (
        select(SeasonRow.league_id, NightRow.public_id, NightRow.day, place.label("place"))
        .join(SeasonRow, SeasonRow.id == NightRow.season_id)
        .where(SeasonRow.league_id.in_(leagues), NightRow.number > 0, NightRow.closed_at.is_not(None))
        .subquery()
    )
    rows = session.execute(select(nights.c.league_id, nights.c.public_id, nights.c.day).where(nights.c.place == 1))
    return {
        league: LatestResults(PageLink("leagues.results", {"night_id": night}), day_text(day), winners_on(night))
        for league, night, day in rows.all()
    }


def latest_of(league_id: str) -> LatestResults | None:
    """Return the last closed night of a league; None if it has none. Raises `NoSuchLeagueError`."""
    league = league_at(db.session(), league_id).id
    return latest_results(db.session(), [league]).get(league)


def winners_on(night: str, style: str = "", named: Callable[[Seen], Seen] = lambda at: at) -> str:
    """Return the winners of a closed night as one line, such as "Winner: Ann"; empty if nobody is ranked.

    `named` is called with the snapshot of the night, and may return it with other names, such as initials. The line is
    cached under `style` until the night or a name changes. So each different function `named` needs a different
    `style`. Raises `NoSuchLeagueError`.
    """
    session, key = db.session(), (night, style, page_language())
    version = night_version(night)
    known = _won.get(session, key)
    if known is None or known[0] != version:
        known = (version, results_of(named(seen(night))).about)
        _won.keep(session, key, known)
    return known[1]


_won: Recent[tuple[str, str, str], tuple[str, str]] = Recent(REMEMBERED)
