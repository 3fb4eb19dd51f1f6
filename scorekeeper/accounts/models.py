"""How directors are stored: their accounts, what they sign in with, where they are signed in, and a log of it.

Of everything that lets somebody in, the score book keeps a hash only.
"""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import ForeignKey, Index, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from scorekeeper.db.database import UTCDateTime
from scorekeeper.web.extensions import Model


class AccountRow(Model):
    """A director. Players need no account."""

    __tablename__ = "account"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    """Empty for one that was deleted."""
    folded: Mapped[str] = mapped_column(String(160), unique=True)
    """`credentials.folded(name)`: two names that look alike are one."""
    handle: Mapped[str] = mapped_column(String(64), unique=True)
    """Random, and all that a passkey knows of the account."""
    password: Mapped[str | None] = mapped_column(String(200))
    """Argon2id, with its parameters; None before one was chosen."""
    recovery: Mapped[str | None] = mapped_column(String(64))
    """Hash of the printed code, which opens the account once."""
    opening: Mapped[str | None] = mapped_column(String(64), unique=True)
    """Hash of the word in the address that the operator gave out; it opens the account once."""
    opening_until: Mapped[datetime | None] = mapped_column(UTCDateTime)
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)


class SessionRow(Model):
    """Somewhere a director is signed in, or was."""

    __tablename__ = "account_session"

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    secret: Mapped[str] = mapped_column(String(64), unique=True)
    """Hash of the cookie."""
    challenge: Mapped[str | None] = mapped_column(String(64), unique=True)
    """Hash of what a passkey signed to get in, so that the answer opens nothing twice; None for a password."""
    agent: Mapped[str] = mapped_column(String(60))
    """The browser and the system, in words."""
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    seen_on: Mapped[date]
    """The last day, in UTC, that something was asked for with it."""
    ended_at: Mapped[datetime | None] = mapped_column(UTCDateTime)


class PasskeyRow(Model):
    """A passkey: its public half."""

    __tablename__ = "passkey"

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    credential: Mapped[str] = mapped_column(String(1400), unique=True)
    """Its id, in base64url."""
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    sign_count: Mapped[int]
    site: Mapped[str] = mapped_column(String(253))
    """The domain name for which it was made; it works nowhere else."""
    agent: Mapped[str] = mapped_column(String(60))
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    used_on: Mapped[date | None]


class KnownDeviceRow(Model):
    """A device from which an account was opened before: guesses of strangers do not lock it out."""

    __tablename__ = "account_device"
    __table_args__ = (UniqueConstraint("account_id", "device"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    device: Mapped[str] = mapped_column(String(64))
    """As in `devices.this_device`."""
    since: Mapped[datetime] = mapped_column(UTCDateTime)


class AccountEventRow(Model):
    """One line of the log of sign-ins and of what changes them: added, never changed, gone after `audit_log.KEPT`."""

    __tablename__ = "account_event"
    __table_args__ = (Index(None, "account_id", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    """None where nobody has the name that was given; the name itself is not kept, it might be a password."""
    at: Mapped[datetime] = mapped_column(UTCDateTime, index=True)
    kind: Mapped[str] = mapped_column(String(40))
    """One of `audit_log.KINDS`."""
    address: Mapped[str] = mapped_column(String(43))
    """The network it came from, as `web.request_log.network` has it."""
    agent: Mapped[str] = mapped_column(String(60))
