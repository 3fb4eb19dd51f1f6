"""The record of one person's game, from which standings and statistics are calculated."""

from __future__ import annotations

from typing import NamedTuple


class Total(NamedTuple):
    """A person's games, wins and losses on a night that was imported as totals.

    A number that the file lacks is None.
    """

    games: int | None
    wins: int | None
    losses: int | None


GameKey = int | str
"""Identifies a game among those that are counted together."""

Unit = tuple[int, ...]
"""The ids of the people who share a row in the standings, lowest first: one person, or fixed partners."""


class Played(NamedTuple):
    """A person's game or bye. This is a named tuple, because a season has twelve thousand such records.

    `night` is the number of the night in the season. `round` and `table` are numbers within the night. `points` is the
    score of the person's side, and `points_against` is the score of the best other side. In a tie, `drawn` is true and
    `won` is false for everyone. `sets` counts the failed bids (sets) of the person's side, and `hands` counts the hands
    of the game. Each person has one record of a game. `partners` and `opponents` are the people who really played.

    For a bye, `bye` is true, `partners` holds fixed partners, and the other fields of a game are empty. The season's
    settings decide what a bye scores, regardless of `points`.

    If the person was a substitute, `sub_for` is the regular player whom they replaced. `credit.credited` returns the
    people for whom the game counts.

    For a night that was imported as totals, each person has a single record with a `total` and no data of a game.
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
