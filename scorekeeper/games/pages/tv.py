"""Models of the TV scoreboard: games in large digits."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.games.pages.board import BoardPage
from scorekeeper.games.pages.common import Choice


@dataclass(frozen=True, slots=True)
class WallTable:
    """One game on the TV."""

    board: BoardPage
    """The live page of the game, as a watcher sees it."""
    digits: int
    """Length of the longest total in characters, with the minus sign; the size of the digits depends on it."""


@dataclass(frozen=True, slots=True)
class WallPage:
    """The TV page with one game, or with several games side by side."""

    title: str
    """The scores of all games: "Ann and Cid 12, Bob and Dee 9"."""
    tables: tuple[WallTable, ...]
    address: str
    """Address that the page polls for changes."""
    version: str
    """Text that changes whenever one of the games changes."""


@dataclass(frozen=True, slots=True)
class WallChoicePage:
    """The page for choosing the games that the TV shows."""

    choices: tuple[Choice, ...]
    """The games: value = public id, label = "Ann and Cid 12, Bob and Dee 9", hint = "Setback. Hand 7, Bob deals"."""
    typed: str
    """What the player typed into the field for games on other phones."""
    most: int
    error: str
