"""Database rows of leagues: people, seasons, nights, seats, money, the log and messages."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, Text, UniqueConstraint, select
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.sql.elements import ColumnElement

from scorekeeper.db.database import UTCDateTime
from scorekeeper.web.extensions import Model


class LeagueRow(Model):
    """A league and the device that owns it."""

    __tablename__ = "league"
    __table_args__ = (UniqueConstraint("device", "client_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    name: Mapped[str] = mapped_column(String(60))
    device: Mapped[str] = mapped_column(String(64), index=True)
    """Hash of the device that runs it: the one that created the league or took it over."""
    client_id: Mapped[str] = mapped_column(String(64))
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    demo: Mapped[bool]
    """True if `scorekeeper demo` made it. That command can also remove it."""


class ClubRow(Model):
    """How a league shows itself to the public. A league that was never open has no row."""

    __tablename__ = "league_club"

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), unique=True)
    slug: Mapped[str] = mapped_column(String(40), unique=True)
    """Readable part of its address. Its former ones are in `ClubAddressRow`, too."""
    names: Mapped[str] = mapped_column(String(16))
    """How names are shown: "full", "short" or "initials"."""
    is_open: Mapped[bool] = mapped_column(index=True)


class ClubAddressRow(Model):
    """An address that a club has or had. No other club gets it, because links lead there."""

    __tablename__ = "league_club_address"

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), index=True)
    slug: Mapped[str] = mapped_column(String(40), unique=True)


class PersonRow(Model):
    """A player of a league. Players need no account."""

    __tablename__ = "person"

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), index=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    name: Mapped[str] = mapped_column(String(40))
    nickname: Mapped[str] = mapped_column(String(40))
    """Name used at the table, empty if they have none."""
    active: Mapped[bool]
    """False for a retired player, who is hidden at check-in and keeps all results."""
    guest: Mapped[bool]
    notes: Mapped[str] = mapped_column(String(500))
    """Only for owners of the league."""
    merged_into: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    """The person this duplicate was merged into. All games count for that person."""


class SeasonRow(Model):
    """A season, with house rules and scoring that are locked when it starts."""

    __tablename__ = "season"

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), index=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    name: Mapped[str] = mapped_column(String(60))
    preset: Mapped[str] = mapped_column(String(40))
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    """Options that differ from the preset."""
    counting: Mapped[dict[str, Any]] = mapped_column(JSON)
    """`StandingSettings` as JSON."""
    plan: Mapped[dict[str, Any]] = mapped_column(JSON)
    """Usual format of a night: `NightPlan` as JSON."""
    money: Mapped[dict[str, Any]] = mapped_column(JSON)
    """`MoneySettings` as JSON; empty if no money is involved."""
    playoffs: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """`PlayoffSettings` as JSON, None if there are none."""
    schedule: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """`ScheduleSettings` as JSON, None until a night is planned."""
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
    """1 for the first night of the season; below 1 for a removed night."""
    day: Mapped[date]
    plan: Mapped[dict[str, Any]] = mapped_column(JSON)
    """`NightPlan` as JSON."""
    version: Mapped[int]
    """Number of changes, so that two open desks notice each other."""
    bell_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    """When the bell of the current round rang, None before that."""
    cards: Mapped[int]
    """How often new table cards were made. Older cards no longer work."""
    closed_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    playoff: Mapped[bool | None]
    """True for a night of the play-offs, whose games don't count in the standings."""


