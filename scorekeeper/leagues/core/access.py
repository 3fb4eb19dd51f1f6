"""Decide who may do what in a league. No other module decides that.

Anyone with the address of a league, season or night may read it. The device that created the league owns it, unless
another device took the league over. An account has the role that an owner gave to it. Each use case states the `Role`
that it needs.
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
    """There is no league, season, night or person with this public id."""


class NotAllowedError(Exception):
    """The reader's role in the league is too low for the request."""

    def __init__(self, need: Role = Role.OWNER) -> None:
        """Store `need`, the lowest role that is allowed."""
        super().__init__(need)
        self.need = need


class TurnedOffError(Exception):
    """The operator turned the league off, so nothing in it can be changed."""

    def __init__(self, because: str) -> None:
        """Store `because`, the reason that the operator gave."""
        super().__init__(because)
        self.because = because


def role_of(league: LeagueRow, device: str | None) -> Role:
    """Return the role of the reader in a league. `device` is the hash of the reader's device, or None if unknown.

    The device that owns the league has the role `OWNER`. On any other device, the role is that of the signed-in
    account. If `device` is None, the role is `NOBODY`, even if the reader is signed in. Pages that are cached for all
    readers therefore pass None. The role is read on every request, so a removed role ends at once.
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
    """Return the SQL condition that selects the leagues that the reader helps to run.

    These are the leagues that the device `device` owns, and the leagues in which the signed-in account has a role.
    """
    account = _account()
    made = LeagueRow.device == device
    return made if account is None else or_(made, LeagueRow.id.in_(leagues_of(account)))


def league_at(session: Session, public_id: str) -> LeagueRow:
    """Return the league with the public id `public_id`. Raises `NoSuchLeagueError`."""
    return _found(session.scalars(select(LeagueRow).where(LeagueRow.public_id == public_id)).first())


def season_at(session: Session, public_id: str) -> SeasonRow:
    """Return the season with the public id `public_id`. Raises `NoSuchLeagueError`."""
    return _found(session.scalars(select(SeasonRow).where(SeasonRow.public_id == public_id)).first())


def night_at(session: Session, public_id: str) -> NightRow:
    """Return the night with the public id `public_id`. Raises `NoSuchLeagueError`, also for a removed night."""
    return _found(session.scalars(select(NightRow).where(NightRow.public_id == public_id, NightRow.number > 0)).first())


def person_at(session: Session, public_id: str) -> PersonRow:
    """Return the row of the person with this public id, even if the person was merged into another one.

    Raises `NoSuchLeagueError` if nobody has this id.
    """
    return _found(session.scalars(select(PersonRow).where(PersonRow.public_id == public_id)).first())


def take_charge(
    session: Session, league_id: int, device: str | None, need: Role, *, even_off: bool = False
) -> LeagueRow:
    """Lock a league (row id) until the transaction ends, and return it, freshly read.

    Each use case that changes a league starts with this call. Raises `NotAllowedError` if the reader's role is lower
    than `need`, and `TurnedOffError` if the operator turned the league off, unless `even_off` is true.
    """
    league = session.get_one(LeagueRow, league_id, with_for_update=True)
    demand(league, device, need)
    if not even_off:
        refuse_off(league)
    return league


def refuse_off(league: LeagueRow) -> None:
    """Raise `TurnedOffError` if the operator turned the league off."""
    if league.off_because is not None:
        raise TurnedOffError(league.off_because)


def _account() -> int | None:
    return this_account() if has_request_context() else None


def take_charge_of_season(
    session: Session, public_id: str, device: str | None, need: Role
) -> tuple[LeagueRow, SeasonRow]:
    """Lock the league of a season (public id), and return the league and the season, both freshly read.

    Raises `NoSuchLeagueError`, and what `take_charge` raises.
    """
    season = season_at(session, public_id)
    league = take_charge(session, season.league_id, device, need)
    session.refresh(season)
    return league, season


def _found(row: T | None) -> T:
    if row is None:
        raise NoSuchLeagueError
    return row
