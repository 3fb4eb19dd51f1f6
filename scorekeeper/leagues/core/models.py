"""How leagues are stored: people, seasons, nights, who sat where, and a log of what was done to them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint, select
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql.elements import ColumnElement

from scorekeeper.db.database import UTCDateTime
from scorekeeper.web.extensions import Model


class LeagueRow(Model):
    """A league: its address, and the device that directs it."""

    __tablename__ = "league"
    __table_args__ = (UniqueConstraint("device", "client_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    name: Mapped[str] = mapped_column(String(60))
    device: Mapped[str] = mapped_column(String(64), index=True)
    """Hash of the device that made it, and directs it."""
    client_id: Mapped[str] = mapped_column(String(64))
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    demo: Mapped[bool]
    """Made up by `scorekeeper demo`, which can remove it again."""


class PersonRow(Model):
    """Somebody who plays in a league; a person, not an account."""

    __tablename__ = "person"

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), index=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    name: Mapped[str] = mapped_column(String(40))
    nickname: Mapped[str] = mapped_column(String(40))
    """Name used at the table, empty if they have none."""
    active: Mapped[bool]
    """False for one who is retired: offered no more, and still in every standing they earned."""
    guest: Mapped[bool]
    notes: Mapped[str] = mapped_column(String(500))
    """For the owners of the league only."""
    merged_into: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    """Who this turned out to be; everything they played counts for that person."""


class SeasonRow(Model):
    """A season: house rules and a way to count, frozen when it began."""

    __tablename__ = "season"

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), index=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    name: Mapped[str] = mapped_column(String(60))
    preset: Mapped[str] = mapped_column(String(40))
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    """What differs from the preset."""
    counting: Mapped[dict[str, Any]] = mapped_column(JSON)
    """`standings.StandingSettings` as JSON."""
    plan: Mapped[dict[str, Any]] = mapped_column(JSON)
    """What a night is unless it says otherwise: `evening.Evening` as JSON."""
    money: Mapped[dict[str, Any]] = mapped_column(JSON)
    """The season's money settings as JSON; empty where none is played for."""
    began_at: Mapped[datetime] = mapped_column(UTCDateTime)
    closed_at: Mapped[datetime | None] = mapped_column(UTCDateTime)


