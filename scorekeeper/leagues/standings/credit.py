"""Decide for whom a substitute's game counts in the standings.

A substitute's game, with its points, win and sets, counts for the regular, for the substitute, or for both. The
season's settings say which. In the games of the other players at the table, the substitute is always the opponent or
partner. For fixed partners, a substitute's game counts for the regular team, for the team that played, or for both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from scorekeeper.games.logic.statistics.person_game import GameKey, Played, Unit

Credit = Mapping[Unit, Sequence[Played]]
"""The games that count for each unit (a player or a set of partners)."""


def credited(person: int, sub_for: int | None, subs: str) -> tuple[int, ...]:
    """Return the ids of the people for whom a game of `person` counts: `person`, the regular `sub_for`, or both.

    `subs` is the season's setting: "sub", "regular" or "both".
    """
    if sub_for is None or subs == "sub":
        return (person,)
    return (sub_for,) if subs == "regular" else (sub_for, person)


def to_people(played: Iterable[Played], subs: str) -> Credit:
    """Return the games that count for each person. `subs` is the season's setting, as in `credited`."""
    games: defaultdict[Unit, list[Played]] = defaultdict(list)
    for game in played:
        if game.sub_for is None:
            games[(game.person,)].append(game)
        else:
            for person in credited(game.person, game.sub_for, subs):
                games[(person,)].append(game)
    return games


def to_teams(played: Iterable[Played], subs: str) -> Credit:
    """Return the games that count for each team (set of fixed partners).

    `subs` is the season's setting, as in `credited`. Each game is listed only once for a team, although `played` has a
    record of the game for every player. The listed record belongs to the team's player with the lowest id.
    """
    records = sorted(played, key=lambda game: game.person)
    regulars: dict[tuple[int, GameKey, int], int] = {
        (game.night, game.game, game.person): game.sub_for for game in records if game.sub_for is not None
    }
    seen: set[tuple[Unit, int, int, GameKey]] = set()
    games: defaultdict[Unit, list[Played]] = defaultdict(list)
    for game in records:
        sat = (game.person, *game.partners)
        regular = tuple(regulars.get((game.night, game.game, person), person) for person in sat)
        teams = {"sub": (sat,), "regular": (regular,), "both": (regular, sat)}[subs]
        for unit in dict.fromkeys(tuple(sorted(team)) for team in teams):
            once = unit, game.night, game.round, game.game
            if once not in seen:
                seen.add(once)
                games[unit].append(game)
    return games
