"""Let only one process at a time do a job, among all processes and machines that share a database.

A lease is a row with the time when it ends. So a lease ends by itself if a process is killed or a machine is lost. A
lease doesn't depend on a connection, so leases also work behind a connection pooler.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from scorekeeper.db.database import UTCDateTime
from scorekeeper.db.retry import use_case
from scorekeeper.web.extensions import Model, writing


class LeaseRow(Model):
    """The latest lease for the job `name`. No other process may do the job before the time `until`."""

    __tablename__ = "lease"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    until: Mapped[datetime] = mapped_column(UTCDateTime)


@use_case
def take(*, name: str, lasts: timedelta, now: datetime | None = None) -> bool:
    """Try to get the lease for the job `name`. Return whether this process got the lease and may do the job.

    If this process got the lease, no other process may do the job until the time `lasts` has passed.
    """
    moment = now or datetime.now(UTC)
    with writing() as session:
        row = session.get(LeaseRow, name, with_for_update=True)
        if row is None:
            session.add(LeaseRow(name=name, until=moment + lasts))
            return True
        if row.until > moment:
            return False
        row.until = moment + lasts
        return True


@use_case
def give_back(*, name: str, now: datetime | None = None) -> None:
    """End this process's lease for the job `name`, so that another process may do the job right away."""
    with writing(in_maintenance=True) as session:
        row = session.get(LeaseRow, name, with_for_update=True)
        if row is not None:
            row.until = now or datetime.now(UTC)
