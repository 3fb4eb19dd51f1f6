"""Define the tables of directors' accounts, sessions, known devices, and the account log.

Everything that opens an account is stored only as a hash.
"""

from datetime import date, datetime

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from scorekeeper.db.database import UTCDateTime
from scorekeeper.web.extensions import Model


class AccountRow(Model):
    """The account of a director. Players need no account."""

    __tablename__ = "account"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    """Name of the account, as it was typed; empty if the account was deleted."""
    folded: Mapped[str] = mapped_column(String(160), unique=True)
    """The name as `credentials.folded` returns it. No two accounts may have the same folded name."""
    password: Mapped[str | None] = mapped_column(String(200))
    """Argon2id hash with its parameters; None if no password was chosen yet, or the account is locked."""
    recovery: Mapped[str | None] = mapped_column(String(64))
    """Hash of the printed code, which opens the account once; None if there is no code."""
    opening: Mapped[str | None] = mapped_column(String(64), unique=True)
    """Hash of the token in the operator's link, which opens the account once; None if there is no link."""
    opening_until: Mapped[datetime | None] = mapped_column(UTCDateTime)
    is_operator: Mapped[bool | None]
    """True for a person who runs the server, who may open the operator's page."""
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)


class SessionRow(Model):
    """A session: a browser in which a director is or was signed in."""

    __tablename__ = "account_session"

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    secret: Mapped[str] = mapped_column(String(64), unique=True)
    """Hash of the token in the cookie."""
    agent: Mapped[str] = mapped_column(String(60))
    """The browser and system, in words."""
    made_at: Mapped[datetime] = mapped_column(UTCDateTime, index=True)
    seen_on: Mapped[date]
    """Date of the last use, in UTC."""
    ended_at: Mapped[datetime | None] = mapped_column(UTCDateTime)


class KnownDeviceRow(Model):
    """A device on which a director has signed in to their account before.

    Sign-in attempts from such a device have their own limit. So too many attempts by strangers can't keep the director
    out.
    """

    __tablename__ = "account_device"
    __table_args__ = (UniqueConstraint("account_id", "device"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    device: Mapped[str] = mapped_column(String(64))
    """Hash of the device's token (`devices.this_device`)."""
    since: Mapped[datetime] = mapped_column(UTCDateTime)


class AccountEventRow(Model):
    """One line of the account log.

    A line is never changed. Each line is deleted when it is older than `audit_log.KEPT`.
    """

    __tablename__ = "account_event"
    __table_args__ = (Index(None, "account_id", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    """The account; None if no account has the typed name. The name isn't stored, since it might be a password."""
    at: Mapped[datetime] = mapped_column(UTCDateTime, index=True)
    kind: Mapped[str] = mapped_column(String(40))
    """One of `audit_log.KINDS`."""
    address: Mapped[str] = mapped_column(String(43))
    """Network of the client's address (`web.request_log.network`)."""
    agent: Mapped[str] = mapped_column(String(60))
