"""The page on which a season begins."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.games.pages.common import Choice, OptionField
from scorekeeper.leagues.core.header import LeagueHead
from scorekeeper.leagues.money.pages import MoneyFields


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
