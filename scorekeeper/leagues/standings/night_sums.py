"""Sum up a night for the standings, without anything that depends on settings or on other nights.

The sums of a closed night never change, so they can be stored. Each line names the people who played and the regulars
they played for; settings for substitutes, and merges, are applied only when nights are added up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scorekeeper.games.logic.statistics.person_game import GameKey, Played, Total, Unit

Seat = tuple[int, int | None]
"""A player, and the regular they played for, or None."""


class NightSums(NamedTuple):
    """The sums of one night for the `seats` of one person, or of the partners of one side, lowest id first.

    `byes` counts rounds sat out, which add nothing to the rest; `played` counts games. `difference` is points scored
    less those of the best other side. `unknown` counts games of imported totals that nobody knows who won. A new sum
    is a new last field, filled by `_add`: nights that were closed without it are counted from their tables (see
    `closed_nights`).
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
"""The fields of `NightSums` after the first, by its seats."""
Lines = Mapping[int, Iterable[NightSums]]
"""The sums of people, or those of partners, by night."""
Tallies = Mapping[Unit, Mapping[int, NightSums]]
"""The sums that count for each unit, by night."""


def by_night(played: Iterable[Played]) -> Mapping[int, Sequence[Played]]:
    """Return games and byes, in any order, by night."""
    nights: defaultdict[int, list[Played]] = defaultdict(list)
    for game in played:
        nights[game.night].append(game)
    return nights


def tally_people(played: Iterable[Played]) -> list[NightSums]:
    """Return the sums of each person on one night; the order of the games doesn't matter."""
    sums: Sums = {}
    for game in played:
        _add(sums, ((game.person, game.sub_for),), game)
    return _in_order(sums)


def tally_teams(played: Iterable[Played]) -> list[NightSums]:
    """Return the sums of all partners on one night, as `tally_people` does.

    Each side has a record from each of its people and counts once: by the record of the lowest id.
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
    """Return the sums that count for each unit, by night; `subs` is the setting for substitutes."""
    credited: dict[Unit, dict[int, NightSums]] = {}
    for night, tallies in lines.items():
        for tally in tallies:
            for unit in units(tally.seats, subs):
                nights = credited.setdefault(unit, {})
                nights[night] = _both(nights[night], tally) if night in nights else tally
    return credited


def units(seats: Sequence[Seat], subs: str) -> Iterable[Unit]:
    """Return the units for which the games of `seats` count: the players, their regulars, or both."""
    if len(seats) == 1 and seats[0][1] is None:
        return ((seats[0][0],),)
    sat = tuple(sorted(person for person, _regular in seats))
    regular = tuple(sorted(person if sub_for is None else sub_for for person, sub_for in seats))
    return dict.fromkeys({"sub": (sat,), "regular": (regular,), "both": (regular, sat)}[subs])


def _both(one: NightSums, other: NightSums) -> NightSums:
    """Return both added up, with the seats of the first."""
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
    """Add a night's total. It counts as one game if nobody knows how many games there were."""
    games, known = total.games or 1, (total.wins or 0) + (total.losses or 0)
    line["played"] += games
    line["points"] += points
    line["wins"] += total.wins or 0
    line["losses"] += total.losses or 0
    line["unknown"] += games - known if total.wins is None or total.losses is None else 0


def _in_order(sums: Sums) -> list[NightSums]:
    order = sorted(sums, key=lambda seats: [(who, sub_for or 0) for who, sub_for in seats])
    return [NightSums(seats, **sums[seats]) for seats in order]
