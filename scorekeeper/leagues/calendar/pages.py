"""View models of the schedule, of a planned night, of a personal page, and of the personal links."""

from datetime import date

from markupsafe import Markup
from msgspec import Struct

from scorekeeper.leagues.core.access import LeagueHead


class NextNight(Struct, frozen=True):
    """One line about an upcoming planned night, for pages that show only the next night."""

    id: str
    when: str
    """Date, time and place as text: "Thursday, December 3, 7:00 PM, Legion Hall"."""
    day: date
    canceled: bool
    season_id: str
    season: str
    note: str = ""


class PlannedLine(Struct, frozen=True):
    """A planned night as a line of the schedule."""

    id: str
    when: str
    note: str
    state: str
    """State of the night: "planned", "canceled" or "deleted"."""
    night_id: str
    """Public id of the night that was opened from this planned night; empty if none was opened yet."""
    coming: int
    """Number of people who said they are coming."""


class ReviewDay(Struct, frozen=True):
    """A date in a series of nights. The director reviews the dates before the series is saved."""

    day: str
    """The date in ISO format, such as "2026-12-03"."""
    words: str
    taken: bool
    """True if the season already has a night on this date."""


class SchedulePage(Struct, frozen=True):
    league: LeagueHead
    id: str
    """Public id of the season."""
    season: str
    closed: bool
    zone: str
    ahead: tuple[PlannedLine, ...]
    """The nights from today on, earliest first, without the deleted ones."""
    past: tuple[PlannedLine, ...]
    """The nights before today, latest first, without the deleted ones."""
    deleted: tuple[PlannedLine, ...]
    client_id: str
    series: tuple[ReviewDay, ...] = ()
    """The dates to choose from, if a series is being planned."""
    error: str = ""
    twice: bool = False
    """True if the season already has a night on the date to be planned; the form then offers to plan another one."""


class Invitee(Struct, frozen=True):
    """A player and their answer. `sub` is the name of the substitute, or "". `note` is the player's note, or "".

    `by_desk` is True if a helper entered the answer for the player.
    """

    id: str
    name: str
    sub: str = ""
    note: str = ""
    by_desk: bool = False


class AnswerGroup(Struct, frozen=True):
    """The players who gave the same answer. `key` is the key of the answer, or "" for players without an answer."""

    key: str
    heading: str
    people: tuple[Invitee, ...]


class PlannedPage(Struct, frozen=True):
    """The page of a planned night. Only people with a role in the league see the answers."""

    league: LeagueHead
    id: str
    title: str
    """The date as text: "Thursday, December 3"."""
    line: PlannedLine
    place: str
    time: str
    season_id: str
    season: str
    past: bool
    groups: tuple[AnswerGroup, ...]
    """The players by answer; empty for readers who have no role."""
    open: bool
    """True if players can still say whether they will come."""
    may_open: bool
    """True if the reader is a director and can open the night now."""
    day: date
    starts: int | None
    error: str = ""
    part: str = ""
    twice: bool = False


class OwnNight(Struct, frozen=True):
    """A night on a player's personal page, with the player's answer."""

    night: NextNight
    coming: int
    says: str
    """The player's answer, as a key of `REPLIES`; empty if the player hasn't answered."""
    sub: str
    """Name of the substitute, or empty."""
    note: str
    by_desk: bool
    open_night: str
    """Public id of the night if it was opened, or empty."""
    open: bool


class PersonalPage(Struct, frozen=True):
    """The page that a player opens with a personal link."""

    league_id: str
    league: str
    name: str
    retired: bool
    nights: tuple[OwnNight, ...]
    more: int
    """How many later nights are not shown."""
    names: tuple[str, ...]
    """Names of people who could substitute."""
    person_id: str
    token: str
    """Secret part of the page's address, after `person_id`."""
    calendar: str
    """Token in the address of the person's calendar."""
    error: str = ""
    about: str = ""
    """Public id of the night that the error is about."""
    saved: str = ""
    """Public id of the night whose answer was just saved."""


class PersonalLink(Struct, frozen=True):
    """A player, and the address of their personal page. The address is "" if the player has no link."""

    id: str
    name: str
    address: str
    code: Markup | None = None
    """A QR code of the address, as SVG, on the printed sheet."""


class LinksPage(Struct, frozen=True):
    league: LeagueHead
    with_link: tuple[PersonalLink, ...]
    without: tuple[PersonalLink, ...]
    text: str
    """All names and addresses, to copy."""
    note: str
    """A warning if other phones cannot open the links; else empty."""
    any_work: bool
    """Whether any link of the league works. Links of retired players count, though they aren't listed."""
    part: int = 1
    parts: int = 1
    """How many printed sheets the links fill. `part` is the number of this sheet, from 1."""
