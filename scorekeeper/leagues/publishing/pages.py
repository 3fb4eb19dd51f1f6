"""View models of open clubs. The club's pages, embeds, feed and API show these and nothing else.

People have only their public names and ids here. Seasons and nights are numbered from 1, because their public ids lead
to pages with full names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from scorekeeper.i18n.sentences import number
from scorekeeper.leagues.calendar.pages import NextNight
from scorekeeper.leagues.core.header import LeagueHead
from scorekeeper.leagues.results.pages import NightResults
from scorekeeper.leagues.standings.pages import StandingTable
from scorekeeper.leagues.teams.pages import Division, MatchLine
from scorekeeper.web.csv_cells import Cell


@dataclass(frozen=True, slots=True)
class ClubHead:
    """A club in a list, and at the top of its pages."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class OpenPerson:
    id: str
    """Opaque; it stays the same when somebody is renamed."""
    name: str


@dataclass(frozen=True, slots=True)
class OpenSeason:
    number: int
    name: str
    running: bool


@dataclass(frozen=True, slots=True)
class OpenRow:
    """A row of the standings as raw values, by the keys of `columns`."""

    rank: int | None
    people: tuple[OpenPerson, ...]
    values: Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class OpenTable:
    """The standings of people or of fixed partners: as pages show them, and as raw values in the same order."""

    shown: StandingTable
    rows: tuple[OpenRow, ...]


@dataclass(frozen=True, slots=True)
class OpenNight:
    """A night in a list."""

    season: int
    number: int
    day: date
    day_text: str
    closed: bool


@dataclass(frozen=True, slots=True)
class OpenPlanned:
    """A planned night that is still to come."""

    id: str
    """Opaque; it stays the same when the night is moved."""
    season: int
    day: date
    starts: int | None
    """Minutes after midnight on the clock in `zone`; None if no time was set."""
    zone: str
    """IANA name of the time zone."""
    place: str
    note: str
    canceled: bool
    when: str
    """"Thursday, December 3, 7:00 PM, Legion Hall"."""

    @property
    def time(self) -> str:
        """Return the time as "19:00", empty if none was set."""
        return "" if self.starts is None else f"{self.starts // 60:02}:{self.starts % 60:02}"


@dataclass(frozen=True, slots=True)
class SeasonStandingsPage:
    """A season of a club."""

    club: ClubHead
    season: OpenSeason
    rules: str
    counting: tuple[str, ...]
    after: str
    """"After night 3, September 15, 2026."."""
    tables: tuple[OpenTable, ...]
    teams: tuple[Division, ...]
    """The standings of the teams of a team season, else ()."""
    nights: tuple[OpenNight, ...]
    """Newest first."""
    version: str

    @property
    def last_night(self) -> OpenNight | None:
        """Return the last night that is closed, None if there is none."""
        return next((night for night in self.nights if night.closed), None)

    @property
    def open_night(self) -> OpenNight | None:
        """Return the open night, None if there is none."""
        return next((night for night in self.nights if not night.closed), None)


@dataclass(frozen=True, slots=True)
class ClubPage:
    """The first page of a club: its current season, and the others."""

    club: ClubHead
    current: SeasonStandingsPage | None
    """None before the first season."""
    last_night: OpenNight | None
    """The last closed night of any season."""
    seasons: tuple[OpenSeason, ...]
    """Newest first."""
    schedule: tuple[OpenPlanned, ...]
    """Earliest first."""
    version: str

    @property
    def next_nights(self) -> tuple[OpenPlanned, ...]:
        """Return the next night, after those before it that are canceled."""
        first = next((at for at, night in enumerate(self.schedule) if not night.canceled), None)
        return () if first is None else self.schedule[: first + 1]

    @property
    def others(self) -> tuple[OpenSeason, ...]:
        """Return the seasons except the current one."""
        return tuple(season for season in self.seasons if self.current is None or season != self.current.season)


