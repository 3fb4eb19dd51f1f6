"""Define the rows of home tables: the table, its phones, its people, their photos."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from scorekeeper.db.database import UTCDateTime
from scorekeeper.web.extensions import Model

NAME_LENGTH = 40


class HomeTableRow(Model):
    """A group that plays at home. It is made when a phone starts its first game."""

    __tablename__ = "home_table"

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    """Empty for a table that is named after its people."""
    created_at: Mapped[datetime] = mapped_column(UTCDateTime)
    made_by: Mapped[str | None] = mapped_column(String(64), unique=True)
    """Hash of the phone whose first table it is, so that two requests at once make one table; None after it left."""
    origin: Mapped[str | None] = mapped_column(String(16))
    """Public id of the table in the file that it was imported from; None for a table made here."""


class HomePhoneRow(Model):
    """A phone at a home table. A phone can be at several tables; the one it used last is its current table."""

    __tablename__ = "home_phone"
    __table_args__ = (UniqueConstraint("table_id", "device"), Index(None, "device", "used_at"))

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("home_table.id"))
    device: Mapped[str] = mapped_column(String(64))
    """Hash of the phone."""
    keeper: Mapped[bool]
    """True for the table's main phone, which adds and removes phones: it made the table, or took it over."""
    may_score: Mapped[bool]
    since: Mapped[datetime] = mapped_column(UTCDateTime)
    left_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    used_at: Mapped[datetime] = mapped_column(UTCDateTime)


class HomePhotoRow(Model):
    """The photo of a person, as `web.images` encoded it."""

    __tablename__ = "home_photo"

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    content_type: Mapped[str] = mapped_column(String(40))
    data: Mapped[bytes] = mapped_column(LargeBinary)


class HomePersonRow(Model):
    """A person who plays at a home table. The players of its games refer to it (`PlayerRow.home_person_id`)."""

    __tablename__ = "home_person"

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("home_table.id"), index=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    color: Mapped[str] = mapped_column(String(20))
    """One of `people.looks.COLORS`; empty for none."""
    emoji: Mapped[str] = mapped_column(String(16))
    """One emoji, or empty."""
    photo_id: Mapped[int | None] = mapped_column(ForeignKey("home_photo.id"), index=True)
    joined_into: Mapped[int | None] = mapped_column(ForeignKey("home_person.id"), index=True)
    """The person that this one was merged into, who is not merged into anyone. Typing this name finds that person."""
    added_at: Mapped[datetime] = mapped_column(UTCDateTime)
    hidden: Mapped[bool]
    """True for a person who no longer comes; the name is not offered for new games."""
    origin: Mapped[str | None] = mapped_column(String(16))
    """Public id of the person in the file that they were imported from; None for a person added here."""


class HomeLinkRow(Model):
    """A link that lets one more phone join a home table. It works once, unless it is removed or expires first."""

    __tablename__ = "home_link"

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("home_table.id"), index=True)
    secret: Mapped[str] = mapped_column(String(64), unique=True)
    """Hash of the token in its address."""
    may_score: Mapped[bool]
    """Whether the phone that joins may score; otherwise it can only view the table."""
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    used_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UTCDateTime)


class HomeCodeRow(Model):
    """A backup code, with which another phone can take over a home table; the latest one without `ended_at` is valid.

    The code itself is not stored: it is derived from the installation's key, as those of games are.
    """

    __tablename__ = "home_code"

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("home_table.id"), index=True)
    place: Mapped[str] = mapped_column(String(8), index=True)
    """First letters of the code, by which it is found; they are not secret."""
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    """When it was used, or replaced by another one."""
    used_by: Mapped[str | None] = mapped_column(String(64))
    """Hash of the phone on which it was entered."""
