"""The record of one person's game, from which standings and statistics are calculated."""

from __future__ import annotations

from typing import NamedTuple


class Total(NamedTuple):
    """A person's games, wins and losses on a night that was imported as a total; None where the file didn't say."""

    games: int | None
    wins: int | None
    losses: int | None


GameKey = int | str
"""Identifies a game within the season."""

Unit = tuple[int, ...]
"""The ids of the people who share a row in the standings: one person, or fixed partners, lowest id first."""


class Played(NamedTuple):
    """One person's game or bye; a named tuple, because a season has twelve thousand.

    `night` is the number of the night in the season; `round` and `table` count within it. `points` are those of the
    person's side, `points_against` those of the best other side. In a tie `drawn` is true, and `won` is false for
    everyone. `sets` are those of the side, `hands` those of the game.

    A bye has `bye`, `partners` if they are fixed, and no other data of a game; it scores what the season's settings
    say, whatever its `points`. `sub_for` is the regular the person played for; `credit.credited` says for whom the game
    counts. Each person has one record of a game; `partners` and `opponents` are those who really played.

    A night that was imported as totals has one record with a `total` for each person, and no other data of a game.
    """

    night: int
    round: int
    table: int
    game: GameKey
    person: int
    partners: tuple[int, ...] = ()
    opponents: tuple[int, ...] = ()
    points: int = 0
    points_against: int = 0
    won: bool = False
    drawn: bool = False
    sets: int = 0
    hands: int = 0
    bye: bool = False
    sub_for: int | None = None
    total: Total | None = None


def playing_order(game: Played) -> tuple[int, int, int, bool, GameKey]:
    """Return a key that sorts a person's games in the order of play."""
    return game.night, game.round, game.table, isinstance(game.game, str), game.game
