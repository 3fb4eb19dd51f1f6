"""Create leagues; start, close and reopen seasons. Each function is one transaction."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.db.tokens import new_public_id
from scorekeeper.leagues.calendar.service import has_nights_ahead
from scorekeeper.leagues.core.access import league_at, take_charge, take_charge_of_season
from scorekeeper.leagues.core.models import LeagueRow, NightRow, SeasonRow
from scorekeeper.leagues.core.roles import Role, give_role
from scorekeeper.leagues.core.unit_of_work import note, request_key, told_before
from scorekeeper.leagues.schedule.formats.team_match import TEAM_MATCH
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.leagues.standings.playoff_settings import PlayoffSettings
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import check_name
from scorekeeper.rules.ruleset import Ruleset, differing
from scorekeeper.web.extensions import writing


@use_case
def make_league(
    *,
    name: str,
    device: str,
    client_id: str,
    account: int | None = None,
    demo: bool = False,
    now: datetime | None = None,
) -> str:
    """Create a league that belongs to `device` and to `account` (row id) if given, and return the league's public id.

    A repeated request (same `client_id`) returns the same league. Raises `RuleViolation` for an invalid name.
    """
    when = now or datetime.now(UTC)
    checked = check_name(name)
    with writing() as session:
        query = select(LeagueRow.public_id).where(LeagueRow.device == device, LeagueRow.client_id == client_id)
        made = session.scalars(query).first()
        if made is not None:
            return made
        league = LeagueRow(
            public_id=new_public_id(), name=checked, device=device, client_id=client_id, made_at=when, demo=demo
        )
        session.add(league)
        session.flush()
        note(session, league, "league_made", device=device, now=when, made=league.public_id)
        if account is not None:
            give_role(session, account, league.id, Role.OWNER, when)
        return league.public_id


@use_case
def open_season(
    *,
    league: str,
    name: str,
    rules: Ruleset,
    counting: StandingSettings,
    plan: NightPlan,
    money: Mapping[str, Any] | None = None,
    playoffs: PlayoffSettings | None = None,
    device: str,
    tap: str = "",
    now: datetime | None = None,
) -> str:
    """Start a season, lock its rules and settings, and return its public id.

    `tap` identifies the request. A repeated request with the same name returns the same season. Raises
    `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` for an invalid or taken name, or if the game can't
    be played at the planned tables.
    """
    when = now or datetime.now(UTC)
    checked = check_name(name)
    _demand_seats(rules, plan)
    with writing() as session:
        row = take_charge(session, league_at(session, league).id, device, Role.OWNER)
        key = request_key("season_opened", tap, checked)
        if earlier := told_before(session, row, key):
            return str(earlier["season"])
        _refuse_taken_name(session, row, checked)
        season = SeasonRow(
            league_id=row.id,
            public_id=new_public_id(),
            name=checked,
            preset=rules.preset,
            options=differing(PRESETS[rules.preset], rules),
            counting=counting.to_json(),
            plan=plan.to_json(),
            money=dict(money or {}),
            playoffs=None if playoffs is None else playoffs.to_json(),
            began_at=when,
        )
        session.add(season)
        note(session, row, "season_opened", device=device, now=when, key=key, season=season.public_id)
        return season.public_id


def _demand_seats(rules: Ruleset, plan: NightPlan) -> None:
    if plan.format != TEAM_MATCH.key:
        plan.check_game(rules)
    elif not any((each.players, each.kind) == (4, "partners") for each in rules.seatings):
        message = Phrase(
            "Team matches need two against two, and %(game)s isn't played that way. Choose another game or format.",
            game=rules.name,
        )
        raise RuleViolation("no_partners", message, field="format")


def _refuse_taken_name(session: Session, league: LeagueRow, name: str) -> None:
    names = session.scalars(select(SeasonRow.name).where(SeasonRow.league_id == league.id))
    if name.casefold() in (other.casefold() for other in names):
        raise RuleViolation(
            "name_twice",
            Phrase("There's already a season named “%(name)s”. Choose another name.", name=name),
            field="name",
        )


@use_case
def close_season(*, season: str, device: str, now: datetime | None = None) -> None:
    """Close a season, so that no more nights can be added.

    Raises `NoSuchLeagueError` or `NotAllowedError`. Raises `RuleViolation` if a night is open or nights are still
    planned.
    """
    when = now or datetime.now(UTC)
    with writing() as session:
        league, row = take_charge_of_season(session, season, device, Role.OWNER)
        if row.closed_at is not None:
            return
        query = select(NightRow.number).where(NightRow.season_id == row.id, NightRow.closed_at.is_(None))
        still_open = session.scalars(query).first()
        if still_open is not None:
            raise RuleViolation(
                "night_open", Phrase("Night %(number)s is still open. Close it first.", number=still_open)
            )
        if has_nights_ahead(session, row, when):
            raise RuleViolation(
                "night_planned", "Nights are still planned. Cancel or delete them in the schedule first."
            )
        row.closed_at = when
        note(session, league, "season_closed", device=device, now=when, season=row.public_id)


@use_case
def reopen_season(*, season: str, device: str, reason: str, now: datetime | None = None) -> None:
    """Reopen a closed season, and log the reason. Raises `NoSuchLeagueError` or `NotAllowedError`."""
    with writing() as session:
        league, row = take_charge_of_season(session, season, device, Role.OWNER)
        if row.closed_at is None:
            return
        row.closed_at = None
        when = now or datetime.now(UTC)
        note(session, league, "season_reopened", device=device, now=when, reason=reason, season=row.public_id)
