"""Roles of accounts in leagues, and invitations to a role."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import IntEnum

from sqlalchemy import ColumnElement, ForeignKey, Select, String, UniqueConstraint, and_, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from scorekeeper.db.database import UTCDateTime
from scorekeeper.i18n.catalog import N_
from scorekeeper.web.extensions import Model


class Role(IntEnum):
    """A role in a league. Each role includes the rights of the ones before it."""

    NOBODY = 0
    """Reads the public pages."""
    HELPER = 1
    """Checks people in, enters results, starts games at tables."""
    DIRECTOR = 2
    """Runs nights."""
    OWNER = 3
    """Runs the league, its money and its people."""


LABELS: Mapping[Role, str] = {
    Role.NOBODY: N_("nobody"),
    Role.HELPER: N_("helper"),
    Role.DIRECTOR: N_("director"),
    Role.OWNER: N_("owner"),
}


INVITATION_LASTS = timedelta(days=14)


class RoleRow(Model):
    """The role of an account in a league."""

    __tablename__ = "league_role"
    __table_args__ = (UniqueConstraint("league_id", "account_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    role: Mapped[str] = mapped_column(String(16))
    """Name of a `Role` in lower case."""
    since: Mapped[datetime] = mapped_column(UTCDateTime)
    called: Mapped[str] = mapped_column(String(40))
    """Name that the owner gave, for the history. The account name stays private because it is used to sign in."""


class InvitationRow(Model):
    """An invitation that gives a role to one account, once."""

    __tablename__ = "league_invitation"

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), index=True)
    secret: Mapped[str] = mapped_column(String(64), unique=True)
    """Hash of its token."""
    role: Mapped[str] = mapped_column(String(16))
    called: Mapped[str] = mapped_column(String(40))
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    """When it was used or canceled."""


def is_open(now: datetime) -> ColumnElement[bool]:
    """Return the `InvitationRow` condition for invitations that are valid at that moment."""
    return and_(InvitationRow.ended_at.is_(None), InvitationRow.made_at > now - INVITATION_LASTS)


def word_of(role: Role) -> str:
    """Return the name of a role as the database and forms have it."""
    return role.name.lower()


def role_named(word: str) -> Role:
    """Return the role with this stored name, `NOBODY` if there is none."""
    return next((role for role in Role if word_of(role) == word), Role.NOBODY)


def leagues_of(account: int) -> Select[int]:
    """Return the query for the ids of the leagues in which the account (id) has a role."""
    return select(RoleRow.league_id).where(RoleRow.account_id == account)


def role_in(session: Session, account: int, league: int) -> Role:
    """Return the role of an account in a league (both ids)."""
    query = select(RoleRow.role).where(RoleRow.account_id == account, RoleRow.league_id == league)
    return role_named(session.scalars(query).first() or "")


def has_owner(session: Session, league: int, *, but: int | None = None) -> bool:
    """Return True if an account owns the league (id), the `RoleRow` with the id `but` left out."""
    query = select(RoleRow.id).where(RoleRow.league_id == league, RoleRow.role == word_of(Role.OWNER))
    return any(row != but for row in session.scalars(query))


def give_role(session: Session, account: int, league: int, role: Role, now: datetime, called: str = "") -> None:
    """Give an account a role in a league, in place of any other. The caller's transaction commits."""
    row = session.scalars(select(RoleRow).where(RoleRow.account_id == account, RoleRow.league_id == league)).first()
    if row is None:
        row = RoleRow(league_id=league, account_id=account, called=called)
        session.add(row)
    row.role, row.since = word_of(role), now
    row.called = called or row.called
