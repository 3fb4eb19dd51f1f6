"""The standings of a season."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from scorekeeper.leagues.core.header import LeagueHead, SeasonCard
from scorekeeper.web.links import PageLink


@dataclass(frozen=True, slots=True)
class NamedLink:
    name: str
    page: PageLink


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A row; `games_page` is where the nights and games behind its numbers are."""

    place: str
    """Empty below the minimum of games."""
    people: tuple[NamedLink, ...]
    games_page: PageLink
    cells: tuple[str, ...]
    """One for each heading."""
    tie: int
    """Number of the line that tells about its tie, 0 where there is none."""


@dataclass(frozen=True, slots=True)
class StandingTable:
    """The standings of people, or of fixed partners."""

    key: str
    """"people" or "partners"."""
    heads: tuple[str, ...]
    """What the numbers of its rows are."""
    lines: tuple[StandingLine, ...]
    below: tuple[StandingLine, ...]
    """Those without a place."""
    ties: tuple[str, ...]
    """Which rule split each tie, a sentence."""


@dataclass(frozen=True, slots=True)
class NightLink:
    id: str
    number: int
    day: str
    closed: bool


@dataclass(frozen=True, slots=True)
class SeasonPage:
    league: LeagueHead
    id: str
    name: str
    closed: bool
    rules: str
    """"Setback to 21. Played to 31."."""
    counting: tuple[str, ...]
    """How the season is counted, sentence by sentence."""
    tables: tuple[StandingTable, ...]
    nights: tuple[NightLink, ...]
    """The newest first."""
    text: str
    """The standings for a group chat; empty before the first game."""
    after: str
    """"After night 3, September 15, 2026", or that nothing was played."""
    others: tuple[SeasonCard, ...]
    today: date
    twice: bool
    """There is a night on that day already: the page asks whether another one is wanted."""
    error: str = ""
