"""View models of open clubs (leagues with public pages). Their pages, embeds, feed and API show these and nothing else.

People have only their public names and ids here. Seasons and nights are identified by numbers from 1, because readers
could use their public ids to find pages with full names.
"""

from collections.abc import Mapping
from datetime import date, datetime

from msgspec import Struct

from scorekeeper.i18n.sentences import number
from scorekeeper.leagues.calendar.pages import NextNight
from scorekeeper.leagues.core.access import LeagueHead
from scorekeeper.leagues.results.pages import LatestResults, NightResults
from scorekeeper.leagues.standings.pages import BracketRound, Division, StandingTable
from scorekeeper.web.csv_cells import Cell


class ClubHead(Struct, frozen=True):
    """A club as it appears in lists and at the top of its pages."""

    slug: str
    name: str


class OpenPerson(Struct, frozen=True):
    id: str
    """Opaque id (`open_ids`); it stays the same when the person is renamed."""
    name: str


class OpenSeason(Struct, frozen=True):
    number: int
    name: str
    running: bool


class OpenRow(Struct, frozen=True):
    """A row of the standings. `values` has a plain value for each column, by the key of the column."""

    rank: int | None
    people: tuple[OpenPerson, ...]
    values: Mapping[str, Cell]


class OpenTable(Struct, frozen=True):
    """The standings of people, or of fixed partners.

    `shown` has the rows as pages show them. `rows` has the same rows in the same order, with plain values.
    """

    shown: StandingTable
    rows: tuple[OpenRow, ...]


class OpenNight(Struct, frozen=True):
    """A night of a club as it appears in a list."""

    season: int
    number: int
    day: date
    day_text: str
    closed: bool


class OpenPlanned(Struct, frozen=True):
    """An upcoming planned night."""

    id: str
    """Opaque id (`open_ids`); it stays the same when the night is moved."""
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
    """Date, time and place as text: "Thursday, December 3, 7:00 PM, Legion Hall"."""

    @property
    def time(self) -> str:
        """Return the time of the night, such as "19:00"; empty if no time was set."""
        return "" if self.starts is None else f"{self.starts // 60:02}:{self.starts % 60:02}"


class SeasonStandingsPage(Struct, frozen=True):
    """A season of a club, with its standings."""

    club: ClubHead
    season: OpenSeason
    rules: str
    counting: tuple[str, ...]
    after: str
    """The last night that the standings include, in words: "After night 3, September 15, 2026."."""
    tables: tuple[OpenTable, ...]
    teams: tuple[Division, ...]
    """The standings of the teams of a team season, else ()."""
    nights: tuple[OpenNight, ...]
    """The nights of the season, newest first."""
    version: str
    champion: str = ""
    """Line that names the winner of the playoffs, or of the last night if it was a knockout; empty before that."""
    bracket: tuple[BracketRound, ...] = ()
    """The picture of the playoffs; () before they start."""

    @property
    def has_results(self) -> bool:
        """Return whether any game of the season counts."""
        return any(table.rows for table in self.tables)

    @property
    def last_night(self) -> OpenNight | None:
        """Return the last closed night of the season; None if there is none."""
        return next((night for night in self.nights if night.closed), None)

    @property
    def open_night(self) -> OpenNight | None:
        """Return the open night of the season; None if there is none."""
        return next((night for night in self.nights if not night.closed), None)


class SeasonEnd(Struct, frozen=True):
    """A closed season with its number in the club, and who won it, such as "Ann B. and Bob C."; "" if nobody did."""

    number: int
    name: str
    champions: str


class Career(Struct, frozen=True):
    """A player in all closed seasons. `record` is games won and lost, and tied if any; `best` is their best rank."""

    name: str
    titles: int
    nights: int
    record: str
    best: int | None


class AllTime(Struct, frozen=True):
    """All closed seasons of a club, newest first, and their players, those with the most titles first."""

    seasons: tuple[SeasonEnd, ...]
    players: tuple[Career, ...]


class ClubPage(Struct, frozen=True):
    """The first page of a club, with its current season and its other seasons."""

    club: ClubHead
    current: SeasonStandingsPage | None
    """The current season or, if none is in progress, the last one; None before the first season."""
    last_night: OpenNight | None
    """The last closed night of any season."""
    seasons: tuple[OpenSeason, ...]
    """All seasons, newest first."""
    schedule: tuple[OpenPlanned, ...]
    """The planned nights to come, earliest first."""
    version: str
    all_time: AllTime | None = None
    """The champions and players of all closed seasons; None before a season is closed."""
    more: tuple[SeasonStandingsPage, ...] = ()
    """The other seasons in progress that have results.

    Before the first result of any season in progress, the last season that is closed.
    """

    @property
    def shown(self) -> tuple[SeasonStandingsPage, ...]:
        """Return the seasons whose standings are on the page."""
        return (() if self.current is None else (self.current,)) + self.more

    @property
    def open_night(self) -> OpenNight | None:
        """Return the night that is open; None if there is none."""
        return next((season.open_night for season in self.shown if season.open_night), None)

    @property
    def next_nights(self) -> tuple[OpenPlanned, ...]:
        """Return the next planned night and any canceled nights before it, earliest first.

        Return () if all planned nights are canceled.
        """
        first = next((at for at, night in enumerate(self.schedule) if not night.canceled), None)
        return () if first is None else self.schedule[: first + 1]

    @property
    def others(self) -> tuple[OpenSeason, ...]:
        """Return all seasons of the club whose standings aren't on the page."""
        shown = [page.season for page in self.shown]
        return tuple(season for season in self.seasons if season not in shown)