@dataclass(frozen=True, slots=True)
class ClubList:
    """A page of the open clubs found by a search, or of all."""

    clubs: tuple[ClubHead, ...]
    count: int
    """Of all that were found."""
    page: int
    """From 1."""
    more: bool


@dataclass(frozen=True, slots=True)
class VisitedLeague:
    """A league or club that this phone has visited."""

    token: str
    """Its mark in the phone's cookie."""
    name: str
    club: str
    """Slug of the club, empty if the league isn't open."""
    league: str
    """Public id of the league; empty if the phone only visited the club."""
    upcoming: tuple[NextNight, ...] = ()
    """Its next planned night, after those before it that are canceled; () if the page shows it elsewhere."""


@dataclass(frozen=True, slots=True)
class HomeClubs:
    """The part of the home page about leagues."""

    visited: tuple[VisitedLeague, ...]
    clubs: tuple[ClubHead, ...]
    """The open clubs that weren't visited; empty if there are too many to list."""
    count: int
    """Of all open clubs."""


@dataclass(frozen=True, slots=True)
class ClubSettingsPage:
    """The page on which owners open their league."""

    league: LeagueHead
    is_open: bool
    slug: str
    """The current address, empty if the league was never open."""
    samples: tuple[tuple[str, str, str], ...]
    """For each style of names: its key, its label, and how a player of the league is shown."""


@dataclass(frozen=True, slots=True)
class OpenPlayer:
    """A person at a table; `plays_for` is the regular they play for, None if they play for themselves."""

    person: OpenPerson
    plays_for: OpenPerson | None = None


@dataclass(frozen=True, slots=True)
class OpenSide:
    """A side of a table; `points` is None before its game was started."""

    index: int
    letter: str
    players: tuple[OpenPlayer, ...]
    points: int | None
    won: bool

    @property
    def total(self) -> str:
        """Return the side's points as a page shows them; empty before the game was started."""
        return "" if self.points is None else number(self.points)


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A table of a round, with its score and without its hands."""

    round: int
    table: int
    finished: bool
    sides: tuple[OpenSide, ...]


@dataclass(frozen=True, slots=True)
class OpenRound:
    """A round that was started; `byes` are the people sitting out."""

    number: int
    games: tuple[OpenGame, ...]
    byes: tuple[OpenPerson, ...]


@dataclass(frozen=True, slots=True)
class OpenNightPage:
    """A night of a club with its rounds."""

    club: ClubHead
    season: OpenSeason
    night: OpenNight
    title: str
    """"Night 3, September 15, 2026"."""
    format: str
    rounds: tuple[OpenRound, ...]
    results: NightResults
    """With public names and ids, and without links to the league's own pages."""
    matches: tuple[MatchLine, ...]
    """Of a team season, with their scores once the night is closed; else ()."""
    teams: tuple[Division, ...]
    """The standings of teams after the last closed night of a team season; () for other nights."""
    version: str


@dataclass(frozen=True, slots=True)
class LastNight:
    """The last night of a club that is over, None before the first."""

    club: ClubHead
    night: OpenNightPage | None


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """A night that is over, in the feed.

    `id` is a URN that stays, `updated` is when the night was last changed (UTC).
    """

    id: str
    updated: datetime
    page: OpenNightPage


@dataclass(frozen=True, slots=True)
class FeedPage:
    """The feed of a club, the newest night first."""

    club: ClubHead
    id: str
    updated: datetime
    entries: tuple[FeedEntry, ...]


@dataclass(frozen=True, slots=True)
class NightList:
    """A page of the nights of a season, newest first; `page` from 1."""

    club: ClubHead
    season: OpenSeason
    nights: tuple[OpenNight, ...]
    page: int
    more: bool


@dataclass(frozen=True, slots=True)
class OpenSchedule:
    """The nights to come of a club, earliest first."""

    club: ClubHead
    nights: tuple[OpenPlanned, ...]
