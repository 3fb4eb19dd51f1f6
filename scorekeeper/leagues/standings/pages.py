"""View models of the standings of a season."""

from collections.abc import Mapping
from datetime import date, datetime

from msgspec import Struct

from scorekeeper.leagues.core.access import LeagueHead, SeasonCard
from scorekeeper.web.links import PageLink


class NamedLink(Struct, frozen=True):
    name: str
    page: PageLink


class StandingLine(Struct, frozen=True):
    """A row of the standings. `games_page` links to the player's page with the nights and games of the row."""

    place: str
    """The rank; empty if unranked."""
    people: tuple[NamedLink, ...]
    games_page: PageLink
    cells: tuple[str, ...]
    """The cells of the row, one for each heading."""
    tie: int
    """Which sentence of `StandingTable.ties` explains the row's tie, counted from 1; 0 if the row wasn't tied."""
    mark: str
    """Mark after the rank: "=" for a shared rank, "*" where a tie was broken, else empty."""


class StandingTable(Struct, frozen=True):
    """The standings of people, or of fixed partners, as shown on a page."""

    key: str
    """Kind of the standings: "people" or "partners"."""
    heads: tuple[str, ...]
    """Headings of the `cells` of each line."""
    lines: tuple[StandingLine, ...]
    below: tuple[StandingLine, ...]
    """The lines of unranked people or partners."""
    ties: tuple[str, ...]
    """A sentence for each tie: which rule broke it."""
    drawn: tuple[datetime | None, ...] = ()
    """For each of `ties`, when a random draw broke the tie; None if there was no draw or the night isn't closed yet."""


class TeamLine(Struct, frozen=True):
    """A team in the standings of its division. `rank` is None before the team's first match."""

    id: str
    rank: int | None
    name: str
    cells: tuple[str, ...]
    """Texts for the page: points, matches played, record (such as "3–1"), and the total point differential."""
    values: Mapping[str, int]
    """The team's numbers, by the keys of `teams.pages.COLUMNS`."""

    @property
    def place(self) -> str:
        """Return the rank as text, or an empty string if the team has none."""
        return "" if self.rank is None else str(self.rank)


class Division(Struct, frozen=True):
    name: str
    """Name of the division, empty if the season has only one."""
    lines: tuple[TeamLine, ...]
    race: tuple[str, ...]
    """A sentence for each team that has qualified, can no longer qualify, or needs something to qualify."""
    ties: tuple[str, ...]
    """A sentence for each tie that says which rule broke it."""


class NightLink(Struct, frozen=True):
    id: str
    number: int
    day: str
    closed: bool


class RacePart(Struct, frozen=True):
    """The section of the season page about who can still qualify for the playoffs.

    `lines` has one sentence for each player who has qualified, is out, or needs a certain result. `assumed` says what
    these sentences assume, or is empty.
    """

    lines: tuple[str, ...]
    assumed: str


class BracketSide(Struct, frozen=True):
    """A side in the picture of a bracket. `name` is empty while it isn't known, and `score` before it is."""

    name: str
    score: str = ""
    won: bool = False


class BracketGame(Struct, frozen=True):
    """A game or match in the picture of a bracket. `label` is "Bye", "Forfeit", "Third-place game", or empty."""

    sides: tuple[BracketSide, ...]
    label: str


class BracketRound(Struct, frozen=True):
    title: str
    games: tuple[BracketGame, ...]


class SeasonPage(Struct, frozen=True):
    league: LeagueHead
    id: str
    name: str
    closed: bool
    rules: str
    """The game and its house rules in words: "Setback to 21. Played to 31."."""
    counting: tuple[str, ...]
    """How standings work, sentence by sentence."""
    tables: tuple[StandingTable, ...]
    nights: tuple[NightLink, ...]
    """The nights of the season, newest first."""
    text: str
    """The standings as a text message that readers can share; empty before the first game."""
    after: str
    """The last night that the standings include, as in "After night 3, September 15, 2026.".

    Before the first game, a sentence that there are no games.
    """
    others: tuple[SeasonCard, ...]
    today: date
    sets_missing: str
    """Sentence with the number of tables where sets weren't entered; empty if none, or if the season needs no sets."""
    twice: bool
    """True if the season already has a night on the chosen date; the page then offers to open another one."""
    race: RacePart | None = None
    """The section about the race for the playoffs; None if the season has no playoffs."""
    champion: str = ""
    """Line that names the winner of the playoffs, or of the last night if it was a knockout; empty before that."""
    has_teams: bool = False
    """True for a season of fixed teams, which have their own page."""
    teams: tuple[Division, ...] = ()
    """The standings of the teams, which come before those of their players; () before the matches are made."""
    bracket: tuple[BracketRound, ...] = ()
    """The picture of the playoffs; () before they start."""
    error: str = ""