class NightRow(Model):
    """A league night."""

    __tablename__ = "night"
    __table_args__ = (UniqueConstraint("season_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    season_id: Mapped[int] = mapped_column(ForeignKey("season.id"))
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    number: Mapped[int]
    """1 for the first night of the season; below 1 for one that was removed."""
    day: Mapped[date]
    plan: Mapped[dict[str, Any]] = mapped_column(JSON)
    """`evening.Evening` as JSON."""
    version: Mapped[int]
    """Counts what was done to it, so that two desks notice each other."""
    bell_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    """When the bell of the round being played rang; None before it."""
    cards: Mapped[int]
    """How often the cards of its tables were made anew: those from before open nothing."""
    closed_at: Mapped[datetime | None] = mapped_column(UTCDateTime)


class PresentRow(Model):
    """Somebody who is there on a night, from one round on, perhaps up to another."""

    __tablename__ = "present"
    __table_args__ = (UniqueConstraint("night_id", "person_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    night_id: Mapped[int] = mapped_column(ForeignKey("night.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    from_round: Mapped[int]
    """The first round they can play: 1 for who was there at the start."""
    to_round: Mapped[int | None]
    """The last round they play; None for who stays."""
    sub_for: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    team: Mapped[int | None]
    """Fixed partners carry the same number."""


class TableRow(Model):
    """One table of one round, and how it ended once the night is closed."""

    __tablename__ = "league_table"
    __table_args__ = (UniqueConstraint("night_id", "round", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    night_id: Mapped[int] = mapped_column(ForeignKey("night.id"))
    round: Mapped[int]
    number: Mapped[int]
    """As it stands on the card on the table."""
    kind: Mapped[str] = mapped_column(String(16))
    """"partners", "alone" or "called", as in `schedule.TablePlan`."""
    game_id: Mapped[int | None] = mapped_column(ForeignKey("game.id"), unique=True)
    """The game that is played there; None before the first hand."""
    confirmed: Mapped[dict[str, list[int]]] = mapped_column(JSON)
    """Side (as text) to the points by side that it said are right."""
    confirmed_by: Mapped[dict[str, int] | None] = mapped_column(JSON(none_as_null=True))
    """Side (as text) to the seat of the person who said so on a phone that is not their side's."""
    dispute: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """What another phone says of the result: `settling.Dispute` as JSON; None where none says otherwise."""
    reopened: Mapped[bool | None]
    """True where the desk corrects a result that would be fixed, until it is confirmed again."""
    points: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    """By side, as the night counted them; None before it was closed."""
    winner: Mapped[int | None]
    sets: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    hands: Mapped[int | None]


class SeatRow(Model):
    """Who sat where at a table."""

    __tablename__ = "league_seat"
    __table_args__ = (UniqueConstraint("table_id", "seat"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("league_table.id"))
    seat: Mapped[int]
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    sub_for: Mapped[int | None] = mapped_column(ForeignKey("person.id"), index=True)


class ByeRow(Model):
    """Somebody who was there and had no table in a round."""

    __tablename__ = "bye"
    __table_args__ = (UniqueConstraint("night_id", "round", "person_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    night_id: Mapped[int] = mapped_column(ForeignKey("night.id"))
    round: Mapped[int]
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)


class HandRow(Model):
    """One hand of a closed night, for the pages about players; the game's log is where it comes from."""

    __tablename__ = "league_hand"
    __table_args__ = (UniqueConstraint("table_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("league_table.id"))
    number: Mapped[int]
    dealer: Mapped[int]
    bidder: Mapped[int | None]
    bid: Mapped[str | None] = mapped_column(String(8))
    made: Mapped[bool | None]
    bidding: Mapped[list[int]] = mapped_column(JSON)
    """Sides behind the bid."""
    delta: Mapped[list[int]] = mapped_column(JSON)


class TallyRow(Model):
    """What a closed night adds to the standings, summed up; its tables are where it comes from.

    It is written when the night is closed and goes when it is opened again, so no row is ever changed. A night that has
    none is read from its tables.
    """

    __tablename__ = "league_tally"

    night_id: Mapped[int] = mapped_column(ForeignKey("night.id"), primary_key=True, autoincrement=False)
    people: Mapped[list[list[Any]]] = mapped_column(JSON)
    """The sums of each person."""
    byes: Mapped[list[list[Any]]] = mapped_column(JSON)
    """Who sat out in the rounds that count."""
    tables: Mapped[list[list[Any]]] = mapped_column(JSON)
    """Who met whom, and what came of it; read only where a tie comes to that."""
    teams: Mapped[list[list[Any]]] = mapped_column(JSON)
    """The sums of all who were partners; read only where partners are fixed."""


class MoneyRow(Model):
    """Money that changed hands on a night, in cents: what came in is above zero, what was paid out below."""

    __tablename__ = "league_money"
    __table_args__ = (Index(None, "night_id", "kind"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    night_id: Mapped[int] = mapped_column(ForeignKey("night.id"))
    kind: Mapped[str] = mapped_column(String(16))
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    cents: Mapped[int]
    what: Mapped[str] = mapped_column(String(120))


class LeagueEventRow(Model):
    """One line of a league's log. Rows are added and never changed or deleted: the database sees to it.

    A line holds no name: it points to people, seasons and the league by their public ids, and what somebody wrote is in
    `LeagueTextRow`.
    """

    __tablename__ = "league_event"
    __table_args__ = (Index(None, "league_id", "id"), Index(None, "league_id", "request_key", unique=True))

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    night_id: Mapped[int | None] = mapped_column(ForeignKey("night.id"), index=True)
    at: Mapped[datetime] = mapped_column(UTCDateTime)
    device: Mapped[str] = mapped_column(String(64))
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    """Who was signed in there; None for nobody. It stays in this score book: an archive does without it."""
    kind: Mapped[str] = mapped_column(String(40))
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    """What it was before and is after, as far as the kind needs it."""
    request_key: Mapped[str | None] = mapped_column(String(64))
    """`audit_log.request_key` of the form that said so; None where no form may come twice."""


class LeagueTextRow(Model):
    """What somebody wrote, or was called, as far as a line of a league's log needs it in words.

    Names live here and not in the log, so that they can be taken away while the log only grows.
    """

    __tablename__ = "league_event_text"

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("league_event.id"), index=True)
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"), index=True)
    """Whose former name it is; None for a text in somebody's own words."""
    key: Mapped[str] = mapped_column(String(20))
    """Which of the texts of its line: "reason", "pot", "called", "name.before" …, or what stands in `data` for it."""
    text: Mapped[str] = mapped_column(String(200))


def scope_of(league: int) -> Mapping[str, ColumnElement[bool]]:
    """Return the condition on each part of `PARTS` that it belongs to the league (its id)."""
    nights = (
        select(NightRow.id).join(SeasonRow, SeasonRow.id == NightRow.season_id).where(SeasonRow.league_id == league)
    )
    return {
        "people": PersonRow.league_id == league,
        "seasons": SeasonRow.league_id == league,
        "nights": NightRow.id.in_(nights),
        "present": PresentRow.night_id.in_(nights),
        "tables": TableRow.night_id.in_(nights),
        "seats": SeatRow.table_id.in_(select(TableRow.id).where(TableRow.night_id.in_(nights))),
        "byes": ByeRow.night_id.in_(nights),
        "money": MoneyRow.night_id.in_(nights),
        "log": LeagueEventRow.league_id == league,
        "texts": LeagueTextRow.event_id.in_(select(LeagueEventRow.id).where(LeagueEventRow.league_id == league)),
    }
