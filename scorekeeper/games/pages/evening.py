"""Models of an evening: all games that a home table played in a row."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EveningGame:
    """A game of an evening."""

    number: int
    """Number of the game, from 1, in the order of play."""
    game_name: str
    winner: str
    """The result: "Ann and Cid win", "Tied game", "No winner", or "In progress"."""
    score: str
    """The score, such as "22 to 15", with the winner's points first; empty without a winner.

    If there are more than two sides, the text has only the winner's points.
    """
    line: str
    """The line about this game in the message to share."""


@dataclass(frozen=True, slots=True)
class EveningPage:
    """The games of an evening, as a page and as a message to share.

    A picture of the evening is also available, at another address.
    """

    game_id: str
    """Public id of the game from which the page was opened."""
    title: str
    """"Games tonight", or "Game night" for an older evening."""
    tally: str
    """The games won: "Wins: Ann and Cid 3, Bob and Dee 1"; empty if no game is over."""
    games: tuple[EveningGame, ...]
    sets: str
    """How often sides were set: "Sets: Bob and Dee 4, Ann and Cid 1"; empty if nobody was set."""
    text: str
    """The message to share: the title and the tally, a line for each game, the sets."""
    version: str
    """Text that changes whenever one of the games changes, so that the picture then gets a new address."""
