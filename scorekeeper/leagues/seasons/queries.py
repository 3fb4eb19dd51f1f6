"""View models of the list of leagues, of one league, and of the form for a new season.

Read the leagues of a device, one league with its seasons, and the initial values of a new season.
"""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorekeeper.accounts.devices import this_account
from scorekeeper.games.presenters.new_game import OFFERED
from scorekeeper.games.presenters.snapshot import new_tap_id
from scorekeeper.i18n.catalog import _
from scorekeeper.leagues.calendar.pages import NextNight
from scorekeeper.leagues.calendar.queries import next_nights
from scorekeeper.leagues.core.access import (
    LeagueHead,
    has_role,
    head_of,
    league_at,
    owned,
    role_of,
    season_cards,
)
from scorekeeper.leagues.core.models import LeagueRow, PersonRow, SeasonRow
from scorekeeper.leagues.core.roles import LABELS, Role, has_owner, role_in
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.seasons.forms import as_before
from scorekeeper.leagues.standings.playoff_settings import PlayoffSettings
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.web.extensions import db


class LeagueCard(Struct, frozen=True):
    """A league in which the viewer has a role."""

    id: str
    name: str
    people: int
    season: str
    """Name of the current season, or empty."""
    demo: bool
    next_night: str
    """When and where the next night is, or empty."""


def leagues_page(device: str | None) -> SimpleNamespace:
    """Return the page with the leagues in which this device has a role, newest first."""
    return SimpleNamespace(leagues=_cards(db.session(), device), client_id=new_tap_id())


def _cards(session: Session, device: str | None) -> tuple[LeagueCard, ...]:
    if device is None:
        return ()
    people = (
        select(func.count())
        .where(PersonRow.league_id == LeagueRow.id, PersonRow.merged_into.is_(None), PersonRow.active)
        .scalar_subquery()
    )
    running = (
        select(SeasonRow.name)
        .where(SeasonRow.league_id == LeagueRow.id, SeasonRow.closed_at.is_(None))
        .order_by(SeasonRow.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    query = (
        select(LeagueRow.id, LeagueRow.public_id, LeagueRow.name, people, running, LeagueRow.demo)
        .where(has_role(device))
        .order_by(LeagueRow.id.desc())
    )
    rows = session.execute(query).all()
    coming = next_nights(session, [row.id for row in rows])
    return tuple(
        LeagueCard(
            public_id,
            name,
            count,
            season or "",
            demo,
            next((n.when for n in coming.get(key, ()) if not n.canceled), ""),
        )
        for key, public_id, name, count, season, demo in rows
    )


def _first(upcoming: Sequence[NextNight]) -> str:
    """Return the time and place of the first night that isn't canceled; "" if there is none."""
    return next((night.when for night in upcoming if not night.canceled), "")


def league_page(league_id: str, device: str | None) -> SimpleNamespace:
    """Return a league with its seasons. Raises `NoSuchLeagueError`."""
    session = db.session()
    row = league_at(session, league_id)
    people = select(func.count()).where(
        PersonRow.league_id == row.id, PersonRow.merged_into.is_(None), PersonRow.active
    )
    seasons = season_cards(session, row.id)
    return SimpleNamespace(
        league=head_of(row, device),
        people=session.scalar(people) or 0,
        running=tuple(season for season in seasons if season.running),
        past=tuple(season for season in seasons if not season.running),
        demo=row.demo,
        role=_(LABELS[role_of(row, device)]),
        # Whether the signed-in owner has saved the league in their account; None for any other viewer.
        in_account=_in_account(session, row, device),
        # Whether nobody could run the league anymore if this device were lost.
        only_here=role_of(row, device) is Role.OWNER and not has_owner(session, row.id),
    )


def _in_account(session: Session, row: LeagueRow, device: str | None) -> bool | None:
    account = this_account()
    if account is None or role_of(row, device) < Role.OWNER:
        return None
    return role_in(session, account, row.id) is Role.OWNER


def season_before(league_id: str, device: str | None) -> tuple[LeagueHead, dict[str, Any]]:
    """Return a league, and the initial values for the form of a new season, by field name.

    The initial values come from the league's last season. If the league has no season yet, they are the defaults.
    Raises what `owned` raises.
    """
    session = db.session()
    league = league_at(session, league_id)
    head = owned(session, league.id, device)
    query = select(SeasonRow).where(SeasonRow.league_id == league.id).order_by(SeasonRow.id.desc()).limit(1)
    last = session.scalars(query).first()
    if last is None:
        return head, as_before(
            OFFERED[0], {}, StandingSettings.for_new({}), NightPlan(), MoneySettings(), PlayoffSettings()
        )
    counting, plan = StandingSettings.for_new(last.counting), NightPlan.from_json(last.plan)
    money, playoffs = MoneySettings.from_json(last.money), PlayoffSettings.from_json(last.playoffs or {})
    return head, as_before(last.preset, last.options, counting, plan, money, playoffs)
