"""Leagues and their seasons: the list, one of them, and the page on which a season begins."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.games.pages.common import OptionField
from scorekeeper.leagues.core.header import LeagueHead, SeasonCard


@dataclass(frozen=True, slots=True)
class LeagueCard:
    """A league in the list of those where who asks has a role."""

    id: str
    name: str
    people: int
    season: str
    """Name of the running season, or empty."""
    demo: bool


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
    """What who asks is to it, in words."""
    in_account: bool | None
    """Whether the director who is signed in keeps it in an account; None for whoever else looks at it."""


@dataclass(frozen=True, slots=True)
class NewSeasonPage:
    """What stands on the page of a new season beside its form."""

    league: LeagueHead
    rules: tuple[OptionField, ...]
    """House rules of the game that is chosen."""
    rules_changed: int
    client_id: str
    error: str = ""
