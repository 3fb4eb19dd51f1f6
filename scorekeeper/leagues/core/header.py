"""Make the header of every league page: the league, the reader's role, and the list of seasons."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.leagues.core.access import NotAllowedError, demand, role_of
from scorekeeper.leagues.core.models import LeagueRow, NightRow, SeasonRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.web.locale import day_text


@dataclass(frozen=True, slots=True)
class LeagueHead:
    """The header of a league page: the league and the reader's role."""

    id: str
    name: str
    role: Role
    """The reader's role in the league."""
    off_because: str | None = None
    """Why the operator turned the league off; None for a league that isn't turned off."""

    @property
    def helps(self) -> bool:
        """Return True if the reader may check people in and enter results at any table (at least a helper)."""
        return self.role >= Role.HELPER

    @property
    def directs(self) -> bool:
        """Return True if the reader may run nights (at least a director)."""
        return self.role >= Role.DIRECTOR

    @property
    def owns(self) -> bool:
        """Return True if the reader may change the league, its money and its people."""
        return self.role >= Role.OWNER

    def demand(self, need: Role) -> None:
        """Raise `NotAllowedError` if the reader has less than the role `need`.

        Call this before a page says what is wrong with a form: who may not post it gets no page.
        """
        if self.role < need:
            raise NotAllowedError(need)


@dataclass(frozen=True, slots=True)
class SeasonCard:
    """A season as shown in a list of seasons."""

    id: str
    name: str
    nights: int
    first: str
    last: str
    """`first` and `last` are the days of the first and the last night, as text; empty without nights."""
    running: bool
    open_night: str
    """Public id of the open night, or empty."""


def head_of(row: LeagueRow, device: str | None) -> LeagueHead:
    """Return the header of a league page. `device` is the hash of the reader's device, or None if unknown."""
    return LeagueHead(row.public_id, row.name, role_of(row, device), row.off_because)


def owned(session: Session, league_id: int, device: str | None) -> LeagueHead:
    """Return the header of a league (row id) for a page that only owners may see. Raises `NotAllowedError`."""
    row = session.get_one(LeagueRow, league_id)
    demand(row, device, Role.OWNER)
    return head_of(row, device)


def season_cards(session: Session, league_id: int) -> tuple[SeasonCard, ...]:
    """Return the seasons of a league (row id), newest first. The function runs only two queries."""
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
