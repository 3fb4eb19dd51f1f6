"""Decide who may do what in a league. No other module decides that.

Anyone with the address of a league, season or night may read it. The device that created the league owns it. An account
has the role that an owner gave to it. Each use case states the `Role` that it needs.
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
"""Prefix of `LeagueRow.device` if no device owns the league. No hash of a device starts with it."""


class NoSuchLeagueError(Exception):
    """No league, season, night or person has this public id."""


class NotAllowedError(Exception):
    """The reader's role is too low for this."""

    def __init__(self, need: Role = Role.OWNER) -> None:
        """Keep the role that was needed."""
        super().__init__(need)
        self.need = need


def role_of(league: LeagueRow, device: str | None) -> Role:
    """Return the role of a device (its hash, None if unknown) in a league.

    If the reader is signed in on this request, the role of the account counts. Pages shared by all readers pass None,
    so that no reader gets more than another. The role is read on every request, so a removed role ends at once.
    """
    if not device:
        return Role.NOBODY
    if league.device == device:
        return Role.OWNER
    account = _account()
    return Role.NOBODY if account is None else role_in(db.session(), account, league.id)


def is_released(league: LeagueRow) -> bool:
    """Return True if no device owns the league."""
    return league.device.startswith(RELEASED)


def demand(league: LeagueRow, device: str | None, need: Role) -> None:
    """Raise `NotAllowedError` if the device and its signed-in account both lack the role `need`."""
    if role_of(league, device) < need:
        raise NotAllowedError(need)


def has_role(device: str) -> ColumnElement[bool]:
    """Return the `LeagueRow` condition for leagues that the device or the signed-in account may run."""
    account = _account()
    made = LeagueRow.device == device
    return made if account is None else or_(made, LeagueRow.id.in_(leagues_of(account)))


def league_at(session: Session, public_id: str) -> LeagueRow:
    """Return the league with this public id. Raises `NoSuchLeagueError`."""
    return _found(session.scalars(select(LeagueRow).where(LeagueRow.public_id == public_id)).first())


def season_at(session: Session, public_id: str) -> SeasonRow:
    """Return the season with this public id. Raises `NoSuchLeagueError`."""
    return _found(session.scalars(select(SeasonRow).where(SeasonRow.public_id == public_id)).first())


def night_at(session: Session, public_id: str) -> NightRow:
    """Return the night with this public id. Raises `NoSuchLeagueError`, also for a removed night."""
    return _found(session.scalars(select(NightRow).where(NightRow.public_id == public_id, NightRow.number > 0)).first())


def person_at(session: Session, public_id: str) -> PersonRow:
    """Return the person with this public id, merged or not. Raises `NoSuchLeagueError`."""
    return _found(session.scalars(select(PersonRow).where(PersonRow.public_id == public_id)).first())


def take_charge(session: Session, league_id: int, device: str | None, need: Role) -> LeagueRow:
    """Return the league, read again and locked until the end of the transaction. Every change in a league starts here.

    Raises `NotAllowedError` if the reader's role is lower than `need`.
    """
    league = session.get_one(LeagueRow, league_id, with_for_update=True)
    demand(league, device, need)
    return league


def _account() -> int | None:
    return this_account() if has_request_context() else None


def take_charge_of_season(
    session: Session, public_id: str, device: str | None, need: Role
) -> tuple[LeagueRow, SeasonRow]:
    """Return the season with this public id, read again, and its league, locked as by `take_charge`.

    Raises `NoSuchLeagueError` or `NotAllowedError`.
    """
    season = season_at(session, public_id)
    league = take_charge(session, season.league_id, device, need)
    session.refresh(season)
    return league, season


def _found(row: T | None) -> T:
    if row is None:
        raise NoSuchLeagueError
    return row
