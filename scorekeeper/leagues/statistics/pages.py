"""View model of a player's page: their games and statistics in one season."""

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
    """"won", "lost", "tie" or "bye", in the reader's language."""
    won: bool
    sets: int
    page: PageLink | None
    """Link to the game with its hands; None for a bye."""
    sub_for: str = ""
    """The regular they played for; empty if they played for themselves."""
    sub: str = ""
    """The substitute who played for them; empty if they played themselves."""
    counts: bool = True
    """False if the season counts it for the regular or the substitute instead."""


@dataclass(frozen=True, slots=True)
class NightGames:
    """A night as it counts for the player, with its games."""

    number: int
    day: str
    page: PageLink
    """Link to the whole night, or to this page with the night's games shown if they are hidden here."""
    points: str
    per_game: str
    wins: int
    games: int
    handicap: int
    dropped: bool
    lines: tuple[GameLine, ...]


@dataclass(frozen=True, slots=True)
class RateLine:
    """A row of a player's statistics: its label, and its cells (numbers and percentages) as shown."""

    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CompanionLine:
    """A partner or an opponent, and how often the player won with or against them."""

    who: NamedLink
    rate: str


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of the games and hands that a person actually played."""

    facts: tuple[tuple[str, str], ...]
    """Name and value, such as "Games" and "12"."""
    levels: tuple[RateLine, ...]
    """Bids by amount: rate made, sets, points."""
    seats: tuple[RateLine, ...]
    """Bids by seat from the dealer: rate won, rate made."""
    points: tuple[RateLine, ...]
    """As bidder, as partner and as defender: hands, points."""
    extremes: tuple[tuple[str, tuple[CompanionLine, ...]], ...]
    """Best and worst partners and opponents, by title; empty if nobody has enough games."""
    partners: tuple[CompanionLine, ...]
    opponents: tuple[CompanionLine, ...]
    """Those met most often, most games first; likewise the partners."""
    too_few: str
    """The sentence that says how many games best and worst need."""
    percentages: str
    """The sentence that says how many games or hands a percentage needs."""


@dataclass(frozen=True, slots=True)
class PersonPage:
    league: LeagueHead
    id: str
    name: str
    nickname: str
    guest: bool
    retired: bool
    was: tuple[str, ...]
    """Other names under which the person was entered."""
    notes: str
    """The owner's notes; empty for other viewers."""
    seasons: tuple[NamedLink, ...]
    """The other seasons in which they played."""
    season: str = ""
    """Name of the season shown; empty if they played in none."""
    season_id: str = ""
    standing: tuple[tuple[str, str], ...] = ()
    """Name and value of each column of their row in the standings."""
    nights: tuple[NightGames, ...] = ()
    """Newest first."""
    all_page: PageLink | None = None
    """Link to the page with every night's games; None if this is it."""
    statistics: Statistics | None = None
