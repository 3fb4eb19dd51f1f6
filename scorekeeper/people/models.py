"""Define the database tables for home tables, their phones, their people and the people's photos."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from scorekeeper.db.database import UTCDateTime
from scorekeeper.web.extensions import Model

NAME_LENGTH = 40


class HomeTableRow(Model):
    """A home table, which is a group of people who play at home.

    A home table is made when a phone starts its first game.
    """

    __tablename__ = "home_table"

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    """Name of the table; empty if pages show the names of its people instead."""
    created_at: Mapped[datetime] = mapped_column(UTCDateTime)
    made_by: Mapped[str | None] = mapped_column(String(64), unique=True)
    """Hash of the token of the phone whose first table this is; None after that phone left.

    The column is unique, so that two requests at once make only one table.
    """
    origin: Mapped[str | None] = mapped_column(String(16))
    """Public id of the table in the file that it was imported from; None for a table made here."""
    shows_odds: Mapped[bool | None]
    """True if boards and TVs show the chances of winning during the table's games; None if nobody ever chose."""


class HomePhoneRow(Model):
    """A phone that belongs to a home table.

    A phone can belong to several home tables. Its current table is the one that it used last.
    """

    __tablename__ = "home_phone"
    __table_args__ = (UniqueConstraint("table_id", "device"), Index(None, "device", "used_at"))

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("home_table.id"))
    device: Mapped[str] = mapped_column(String(64))
    """Hash of the phone's token (`accounts.devices`)."""
    keeper: Mapped[bool]
    """True for the table's main phone, which adds and removes phones: it made the table, or took it over."""
    may_score: Mapped[bool]
    since: Mapped[datetime] = mapped_column(UTCDateTime)
    left_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    used_at: Mapped[datetime] = mapped_column(UTCDateTime)


class HomePhotoRow(Model):
    """The photo of a person: a JPEG file, made by `web.images`."""

    __tablename__ = "home_photo"

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    content_type: Mapped[str] = mapped_column(String(40))
    data: Mapped[bytes] = mapped_column(LargeBinary)


class HomePersonRow(Model):
    """A person who plays at a home table. Players in games refer to such a person (`PlayerRow.home_person_id`)."""

    __tablename__ = "home_person"

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("home_table.id"), index=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    color: Mapped[str] = mapped_column(String(20))
    """Key of the person's color in `people.looks.COLORS`; empty if they have none."""
    emoji: Mapped[str] = mapped_column(String(16))
    """One emoji, or empty."""
    photo_id: Mapped[int | None] = mapped_column(ForeignKey("home_photo.id"), index=True)
    joined_into: Mapped[int | None] = mapped_column(ForeignKey("home_person.id"), index=True)
    """Id of the person whom this person was merged into; None if this person wasn't merged.

    The other person is never merged into anybody. Typing the name of this person finds the other person, too.
    """
    added_at: Mapped[datetime] = mapped_column(UTCDateTime)
    hidden: Mapped[bool]
    """True for a person who no longer comes; their name is not offered for new games."""
    origin: Mapped[str | None] = mapped_column(String(16))
    """Public id of the person in the file that they were imported from; None for a person added here."""


class HomeLinkRow(Model):
    """A link with which one more phone can join a home table.

    A link can be used only once, and not after it was removed or has expired.
    """

    __tablename__ = "home_link"

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("home_table.id"), index=True)
    secret: Mapped[str] = mapped_column(String(64), unique=True)
    """Hash of the token in the address of the link."""
    may_score: Mapped[bool]
    """Whether the phone that joins may score; otherwise it can only view the table."""
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    used_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UTCDateTime)


class HomeCodeRow(Model):
    """A backup code, with which another phone can take over a home table.

    Only the latest code without `ended_at` is valid. The code itself isn't stored, because the server can calculate it
    from its secret key.
    """

    __tablename__ = "home_code"

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("home_table.id"), index=True)
    place: Mapped[str] = mapped_column(String(8), index=True)
    """First letters of the code, which are not secret. The server finds the row by them."""
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    """When the code was used, or replaced by a new one; None while it is valid."""
    used_by: Mapped[str | None] = mapped_column(String(64))
    """Hash of the token of the phone on which the code was entered; None if it was not used."""
