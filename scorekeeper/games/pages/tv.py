"""Models of the TV scoreboard: games in large digits."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.games.pages.board import BoardPage
from scorekeeper.games.pages.common import Choice


@dataclass(frozen=True, slots=True)
class WallTable:
    """One game on the TV."""

    board: BoardPage
    """As a watcher sees it."""
    digits: int
    """Characters of its longest total, with the minus sign: they decide the size."""


@dataclass(frozen=True, slots=True)
class WallPage:
    """One game, or several side by side."""

    title: str
    """Every score: "Ann and Cid 12, Bob and Dee 9"."""
    tables: tuple[WallTable, ...]
    address: str
    """Address where the page asks for changes."""
    version: str
    """A string that changes whenever one of the games does."""


@dataclass(frozen=True, slots=True)
class WallChoicePage:
    """Choose the games for the TV."""

    choices: tuple[Choice, ...]
    """value = id, label = "Ann and Cid 12, Bob and Dee 9", hint = "Setback. Hand 7, Bob deals"."""
    typed: str
    """Text typed in the field for other games."""
    most: int
    error: str
