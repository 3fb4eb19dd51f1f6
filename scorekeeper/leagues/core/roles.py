"""What an account is to a league: who may do how much in it, and which leagues somebody sees as theirs."""

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
    """What somebody may do in a league; each may do all that those before it may."""

    NOBODY = 0
    """Reads what everybody with the address reads."""
    HELPER = 1
    """Checks people in, enters results, starts the games of tables."""
    DIRECTOR = 2
    """All of a night."""
    OWNER = 3
    """The league, its money and its people."""


LABELS: Mapping[Role, str] = {
    Role.NOBODY: N_("nobody"),
    Role.HELPER: N_("helper"),
    Role.DIRECTOR: N_("director"),
    Role.OWNER: N_("owner"),
}


INVITATION_LASTS = timedelta(days=14)


class RoleRow(Model):
    """What a director is to a league."""

    __tablename__ = "league_role"
    __table_args__ = (UniqueConstraint("league_id", "account_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    role: Mapped[str] = mapped_column(String(16))
    """Name of a `Role`, in small letters."""
    since: Mapped[datetime] = mapped_column(UTCDateTime)
    called: Mapped[str] = mapped_column(String(40))
    """Whom the owner meant who gave it, for the log, which others read; the name of the account opens something."""


class InvitationRow(Model):
    """An invitation to work for a league: it gives one account a role, once."""

    __tablename__ = "league_invitation"

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), index=True)
    secret: Mapped[str] = mapped_column(String(64), unique=True)
    """Hash of its word."""
    role: Mapped[str] = mapped_column(String(16))
    called: Mapped[str] = mapped_column(String(40))
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    """When it was used or taken back."""


def is_open(now: datetime) -> ColumnElement[bool]:
    """Return the condition on `InvitationRow` of those that give their role at that moment."""
    return and_(InvitationRow.ended_at.is_(None), InvitationRow.made_at > now - INVITATION_LASTS)


def word_of(role: Role) -> str:
    """Return what stands for a role in the score book and in forms."""
    return role.name.lower()


def role_named(word: str) -> Role:
    """Return the role that a word stands for, `NOBODY` for a word that stands for none."""
    return next((role for role in Role if word_of(role) == word), Role.NOBODY)


def leagues_of(account: int) -> Select[int]:
    """Return the query for the ids of the leagues in which an account has a role."""
    return select(RoleRow.league_id).where(RoleRow.account_id == account)


def role_in(session: Session, account: int, league: int) -> Role:
    """Return what an account is to a league, both by their ids."""
    query = select(RoleRow.role).where(RoleRow.account_id == account, RoleRow.league_id == league)
    return role_named(session.scalars(query).first() or "")


def has_owner(session: Session, league: int, *, but: int | None = None) -> bool:
    """Return whether an account owns a league (its id), besides the one of the row `but` of `league_role`."""
    query = select(RoleRow.id).where(RoleRow.league_id == league, RoleRow.role == word_of(Role.OWNER))
    return any(row != but for row in session.scalars(query))


def give_role(session: Session, account: int, league: int, role: Role, now: datetime, called: str = "") -> None:
    """Let an account have that role in a league, instead of the one it had. The caller's transaction commits it."""
    row = session.scalars(select(RoleRow).where(RoleRow.account_id == account, RoleRow.league_id == league)).first()
    if row is None:
        row = RoleRow(league_id=league, account_id=account, called=called)
        session.add(row)
    row.role, row.since = word_of(role), now
    row.called = called or row.called
