"""View models of the standings of a season."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from scorekeeper.leagues.core.header import LeagueHead, SeasonCard
from scorekeeper.web.links import PageLink


@dataclass(frozen=True, slots=True)
class NamedLink:
    name: str
    page: PageLink


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A row; `games_page` links to the nights and games behind its numbers."""

    place: str
    """The rank; empty if unranked."""
    people: tuple[NamedLink, ...]
    games_page: PageLink
    cells: tuple[str, ...]
    """One for each heading."""
    tie: int
    """Number of the line about its tie, 0 if there is none."""


@dataclass(frozen=True, slots=True)
class StandingTable:
    """The standings of people, or of fixed partners."""

    key: str
    """"people" or "partners"."""
    heads: tuple[str, ...]
    """Headings of the cells."""
    lines: tuple[StandingLine, ...]
    below: tuple[StandingLine, ...]
    """The unranked rows."""
    ties: tuple[str, ...]
    """A sentence for each tie: which rule broke it."""
    drawn: tuple[datetime | None, ...] = ()
    """For each tie, when it was broken by a random draw; None if it wasn't, or until the night is closed."""


@dataclass(frozen=True, slots=True)
class NightLink:
    id: str
    number: int
    day: str
    closed: bool


@dataclass(frozen=True, slots=True)
class RacePart:
    """A sentence for each player who has qualified, is out, or needs something.

    `assumed` says what these sentences take for granted.
    """

    lines: tuple[str, ...]
    assumed: str


@dataclass(frozen=True, slots=True)
class SeasonPage:
    league: LeagueHead
    id: str
    name: str
    closed: bool
    rules: str
    """"Setback to 21. Played to 31."."""
    counting: tuple[str, ...]
    """How standings work, sentence by sentence."""
    tables: tuple[StandingTable, ...]
    nights: tuple[NightLink, ...]
    """Newest first."""
    text: str
    """The standings as a message; empty before the first game."""
    after: str
    """"After night 3, September 15, 2026.", or that there are no games yet."""
    others: tuple[SeasonCard, ...]
    today: date
    sets_missing: str
    """How many tables have no sets entered, in a sentence; empty if none or if sets don't matter here."""
    twice: bool
    """There is already a night on that date: the page offers to open another one."""
    race: RacePart | None = None
    """None without playoffs."""
    has_teams: bool = False
    """It is a season of fixed teams, with a page of their own."""
    error: str = ""
