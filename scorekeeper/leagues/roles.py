"""Which account may do what in a league."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Select, String, UniqueConstraint, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from scorekeeper.database import UTCDateTime
from scorekeeper.extensions import Model

OWNER = "owner"
"""The league, its money and its people."""


class RoleRow(Model):
    """What a director is to a league."""

    __tablename__ = "league_role"
    __table_args__ = (UniqueConstraint("league_id", "account_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    role: Mapped[str] = mapped_column(String(16))
    since: Mapped[datetime] = mapped_column(UTCDateTime)


def leagues_of(account: int) -> Select[int]:
    """Return the query for the ids of the leagues that an account owns."""
    return select(RoleRow.league_id).where(RoleRow.account_id == account, RoleRow.role == OWNER)


def owns(session: Session, account: int, league: int) -> bool:
    """Return whether an account owns a league, both by their ids."""
    return session.scalars(leagues_of(account).where(RoleRow.league_id == league)).first() is not None
