"""The tie-breakers.

Units that are tied on what the season ranks by are compared by its first tie-breaker. Those that are still tied are
compared by the next one, among themselves, and never by an earlier one again. Units that are tied after the last one
share a rank, and the next rank counts all units above it: 1, 2, 2, 4.

Each tie-breaker is one function below: its name is its key, `tie_break` gives its label. Forms, settings and sentences
are built from `TIE_BREAKS`; users never see a docstring.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from scorekeeper.games.logic.statistics.person_game import GameKey, Played, Unit
from scorekeeper.leagues.standings.credit import Credit
from scorekeeper.leagues.standings.rows import StandingRow, Tie, TieValue
from scorekeeper.rules.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Lots:
    """The seed of random draws in a season.

    `season` and the `tags` of people (ids for people without a tag) must stay the same when the league is exported and
    imported on another server.
    """

    season: str
    tags: Mapping[int, str]

    def order(self, units: Iterable[Unit]) -> list[Unit]:
        """Return `units` in random order; the same units give the same order, however they are given."""
        tags = {unit: "+".join(sorted(self.tags.get(person, str(person)) for person in unit)) for unit in units}
        pool = "\n".join((self.season, *sorted(tags.values())))
        return sorted(tags, key=lambda unit: (sha256(f"{pool}\n\n{tags[unit]}".encode()).digest(), unit))


@dataclass(frozen=True, slots=True)
class Contest:
    """The data for a tie-breaker, besides the tied units: the rows of the standings, the games, and the random draw.

    `rows` has the row of every unit, ranked or not.

    `all_games()` returns all games of the season by unit. A unit without games is missing. It reads the whole season,
    so call it only if needed.

    `met(tied)` returns, by unit, only the games in which at least two people of the tied units took part. A regular
    whose substitute played took part, too. The two may have been partners, and the other units at the card table are in
    it, too: use `against` to find opponents.

    Both leave out byes and include dropped nights. A substitute's game is listed for the units for whom it counts by
    the season's settings.
    """

    rows: Mapping[Unit, StandingRow]
    met: Callable[[Sequence[Unit]], Credit]
    all_games: Callable[[], Credit]
    lots: Lots
    met_all: bool = False
    """Head to head needs a game between every two of the tied units."""


Rule = Callable[[Contest, Sequence[Unit]], Mapping[Unit, TieValue]]
"""Returns the value of each tied unit that the tie-breaker compares; nothing if it doesn't count for these units."""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-breaker. The highest value is best, unless `lowest_first`; a value that `is_difference` is shown signed.

    `unless` is the sentence for units for which it doesn't count, because it has no values for them.
    """

    label: Phrase
    values: Rule
    lowest_first: bool = False
    is_difference: bool = False
    unless: str = ""


TIE_BREAKS: dict[str, TieBreak] = {}
"""All tie-breakers by key, in the order of the form."""


def tie_break(
    label: Phrase, *, lowest_first: bool = False, is_difference: bool = False, unless: str = ""
) -> Callable[[Rule], Rule]:
    """Return a decorator that registers a function as a tie-breaker under its own name."""

    def register(rule: Rule) -> Rule:
        TIE_BREAKS[rule.__name__] = TieBreak(label, rule, lowest_first, is_difference, unless)
        return rule

    return register


def against(games: Credit, units: Iterable[Unit]) -> Iterator[tuple[Unit, Played, list[tuple[Unit, Played]]]]:
    """Yield each game in `games` that counts for one of `units`: that unit, its record, and its opponents.

    Opponents are the units in `games` for whom the game counts on the other sides, with their records of it. Where a
    substitute played, that is the regular, the substitute, or both, as the season says.
    """
    tables: dict[tuple[int, GameKey], list[tuple[Unit, Played]]] = defaultdict(list)
    for unit, played in games.items():
        for game in played:
            tables[game.night, game.game].append((unit, game))
    for unit in units:
        for game in games.get(unit, ()):
            seats = tables[game.night, game.game]
            yield unit, game, [seat for seat in seats if seat[0] != unit and seat[1].person in game.opponents]


@tie_break(Phrase("wins"))
def wins(contest: Contest, tied: Sequence[Unit]) -> Mapping[Unit, int]:
    """Return the wins on the nights that count."""
    return {unit: contest.rows[unit].wins for unit in tied}


@tie_break(
    Phrase("head to head"),
    is_difference=True,
    unless=Phrase("Head to head doesn't count, because they haven't all played each other."),
)
def head_to_head(contest: Contest, tied: Sequence[Unit]) -> Mapping[Unit, int]:
    """Return the games won against the other tied units, less the games lost to them.

    Counts all nights, because others may have dropped a different night. A game against two of them counts once; a unit
    that never played any of them has 0. A tie counts for none of them, and neither does a game won by anyone else. If
    the season counts it only where all have met (`met_all`), there are no values until every two of them played.
    """
    met = contest.met(tied)
    balance = dict.fromkeys(tied, 0)
    pairs: set[frozenset[Unit]] = set()
    for unit, game, opponents in against({unit: met.get(unit, ()) for unit in tied}, tied):
        pairs.update(frozenset((unit, other)) for other, _played in opponents)
        if opponents and game.won:
            balance[unit] += 1
        elif any(other.won for _unit, other in opponents):
            balance[unit] -= 1
    return {} if contest.met_all and len(pairs) < math.comb(len(tied), 2) else balance


@tie_break(Phrase("point difference"), is_difference=True)
def point_difference(contest: Contest, tied: Sequence[Unit]) -> Mapping[Unit, int]:
    """Return points scored less those of the best other side, on the nights that count."""
    return {unit: contest.rows[unit].difference for unit in tied}


@tie_break(Phrase("fewest sets"), lowest_first=True)
def fewest_sets(contest: Contest, tied: Sequence[Unit]) -> Mapping[Unit, int]:
    """Return the sets on the nights that count."""
    return {unit: contest.rows[unit].sets for unit in tied}


@tie_break(Phrase("random draw"), lowest_first=True)
def draw(contest: Contest, tied: Sequence[Unit]) -> Mapping[Unit, int]:
    """Return a different random number for each unit.

    The numbers depend only on the season and on the tied units: the same tie always has the same order, and a tie
    between other units is drawn separately.
    """
    return {unit: lot for lot, unit in enumerate(contest.lots.order(tied), start=1)}


Ranked = tuple[tuple[Unit, ...], tuple[Tie, ...]]
"""The units that share a rank, and the ties they went through, widest first."""


def rank(contest: Contest, units: Sequence[Unit], tied_on: tuple[str, ...], chain: Sequence[str]) -> list[Ranked]:
    """Return `units`, which are tied on the keys in `tied_on`, ranked by the tie-breakers in `chain`."""
    if len(units) == 1:
        return [((units[0],), ())]
    compared, skipped = tied_on, tuple[str, ...]()
    for index, rule in enumerate(chain):
        values = TIE_BREAKS[rule].values(contest, units)
        if not values:
            skipped = (*skipped, rule)
            continue
        if len(set(values.values())) == 1:
            compared = (*compared, rule)
            continue
        groups: dict[TieValue, list[Unit]] = defaultdict(list)
        for unit in contest.lots.order(units):
            groups[values[unit]].append(unit)
        best_first = sorted(groups, reverse=not TIE_BREAKS[rule].lowest_first)
        order = tuple(unit for value in best_first for unit in groups[value])
        at = contest.rows[units[0]].value
        tie = Tie(order, compared, at, rule, tuple(values[unit] for unit in order), skipped)
        return [
            (group, (tie, *ties))
            for value in best_first
            for group, ties in rank(contest, groups[value], (*compared, rule), chain[index + 1 :])
        ]
    group = tuple(contest.lots.order(units))
    return [(group, (Tie(group, compared, contest.rows[units[0]].value, "", (), skipped),))]
