"""Leagues and their seasons: the list, one of them, and the page on which a season begins."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.games.pages.common import Choice, OptionField
from scorekeeper.leagues.core.header import LeagueHead, SeasonCard
from scorekeeper.leagues.money.pages import MoneyFields


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
    name: str = ""
    error: str = ""


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
    league: LeagueHead
    name: str
    presets: tuple[Choice, ...]
    preset: str
    rules: tuple[OptionField, ...]
    """House rules of that game."""
    rules_changed: int
    counting: tuple[OptionField, ...]
    evening: tuple[OptionField, ...]
    money: MoneyFields
    client_id: str
    error: str = ""
    wrong: str = ""
    """"name", or the part that the wrong field is in: "rules", "counting", "evening" or "money"."""
