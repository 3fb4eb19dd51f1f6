"""Who may do what with a league: the one place that decides.

Whoever knows the address of a league, a season or a night may read it; the device that made the league directs it, and
so does, on any device, the director who keeps it in an account and is signed in there.
"""

from __future__ import annotations

from typing import TypeVar

from flask import has_request_context
from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from scorekeeper.accounts.who import this_account
from scorekeeper.extensions import db
from scorekeeper.leagues.models import LeagueRow, NightRow, PersonRow, SeasonRow
from scorekeeper.leagues.roles import leagues_of, owns

T = TypeVar("T")


class NoSuchLeagueError(Exception):
    """There is no league, season, night or person at that address."""


class NotDirectorError(Exception):
    """This device may read that league, not do that."""


def directs(league: LeagueRow, device: str | None) -> bool:
    """Return whether the device (its hash, None for one that is not known) directs the league.

    The director who owns the league and is signed in on this request does so too, but on no page that is the same for
    everybody: there nobody says which device asks.
    """
    if not device:
        return False
    account = _account()
    return league.device == device or (account is not None and owns(db.session(), account, league.id))


def directed_by(device: str) -> ColumnElement[bool]:
    """Return the condition on `LeagueRow` of leagues that the device directs, or who is signed in on this request."""
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
    """Return the night at that address; raises `NoSuchLeagueError`."""
    return _found(session.scalars(select(NightRow).where(NightRow.public_id == public_id)).first())


def person_at(session: Session, public_id: str) -> PersonRow:
    """Return the person at that address, merged or not; raises `NoSuchLeagueError`."""
    return _found(session.scalars(select(PersonRow).where(PersonRow.public_id == public_id)).first())


def take_charge(session: Session, league_id: int, device: str | None) -> LeagueRow:
    """Return the league, locked until the end of the transaction: who changes anything in it comes through here.

    What was read of it before is read anew. Raises `NotDirectorError`.
    """
    league = session.get_one(LeagueRow, league_id, with_for_update=True)
    if not directs(league, device):
        raise NotDirectorError
    return league


def _account() -> int | None:
    return this_account() if has_request_context() else None


def take_charge_of_season(session: Session, public_id: str, device: str | None) -> tuple[LeagueRow, SeasonRow]:
    """Return the league of the season at that address, as `take_charge` does, and the season, read anew.

    Raises `NoSuchLeagueError` and `NotDirectorError`.
    """
    season = season_at(session, public_id)
    league = take_charge(session, season.league_id, device)
    session.refresh(season)
    return league, season


def _found(row: T | None) -> T:
    if row is None:
        raise NoSuchLeagueError
    return row
