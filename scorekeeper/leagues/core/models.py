"""Database rows of leagues: people, seasons, nights, seats, money, the log and messages."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, String, UniqueConstraint, select
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
    """Hash of the device that owns the league: the device that created the league or took it over."""
    client_id: Mapped[str] = mapped_column(String(64))
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    demo: Mapped[bool]
    """True if the command `scorekeeper demo` made the league. The same command can remove the league."""
    off_because: Mapped[str | None] = mapped_column(String(200))
    """Why the operator turned the league off, as they typed it; None for a league that isn't turned off."""


class ClubRow(Model):
    """The public page of a league: its address and settings. A league that was never public has no such row."""

    __tablename__ = "league_club"

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), unique=True)
    slug: Mapped[str] = mapped_column(String(40), unique=True)
    """Readable part of the page's current address. `ClubAddressRow` also has the former addresses."""
    names: Mapped[str] = mapped_column(String(16))
    """How names are shown: "full", "short" or "initials"."""
    is_open: Mapped[bool] = mapped_column(index=True)


class ClubAddressRow(Model):
    """A current or former address of a club, which is a league with a public page.

    No other club can get this address, because links to the address may exist.
    """

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
    """Notes on the person, which only owners of the league see."""
    merged_into: Mapped[int | None] = mapped_column(ForeignKey("person.id"), index=True)
    """If this row is a duplicate: the person it was merged into, for whom all its games count. Otherwise None."""


class SeasonRow(Model):
    """A season, with house rules and scoring that are locked when it starts."""

    __tablename__ = "season"

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"), index=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    name: Mapped[str] = mapped_column(String(60))
    preset: Mapped[str] = mapped_column(String(40))
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    """House rules that differ from those of the preset, by key."""
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
    """Number of the night in its season, from 1. A removed night has a number below 1."""
    day: Mapped[date]
    plan: Mapped[dict[str, Any]] = mapped_column(JSON)
    """`NightPlan` as JSON."""
    version: Mapped[int]
    """Number of changes to the night. Browsers that show the night use it to notice changes made on other devices."""
    bell_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    """When the bell of the current round rang, None before that."""
    clock_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    """When the clock of the current round started, None if it isn't running. More time moves it to a later moment."""
    cards: Mapped[int]
    """How many times the table cards were replaced by new ones. Earlier cards no longer work."""
    closed_at: Mapped[datetime | None] = mapped_column(UTCDateTime)
    playoff: Mapped[bool | None]
    """True for a night of the playoffs, whose games don't count in the standings."""
    started_round: Mapped[int | None]
    """The last round that a director marked as started, because it is scored on paper; None if there is none."""


