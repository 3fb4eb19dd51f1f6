"""The chain of tie-breaks, and every rule that can stand in it.

Units that the order leaves level are compared by the first rule of the league's chain. It puts those it tells apart in
order; those it still leaves level go on to the next rule, among themselves, and never back to an earlier one. Who is
level after the last rule shares a place, and the next place is as far down as there are people above it: 1, 2, 2, 4.

A rule is one function below: its name is its key, `tie_break` says what people call it, its docstring explains it.
Forms, settings and sentences are made from `TIE_BREAKS`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from scorekeeper.leagues.standings.credit import Credit
from scorekeeper.leagues.standings.person_game import GameKey, Played, Unit
from scorekeeper.leagues.standings.rows import StandingRow, Tie, TieValue
from scorekeeper.rules.phrase import Phrase


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
    """What a rule looks at, beside the units that are level: the rows of everybody, the games, and the lots.

    `met` takes some units, and gives for each the games that count for it in which another of them also sat, or had a
    substitute. `all_games` gives every unit all the games that count for it. Both leave out byes, keep games of dropped
    nights, and give a substitute's game to whom the season's settings give it. `all_games` reads the whole season: only
    a rule that needs it calls it.
    """

    rows: Mapping[Unit, StandingRow]
    met: Callable[[Sequence[Unit]], Credit]
    all_games: Callable[[], Credit]
    lots: Lots


Rule = Callable[[Contest, Sequence[Unit]], Mapping[Unit, TieValue]]
"""Gives each of the units that are level what it is compared by."""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A rule that can split a tie; the highest value is the best, unless `lowest_first`."""

    label: Phrase
    values: Rule
    lowest_first: bool = False
    is_difference: bool = False


TIE_BREAKS: dict[str, TieBreak] = {}
"""All rules by their key, in the order in which a form offers them."""


def tie_break(label: Phrase, *, lowest_first: bool = False, is_difference: bool = False) -> Callable[[Rule], Rule]:
    """Return a decorator that makes a function a rule of the chain; the name of the function is its key."""

    def enter(rule: Rule) -> Rule:
        TIE_BREAKS[rule.__name__] = TieBreak(label, rule, lowest_first, is_difference)
        return rule

    return enter


def against(games: Credit, units: Iterable[Unit]) -> Iterator[tuple[Unit, Played, list[tuple[Unit, Played]]]]:
    """Yield each game of each of `units`, with the opponents in it that `games` has, and what the game is for them."""
    tables: dict[tuple[int, GameKey], list[tuple[Unit, Played]]] = defaultdict(list)
    for unit, played in games.items():
        for game in played:
            tables[game.night, game.game].append((unit, game))
    for unit in units:
        for game in games.get(unit, ()):
            seats = tables[game.night, game.game]
            yield unit, game, [seat for seat in seats if seat[0] != unit and seat[1].person in game.opponents]


@tie_break(Phrase("wins"))
def wins(contest: Contest, level: Sequence[Unit]) -> Mapping[Unit, int]:
    """Return the games won, on the nights that count."""
    return {unit: contest.rows[unit].wins for unit in level}


@tie_break(Phrase("head to head"), is_difference=True)
def head_to_head(contest: Contest, level: Sequence[Unit]) -> Mapping[Unit, int]:
    """Return the games won against the others who are level, less games that one of them won against you.

    On all nights, for others may have dropped another night than you. A game against two of them counts once; who
    never met any of them stands at zero. A game that nobody won, or somebody who is not level, counts for none of them.
    """
    met = contest.met(level)
    balance = dict.fromkeys(level, 0)
    for unit, game, opponents in against({unit: met.get(unit, ()) for unit in level}, level):
        if opponents and game.won:
            balance[unit] += 1
        elif any(other.won for _unit, other in opponents):
            balance[unit] -= 1
    return balance


@tie_break(Phrase("point difference"), is_difference=True)
def point_difference(contest: Contest, level: Sequence[Unit]) -> Mapping[Unit, int]:
    """Return points made less those of the best other side, on the nights that count."""
    return {unit: contest.rows[unit].difference for unit in level}


@tie_break(Phrase("fewest sets"), lowest_first=True)
def fewest_sets(contest: Contest, level: Sequence[Unit]) -> Mapping[Unit, int]:
    """Return the sets, on the nights that count."""
    return {unit: contest.rows[unit].sets for unit in level}


@tie_break(Phrase("random draw"), lowest_first=True)
def draw(contest: Contest, level: Sequence[Unit]) -> Mapping[Unit, int]:
    """Return lots, one each.

    They follow from the season and from who is level, so they are the same whenever they are looked at; among others
    they are drawn anew.
    """
    return {unit: lot for lot, unit in enumerate(contest.lots.order(level), start=1)}


Ranked = tuple[tuple[Unit, ...], tuple[Tie, ...]]
"""Those who share one place, and the ties they came through, the widest first."""


def rank(contest: Contest, units: Sequence[Unit], level: tuple[str, ...], chain: Sequence[str]) -> list[Ranked]:
    """Return `units`, which are level in the words of `level`, as `chain` puts them in order."""
    if len(units) == 1:
        return [((units[0],), ())]
    for index, rule in enumerate(chain):
        values = TIE_BREAKS[rule].values(contest, units)
        if len(set(values.values())) == 1:
            continue
        groups: dict[TieValue, list[Unit]] = defaultdict(list)
        for unit in contest.lots.order(units):
            groups[values[unit]].append(unit)
        best_first = sorted(groups, reverse=not TIE_BREAKS[rule].lowest_first)
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
