"""The page on the wall: games in digits that a hall can read."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.games.pages.board import BoardPage
from scorekeeper.games.pages.common import Choice


@dataclass(frozen=True, slots=True)
class WallTable:
    """One game on the wall."""

    board: BoardPage
    """As somebody sees it who only watches."""
    digits: int
    """Characters of its longest total, the minus sign included: how large they can be drawn."""


@dataclass(frozen=True, slots=True)
class WallPage:
    """One game, or several beside one another."""

    title: str
    """Every score: "Ann and Cid 12, Bob and Dee 9"."""
    tables: tuple[WallTable, ...]
    address: str
    """Where the page asks whether anything changed."""
    version: str
    """A word that is another one when any of the games changed."""


@dataclass(frozen=True, slots=True)
class WallChoicePage:
    """The page that asks which games go on the wall."""

    choices: tuple[Choice, ...]
    """value = id, label = "Ann and Cid 12, Bob and Dee 9", hint = "Setback. Hand 7, Bob deals"."""
    typed: str
    """What was typed in the field for other games."""
    most: int
    error: str
