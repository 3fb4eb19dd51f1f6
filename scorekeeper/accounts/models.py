"""Store directors' accounts, passkeys, sessions, known devices, and the account log.

Everything that opens an account is stored only as a hash.
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
    """Empty for a deleted account."""
    folded: Mapped[str] = mapped_column(String(160), unique=True)
    """`credentials.folded(name)`: two names that look alike are the same."""
    handle: Mapped[str] = mapped_column(String(64), unique=True)
    """Random id, the only thing that a passkey knows about the account."""
    password: Mapped[str | None] = mapped_column(String(200))
    """Argon2id hash with its parameters; None before a password was chosen."""
    recovery: Mapped[str | None] = mapped_column(String(64))
    """Hash of the printed code, which opens the account once."""
    opening: Mapped[str | None] = mapped_column(String(64), unique=True)
    """Hash of the token in the operator's link, which opens the account once."""
    opening_until: Mapped[datetime | None] = mapped_column(UTCDateTime)
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)


class SessionRow(Model):
    """A browser in which a director is or was signed in."""

    __tablename__ = "account_session"

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    secret: Mapped[str] = mapped_column(String(64), unique=True)
    """Hash of the cookie."""
    challenge: Mapped[str | None] = mapped_column(String(64), unique=True)
    """Hash of the challenge that a passkey signed, so that the answer works only once; None for a password."""
    agent: Mapped[str] = mapped_column(String(60))
    """The browser and system, in words."""
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    seen_on: Mapped[date]
    """The last day of use, in UTC."""
    ended_at: Mapped[datetime | None] = mapped_column(UTCDateTime)


class PasskeyRow(Model):
    """A passkey: its public half."""

    __tablename__ = "passkey"

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    credential: Mapped[str] = mapped_column(String(1400), unique=True)
    """Credential id, in base64url."""
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    sign_count: Mapped[int]
    site: Mapped[str] = mapped_column(String(253))
    """The domain name of the passkey; it works nowhere else."""
    agent: Mapped[str] = mapped_column(String(60))
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    used_on: Mapped[date | None]


class KnownDeviceRow(Model):
    """A device that opened an account before, so that guesses by strangers don't lock it out."""

    __tablename__ = "account_device"
    __table_args__ = (UniqueConstraint("account_id", "device"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    device: Mapped[str] = mapped_column(String(64))
    """As in `devices.this_device`."""
    since: Mapped[datetime] = mapped_column(UTCDateTime)


class AccountEventRow(Model):
    """One line of the account log: never changed, removed after `audit_log.KEPT`."""

    __tablename__ = "account_event"
    __table_args__ = (Index(None, "account_id", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    """None if nobody has the name that was entered; the name isn't stored, since it might be a password."""
    at: Mapped[datetime] = mapped_column(UTCDateTime, index=True)
    kind: Mapped[str] = mapped_column(String(40))
    """One of `audit_log.KINDS`."""
    address: Mapped[str] = mapped_column(String(43))
    """The network of the request, as in `web.request_log.network`."""
    agent: Mapped[str] = mapped_column(String(60))
