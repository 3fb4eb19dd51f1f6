"""Decide for whom a substitute's game counts in the standings.

A substitute's game, with its points, win and sets, counts for the regular, for the substitute, or for both. The
season's settings say which. In the games of the other players at the table, the substitute is always the opponent or
partner. For fixed partners, a substitute's game counts for the regular team, for the team that played, or for both.

The tie-breakers, which rank players or teams with the same score in the standings.

Units that are tied on what the season ranks by are compared by its first tie-breaker. Units that are still tied
are compared among themselves by the next tie-breaker, and never again by an earlier tie-breaker. Where `reapply` is
true, a tie-breaker that has split a tie first compares the units of each smaller tie that is left, among themselves.
Units that are tied after the last tie-breaker share a rank, and the next rank counts all units above it: 1, 2, 2, 4.

With `reapply`, head to head follows articles 6.2 (again for those still tied) and 6.3 (first, however the missing games
end) of FIDE's tie-break regulations, C.07 of March 2026, with wins minus losses in the place of points.

Each tie-breaker is one function below: its name is its key, `tie_break` gives its label. Forms, settings and sentences
are built from `TIE_BREAKS`. The docstrings are never shown to users.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

from msgspec import Struct

from scorekeeper.games.logic.statistics.hands import GameKey, Played, Unit
from scorekeeper.leagues.standings.rows import StandingRow, Tie, TieValue
from scorekeeper.rules.phrase import Phrase

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


class Lots(Struct, frozen=True):
    """The seed of the random draws in a season.

    `season` is the public id of the season. `tags` maps the row id of each person to their public id. If a person is
    missing from `tags`, the row id is used. Public ids stay the same when a league is imported on another server.
    """

    season: str
    tags: Mapping[int, str]

    def order(self, units: Iterable[Unit]) -> list[Unit]:
        """Return `units` in random order.

        The same units always get the same order, even if they are passed in another order.
        """
        tags = {unit: "+".join(sorted(self.tags.get(person, str(person)) for person in unit)) for unit in units}
        pool = "\n".join((self.season, *sorted(tags.values())))
        return sorted(tags, key=lambda unit: (sha256(f"{pool}\n\n{tags[unit]}".encode()).digest(), unit))


class Contest(Struct, frozen=True):
    """The data that a tie-breaker can use, besides the tied units.

    `rows` has the row of every unit, ranked or not. `lots` is the seed of the random draw.

    `all_games()` returns all games of the season, by unit. A unit without games is missing. The call reads the whole
    season, so make it only if needed.

    `met(tied)` returns games by unit, but only games with at least two people from the tied units. A regular whose
    substitute played counts as taking part. The two people may have been partners. The result includes the other units
    at their table. Use `against` to find opponents.

    `all_games` and `met` leave out byes and include dropped nights. A substitute's game is listed for each unit for
    whom the game counts by the season's settings.
    """

    rows: Mapping[Unit, StandingRow]
    met: Callable[[Sequence[Unit]], Credit]
    all_games: Callable[[], Credit]
    lots: Lots
    met_all: bool = False
    """True if head to head counts only where every two of the tied units played each other."""
    reapply: bool = False
    """True if a smaller tie that a tie-breaker leaves is first compared by the same tie-breaker."""


Rule = Callable[[Contest, Sequence[Unit]], Mapping[Unit, TieValue]]
"""Function that returns the value by which a tie-breaker compares each unit; {} if the tie-breaker doesn't count."""


class TieBreak(Struct, frozen=True):
    """A tie-breaker.

    `values` returns the value of each tied unit, or {} if the tie-breaker doesn't count for these units. `unless` is
    the sentence that pages then show as the reason. The highest value is best, unless `lowest_first` is true. A value
    is shown with its sign if `is_difference` is true.

    If `values` returns {} in a season with `reapply`, `leaders` puts units first that are sure to lead. It returns {}
    if there are none.
    """

    label: Phrase
    values: Rule
    lowest_first: bool = False
    is_difference: bool = False
    unless: str = ""
    leaders: Rule | None = None


TIE_BREAKS: dict[str, TieBreak] = {}
"""All tie-breakers by key, in the order of the form."""


def tie_break(
    label: Phrase,
    *,
    lowest_first: bool = False,
    is_difference: bool = False,
    unless: str = "",
    leaders: Rule | None = None,
) -> Callable[[Rule], Rule]:
    """Return a decorator that registers a function as a tie-breaker.

    The function's name is the key of the tie-breaker. The parameters are fields of `TieBreak`.
    """

    def register(rule: Rule) -> Rule:
        TIE_BREAKS[rule.__name__] = TieBreak(label, rule, lowest_first, is_difference, unless, leaders)
        return rule

    return register


