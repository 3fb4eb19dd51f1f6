"""Models of an evening: all games that a table played in a row."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EveningGame:
    """A game of the evening."""

    number: int
    """From 1, in the order of play."""
    game_name: str
    winner: str
    """"Ann and Cid win", "No winner", or "In progress"."""
    score: str
    """"22 to 15", the winner's first; of more than two sides only the winner's; empty without a winner."""
    line: str
    """The whole line of the message."""


@dataclass(frozen=True, slots=True)
class EveningPage:
    """All games of an evening, as a page, a message and a picture."""

    game_id: str
    """The game from which the page was opened."""
    title: str
    """"Games tonight", later "Game night"."""
    tally: str
    """"Wins: Ann and Cid 3, Bob and Dee 1"; empty if no game is over."""
    games: tuple[EveningGame, ...]
    sets: str
    """"Sets: Bob and Dee 4, Ann and Cid 1"; empty if nobody was set."""
    text: str
    """The message: the title and the tally, a line for each game, the sets."""
    version: str
    """Changes with the games, so that each state of the evening has an address of its own."""
