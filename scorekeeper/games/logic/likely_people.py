"""Order the people of a home table by how likely they are to play now.

A person's weight is the sum over the games they played at this table. A game counts less the older it is (half as much
every 30 days), twice if it is the game chosen now, and once more for each player in it who has a seat already.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

HALF_LIFE = 30
"""Days after which a game counts half."""


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game for `by_likelihood`: its preset, the whole days since it was last played, and its people."""

    preset: str
    days: int
    people: frozenset[int]
    counts: bool = True
    """Whether the game is one of those that our table counts."""


def by_likelihood(
    people: Sequence[int], games: Sequence[PastGame], preset: str, seated: Collection[int] = ()
) -> tuple[int, ...]:
    """Return `people`, the likeliest first; equally likely people, such as new ones without games, stay in order."""
    weights = dict.fromkeys(people, 0.0)
    for game in games:
        weight = 0.5 ** (max(game.days, 0) / HALF_LIFE) * (2 if game.preset == preset else 1)
        for person in game.people & weights.keys():
            weights[person] += weight * (1 + len(game.people.intersection(seated) - {person}))
    return tuple(sorted(people, key=lambda person: -weights[person]))