def against(games: Credit, units: Iterable[Unit]) -> Iterator[tuple[Unit, Played, list[tuple[Unit, Played]]]]:
    """Yield (unit, record of the game, opponents) for each of `units` and each game of that unit in `games`.

    The opponents are a list of pairs (unit, record of the game), one for each unit on another side. If a substitute
    played, the unit is the regular, the substitute, or both, as the season's settings say.
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
    """Return the number of wins of each tied unit on the nights that count."""
    return {unit: contest.rows[unit].wins for unit in tied}


def balances(contest: Contest, tied: Collection[Unit]) -> tuple[dict[Unit, int], dict[Unit, int]]:
    """Return each unit's wins minus losses against the other tied units, and how many of these it never played.

    Games on dropped nights count, because each unit may have dropped a different night. A game against two tied units
    counts once. A tied game counts for nobody, and neither does a game that was won by a unit outside the tie.
    """
    met = contest.met(tuple(tied))
    balance = dict.fromkeys(tied, 0)
    rivals: dict[Unit, set[Unit]] = {unit: set() for unit in tied}
    for unit, game, opponents in against({unit: met.get(unit, ()) for unit in tied}, tied):
        for other, _played in opponents:
            rivals[unit].add(other)
            rivals[other].add(unit)
        if opponents and game.won:
            balance[unit] += 1
        elif any(other.won for _unit, other in opponents):
            balance[unit] -= 1
    return balance, {unit: len(balance) - 1 - len(others) for unit, others in rivals.items()}


def sure_leaders(contest: Contest, tied: Sequence[Unit]) -> Mapping[Unit, int]:
    """Return values that put units first that lead head to head however the missing games end; {} if none is sure to.

    One game is missing between every two of the tied units that never played each other. A unit is sure to lead if it
    would still have the best balance if it lost all its missing games, and another unit won all of its own. Then the
    second rank is decided in the same way, and so on. A leader's value is its balance at worst. All units after the
    leaders have the same value: the best balance that one of them could still have.
    """
    balance, missing = balances(contest, tied)
    worst = {unit: balance[unit] - missing[unit] for unit in tied}
    best = {unit: balance[unit] + missing[unit] for unit in tied}
    rest = sorted(tied, key=lambda unit: worst[unit], reverse=True)
    leaders: dict[Unit, int] = {}
    while len(rest) > 1 and worst[rest[0]] > max(best[unit] for unit in rest[1:]):
        leaders[rest[0]] = worst[rest[0]]
        rest = rest[1:]
    return leaders | dict.fromkeys(rest, max(best[unit] for unit in rest)) if leaders else {}


@tie_break(
    Phrase("head to head"),
    is_difference=True,
    unless=Phrase("Head to head doesn't count, because they haven't all played each other."),
    leaders=sure_leaders,
)
def head_to_head(contest: Contest, tied: Sequence[Unit]) -> Mapping[Unit, int]:
    """Return each unit's games won against the other tied units, minus its games lost to them (`balances`).

    A unit that never played any of the others has 0. With `met_all`, return {} until all the tied units have played
    each other.
    """
    balance, missing = balances(contest, tied)
    return {} if contest.met_all and any(missing.values()) else balance


@tie_break(Phrase("point differential"), is_difference=True)
def point_difference(contest: Contest, tied: Sequence[Unit]) -> Mapping[Unit, int]:
    """Return each tied unit's points minus those of the best other side, added up over the nights that count."""
    return {unit: contest.rows[unit].difference for unit in tied}


@tie_break(Phrase("fewest sets"), lowest_first=True)
def fewest_sets(contest: Contest, tied: Sequence[Unit]) -> Mapping[Unit, int]:
    """Return how often each tied unit was set (failed to make its bid) on the nights that count."""
    return {unit: contest.rows[unit].sets for unit in tied}


@tie_break(Phrase("random draw"), lowest_first=True)
def draw(contest: Contest, tied: Sequence[Unit]) -> Mapping[Unit, int]:
    """Return a place in random order, counted from 1, for each tied unit (a player or a set of partners).

    The places depend only on the season and on the tied units. The same tie always gets the same order. A tie between
    other units is drawn separately.
    """
    return {unit: lot for lot, unit in enumerate(contest.lots.order(tied), start=1)}


Ranked = tuple[tuple[Unit, ...], tuple[Tie, ...]]
"""The units that share a rank, and the ties that decided this rank, starting with the one between the most units."""


def rank(contest: Contest, units: Sequence[Unit], tied_on: tuple[str, ...], chain: Sequence[str]) -> list[Ranked]:
    """Rank units that are tied, and return the groups of units that share a rank, best first.

    `tied_on` has the keys of everything on which `units` are already equal. `chain` has the keys of the tie-breakers to
    apply. Each group is paired with its ties: first a `Tie` for each tie-breaker that separated the group from other
    units, in the order in which they were applied, then, if the group has several units, a `Tie` without a tie-breaker.
    """
    if len(units) == 1:
        return [((units[0],), ())]
    compared, skipped = tied_on, tuple[str, ...]()
    for index, rule in enumerate(chain):
        values = TIE_BREAKS[rule].values(contest, units)
        leaders = TIE_BREAKS[rule].leaders if contest.reapply and not values else None
        if leaders:
            values = leaders(contest, units)
        if not values:
            skipped = (*skipped, rule)
            continue
        # What put only leaders first has not compared all units.
        equal = compared if leaders or rule in compared else (*compared, rule)
        if len(set(values.values())) == 1:
            compared = equal
            continue
        groups: dict[TieValue, list[Unit]] = defaultdict(list)
        for unit in contest.lots.order(units):
            groups[values[unit]].append(unit)
        best_first = sorted(groups, reverse=not TIE_BREAKS[rule].lowest_first)
        order = tuple(unit for value in best_first for unit in groups[value])
        at = contest.rows[units[0]].value
        shown = tuple(values[unit] for unit in order)
        tie = Tie(order, compared, at, rule, shown, skipped, leaders=len(best_first) - 1 if leaders else 0)
        return [
            (group, (tie, *ties))
            for value in best_first
            for group, ties in rank(contest, groups[value], equal, chain[index if contest.reapply else index + 1 :])
        ]
    group = tuple(contest.lots.order(units))
    return [(group, (Tie(group, compared, contest.rows[units[0]].value, "", (), skipped),))]
