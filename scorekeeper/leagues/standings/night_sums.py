"""Add up the results of one night for the standings, without using other nights or the season's settings.

The sums of a closed night never change, so they can be stored. They are stored for the people who
actually played, with the regulars they substituted for. The settings for substitutes, and merges of people, are applied
only when several nights are added up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scorekeeper.games.logic.statistics.person_game import GameKey, Played, Total, Unit

Seat = tuple[int, int | None]
"""The ids of a player and of the regular they substituted for. The second is None if they weren't a substitute."""


class NightSums(NamedTuple):
    """The points, wins and other results of a person or of partners, added up over the games of one night.

    `seats` has the person or the partners, lowest id first. `played` counts games. `byes` counts the rounds that the
    person sat out, which aren't included in the other sums. `difference` is the points scored minus the points of the
    best other side. `unknown` counts imported games whose winner isn't known.

    To store another sum, append a field and fill it in `_add`. Nights that were closed without that field are then
    added up again from their tables (see `closed_nights`).
    """

    seats: tuple[Seat, ...]
    played: int
    points: int
    wins: int
    losses: int
    difference: int
    sets: int
    byes: int
    unknown: int


Sums = dict[tuple[Seat, ...], dict[str, int]]
"""Sums that are still being added up. A key is a `NightSums.seats`; its value maps the other field names to numbers."""
Lines = Mapping[int, Iterable[NightSums]]
"""By number of the night: the sums of all people, or of all partners."""
Tallies = Mapping[Unit, Mapping[int, NightSums]]
"""By unit (a player or a set of partners), then by number of the night: the sums that count for the unit."""


def by_night(played: Iterable[Played]) -> Mapping[int, Sequence[Played]]:
    """Group games and byes by the number of their night. The records in `played` can be in any order."""
    nights: defaultdict[int, list[Played]] = defaultdict(list)
    for game in played:
        nights[game.night].append(game)
    return nights


def tally_people(played: Iterable[Played]) -> list[NightSums]:
    """Return each person's totals for one night. The records in `played` can be in any order."""
    sums: Sums = {}
    for game in played:
        _add(sums, ((game.person, game.sub_for),), game)
    return _in_order(sums)


def tally_teams(played: Iterable[Played]) -> list[NightSums]:
    """Return the points, wins and other sums of each set of partners on one night.

    `played` has a record for each player on a side. Only the record of the player with the lowest id is counted.
    """
    sums: Sums = {}
    records = sorted(played, key=lambda game: game.person)
    regulars = {(game.game, game.person): game.sub_for for game in records if game.sub_for is not None}
    seen: set[tuple[int, GameKey, tuple[int, ...]]] = set()
    for game in records:
        if game.total is not None:
            continue
        sat = tuple(sorted((game.person, *game.partners)))
        once = game.round, game.game, sat
        if once not in seen:
            seen.add(once)
            _add(sums, tuple((person, regulars.get((game.game, person))) for person in sat), game)
    return _in_order(sums)


def credit(lines: Lines, subs: str) -> Tallies:
    """Return the sums that count for each unit, by unit and then by number of the night.

    A unit is one player or a set of partners. `lines` has the `NightSums` of all people, or of all partners, by number
    of the night. `subs` is the season's setting for substitutes (`credit.credited`).
    """
    credited: dict[Unit, dict[int, NightSums]] = {}
    for night, tallies in lines.items():
        for tally in tallies:
            for unit in units(tally.seats, subs):
                nights = credited.setdefault(unit, {})
                nights[night] = _both(nights[night], tally) if night in nights else tally
    return credited


def units(seats: Sequence[Seat], subs: str) -> Iterable[Unit]:
    """Return the units for which the games of the players in `seats` count. A unit is one player or a set of partners.

    `subs` is the season's setting for substitutes. With "sub", a game counts for the people who played. With "regular",
    a regular counts in place of their substitute. With "both", the game counts both ways.
    """
    if len(seats) == 1 and seats[0][1] is None:
        return ((seats[0][0],),)
    sat = tuple(sorted(person for person, _regular in seats))
    regular = tuple(sorted(person if sub_for is None else sub_for for person, sub_for in seats))
    return dict.fromkeys({"sub": (sat,), "regular": (regular,), "both": (regular, sat)}[subs])


def _both(one: NightSums, other: NightSums) -> NightSums:
    """Add two `NightSums` field by field. The result has the `seats` of `one`."""
    return NightSums(one.seats, *map(sum, zip(one[1:], other[1:], strict=True)))


def _add(sums: Sums, seats: tuple[Seat, ...], game: Played) -> None:
    line = sums.get(seats)
    if line is None:
        line = sums[seats] = dict.fromkeys(NightSums._fields[1:], 0)
    if game.bye:
        line["byes"] += 1
        return
    if game.total is not None:
        _add_total(line, game.points, game.total)
        return
    line["played"] += 1
    line["points"] += game.points
    line["wins"] += game.won
    line["losses"] += not game.won and not game.drawn
    line["difference"] += game.points - game.points_against
    line["sets"] += game.sets


def _add_total(line: dict[str, int], points: int, total: Total) -> None:
    """Add the imported total of a night to the sums in `line`.

    A total counts as one game if its number of games is unknown.
    """
    games, known = total.games or 1, (total.wins or 0) + (total.losses or 0)
    line["played"] += games
    line["points"] += points
    line["wins"] += total.wins or 0
    line["losses"] += total.losses or 0
    line["unknown"] += games - known if total.wins is None or total.losses is None else 0


def _in_order(sums: Sums) -> list[NightSums]:
    order = sorted(sums, key=lambda seats: [(who, sub_for or 0) for who, sub_for in seats])
    return [NightSums(seats, **sums[seats]) for seats in order]
