"""A night summed up: what it adds to the standings, and nothing that depends on settings or on other nights.

Sums of a night that is over stay what they are, so they can be kept. For whom a substitute's games count and who
turned out to be whom is asked only when nights are put together: a line says who sat there and for whom.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scorekeeper.leagues.standings.played import GameKey, Played, Unit

Chair = tuple[int, int | None]
"""Who sat there, and the regular for whom, if they stood in for somebody."""


class Tally(NamedTuple):
    """What came of a night for those who sat in `chairs`, one person or the partners of one side, lowest id first.

    `byes` are the rounds they sat out, which add nothing to the rest; `played` are their games. `difference` is made
    points less those of the best other side.
    """

    chairs: tuple[Chair, ...]
    played: int
    points: int
    wins: int
    losses: int
    difference: int
    sets: int
    byes: int


class NightTally(NamedTuple):
    """A night as each person counts it, and as each set of partners does."""

    people: Sequence[Tally]
    teams: Sequence[Tally]


Lines = Mapping[int, Iterable[Tally]]
"""Those of people, or those of partners, by night."""
Tallies = Mapping[Unit, Mapping[int, Tally]]
"""What counts for each unit, by night."""


def tally_nights(played: Iterable[Played]) -> Mapping[int, NightTally]:
    """Return the sums of each night, by number; games and byes may be told in any order."""
    nights: defaultdict[int, list[Played]] = defaultdict(list)
    for game in played:
        nights[game.night].append(game)
    return {night: tally_night(games) for night, games in sorted(nights.items())}


def tally_night(played: Iterable[Played]) -> NightTally:
    """Return the sums of one night; the same for the same games and byes, in whatever order they are told."""
    people: dict[tuple[Chair, ...], Tally] = {}
    teams: dict[tuple[Chair, ...], Tally] = {}
    told = sorted(played, key=lambda game: (game.person, game.sub_for or 0))
    regulars = {(game.game, game.person): game.sub_for for game in told if game.sub_for is not None}
    seen: set[tuple[int, GameKey, tuple[int, ...]]] = set()
    for game in told:
        _add(people, ((game.person, game.sub_for),), game)
        # A side is told by each of its people, and counts once: as the one with the lowest id tells it.
        sat = tuple(sorted((game.person, *game.partners)))
        if (once := (game.round, game.game, sat)) not in seen:
            seen.add(once)
            _add(teams, tuple((person, regulars.get((game.game, person))) for person in sat), game)
    return NightTally(_in_order(people), _in_order(teams))


def credit(lines: Lines, subs: str) -> Tallies:
    """Return what counts for each unit, by night, where `subs` says for whom a substitute plays."""
    credited: dict[Unit, dict[int, Tally]] = {}
    for night, tallies in lines.items():
        for tally in tallies:
            for unit in units(tally.chairs, subs):
                nights = credited.setdefault(unit, {})
                nights[night] = add(nights[night], tally) if night in nights else tally
    return credited


def units(chairs: Sequence[Chair], subs: str) -> Iterable[Unit]:
    """Return for whom it counts what those in `chairs` did: themselves, their regulars, or both."""
    if len(chairs) == 1 and chairs[0][1] is None:
        return ((chairs[0][0],),)
    sat = tuple(sorted(person for person, _regular in chairs))
    regular = tuple(sorted(person if sub_for is None else sub_for for person, sub_for in chairs))
    return dict.fromkeys({"sub": (sat,), "regular": (regular,), "both": (regular, sat)}[subs])


def add(one: Tally, other: Tally) -> Tally:
    """Return both together, in the chairs of the first."""
    return Tally(one.chairs, *map(sum, zip(one[1:], other[1:], strict=True)))


def _add(tallies: dict[tuple[Chair, ...], Tally], chairs: tuple[Chair, ...], game: Played) -> None:
    if game.bye:
        new = Tally(chairs, 0, 0, 0, 0, 0, 0, 1)
    else:
        lost = not game.won and not game.drawn
        new = Tally(chairs, 1, game.points, int(game.won), int(lost), game.points - game.points_against, game.sets, 0)
    tallies[chairs] = add(tallies[chairs], new) if chairs in tallies else new


def _in_order(tallies: Mapping[tuple[Chair, ...], Tally]) -> tuple[Tally, ...]:
    return tuple(tallies[chairs] for chairs in sorted(tallies, key=lambda told: [(who, sub or 0) for who, sub in told]))
