"""All points that a hand can have. Each game uses some of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scorekeeper.rules.parts import Category
from scorekeeper.rules.phrase import Phrase

HIGH = Category("high", Phrase("High"), always=True)
LOW = Category("low", Phrase("Low"), always=True)
JACK = Category("jack", Phrase("Jack"), card="J")
GAME = Category("game", Phrase("Game"))
RIGHT = Category("right", Phrase("Right"), card="J")
LEFT = Category("left", Phrase("Left"), card="J", off=True)
OFF_JACK = Category("off_jack", Phrase("Off jack"), card="J", off=True)
JOKER = Category("joker", Phrase("Joker"), card="RJ")
HIGH_JOKER = Category("high_joker", Phrase("High joker"), card="RJ")
LOW_JOKER = Category("low_joker", Phrase("Low joker"), card="BJ")
ACE = Category("ace", Phrase("Ace"), card="A")
TEN = Category("ten", Phrase("Ten"), card="T")
TWO = Category("two", Phrase("Two"), card="2", dealt=True)
THREE = Category("three", Phrase("Three"), value=3, card="3")
FIVE = Category("five", Phrase("Five"), value=5, card="5")
OFF_FIVE = Category("off_five", Phrase("Off five"), value=5, card="5", off=True)
OFF_ACE = Category("off_ace", Phrase("Off ace"), card="A", off=True)
OFF_THREE = Category("off_three", Phrase("Off three"), value=3, card="3", off=True)

SLAM = Category("slam", Phrase("All the tricks"))
"""All the tricks as a point: only a pitch can have it, and only if the option `slam` is on (RULES 4)."""

FOUR_POINTS = (HIGH, LOW, JACK, GAME)

POINTS: Mapping[str, Category] = {
    each.key: each
    for each in (
        *(HIGH, LOW, RIGHT, LEFT, ACE, OFF_ACE, JACK, OFF_JACK, HIGH_JOKER, LOW_JOKER, JOKER),
        *(TEN, TWO, FIVE, OFF_FIVE, GAME, THREE, OFF_THREE),
    )
}
"""The points that players can choose from, by key, in the order in which the form of a hand shows them."""
BOWERS = ("right", "left")
"""Keys of the jack and the off jack in games that call them bowers."""
COMPARED = ("high", "low", "game")
"""Keys of points that belong to a certain card in some games, and in other games are decided by comparing cards."""


def chosen_points(usual: tuple[Category, ...], points: str) -> tuple[Category, ...]:
    """Return the categories of points that somebody chose for a game. `points` has their keys, separated by spaces.

    `usual` has the game's usual categories, which are returned if `points` is empty. High, Low and Game are always
    taken from `usual`, because their meaning depends on the game.

    If neither High, Low nor Game is chosen, all cards that score a point are in play, and each point is taken in every
    hand (`always`). Otherwise, a card that scores a point may be out of play (RULES 7).
    """
    wanted = points.split()
    if not wanted:
        return usual
    own = {each.key: each for each in usual if each.key in COMPARED}
    cards_only = not any(key in COMPARED for key in wanted)
    return tuple(
        own.get(key, replace(each, always=each.always or cards_only)) for key, each in POINTS.items() if key in wanted
    )
