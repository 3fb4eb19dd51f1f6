"""A player's page: what games and hands say of somebody in one season."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.leagues.core.header import LeagueHead
from scorekeeper.leagues.standings.pages import NamedLink
from scorekeeper.web.links import PageLink


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game of a night, or a bye."""

    round: int
    table: int
    partners: tuple[NamedLink, ...]
    opponents: tuple[NamedLink, ...]
    score: str
    """"21–13", their own first; empty for a bye."""
    result: str
    """"won", "lost", "nobody won", "bye"."""
    won: bool
    sets: int
    page: PageLink | None
    """The game with its hands; None for a bye."""
    sub_for: str = ""
    sub: str = ""
    """Who sat there instead of them; empty where they did."""
    counts: bool = True
    """False where the season counts it for the other of the two."""


@dataclass(frozen=True, slots=True)
class NightGames:
    """A night as it counts for somebody, and the games behind it."""

    number: int
    day: str
    page: PageLink
    """The whole night, or where its games are shown if they are folded away here."""
    points: str
    per_game: str
    wins: int
    games: int
    handicap: int
    dropped: bool
    lines: tuple[GameLine, ...]


@dataclass(frozen=True, slots=True)
class RateLine:
    """A named row of numbers: a rate in words, with its number of cases."""

    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MateLine:
    """Somebody they played with or against, and how often they won then."""

    who: NamedLink
    rate: str


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the games and hands that somebody really sat through come to."""

    facts: tuple[tuple[str, str], ...]
    """Name and value: "Games", "12" …"""
    levels: tuple[RateLine, ...]
    """Bids by level: made, points."""
    seats: tuple[RateLine, ...]
    """Bids by place from the dealer: took, made."""
    points: tuple[RateLine, ...]
    """Points as bidder, as partner, as defender: hands, points."""
    company: tuple[tuple[str, tuple[MateLine, ...]], ...]
    """"Best partners" …; empty where nobody has games enough."""
    partners: tuple[MateLine, ...]
    opponents: tuple[MateLine, ...]
    """Those met most often, the one with most games first."""
    too_few: str
    """How many games it takes to be best or worst, a sentence."""
    percentages: str
    """From how many cases on a rate is a percentage, a sentence."""


@dataclass(frozen=True, slots=True)
class PersonPage:
    league: LeagueHead
    id: str
    name: str
    nickname: str
    guest: bool
    retired: bool
    was: tuple[str, ...]
    """Names that turned out to be the same person."""
    notes: str
    """The director's; empty for everybody else."""
    seasons: tuple[NamedLink, ...]
    """The seasons they played in and that are not shown."""
    season: str = ""
    """Name of the season shown; empty where they played in none."""
    season_id: str = ""
    standing: tuple[tuple[str, str], ...] = ()
    """What the row of the standings says, and the number."""
    nights: tuple[NightGames, ...] = ()
    """The newest first."""
    all_page: PageLink | None = None
    """Where the games of all nights are shown; None where they are."""
    statistics: Statistics | None = None
