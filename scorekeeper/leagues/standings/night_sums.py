"""A night summed up: what it adds to the standings, and nothing that depends on settings or on other nights.

Sums of a night that is over stay what they are, so they can be kept. For whom a substitute's games count and who
turned out to be whom is asked only when nights are put together: a line says who sat there and for whom.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scorekeeper.leagues.standings.person_game import GameKey, Played, Unit

Chair = tuple[int, int | None]
"""Who sat there, and the regular for whom, if they stood in for somebody."""


class NightSums(NamedTuple):
    """What came of a night for those who sat in `chairs`, one person or the partners of one side, lowest id first.

    `byes` are the rounds they sat out, which add nothing to the rest; `played` are their games. `difference` is made
    points less those of the best other side. Another sum is another field behind these, which `_add` fills: nights that
    were closed without it are counted from their tables (`closed_nights`).
    """

    chairs: tuple[Chair, ...]
    played: int
    points: int
    wins: int
    losses: int
    difference: int
    sets: int
    byes: int


Sums = dict[tuple[Chair, ...], dict[str, int]]
"""The fields of `NightSums` but the first, by the chairs they are of."""
Lines = Mapping[int, Iterable[NightSums]]
"""Those of people, or those of partners, by night."""
Tallies = Mapping[Unit, Mapping[int, NightSums]]
"""What counts for each unit, by night."""


def by_night(played: Iterable[Played]) -> Mapping[int, Sequence[Played]]:
    """Return games and byes, told in any order, by night."""
    nights: defaultdict[int, list[Played]] = defaultdict(list)
    for game in played:
        nights[game.night].append(game)
    return nights


def tally_people(played: Iterable[Played]) -> list[NightSums]:
    """Return the sums of each person on one night; the same for the same games in whatever order they are told."""
    sums: Sums = {}
    for game in played:
        _add(sums, ((game.person, game.sub_for),), game)
    return _in_order(sums)


def tally_teams(played: Iterable[Played]) -> list[NightSums]:
    """Return the sums of all who were partners on one night, as `tally_people` does.

    A side is told by each of its people and counts once: as the one with the lowest id tells it.
    """
    sums: Sums = {}
    told = sorted(played, key=lambda game: game.person)
    regulars = {(game.game, game.person): game.sub_for for game in told if game.sub_for is not None}
    seen: set[tuple[int, GameKey, tuple[int, ...]]] = set()
    for game in told:
        sat = tuple(sorted((game.person, *game.partners)))
        once = game.round, game.game, sat
        if once not in seen:
            seen.add(once)
            _add(sums, tuple((person, regulars.get((game.game, person))) for person in sat), game)
    return _in_order(sums)


def credit(lines: Lines, subs: str) -> Tallies:
    """Return what counts for each unit, by night, where `subs` says for whom a substitute plays."""
    credited: dict[Unit, dict[int, NightSums]] = {}
    for night, tallies in lines.items():
        for tally in tallies:
            for unit in units(tally.chairs, subs):
                nights = credited.setdefault(unit, {})
                nights[night] = _both(nights[night], tally) if night in nights else tally
    return credited


def units(chairs: Sequence[Chair], subs: str) -> Iterable[Unit]:
    """Return for whom it counts what those in `chairs` did: themselves, their regulars, or both."""
    if len(chairs) == 1 and chairs[0][1] is None:
        return ((chairs[0][0],),)
    sat = tuple(sorted(person for person, _regular in chairs))
    regular = tuple(sorted(person if sub_for is None else sub_for for person, sub_for in chairs))
    return dict.fromkeys({"sub": (sat,), "regular": (regular,), "both": (regular, sat)}[subs])


def _both(one: NightSums, other: NightSums) -> NightSums:
    """Both together, in the chairs of the first."""
    return NightSums(one.chairs, *map(sum, zip(one[1:], other[1:], strict=True)))


def _add(sums: Sums, chairs: tuple[Chair, ...], game: Played) -> None:
    told = sums.get(chairs)
    if told is None:
        told = sums[chairs] = dict.fromkeys(NightSums._fields[1:], 0)
    if game.bye:
        told["byes"] += 1
        return
    told["played"] += 1
    told["points"] += game.points
    told["wins"] += game.won
    told["losses"] += not game.won and not game.drawn
    told["difference"] += game.points - game.points_against
    told["sets"] += game.sets


def _in_order(sums: Sums) -> list[NightSums]:
    order = sorted(sums, key=lambda chairs: [(who, sub_for or 0) for who, sub_for in chairs])
    return [NightSums(chairs, **sums[chairs]) for chairs in order]
