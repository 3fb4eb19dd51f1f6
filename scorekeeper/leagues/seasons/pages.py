"""View models of the list of leagues, of one league, and of the form for a new season."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.games.pages import GameFacts
from scorekeeper.games.pages.common import OptionField
from scorekeeper.leagues.core.header import LeagueHead, SeasonCard


@dataclass(frozen=True, slots=True)
class LeagueCard:
    """A league in which the viewer has a role."""

    id: str
    name: str
    people: int
    season: str
    """Name of the current season, or empty."""
    demo: bool
    next_night: str
    """When and where the next night is, or empty."""


@dataclass(frozen=True, slots=True)
class LeaguesPage:
    leagues: tuple[LeagueCard, ...]
    client_id: str


@dataclass(frozen=True, slots=True)
class LeaguePage:
    league: LeagueHead
    people: int
    running: tuple[SeasonCard, ...]
    past: tuple[SeasonCard, ...]
    demo: bool
    role: str
    """The viewer's role, in words."""
    in_account: bool | None
    """Whether the signed-in owner has saved the league in their account; None for any other viewer."""


@dataclass(frozen=True, slots=True)
class NewSeasonPage:
    """The contents of the page for starting a season, except for the form (`SeasonForm`)."""

    league: LeagueHead
    game: str
    """Name of the chosen game."""
    rules: tuple[OptionField, ...]
    """The house rules of the chosen game."""
    rules_changed: int
    client_id: str
    error: str = ""
    facts: GameFacts | None = None
    """What simulated hands say about the chosen game with its usual rules."""
