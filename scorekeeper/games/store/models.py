"""Define the database tables of games: event logs that only grow, and summaries of the games for lists."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from scorekeeper.db.database import UTCDateTime
from scorekeeper.people import models as _people  # noqa: F401  its tables are referred to by name
from scorekeeper.web.extensions import Model

NOTE_LENGTH = 200
"""Maximum number of characters of a note on a hand."""


class PlayerRow(Model):
    """The name of a player in games. A new name gets a new row, so the log can show the old and the new name."""

    __tablename__ = "player"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"), index=True)
    """Row id of the person of a league; None for a name that belongs to no league."""
    home_person_id: Mapped[int | None] = mapped_column(ForeignKey("home_person.id"), index=True)
    """Row id of the person of a home table; None for a player of a league."""


_DELETED = text("deleted_at IS NOT NULL")


class GameRow(Model):
    """A game: its ids, who may watch it, and a summary that is always derived from a replay of its log."""

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
    """Hash of the phone that started the game."""
    client_id: Mapped[str] = mapped_column(String(64))
    """Key of the request that started the game, so that a repeated request starts no second game."""
    started_at: Mapped[datetime] = mapped_column(UTCDateTime)
    updated_at: Mapped[datetime] = mapped_column(UTCDateTime)
    deleted_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    unwatched_since: Mapped[datetime | None] = mapped_column(UTCDateTime)
    """Time since which only phones that may score the game can see it; None if everyone with its link may watch."""
    elsewhere: Mapped[bool | None]
    """True for a game of a league night, which is not on the home page of the phone that started it; else None."""
    rematch_of: Mapped[int | None] = mapped_column(ForeignKey("game.id"), index=True)
    """Row id of the previous game of the series, if this game is a rematch; None for the first game of a series."""
    renamed: Mapped[int | None]
    """How often a name or a note on a hand was changed; None if never.

    Such a change adds no event to the log, but pages that show the game are then outdated.
    """

    home_table_id: Mapped[int | None] = mapped_column(ForeignKey("home_table.id"))
    """Row id of the home table at which the game is played; None for a game with players of a league."""
    hidden_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    """Time since which the game is hidden from the history and statistics of its home table; None if not hidden."""
    origin: Mapped[str | None] = mapped_column(String(16))
    """Public id that an imported game had in the file of its home table; None for any other game."""
    side_names: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    """Team names by side, "" for a side without one; None if no side has one."""

    preset: Mapped[str] = mapped_column(String(40))
    ruleset: Mapped[dict[str, Any]] = mapped_column(JSON)
    players: Mapped[list[int]] = mapped_column(JSON)
    """`PlayerRow` ids by seat."""
    sides: Mapped[list[list[int]]] = mapped_column(JSON)
    version: Mapped[int]
    """Number of events in the log."""
    hands: Mapped[int]
    """Number of hands that count."""
    dealer: Mapped[int]
    totals: Mapped[list[int]] = mapped_column(JSON)
    sets: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    """How often each side was set."""
    facts: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """Data for statistics (`table_games.facts_of`)."""
    over: Mapped[bool]
    winner: Mapped[int | None]
    ended_by: Mapped[str | None] = mapped_column(String(40))
    """Key of the rule that ended the game; None while the game is in progress."""


class ScoreLinkRow(Model):
    """A link that lets one more phone score a game.

    A used, removed or old link works only for phones that may already score the game.
    """

    __tablename__ = "score_link"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), index=True)
    secret: Mapped[str] = mapped_column(String(64), unique=True)
    """Hash of the token in the address of the link."""
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    used_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UTCDateTime)


class ScorerRow(Model):
    """A phone that may score a game that another phone started."""

    __tablename__ = "scorer"
    __table_args__ = (UniqueConstraint("game_id", "device"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"))
    device: Mapped[str] = mapped_column(String(64), index=True)
    seat: Mapped[int | None]
    """Seat of the phone's owner; None if unknown."""
    side: Mapped[int | None]
    """Side for which the phone last confirmed a result; None if `seat` alone decides the phone's side."""
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    """Row id of the account whose league role lets the phone score; None if a link, a card or a code lets it score."""
    since: Mapped[datetime] = mapped_column(UTCDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UTCDateTime)


class RecoveryRow(Model):
    """A backup code with which another phone can take over a game. Only the latest code of a game can be valid.

    The code itself is not stored. It is derived from the installation's secret key (`games.services.recovery`).
    """

    __tablename__ = "recovery"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), index=True)
    place: Mapped[str] = mapped_column(String(8), index=True)
    """First letters of the code, by which its row is found; they are not secret."""
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    """When the code was used, or replaced by another one; None while it is valid."""
    used_by: Mapped[str | None] = mapped_column(String(64))
    """Hash of the phone on which the code was entered; None if it was not used."""
    noted_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    """When the main phone's user said that the code is on paper; None before that."""


class NoteRow(Model):
    """A change to a game outside its event log. Rows are added and never changed or deleted."""

    __tablename__ = "game_note"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), index=True)
    at: Mapped[datetime] = mapped_column(UTCDateTime)
    device: Mapped[str] = mapped_column(String(64))
    """Hash of the phone that made the change."""
    kind: Mapped[str] = mapped_column(String(40))
    """A key of `audit.KINDS`."""
    seat: Mapped[int | None]
    """Seat of the owner of the phone that the change is about; None if unknown."""


class HandNoteRow(Model):
    """The note and the photo of a hand.

    People can change or remove notes and photos. So notes and photos are not stored as events.
    """

    __tablename__ = "hand_note"
    __table_args__ = (UniqueConstraint("game_id", "seq"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"))
    seq: Mapped[int]
    """Log position of the hand."""
    text: Mapped[str] = mapped_column(String(NOTE_LENGTH))
    """Text of the note; empty for a photo alone."""
    photo: Mapped[bytes | None] = mapped_column(LargeBinary)
    """A JPEG without metadata, as `web.images` encoded it; None without a photo."""
    photo_key: Mapped[str | None] = mapped_column(String(16))
    """Part of the photo's address, so that another photo has another address; None without a photo."""


class HouseRulesRow(Model):
    """House rules that a phone saved under a name."""

    __tablename__ = "house_rules"
    __table_args__ = (UniqueConstraint("device", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    device: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(40))
    preset: Mapped[str] = mapped_column(String(40))
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    """The options that differ from the preset."""
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
    """Log position: 1 for the first event of the game, then without gaps."""
    kind: Mapped[str] = mapped_column(String(40))
    format: Mapped[int]
    """Version of the stored format (`rules.events.VERSION` when it was written)."""
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    client_id: Mapped[str | None] = mapped_column(String(64))
    """Key of the request that caused the event; None if an earlier event of the same request has the key."""
    device: Mapped[str] = mapped_column(String(64))
    received_at: Mapped[datetime] = mapped_column(UTCDateTime)
    happened_at: Mapped[datetime] = mapped_column(UTCDateTime)
