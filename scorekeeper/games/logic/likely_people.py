"""Order the people of a home table by how likely they are to play now.

A person's weight is a sum over the past games that they played at this table. An older game counts less: half as much
every 30 days. A game with the preset that is chosen now counts twice. A game also counts once more for each other
player in it who has a seat now.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

HALF_LIFE = 30
"""Days after which a game counts half."""


@dataclass(frozen=True, slots=True)
class PastGame:
    """A past game, as input for `by_likelihood`: its preset, its age in whole days, and its people as row ids."""

    preset: str
    days: int
    people: frozenset[int]
    counts: bool = True
    """Whether the game counts in the statistics of the home table; its weight is the same either way."""


def by_likelihood(
    people: Sequence[int], games: Sequence[PastGame], preset: str, seated: Collection[int] = ()
) -> tuple[int, ...]:
    """Return `people` (row ids) with the likeliest players first. Equally likely people stay in the given order.

    `preset` is the game that is chosen now. `seated` are the people who have a seat already.
    """
    weights = dict.fromkeys(people, 0.0)
    for game in games:
        weight = 0.5 ** (max(game.days, 0) / HALF_LIFE) * (2 if game.preset == preset else 1)
        for person in game.people & weights.keys():
            weights[person] += weight * (1 + len(game.people.intersection(seated) - {person}))
    return tuple(sorted(people, key=lambda person: -weights[person]))
