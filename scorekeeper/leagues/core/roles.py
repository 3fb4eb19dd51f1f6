"""Roles of accounts in leagues, and invitations to a role."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import IntEnum

from sqlalchemy import ColumnElement, ForeignKey, Select, String, UniqueConstraint, and_, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from scorekeeper.db.database import UTCDateTime
from scorekeeper.i18n.catalog import N_
from scorekeeper.web.extensions import Model


class Role(IntEnum):
    """A role in a league. Each role includes the rights of all lower roles."""

    NOBODY = 0
    """A reader without a role, who can read the pages of the league but may not help to run it."""
    HELPER = 1
    """A reader who may check people in, enter results, and start games at tables."""
    DIRECTOR = 2
    """A reader who may also run nights."""
    OWNER = 3
    """A reader who may do everything in the league, such as manage its money and its people."""


LABELS: Mapping[Role, str] = {
    Role.NOBODY: N_("nobody"),
    Role.HELPER: N_("helper"),
    Role.DIRECTOR: N_("director"),
    Role.OWNER: N_("owner"),
}


INVITATION_LASTS = timedelta(days=14)


class RoleRow(Model):
    """The role that an account has in a league."""

    __tablename__ = "league_role"
    __table_args__ = (UniqueConstraint("league_id", "account_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    role: Mapped[str] = mapped_column(String(16))
    """Name of a `Role` in lower case."""
    since: Mapped[datetime] = mapped_column(UTCDateTime)
    called: Mapped[str] = mapped_column(String(40))
    """Name that the owner gave to the person, for the league's history.

    The account name stays private because it is used to sign in.
    """


class InvitationRow(Model):
    """An invitation that gives a role to one account. An invitation can be used only once."""

    __tablename__ = "league_invitation"

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), index=True)
    secret: Mapped[str] = mapped_column(String(64), unique=True)
    """Hash of the invitation's token."""
    role: Mapped[str] = mapped_column(String(16))
    called: Mapped[str] = mapped_column(String(40))
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    """When the invitation was used or canceled; None if it is open or has expired."""


def is_open(now: datetime) -> ColumnElement[bool]:
    """Return the SQL condition that selects the invitations (`InvitationRow`) that are valid at the time `now`."""
    return and_(InvitationRow.ended_at.is_(None), InvitationRow.made_at > now - INVITATION_LASTS)


def word_of(role: Role) -> str:
    """Return the name of a role as it is stored in the database and sent by forms."""
    return role.name.lower()


def role_named(word: str) -> Role:
    """Return the role with the stored name `word`, or `NOBODY` if there is no such role."""
    return next((role for role in Role if word_of(role) == word), Role.NOBODY)


def leagues_of(account: int) -> Select[int]:
    """Return the query for the row ids of the leagues in which an account (row id) has a role."""
    return select(RoleRow.league_id).where(RoleRow.account_id == account)


def role_in(session: Session, account: int, league: int) -> Role:
    """Return the role of an account in a league (both row ids). An account without a role gets `NOBODY`."""
    query = select(RoleRow.role).where(RoleRow.account_id == account, RoleRow.league_id == league)
    return role_named(session.scalars(query).first() or "")


def has_owner(session: Session, league: int, *, but: int | None = None) -> bool:
    """Return whether an account owns a league (row id). If `but` is given, the `RoleRow` with this id is ignored."""
    query = select(RoleRow.id).where(RoleRow.league_id == league, RoleRow.role == word_of(Role.OWNER))
    return any(row != but for row in session.scalars(query))


def give_role(session: Session, account: int, league: int, role: Role, now: datetime, called: str = "") -> None:
    """Give an account a role in a league (row ids). The role replaces any earlier role.

    `called` is the name that the owner gave to the person. If it is empty, an earlier name is kept. The caller's
    transaction commits the change.
    """
    row = session.scalars(select(RoleRow).where(RoleRow.account_id == account, RoleRow.league_id == league)).first()
    if row is None:
        row = RoleRow(league_id=league, account_id=account, called=called)
        session.add(row)
    row.role, row.since = word_of(role), now
    row.called = called or row.called