class ClubList(Struct, frozen=True):
    """One page of the list of open clubs: all of them, or the clubs that a search found."""

    clubs: tuple[ClubHead, ...]
    count: int
    """Number of all clubs that were found, on all pages."""
    page: int
    """Number of the page, from 1."""
    more: bool


class VisitedLeague(Struct, frozen=True):
    """A league or club that this phone has visited."""

    token: str
    """Text that identifies the league or club in the phone's cookie (see `visited.visited_here`)."""
    name: str
    club: str
    """Slug of the club, empty if the league isn't open."""
    league: str
    """Public id of the league; empty if the phone only visited the club."""
    upcoming: tuple[NextNight, ...] = ()
    """The next planned night and any canceled nights before it; () if another part of the home page shows them."""
    latest: LatestResults | None = None
    """The last closed night of the league or club; None if no night has been closed yet."""


class HomeClubs(Struct, frozen=True):
    """The part of the home page about leagues and clubs."""

    visited: tuple[VisitedLeague, ...]
    clubs: tuple[ClubHead, ...]
    """The open clubs that weren't visited; empty if there are too many to list."""
    count: int
    """Number of all open clubs, including those that were visited."""


class ClubSettingsPage(Struct, frozen=True):
    """The page on which owners open their league to the public."""

    league: LeagueHead
    is_open: bool
    slug: str
    """Readable part of the club's current address; empty if the league was never open."""
    samples: tuple[tuple[str, str, str], ...]
    """For each style of names: its key, its label, and the names of a few players of the league in this style."""


class OpenPlayer(Struct, frozen=True):
    """A person at a table. `plays_for` is the regular for whom they substitute; None if they play for themselves."""

    person: OpenPerson
    plays_for: OpenPerson | None = None


class OpenSide(Struct, frozen=True):
    """One side of a card table. `index` counts from 0. `points` is None if the game hasn't started."""

    index: int
    letter: str
    players: tuple[OpenPlayer, ...]
    points: int | None
    won: bool
    team: str = ""
    """Name of the fixed team that the side plays for; empty on other nights."""
    forfeited: bool = False
    """True if the side forfeited the game, because it didn't come or left."""

    @property
    def total(self) -> str:
        """Return the side's points as text for a page; empty if the game hasn't started."""
        return "" if self.points is None else number(self.points)


class OpenGame(Struct, frozen=True):
    """A table of a round, with the score of its game but without the hands."""

    round: int
    table: int
    finished: bool
    sides: tuple[OpenSide, ...]


class OpenRound(Struct, frozen=True):
    """A round that has started. `byes` are the people who sit out."""

    number: int
    games: tuple[OpenGame, ...]
    byes: tuple[OpenPerson, ...]


class OpenNightPage(Struct, frozen=True):
    """A night of a club, with its rounds and results."""

    club: ClubHead
    season: OpenSeason
    night: OpenNight
    title: str
    """Number and date of the night: "Night 3, September 15, 2026"."""
    format: str
    rounds: tuple[OpenRound, ...]
    results: NightResults
    """The results, with public names and ids, and without links to the league's own pages."""
    teams: tuple[Division, ...]
    """The standings of the teams, if this is the last closed night of a season played by teams; () otherwise."""
    version: str


class LastNight(Struct, frozen=True):
    """The last closed night of a club. `night` is None if the club has no closed night yet."""

    club: ClubHead
    night: OpenNightPage | None


class FeedEntry(Struct, frozen=True):
    """An entry for a closed night in the feed of a club.

    `id` is a URN that never changes (`open_ids.urn`). `updated` is the time of the last change to the night, in UTC.
    """

    id: str
    updated: datetime
    page: OpenNightPage


class NightList(Struct, frozen=True):
    """One page of the list of a season's nights, newest night first. `page` is its number, counted from 1."""

    club: ClubHead
    season: OpenSeason
    nights: tuple[OpenNight, ...]
    page: int
    more: bool


class OpenSchedule(Struct, frozen=True):
    """The upcoming nights of a club, earliest first."""

    club: ClubHead
    nights: tuple[OpenPlanned, ...]
