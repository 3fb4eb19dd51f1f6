"""Define the tables of games: a log that only grows, and a summary of it for lists."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from scorekeeper.db.database import UTCDateTime
from scorekeeper.people import models as _people  # noqa: F401  its tables are referred to by name
from scorekeeper.web.extensions import Model

NOTE_LENGTH = 200
"""Characters of a note on a hand."""


class PlayerRow(Model):
    """A player's name in games. A person under a new name is a new row, so that the log can show both."""

    __tablename__ = "player"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"), index=True)
    """The person of a league; None for a typed name that belongs to no league."""
    home_person_id: Mapped[int | None] = mapped_column(ForeignKey("home_person.id"), index=True)
    """The person of a home table; None for a player of a league."""


_DELETED = text("deleted_at IS NOT NULL")


class GameRow(Model):
    """A game: its id, who may watch it, and a summary that is always written from a replay of its log."""

    __tablename__ = "game"
    __table_args__ = (
        UniqueConstraint("device", "client_id"),
        Index(None, "device", "updated_at"),
        Index(None, "home_table_id", "updated_at"),
        Index(None, "deleted_at", sqlite_where=_DELETED, postgresql_where=_DELETED),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    device: Mapped[str] = mapped_column(String(64))
    """Hash of the phone that started it."""
    client_id: Mapped[str] = mapped_column(String(64))
    """Key of the request that started it, so that a repeated request starts one game."""
    started_at: Mapped[datetime] = mapped_column(UTCDateTime)
    updated_at: Mapped[datetime] = mapped_column(UTCDateTime)
    deleted_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    unwatched_since: Mapped[datetime | None] = mapped_column(UTCDateTime)
    """Since when only phones that may score it see it; None if everyone with its link may watch."""
    elsewhere: Mapped[bool | None]
    """True for a game of a league night: the phone that started it does not list it."""
    rematch_of: Mapped[int | None] = mapped_column(ForeignKey("game.id"), index=True)
    """The game of which this one is a rematch, in the same series."""
    renamed: Mapped[int | None]
    """How often something beside its log changed that pages show, a name or a note on a hand; None for never."""

    home_table_id: Mapped[int | None] = mapped_column(ForeignKey("home_table.id"))
    """The home table at which it is played; None for a game with players of a league."""
    hidden_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    """Since when it is left out of the history and the statistics of its home table."""
    origin: Mapped[str | None] = mapped_column(String(16))
    """Public id of the game in the file of a home table that it was imported from; None for any other game."""
    side_names: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    """Team names by side, "" for a side without one; None if no side has one."""

    preset: Mapped[str] = mapped_column(String(40))
    ruleset: Mapped[dict[str, Any]] = mapped_column(JSON)
    players: Mapped[list[int]] = mapped_column(JSON)
    """Player ids by seat."""
    sides: Mapped[list[list[int]]] = mapped_column(JSON)
    version: Mapped[int]
    """Number of events in the log."""
    hands: Mapped[int]
    """Hands that count."""
    dealer: Mapped[int]
    totals: Mapped[list[int]] = mapped_column(JSON)
    sets: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    """How often each side was set; None for a game not changed since this column exists."""
    facts: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """What statistics need of its hands (`table_games.facts_of`); None for a game not changed since this exists."""
    over: Mapped[bool]
    winner: Mapped[int | None]
    ended_by: Mapped[str | None] = mapped_column(String(40))
    """The rule that ended it."""


class ScoreLinkRow(Model):
    """A link that lets one more phone score a game. It works once, until it is removed or too old."""

    __tablename__ = "score_link"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), index=True)
    secret: Mapped[str] = mapped_column(String(64), unique=True)
    """Hash of the token in its address."""
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    used_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UTCDateTime)


class ScorerRow(Model):
    """A phone that may score a game besides the one that started it."""

    __tablename__ = "scorer"
    __table_args__ = (UniqueConstraint("game_id", "device"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"))
    device: Mapped[str] = mapped_column(String(64), index=True)
    seat: Mapped[int | None]
    """Seat of the phone's owner; None if nobody said."""
    side: Mapped[int | None]
    """Side for which the phone speaks, if no seat was given."""
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    """Account whose league role let the phone in; None if it joined by a link, a card or a code."""
    since: Mapped[datetime] = mapped_column(UTCDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UTCDateTime)


class RecoveryRow(Model):
    """A backup code, with which another phone can take over a game; the latest one that was not ended is valid.

    The code itself is not stored: it is derived from the installation's key (`games.services.recovery`).
    """

    __tablename__ = "recovery"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), index=True)
    place: Mapped[str] = mapped_column(String(8), index=True)
    """First letters of the code, by which it is found; they are not secret."""
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    """When it was used, or replaced by another one."""
    used_by: Mapped[str | None] = mapped_column(String(64))
    """Hash of the phone that it was entered on."""


class NoteRow(Model):
    """Something that happened to a game outside its event log. Rows are added and never changed or deleted."""

    __tablename__ = "game_note"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), index=True)
    at: Mapped[datetime] = mapped_column(UTCDateTime)
    device: Mapped[str] = mapped_column(String(64))
    """Hash of the phone that did it."""
    kind: Mapped[str] = mapped_column(String(40))
    """One of `audit.KINDS`."""
    seat: Mapped[int | None]
    """Seat of the phone that it was done to; None if unknown."""


class HandNoteRow(Model):
    """What people wrote on a hand, and a photo of its cards. They can change and remove it, so it is no event."""

    __tablename__ = "hand_note"
    __table_args__ = (UniqueConstraint("game_id", "seq"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"))
    seq: Mapped[int]
    """The hand, by its place in the log."""
    text: Mapped[str] = mapped_column(String(NOTE_LENGTH))
    """Empty for a photo alone."""
    photo: Mapped[bytes | None] = mapped_column(LargeBinary)
    """A JPEG without metadata, as `web.images` encoded it."""
    photo_key: Mapped[str | None] = mapped_column(String(16))
    """Stands in the photo's address, so that another photo has another one; None without a photo."""


class HouseRulesRow(Model):
    """House rules that a phone saved under a name."""

    __tablename__ = "house_rules"
    __table_args__ = (UniqueConstraint("device", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    device: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(40))
    preset: Mapped[str] = mapped_column(String(40))
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    """What differs from the preset."""
    updated_at: Mapped[datetime] = mapped_column(UTCDateTime)


class EventRow(Model):
    """One event of a game's log. Rows are added and never changed or deleted."""

    __tablename__ = "game_event"
    __table_args__ = (
        UniqueConstraint("game_id", "seq"),
        UniqueConstraint("game_id", "client_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"))
    seq: Mapped[int]
    """1 for the first event of the game, then without gaps."""
    kind: Mapped[str] = mapped_column(String(40))
    format: Mapped[int]
    """Version of the stored format (`rules.events.VERSION` when it was written)."""
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    client_id: Mapped[str | None] = mapped_column(String(64))
    """Key of the request that caused it, on the first event of that request."""
    device: Mapped[str] = mapped_column(String(64))
    received_at: Mapped[datetime] = mapped_column(UTCDateTime)
    happened_at: Mapped[datetime] = mapped_column(UTCDateTime)
