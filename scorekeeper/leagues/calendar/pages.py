"""View models of the schedule, of a planned night, of a personal page, and of the personal links."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

from scorekeeper.leagues.core.header import LeagueHead


@dataclass(frozen=True, slots=True)
class NextNight:
    """A night to come, in one line."""

    id: str
    when: str
    """"Thursday, December 3, 7:00 PM, Legion Hall"."""
    day: date
    canceled: bool
    season_id: str
    season: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class PlannedLine:
    """A planned night in the schedule."""

    id: str
    when: str
    note: str
    state: str
    """"planned", "canceled" or "deleted"."""
    night_id: str
    """Public id of the night that was opened for it, or empty."""
    coming: int
    """How many said yes."""


@dataclass(frozen=True, slots=True)
class ReviewDay:
    """A date of a series before it is saved."""

    day: str
    """ISO date."""
    words: str
    taken: bool
    """The season has a night on it."""


@dataclass(frozen=True, slots=True)
class SchedulePage:
    league: LeagueHead
    id: str
    """Public id of the season."""
    season: str
    closed: bool
    zone: str
    ahead: tuple[PlannedLine, ...]
    """From today on, earliest first."""
    past: tuple[PlannedLine, ...]
    """Latest first."""
    deleted: tuple[PlannedLine, ...]
    client_id: str
    series: tuple[ReviewDay, ...] = ()
    """The dates to choose from, if a series is being planned."""
    error: str = ""
    twice: bool = False
    """There is a night on that date: the form offers to plan another one."""


@dataclass(frozen=True, slots=True)
class Invitee:
    """A player and their answer; the texts are empty without one."""

    id: str
    name: str
    sub: str = ""
    note: str = ""
    by_desk: bool = False


@dataclass(frozen=True, slots=True)
class AnswerGroup:
    """The people who gave the same answer; `key` is that of the answer, empty for those who gave none."""

    key: str
    heading: str
    people: tuple[Invitee, ...]


@dataclass(frozen=True, slots=True)
class PlannedPage:
    """A planned night. Answers are only for people with a role in the league."""

    league: LeagueHead
    id: str
    title: str
    """"Thursday, December 3"."""
    line: PlannedLine
    place: str
    time: str
    season_id: str
    season: str
    past: bool
    groups: tuple[AnswerGroup, ...]
    """Empty for readers who have no role."""
    open: bool
    """It can still be answered."""
    may_open: bool
    """A director can open it."""
    day: date
    starts: int | None
    error: str = ""
    part: str = ""
    twice: bool = False


@dataclass(frozen=True, slots=True)
class OwnNight:
    """A night on a personal page, with the answer of the person."""

    night: NextNight
    coming: int
    says: str
    """Key of the answer, or empty."""
    sub: str
    """Name of the substitute, or empty."""
    note: str
    by_desk: bool
    open_night: str
    """Public id of the night if it was opened, or empty."""
    open: bool


@dataclass(frozen=True, slots=True)
class PersonalPage:
    """The page behind a personal link."""

    league_id: str
    league: str
    name: str
    retired: bool
    nights: tuple[OwnNight, ...]
    more: int
    """How many later nights are not shown."""
    names: tuple[str, ...]
    """People who could substitute."""
    person_id: str
    token: str
    """It and `person_id` are in the address of the page."""
    calendar: str
    """Token in the address of the person's calendar."""
    error: str = ""
    about: str = ""
    """Public id of the night that the error is about."""
    saved: str = ""
    """Public id of the night whose answer was just saved."""


@dataclass(frozen=True, slots=True)
class PersonalLink:
    """A player, and the address of their personal page; empty without a link."""

    id: str
    name: str
    address: str
    code: Markup | None = None
    """A QR code of the address, as SVG, on the printed sheet."""


@dataclass(frozen=True, slots=True)
class LinksPage:
    league: LeagueHead
    with_link: tuple[PersonalLink, ...]
    without: tuple[PersonalLink, ...]
    text: str
    """All names and addresses, to copy."""
    note: str
    """A warning if other phones cannot open the links; else empty."""
    part: int = 1
    parts: int = 1
    """Which part of the printed sheet this is, and how many there are."""
