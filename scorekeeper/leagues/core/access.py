"""Who may do what with a league: the one place that decides.

Whoever knows the address of a league, a season or a night may read it. The device that made the league owns it; who is
signed in has the role there that the owner gave to the account. Each use case says which `Role` it needs.
"""

from __future__ import annotations

from typing import TypeVar

from flask import has_request_context
from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from scorekeeper.accounts.actor import this_account
from scorekeeper.leagues.core.models import LeagueRow, NightRow, PersonRow, SeasonRow
from scorekeeper.leagues.core.roles import Role, leagues_of, role_in
from scorekeeper.web.extensions import db

T = TypeVar("T")

RELEASED = "released-"
"""Begins what stands where the hash of a device does, for a league that none owns; no hash begins so."""


class NoSuchLeagueError(Exception):
    """There is no league, season, night or person at that address."""


class NotAllowedError(Exception):
    """Who asks may read that league, not do that."""

    def __init__(self, need: Role = Role.OWNER) -> None:
        """Refuse who is less than `need` to the league."""
        super().__init__(need)
        self.need = need


def role_of(league: LeagueRow, device: str | None) -> Role:
    """Return what the device (its hash, None for one that is not known) is to the league.

    Who is signed in on this request has the role of the account, but on no page that is the same for everybody: there
    nobody says which device asks. Read from the database once a request: a role that was taken away is gone with the
    next one.
    """
    if not device:
        return Role.NOBODY
    if league.device == device:
        return Role.OWNER
    account = _account()
    return Role.NOBODY if account is None else role_in(db.session(), account, league.id)


def is_released(league: LeagueRow) -> bool:
    """Return whether no device owns the league."""
    return league.device.startswith(RELEASED)


def demand(league: LeagueRow, device: str | None, need: Role) -> None:
    """Raise `NotAllowedError` where the device, or who is signed in there, is less than `need` to the league."""
    if role_of(league, device) < need:
        raise NotAllowedError(need)


def has_role(device: str) -> ColumnElement[bool]:
    """Return the condition on `LeagueRow` of leagues that the device made, or where who is signed in has a role."""
    account = _account()
    made = LeagueRow.device == device
    return made if account is None else or_(made, LeagueRow.id.in_(leagues_of(account)))


def league_at(session: Session, public_id: str) -> LeagueRow:
    """Return the league at that address; raises `NoSuchLeagueError`."""
    return _found(session.scalars(select(LeagueRow).where(LeagueRow.public_id == public_id)).first())


def season_at(session: Session, public_id: str) -> SeasonRow:
    """Return the season at that address; raises `NoSuchLeagueError`."""
    return _found(session.scalars(select(SeasonRow).where(SeasonRow.public_id == public_id)).first())


def night_at(session: Session, public_id: str) -> NightRow:
    """Return the night at that address; raises `NoSuchLeagueError`, also for one that was removed."""
    return _found(session.scalars(select(NightRow).where(NightRow.public_id == public_id, NightRow.number > 0)).first())


def person_at(session: Session, public_id: str) -> PersonRow:
    """Return the person at that address, merged or not; raises `NoSuchLeagueError`."""
    return _found(session.scalars(select(PersonRow).where(PersonRow.public_id == public_id)).first())


def take_charge(session: Session, league_id: int, device: str | None, need: Role) -> LeagueRow:
    """Return the league, locked until the end of the transaction: who changes anything in it comes through here.

    What was read of it before is read anew. Raises `NotAllowedError` for who is less than `need` to it.
    """
    league = session.get_one(LeagueRow, league_id, with_for_update=True)
    demand(league, device, need)
    return league


def _account() -> int | None:
    return this_account() if has_request_context() else None


def take_charge_of_season(
    session: Session, public_id: str, device: str | None, need: Role
) -> tuple[LeagueRow, SeasonRow]:
    """Return the league of the season at that address, as `take_charge` does, and the season, read anew.

    Raises `NoSuchLeagueError` and `NotAllowedError`.
    """
    season = season_at(session, public_id)
    league = take_charge(session, season.league_id, device, need)
    session.refresh(season)
    return league, season


def _found(row: T | None) -> T:
    if row is None:
        raise NoSuchLeagueError
    return row
