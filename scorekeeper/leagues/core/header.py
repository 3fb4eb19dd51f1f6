"""The top of every league page: the league, the reader's role, and the list of seasons."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.leagues.core.access import demand, role_of
from scorekeeper.leagues.core.models import LeagueRow, NightRow, SeasonRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.web.locale import day_text


@dataclass(frozen=True, slots=True)
class LeagueHead:
    """The league and the reader's role, for every league page."""

    id: str
    name: str
    role: Role
    """Role of the reader."""

    @property
    def helps(self) -> bool:
        """Return True if the reader may use the desk."""
        return self.role >= Role.HELPER

    @property
    def directs(self) -> bool:
        """Return True if the reader may run nights."""
        return self.role >= Role.DIRECTOR

    @property
    def owns(self) -> bool:
        """Return True if the reader may change the league, its money and its people."""
        return self.role >= Role.OWNER


@dataclass(frozen=True, slots=True)
class SeasonCard:
    """A season in a list."""

    id: str
    name: str
    nights: int
    first: str
    last: str
    """Days of the first and the last night, as text; empty without nights."""
    running: bool
    open_night: str
    """Public id of the open night, or empty."""


def head_of(row: LeagueRow, device: str | None) -> LeagueHead:
    """Return the top of a league page: id and name, and the role of `device` (its hash, None if unknown)."""
    return LeagueHead(row.public_id, row.name, role_of(row, device))


def owned(session: Session, league_id: int, device: str | None) -> LeagueHead:
    """Return the `LeagueHead` of a page for owners only. Raises `NotAllowedError`."""
    row = session.get_one(LeagueRow, league_id)
    demand(row, device, Role.OWNER)
    return head_of(row, device)


def season_cards(session: Session, league_id: int) -> tuple[SeasonCard, ...]:
    """Return the seasons of a league, newest first, with two queries."""
    nights = (
        select(NightRow.season_id, func.count(), func.min(NightRow.day), func.max(NightRow.day))
        .join(SeasonRow, SeasonRow.id == NightRow.season_id)
        .where(SeasonRow.league_id == league_id, NightRow.number > 0)
        .group_by(NightRow.season_id)
    )
    spans = {season: (count, day_text(first), day_text(last)) for season, count, first, last in session.execute(nights)}
    still_open = (
        select(NightRow.public_id)
        .where(NightRow.season_id == SeasonRow.id, NightRow.closed_at.is_(None))
        .order_by(NightRow.number.desc())
        .limit(1)
        .scalar_subquery()
    )
    seasons = select(SeasonRow.id, SeasonRow.public_id, SeasonRow.name, SeasonRow.closed_at, still_open)
    return tuple(
        SeasonCard(public_id, name, *spans.get(key, (0, "", "")), closed_at is None, night or "")
        for key, public_id, name, closed_at, night in session.execute(
            seasons.where(SeasonRow.league_id == league_id).order_by(SeasonRow.id.desc())
        )
    )
