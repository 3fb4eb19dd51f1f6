"""The chain of tie-breaks.

Units that the order leaves level are compared by the first rule of the league's chain. It puts those it tells apart in
order; those it still leaves level go on to the next rule, among themselves, and never back to an earlier one. Who is
level after the last rule shares a place, and the next place is as far down as there are people above it: 1, 2, 2, 4.

- `wins`: more games won, on the nights that count.
- `head_to_head`: games won against the others who are level, less games that one of them won against you; on all
  nights, for others may have dropped another night than you. A game against two of them counts once; who never met any
  of them stands at zero. A game that nobody won, or somebody who is not level, counts for none of them.
- `point_difference`: points made less those of the best other side, on the nights that count.
- `fewest_sets`: fewer sets, on the nights that count.
- `draw`: lots, one each. They follow from the season and from who is level, so they are the same whenever they are
  looked at; among others they are drawn anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from scorekeeper.leagues.standings.credit import Credit
from scorekeeper.leagues.standings.person_game import GameKey, Played, Unit
from scorekeeper.leagues.standings.rows import StandingRow, Tie


@dataclass(frozen=True, slots=True)
class Lots:
    """How lots are drawn in a season.

    `season` and the `tags` of people (their ids where there are none) are words that stay the same when the league is
    brought to another score book.
    """

    season: str
    tags: Mapping[int, str]

    def order(self, units: Iterable[Unit]) -> list[Unit]:
        """Return `units` in the order of their lots, whatever the order they are given in."""
        tags = {unit: "+".join(sorted(self.tags.get(person, str(person)) for person in unit)) for unit in units}
        drum = "\n".join((self.season, *sorted(tags.values())))
        return sorted(tags, key=lambda unit: (sha256(f"{drum}\n\n{tags[unit]}".encode()).digest(), unit))


@dataclass(frozen=True, slots=True)
class Contest:
    """What the rules look at: the rows, the games, and the lots.

    `games` gives those that count for each of the units that are level. It is asked for nothing else than who met
    whom, so that games in which no two of them sat need not be among them.
    """

    rows: Mapping[Unit, StandingRow]
    games: Callable[[Sequence[Unit]], Credit]
    lots: Lots


Ranked = tuple[tuple[Unit, ...], tuple[Tie, ...]]
"""Those who share one place, and the ties they came through, the widest first."""


def rank(contest: Contest, units: Sequence[Unit], level: tuple[str, ...], chain: Sequence[str]) -> list[Ranked]:
    """Return `units`, which are level in the words of `level`, as `chain` puts them in order."""
    if len(units) == 1:
        return [((units[0],), ())]
    for index, rule in enumerate(chain):
        values = RULES[rule](contest, units)
        if len(set(values.values())) == 1:
            continue
        groups: dict[int, list[Unit]] = defaultdict(list)
        for unit in contest.lots.order(units):
            groups[values[unit]].append(unit)
        best_first = sorted(groups, reverse=rule not in LOWEST_FIRST)
        order = tuple(unit for value in best_first for unit in groups[value])
        at = contest.rows[units[0]].value
        tie = Tie(order, (*level, *chain[:index]), at, rule, tuple(values[unit] for unit in order))
        return [
            (group, (tie, *ties))
            for value in best_first
            for group, ties in rank(contest, groups[value], (*level, *chain[: index + 1]), chain[index + 1 :])
        ]
    group = tuple(contest.lots.order(units))
    return [(group, (Tie(group, (*level, *chain), contest.rows[units[0]].value, "", ()),))]


def _wins(contest: Contest, units: Sequence[Unit]) -> dict[Unit, int]:
    return {unit: contest.rows[unit].wins for unit in units}


def _head_to_head(contest: Contest, units: Sequence[Unit]) -> dict[Unit, int]:
    at_table: dict[tuple[int, GameKey], list[tuple[Unit, Played]]] = defaultdict(list)
    games = contest.games(units)
    for unit in units:
        for game in games.get(unit, ()):
            if not game.bye:
                at_table[game.night, game.game].append((unit, game))
    balance = dict.fromkeys(units, 0)
    # In most games there is only one of them, who met nobody.
    for seats in (seats for seats in at_table.values() if len(seats) > 1):
        for unit, game in seats:
            met = [other for whose, other in seats if whose != unit and other.person in game.opponents]
            if met and game.won:
                balance[unit] += 1
            elif any(other.won for other in met):
                balance[unit] -= 1
    return balance


def _point_difference(contest: Contest, units: Sequence[Unit]) -> dict[Unit, int]:
    return {unit: contest.rows[unit].difference for unit in units}


def _fewest_sets(contest: Contest, units: Sequence[Unit]) -> dict[Unit, int]:
    return {unit: contest.rows[unit].sets for unit in units}


def _draw(contest: Contest, units: Sequence[Unit]) -> dict[Unit, int]:
    return {unit: lot for lot, unit in enumerate(contest.lots.order(units), start=1)}


RULES: Mapping[str, Callable[[Contest, Sequence[Unit]], dict[Unit, int]]] = {
    "wins": _wins,
    "head_to_head": _head_to_head,
    "point_difference": _point_difference,
    "fewest_sets": _fewest_sets,
    "draw": _draw,
}
LOWEST_FIRST = frozenset({"fewest_sets", "draw"})