class PresentRow(Model):
    """A person checked in on a night, with their first and last round."""

    __tablename__ = "present"
    __table_args__ = (UniqueConstraint("night_id", "person_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    night_id: Mapped[int] = mapped_column(ForeignKey("night.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    from_round: Mapped[int]
    """First round they can play; 1 if they were there at the start."""
    to_round: Mapped[int | None]
    """Last round they played, None if they are still there."""
    sub_for: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    """The regular they play for."""
    team: Mapped[int | None]
    """Fixed partners have the same number."""


class TableRow(Model):
    """One table of one round, with its result once the night is closed."""

    __tablename__ = "league_table"
    __table_args__ = (UniqueConstraint("night_id", "round", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    night_id: Mapped[int] = mapped_column(ForeignKey("night.id"))
    round: Mapped[int]
    number: Mapped[int]
    """Number on the table card."""
    kind: Mapped[str] = mapped_column(String(16))
    """"partners", "alone" or "called", as in `schedule.TablePlan`."""
    game_id: Mapped[int | None] = mapped_column(ForeignKey("game.id"), unique=True)
    """The game at this table, None before it starts."""
    confirmed: Mapped[dict[str, list[int]]] = mapped_column(JSON)
    """From a side (as text) to the points by side that it confirmed."""
    confirmed_by: Mapped[dict[str, int] | None] = mapped_column(JSON(none_as_null=True))
    """From a side (as text) to the seat of the person who confirmed on another side's phone."""
    dispute: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """A different result from another phone: `table_results.Dispute` as JSON, None if there is none."""
    reopened: Mapped[bool | None]
    """True while the desk corrects a confirmed result, until it is confirmed again."""
    points: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    """Points by side, None until the night is closed."""
    winner: Mapped[int | None]
    sets: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    hands: Mapped[int | None]
    paper_sets: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    """Sets by side, entered with a final score; None if nobody entered them."""


class SeatRow(Model):
    """A person in a seat of a table."""

    __tablename__ = "league_seat"
    __table_args__ = (UniqueConstraint("table_id", "seat"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("league_table.id"))
    seat: Mapped[int]
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    sub_for: Mapped[int | None] = mapped_column(ForeignKey("person.id"), index=True)


class ByeRow(Model):
    """A person sitting out a round."""

    __tablename__ = "bye"
    __table_args__ = (UniqueConstraint("night_id", "round", "person_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    night_id: Mapped[int] = mapped_column(ForeignKey("night.id"))
    round: Mapped[int]
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)


class TotalRow(Model):
    """What a person scored on an imported night of which only totals are known, and no tables."""

    __tablename__ = "league_total"
    __table_args__ = (UniqueConstraint("night_id", "person_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    night_id: Mapped[int] = mapped_column(ForeignKey("night.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    sub_for: Mapped[int | None] = mapped_column(ForeignKey("person.id"), index=True)
    """The regular they played for."""
    points: Mapped[int]
    games: Mapped[int | None]
    """Games behind the points, None if unknown. The night then counts as one game."""
    wins: Mapped[int | None]
    losses: Mapped[int | None]
    """Both None if unknown."""


class HandRow(Model):
    """One hand of a closed night, for the pages about players. It is copied from the event log of the game."""

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
    """Sides that made the bid."""
    delta: Mapped[list[int]] = mapped_column(JSON)


class TallyRow(Model):
    """Totals that a closed night adds to the standings, calculated from its tables.

    The row is written when the night is closed and deleted when it is reopened, and never changed. A night without one
    is read from its tables.
    """

    __tablename__ = "league_tally"

    night_id: Mapped[int] = mapped_column(ForeignKey("night.id"), primary_key=True, autoincrement=False)
    people: Mapped[list[list[Any]]] = mapped_column(JSON)
    """Totals of each person."""
    byes: Mapped[list[list[Any]]] = mapped_column(JSON)
    """People sitting out, for the rounds that count."""
    tables: Mapped[list[list[Any]]] = mapped_column(JSON)
    """Results by table, read only for the head-to-head tie-breaker."""
    teams: Mapped[list[list[Any]]] = mapped_column(JSON)
    """Totals of each pair of partners, read only for fixed partners."""


class MoneyRow(Model):
    """Money of a night in cents: above zero if it came in, below zero if it was paid out."""

    __tablename__ = "league_money"
    __table_args__ = (Index(None, "night_id", "kind"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    night_id: Mapped[int] = mapped_column(ForeignKey("night.id"))
    kind: Mapped[str] = mapped_column(String(16))
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    cents: Mapped[int]
    what: Mapped[str] = mapped_column(String(120))


class PaymentRow(Model):
    """Money between a person and the league: a payment or a charge that no night calculates.

    Rows are only added. A wrong one is corrected by another with the same amount below zero.
    """

    __tablename__ = "league_payment"

    id: Mapped[int] = mapped_column(primary_key=True)
    season_id: Mapped[int] = mapped_column(ForeignKey("season.id"), index=True)
    night_id: Mapped[int | None] = mapped_column(ForeignKey("night.id"), index=True)
    """The night whose entry fee was paid; None for everything else."""
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    kind: Mapped[str] = mapped_column(String(16))
    """"fee" or "payment" for what came in, "charge" for what is owed, as in `balances.Kind`."""
    cents: Mapped[int]
    day: Mapped[date]
    what: Mapped[str] = mapped_column(String(120))
    """A note, or empty."""
    corrects: Mapped[int | None] = mapped_column(ForeignKey("league_payment.id"), unique=True)
    """The row that this one takes back."""


class SquadRow(Model):
    """A team of a team season."""

    __tablename__ = "squad"
    __table_args__ = (UniqueConstraint("season_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    season_id: Mapped[int] = mapped_column(ForeignKey("season.id"))
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    name: Mapped[str] = mapped_column(String(40))
    division: Mapped[str] = mapped_column(String(40))
    """Name of the division, empty if the season has only one."""
    seed: Mapped[int | None]
    """Seed in the play-offs, 1 for the best; None before they were drawn, or if it isn't in them.

    Below zero for a team that had this seed until another team took its place.
    """


class SquadPersonRow(Model):
    """A player of a team."""

    __tablename__ = "squad_person"
    __table_args__ = (UniqueConstraint("squad_id", "person_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    squad_id: Mapped[int] = mapped_column(ForeignKey("squad.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    place: Mapped[int]
    """0 for the captain; the first ones play if nobody chooses a lineup."""


class FixtureRow(Model):
    """A match of two teams. Its result is added up from its tables, and not stored."""

    __tablename__ = "fixture"

    id: Mapped[int] = mapped_column(primary_key=True)
    season_id: Mapped[int] = mapped_column(ForeignKey("season.id"), index=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    stage: Mapped[int]
    """0 in the season, else the round of the play-offs."""
    round: Mapped[int]
    """Number of the match day, from 1; in the play-offs as `stage`."""
    number: Mapped[int]
    """Order within the match day, from 1."""
    home_id: Mapped[int] = mapped_column(ForeignKey("squad.id"))
    away_id: Mapped[int] = mapped_column(ForeignKey("squad.id"))
    night_id: Mapped[int | None] = mapped_column(ForeignKey("night.id"), index=True)
    """The night on which it is played, None while that isn't known."""


class LineupRow(Model):
    """A player of a chosen lineup; without any, the first players of the team who are there play."""

    __tablename__ = "lineup"
    __table_args__ = (UniqueConstraint("fixture_id", "side", "place"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    fixture_id: Mapped[int] = mapped_column(ForeignKey("fixture.id"))
    side: Mapped[int]
    """0 for the home team, 1 for the other."""
    place: Mapped[int]
    """From 0; places 0 and 1 are partners, then 2 and 3, and so on."""
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)


class PlannedRow(Model):
    """A planned night of a season. It is never removed, so that calendars learn that it is off."""

    __tablename__ = "planned_night"

    id: Mapped[int] = mapped_column(primary_key=True)
    season_id: Mapped[int] = mapped_column(ForeignKey("season.id"), index=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    """Also the stable part of its UID in calendars."""
    day: Mapped[date]
    """In the time zone of the season's schedule."""
    starts: Mapped[int | None]
    """Minutes after midnight, None if no time was set."""
    place: Mapped[str] = mapped_column(String(60))
    note: Mapped[str] = mapped_column(String(200))
    state: Mapped[str] = mapped_column(String(10))
    """"planned", "canceled" or "deleted"."""
    sequence: Mapped[int]
    """Number of changes, as RFC 5545 counts them."""
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    changed_at: Mapped[datetime] = mapped_column(UTCDateTime)
    night_id: Mapped[int | None] = mapped_column(ForeignKey("night.id"), unique=True)
    """The night that was opened for it."""


class AnswerRow(Model):
    """A person's answer whether they come to a planned night."""

    __tablename__ = "night_answer"
    __table_args__ = (UniqueConstraint("planned_id", "person_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    planned_id: Mapped[int] = mapped_column(ForeignKey("planned_night.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    says: Mapped[str] = mapped_column(String(10))
    """A key of `replies.REPLIES`."""
    sub_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"), index=True)
    """The substitute they named, if any."""
    note: Mapped[str] = mapped_column(String(100))
    """Only for helpers and directors."""
    by_desk: Mapped[bool]
    """A helper entered it for them."""
    at: Mapped[datetime] = mapped_column(UTCDateTime)


class PersonalLinkRow(Model):
    """Whether a person has a personal link. Its token is derived from `serial`; see `calendar.links`."""

    __tablename__ = "personal_link"

    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), primary_key=True, autoincrement=False)
    serial: Mapped[int]
    """Number of links made for them so far. It never shrinks, so that a revoked link stays dead."""
    active: Mapped[bool]
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)


class LeagueEventRow(Model):
    """One line of a league's log. The database refuses to change or delete lines.

    A line has public ids of people, seasons and the league, and no names. Typed texts are in `LeagueTextRow`.
    """

    __tablename__ = "league_event"
    __table_args__ = (Index(None, "league_id", "id"), Index(None, "league_id", "request_key", unique=True))

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    night_id: Mapped[int | None] = mapped_column(ForeignKey("night.id"), index=True)
    at: Mapped[datetime] = mapped_column(UTCDateTime)
    device: Mapped[str] = mapped_column(String(64))
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    """The signed-in account, None if nobody was signed in. It is not exported."""
    kind: Mapped[str] = mapped_column(String(40))
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    """Details by kind of line, often with the values before and after."""
    request_key: Mapped[str | None] = mapped_column(String(64))
    """`audit_log.request_key` of the form, None if it may be sent twice."""


class LeagueTextRow(Model):
    """A typed text or a former name that belongs to a line of the log.

    It is not in the line itself, so that a name can be removed although lines never change.
    """

    __tablename__ = "league_event_text"

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("league_event.id"), index=True)
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"), index=True)
    """The person whose former name it is, None for a typed text."""
    key: Mapped[str] = mapped_column(String(20))
    """Key of the text: "reason", "pot", "called", "name.before" …, or the placeholder in `data`."""
    text: Mapped[str] = mapped_column(String(200))


class WebhookRow(Model):
    """An address outside of this server to which a league sends messages. It is not exported."""

    __tablename__ = "league_webhook"

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), index=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    kind: Mapped[str] = mapped_column(String(16))
    """Key in `outbox.channels.KINDS`."""
    address: Mapped[str] = mapped_column(String(500))
    """Anyone who has it can post there, so it is shown shortened and never logged."""
    secret: Mapped[str] = mapped_column(String(64))
    """Key of the signature."""
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)


class SubscriberRow(Model):
    """A player's mail address. Nothing but a question is sent there until they confirm it. It is not exported."""

    __tablename__ = "league_mail"
    __table_args__ = (UniqueConstraint("league_id", "address"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    address: Mapped[str] = mapped_column(String(254))
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    confirmed_at: Mapped[datetime | None] = mapped_column(UTCDateTime)


class OutboxRow(Model):
    """One message to one recipient. It is not exported."""

    __tablename__ = "league_outbox"
    __table_args__ = (
        UniqueConstraint("night_id", "kind", "edition", "recipient"),
        Index("ix_league_outbox_state_channel_next_at", "state", "channel", "next_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), index=True)
    night_id: Mapped[int | None] = mapped_column(ForeignKey("night.id"))
    """None for a test or for the question that confirms a mail address."""
    kind: Mapped[str] = mapped_column(String(16))
    edition: Mapped[int]
    """`Draft.edition`: after a correction of the results or the schedule, a message may be sent again."""
    channel: Mapped[str] = mapped_column(String(8))
    """"mail" or "webhook"."""
    recipient: Mapped[str] = mapped_column(String(16), index=True)
    """`public_id` of the webhook or of the mail address, which may be gone."""
    subject: Mapped[str] = mapped_column(String(200))
    text: Mapped[str] = mapped_column(Text)
    """Empty unless it waits or is being sent."""
    site: Mapped[str] = mapped_column(String(200))
    """Address of this server as the director's browser had it, without a slash at the end."""
    state: Mapped[str] = mapped_column(String(10))
    """"waiting", "sending", "sent", "failed", "unknown" or "canceled"."""
    attempts: Mapped[int]
    next_at: Mapped[datetime] = mapped_column(UTCDateTime)
    """When it may be sent, or when the last attempt began."""
    error: Mapped[str] = mapped_column(String(40))
    """Key in `outbox.outcome.ERRORS`, and the status after a colon; empty if nothing went wrong."""


def scope_of(league: int) -> Mapping[str, ColumnElement[bool]]:
    """Return the condition, for each part of `archive_rows.PARTS`, that a row belongs to the league (id)."""
    nights = (
        select(NightRow.id).join(SeasonRow, SeasonRow.id == NightRow.season_id).where(SeasonRow.league_id == league)
    )
    seasons = select(SeasonRow.id).where(SeasonRow.league_id == league)
    squads = select(SquadRow.id).where(SquadRow.season_id.in_(seasons))
    fixtures = select(FixtureRow.id).where(FixtureRow.season_id.in_(seasons))
    planned = select(PlannedRow.id).join(SeasonRow, SeasonRow.id == PlannedRow.season_id)
    return {
        "club": ClubRow.league_id == league,
        "club_addresses": ClubAddressRow.league_id == league,
        "people": PersonRow.league_id == league,
        "seasons": SeasonRow.league_id == league,
        "nights": NightRow.id.in_(nights),
        "present": PresentRow.night_id.in_(nights),
        "tables": TableRow.night_id.in_(nights),
        "seats": SeatRow.table_id.in_(select(TableRow.id).where(TableRow.night_id.in_(nights))),
        "byes": ByeRow.night_id.in_(nights),
        "totals": TotalRow.night_id.in_(nights),
        "money": MoneyRow.night_id.in_(nights),
        "payments": PaymentRow.season_id.in_(select(SeasonRow.id).where(SeasonRow.league_id == league)),
        "squads": SquadRow.season_id.in_(seasons),
        "squad_people": SquadPersonRow.squad_id.in_(squads),
        "fixtures": FixtureRow.season_id.in_(seasons),
        "lineups": LineupRow.fixture_id.in_(fixtures),
        "planned": PlannedRow.season_id.in_(select(SeasonRow.id).where(SeasonRow.league_id == league)),
        "answers": AnswerRow.planned_id.in_(planned.where(SeasonRow.league_id == league)),
        "log": LeagueEventRow.league_id == league,
        "texts": LeagueTextRow.event_id.in_(select(LeagueEventRow.id).where(LeagueEventRow.league_id == league)),
    }
