"""Make a league public or private, and change its address and how names are shown. Each function is one transaction."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.db.database import use_case
from scorekeeper.leagues.core.access import league_at, take_charge
from scorekeeper.leagues.core.models import ClubAddressRow, ClubRow, LeagueRow
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.core.unit_of_work import note
from scorekeeper.leagues.publishing.addresses import checked_slug
from scorekeeper.leagues.publishing.names import STYLES
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import writing

MOST_ADDRESSES = 10


@use_case
def save_club(*, league: str, is_open: bool, slug: str, names: str, device: str, now: datetime | None = None) -> None:
    """Save whether a league (public id) is open, its public address, and how its names are shown.

    `slug` is the readable part of the address, and `names` is a key of `STYLES`. The league's former addresses redirect
    to the new one. Raises `NoSuchLeagueError`, `NotAllowedError`, or `RuleViolation` for an address that is invalid or
    taken.
    """
    checked = checked_slug(slug)
    if names not in STYLES:
        raise RuleViolation("names", "Choose how names are shown.", field="names")
    try:
        with writing() as session:
            row = take_charge(session, league_at(session, league).id, device, Role.OWNER)
            _save(session, row, {"open": is_open, "slug": checked, "names": names}, device, now or datetime.now(UTC))
    except IntegrityError:  # somebody else took it at the same moment
        raise _taken() from None


def _save(session: Session, league: LeagueRow, club: dict[str, Any], device: str, now: datetime) -> None:
    row = session.scalars(select(ClubRow).where(ClubRow.league_id == league.id)).first()
    before = None if row is None else {"open": row.is_open, "slug": row.slug, "names": row.names}
    if club == before:
        return
    _take_address(session, league, club["slug"])
    if row is None:
        row = ClubRow(league_id=league.id)
        session.add(row)
    row.is_open, row.slug, row.names = club["open"], club["slug"], club["names"]
    note(session, league, "club_changed", device=device, now=now, before=before, **club)


def _take_address(session: Session, league: LeagueRow, slug: str) -> None:
    owner = session.scalars(select(ClubAddressRow.league_id).where(ClubAddressRow.slug == slug)).first()
    if owner == league.id:
        return
    if owner is not None:
        raise _taken()
    count = select(func.count()).where(ClubAddressRow.league_id == league.id)
    if (session.scalar(count) or 0) >= MOST_ADDRESSES:
        raise RuleViolation("slug_many", "A club can have at most 10 addresses. Use one it had before.", field="slug")
    session.add(ClubAddressRow(league_id=league.id, slug=slug))


def _taken() -> RuleViolation:
    return RuleViolation("slug_taken", "Another club has this address. Choose another one.", field="slug")