class PresentRow(Model):
    """A person who is checked in on a night, with the first and last round that they play."""

    __tablename__ = "present"
    __table_args__ = (UniqueConstraint("night_id", "person_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    night_id: Mapped[int] = mapped_column(ForeignKey("night.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    from_round: Mapped[int]
    """First round in which the person can play; 1 if they were checked in before the first round started."""
    to_round: Mapped[int | None]
    """Last round in which the person can play; None if they haven't left."""
    sub_for: Mapped[int | None] = mapped_column(ForeignKey("person.id"), index=True)
    """The regular they play for; None if they play for themselves."""
    team: Mapped[int | None]
    """Number of the person's team of fixed partners, who all have the same number. None without a fixed partner."""


class TableRow(Model):
    """One table of one round of a night. Its result is added when the night is closed."""

    __tablename__ = "league_table"
    __table_args__ = (UniqueConstraint("night_id", "round", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    night_id: Mapped[int] = mapped_column(ForeignKey("night.id"))
    round: Mapped[int]
    number: Mapped[int]
    """Number on the table card."""
    kind: Mapped[str] = mapped_column(String(16))
    """Kind of seating, as in `schedule.TablePlan`."""
    game_id: Mapped[int | None] = mapped_column(ForeignKey("game.id"), unique=True)
    """The game at this table, None before it starts."""
    confirmed: Mapped[dict[str, list[int]]] = mapped_column(JSON)
    """By number of a side (as text): the points of all sides, as this side confirmed them."""
    confirmed_by: Mapped[dict[str, int] | None] = mapped_column(JSON(none_as_null=True))
    """By number of a side (as text): the seat, from 0, of the player who confirmed for it on another side's phone."""
    dispute: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """A different result from another phone: `table_results.Dispute` as JSON, None if there is none."""
    reopened: Mapped[bool | None]
    """True while a director or helper corrects a confirmed result, until the result is confirmed again."""
    points: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    """Points by side, None until the night is closed."""
    winner: Mapped[int | None]
    sets: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    hands: Mapped[int | None]
    paper_sets: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    """How often each side was set (failed to make its bid), if entered with a final score; otherwise None."""
    forfeit: Mapped[int | None]
    """The side that forfeited the game, from 0, as long as the game ended that way; None for any other game."""


class SeatRow(Model):
    """A person's seat at a table of a night."""

    __tablename__ = "league_seat"
    __table_args__ = (UniqueConstraint("table_id", "seat"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("league_table.id"))
    seat: Mapped[int]
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    sub_for: Mapped[int | None] = mapped_column(ForeignKey("person.id"), index=True)


class ByeRow(Model):
    """A person who sits out a round of a night."""

    __tablename__ = "bye"
    __table_args__ = (UniqueConstraint("night_id", "round", "person_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    night_id: Mapped[int] = mapped_column(ForeignKey("night.id"))
    round: Mapped[int]
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    team: Mapped[int | None]
    """Number of the person's team (`PresentRow.team`) when the seating was made: the team that sits out together."""
    sub_for: Mapped[int | None] = mapped_column(ForeignKey("person.id"), index=True)
    """The regular they sit out for, or the person if for themselves; None if `PresentRow.sub_for` says so for them."""


class TotalRow(Model):
    """A person's points on a night that was imported with only the totals of each person, without tables."""

    __tablename__ = "league_total"
    __table_args__ = (UniqueConstraint("night_id", "person_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    night_id: Mapped[int] = mapped_column(ForeignKey("night.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    sub_for: Mapped[int | None] = mapped_column(ForeignKey("person.id"), index=True)
    """The regular they played for; None if they played for themselves."""
    points: Mapped[int]
    games: Mapped[int | None]
    """Number of games in which the points were scored; None if unknown, and then the night counts as one game."""
    wins: Mapped[int | None]
    losses: Mapped[int | None]
    """`wins` and `losses` are None if unknown."""


class HandRow(Model):
    """One hand of a closed night, for the statistics of players. The row is copied from the event log of the game."""

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
    """Sides that had to make the bid: the bidder's side, then a called partner's side, if any; [] if nobody bid."""
    delta: Mapped[list[int]] = mapped_column(JSON)


class TallyRow(Model):
    """The totals that a closed night adds to the standings.

    The row is added when the night is closed, and deleted when the night is reopened. It is never changed. If the row
    is missing, the totals are calculated from the tables of the night.
    """

    __tablename__ = "league_tally"

    night_id: Mapped[int] = mapped_column(ForeignKey("night.id"), primary_key=True, autoincrement=False)
    people: Mapped[list[list[Any]]] = mapped_column(JSON)
    """Totals of each person, as rows of `closed_nights.people_json`."""
    byes: Mapped[list[list[Any]]] = mapped_column(JSON)
    """The byes in the rounds that count, as rows of `closed_nights.byes_json`."""
    tables: Mapped[list[list[Any]]] = mapped_column(JSON)
    """Results of each table, as rows of `closed_nights.tables_json`; read only for the head-to-head tie-breaker."""
    teams: Mapped[list[list[Any]]] = mapped_column(JSON)
    """Totals of each set of partners, read only if the season has fixed partners."""


class MoneyRow(Model):
    """An amount of money that was received or paid out on a night, in cents. Amounts paid out are negative."""

    __tablename__ = "league_money"
    __table_args__ = (Index(None, "night_id", "kind"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    night_id: Mapped[int] = mapped_column(ForeignKey("night.id"))
    kind: Mapped[str] = mapped_column(String(16))
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"), index=True)
    cents: Mapped[int]
    what: Mapped[str] = mapped_column(String(120))


class PaymentRow(Model):
    """A payment or charge between a person and the league that isn't calculated from a night.

    Rows are only added. A wrong row is corrected by a second row with the opposite amount.
    """

    __tablename__ = "league_payment"

    id: Mapped[int] = mapped_column(primary_key=True)
    season_id: Mapped[int] = mapped_column(ForeignKey("season.id"), index=True)
    night_id: Mapped[int | None] = mapped_column(ForeignKey("night.id"), index=True)
    """The night whose entry fee was paid; None if the row isn't an entry fee."""
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    kind: Mapped[str] = mapped_column(String(16))
    """"fee" or "payment" for money that the person paid, "charge" for money that they owe (`balances.Kind`)."""
    cents: Mapped[int]
    day: Mapped[date]
    what: Mapped[str] = mapped_column(String(120))
    """A note, or empty."""
    corrects: Mapped[int | None] = mapped_column(ForeignKey("league_payment.id"), unique=True)
    """The payment that this row reverses; None for any other row."""


class SquadRow(Model):
    """A team in a season that is played by teams."""

    __tablename__ = "squad"
    __table_args__ = (UniqueConstraint("season_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    season_id: Mapped[int] = mapped_column(ForeignKey("season.id"))
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    name: Mapped[str] = mapped_column(String(40))
    division: Mapped[str] = mapped_column(String(40))
    """Name of the division, empty if the season has only one."""
    seed: Mapped[int | None]
    """Seed in the playoffs, 1 for the best; None before the playoffs are seeded, or for a team that isn't in them.

    Negative for a team that had this seed until another team replaced it.
    """


class SquadPersonRow(Model):
    """A player's membership in a team."""

    __tablename__ = "squad_person"
    __table_args__ = (UniqueConstraint("squad_id", "person_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    squad_id: Mapped[int] = mapped_column(ForeignKey("squad.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    place: Mapped[int]
    """Position in the team, 0 for the captain. If no lineup is chosen, the players with the lowest positions play."""


class FixtureRow(Model):
    """A match between two teams. Its result is not stored, because it is the sum of the results of its tables.

    The result of a forfeited match follows from the season's settings.
    """

    __tablename__ = "fixture"

    id: Mapped[int] = mapped_column(primary_key=True)
    season_id: Mapped[int] = mapped_column(ForeignKey("season.id"), index=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    stage: Mapped[int]
    """0 for a match before the playoffs; otherwise, the round of the playoffs, from 1."""
    round: Mapped[int]
    """Number of the match day, from 1. In the playoffs, it is the same as `stage`."""
    number: Mapped[int]
    """Order within the match day, from 1."""
    home_id: Mapped[int] = mapped_column(ForeignKey("squad.id"))
    away_id: Mapped[int] = mapped_column(ForeignKey("squad.id"))
    night_id: Mapped[int | None] = mapped_column(ForeignKey("night.id"), index=True)
    """The night on which the match is played; None until the night is known."""
    forfeit: Mapped[int | None]
    """The side that forfeited the match, 0 for home, 1 for visitors, or 2 for both; None if the match is played."""


class LineupRow(Model):
    """A player in the lineup that was chosen for a match.

    If no lineup is chosen, the first checked-in players of the team play.
    """

    __tablename__ = "lineup"
    __table_args__ = (UniqueConstraint("fixture_id", "side", "place"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    fixture_id: Mapped[int] = mapped_column(ForeignKey("fixture.id"))
    side: Mapped[int]
    """0 for a player of the home team, 1 for a player of the other team."""
    place: Mapped[int]
    """Place in the lineup, from 0; places 0 and 1 are partners, then 2 and 3, and so on."""
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)


class PlannedRow(Model):
    """A planned night of a season. Rows are never removed, so that calendars can show that a night was canceled."""

    __tablename__ = "planned_night"

    id: Mapped[int] = mapped_column(primary_key=True)
    season_id: Mapped[int] = mapped_column(ForeignKey("season.id"), index=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    """Public id of the planned night. It is also part of the event's UID in calendars, and never changes."""
    day: Mapped[date]
    """Date of the night, in the time zone of the season's schedule."""
    starts: Mapped[int | None]
    """When the night starts, in minutes after midnight; None if no time was set."""
    place: Mapped[str] = mapped_column(String(60))
    note: Mapped[str] = mapped_column(String(200))
    state: Mapped[str] = mapped_column(String(10))
    """State of the night: "planned", "canceled" or "deleted"."""
    sequence: Mapped[int]
    """Number of changes, for SEQUENCE in calendar files (RFC 5545)."""
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)
    changed_at: Mapped[datetime] = mapped_column(UTCDateTime)
    night_id: Mapped[int | None] = mapped_column(ForeignKey("night.id"), unique=True)
    """The night that was opened on this planned date; None before it is opened."""


class AnswerRow(Model):
    """A person's answer about whether they will come to a planned night."""

    __tablename__ = "night_answer"
    __table_args__ = (UniqueConstraint("planned_id", "person_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    planned_id: Mapped[int] = mapped_column(ForeignKey("planned_night.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    says: Mapped[str] = mapped_column(String(10))
    """The answer, a key of `replies.REPLIES`."""
    sub_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"), index=True)
    """The substitute whom the person named; None if they named nobody."""
    note: Mapped[str] = mapped_column(String(100))
    """The person's note, which only helpers, directors and owners see."""
    by_desk: Mapped[bool]
    """True if a helper, director or owner entered the answer for the person."""
    at: Mapped[datetime] = mapped_column(UTCDateTime)


class PersonalLinkRow(Model):
    """The personal link of a person, which can be revoked.

    The token of the link is derived from `serial` (see `calendar.links`).
    """

    __tablename__ = "personal_link"

    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), primary_key=True, autoincrement=False)
    serial: Mapped[int]
    """Number of links made for them so far. It never shrinks, so that a revoked link never works again."""
    active: Mapped[bool]
    made_at: Mapped[datetime] = mapped_column(UTCDateTime)


class LeagueEventRow(Model):
    """One line of a league's log. The database refuses to change or delete lines.

    A line contains the public ids of people, seasons and the league, but no names. Typed texts are in `LeagueTextRow`.
    """

    __tablename__ = "league_event"
    __table_args__ = (Index(None, "league_id", "id"), Index(None, "league_id", "request_key", unique=True))

    id: Mapped[int] = mapped_column(primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("league.id"))
    night_id: Mapped[int | None] = mapped_column(ForeignKey("night.id"), index=True)
    at: Mapped[datetime] = mapped_column(UTCDateTime)
    device: Mapped[str] = mapped_column(String(64))
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    """The signed-in account; None if nobody was signed in. Files of exported leagues don't contain this column."""
    kind: Mapped[str] = mapped_column(String(40))
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    """Details of the change, often with the values before and after. The keys depend on `kind`."""
    request_key: Mapped[str | None] = mapped_column(String(64))
    """`audit_log.request_key` of the form that made the change; None for a form that may be sent twice."""


class LeagueTextRow(Model):
    """A typed text that belongs to a line of the log, or a name before or after the renaming that the line is about.

    Lines can't be changed. The text is stored separately, so that a name can still be removed.
    """

    __tablename__ = "league_event_text"

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("league_event.id"), index=True)
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"), index=True)
    """The renamed person, if the text is one of their names; None for any other text."""
    key: Mapped[str] = mapped_column(String(20))
    """Kind of text, such as "reason", "pot" or "name.before"."""
    text: Mapped[str] = mapped_column(String(200))


class UploadRow(Model):
    """An uploaded league file that waits to be imported. It is kept for at most an hour."""

    __tablename__ = "league_upload"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(40), unique=True)
    """Key by which the file is found: two hashes, one after the other.

    The first is a hash of the device that uploaded the file. The second is a hash of that device together with the key
    in the address of the import page.
    """
    made_at: Mapped[datetime] = mapped_column(UTCDateTime, index=True)
    summary: Mapped[dict[str, Any]] = mapped_column(JSON)
    data: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)


def scope_of(league: int) -> Mapping[str, ColumnElement[bool]]:
    """Map each part of a league's archive to the SQL condition that selects the rows of the part.

    `league` is a row id. The keys are those of `archive_rows.PARTS`.
    """
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
