"""For whom a substitute plays.

Where a substitute sat, the game counts for the regular, for the substitute, or for both, as the season says. It is the
whole game, points, win and sets; the others at the table played whoever sat there. For fixed partners the team is the
regular one, the one that sat, or both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from scorekeeper.leagues.standings.played import GameKey, Played, Unit

Credit = tuple[Unit, Played]
"""A game, and one of those for whom it counts."""

Crediting = Callable[[Iterable[Played], str], list[Credit]]
"""How games are counted: for people or for teams, with the season's word for substitutes."""


def credited(person: int, sub_for: int | None, subs: str) -> tuple[int, ...]:
    """Return for whom a game counts that `person` played: himself, the regular he stood in for, or both."""
    if sub_for is None or subs == "sub":
        return (person,)
    return (sub_for,) if subs == "regular" else (sub_for, person)


def to_people(played: Iterable[Played], subs: str) -> list[Credit]:
    """Return each game with each person for whom it counts."""
    pairs: list[Credit] = []
    for game in played:
        if game.sub_for is None:
            pairs.append(((game.person,), game))
        else:
            pairs += [((person,), game) for person in credited(game.person, game.sub_for, subs)]
    return pairs


def to_teams(played: Iterable[Played], subs: str) -> list[Credit]:
    """Return each game with each team for which it counts, once a side, as its lowest person by id tells it."""
    games = sorted(played, key=lambda game: game.person)
    regulars: dict[tuple[int, GameKey, int], int] = {
        (game.night, game.game, game.person): game.sub_for for game in games if game.sub_for is not None
    }
    seen: set[tuple[Unit, int, int, GameKey]] = set()
    pairs: list[Credit] = []
    for game in games:
        sat = (game.person, *game.partners)
        regular = tuple(regulars.get((game.night, game.game, person), person) for person in sat)
        told = {"sub": (sat,), "regular": (regular,), "both": (regular, sat)}[subs]
        for unit in dict.fromkeys(tuple(sorted(people)) for people in told):
            once = unit, game.night, game.round, game.game
            if once not in seen:
                seen.add(once)
                pairs.append((unit, game))
    return pairs
