"""A game as one person counts it: what standings and statistics are made of."""

from __future__ import annotations

from typing import NamedTuple

GameKey = int | str
"""What tells a game from all others of the season."""

Unit = tuple[int, ...]
"""Who has a row in the standings: the ids of one person, or of fixed partners in rising order."""


class Played(NamedTuple):
    """One person's game, or a round in which he had a bye; a season has twelve thousand, so it is a named tuple.

    `night` is the ordinal of the night in the season, `round` and `table` count within it. `points` are those of his
    side, `points_against` those of the best other side. `won` is false for everybody where nobody won, and then
    `drawn` is true. `sets` and `hands` are those of his side and of the game.

    A bye has `bye`, his fixed partners if he has any, and nothing else of a game; whatever `points` says, it scores
    what the season's settings say. `sub_for` is the regular whose chair he sat on; who is credited with the game then
    is a setting (`credit.credited`). One person has one such record of one game, `partners` and `opponents` say who
    really sat there.
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


def told_in_order(game: Played) -> tuple[int, int, int, bool, GameKey]:
    """Return what sorts a person's games as they were played."""
    return game.night, game.round, game.table, isinstance(game.game, str), game.game
