"""A second calculation of the standings, which is slow and simple and shares no code with the app's calculation.

Each number is found by going through all games of the season again. The rank of a person or team is one more than the
number of better people or teams. To find these, one value for each tie-breaker is compared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import Any

from scorekeeper.games.logic.statistics.hands import Played
from scorekeeper.leagues.standings.settings import StandingSettings

Team = tuple[int, ...]


@dataclass(eq=False)
class Season:
    """All records of a season, with the settings of its standings.

    `pairs` has each record together with the person or team for which it counts. A team is a tuple of people, and a
    single person is a team of one.
    """

    pairs: list[tuple[Team, Played]]
    settings: StandingSettings
    name: str
    tags: dict[int, str]

    @lru_cache(maxsize=1000)  # noqa: B019 -- of a few seasons
    def games(self, unit: Team, night: int | None = None) -> list[Played]:
        """Return the games of a person or team, without byes, on one night, or on all nights if `night` is None."""
        return [g for u, g in self.pairs if u == unit and not g.bye and night in (None, g.night)]

    def byes(self, unit: Team, night: int) -> int:
        return len([g for u, g in self.pairs if u == unit and g.bye and g.night == night])

    def all_nights(self) -> list[int]:
        return sorted({g.night for _, g in self.pairs})


def people(played: list[Played], settings: StandingSettings, name: str, tags: dict[int, str]) -> list[dict[str, Any]]:
    """Return a row of the standings for each person, best first.

    The season's `name` and the people's `tags` are the seed of the random draw. `tags` has a text for each person's
    id in `played`; this text stays the same when the league is moved to another database.
    """
    pairs: list[tuple[Team, Played]] = []
    for game in [each for told in played for each in _apart(told)]:
        if game.sub_for is None or settings.subs in ("sub", "both"):
            pairs.append(((game.person,), game))
        if game.sub_for is not None and settings.subs in ("regular", "both"):
            pairs.append(((game.sub_for,), game))
    return _rows(Season(pairs, settings, name, tags))


def teams(played: list[Played], settings: StandingSettings, name: str, tags: dict[int, str]) -> list[dict[str, Any]]:
    """Return a row of the standings for each team of fixed partners, best first.

    Each game of a side counts once. The record of the partner with the lowest id is used. Nobody is a team alone.
    """
    pairs: list[tuple[Team, Played]] = []
    for game in played:
        if game.total is not None or (game.bye and not game.partners):
            continue
        sat = [game.person, *game.partners]
        if game.person != min(sat):
            continue
        regular = []
        for person in sat:
            regulars = [
                g.sub_for for g in played if g.person == person and (g.night, g.game) == (game.night, game.game)
            ]
            regular.append(regulars[0] if regulars and regulars[0] is not None else person)
        units = set()
        if settings.subs in ("regular", "both"):
            units.add(tuple(sorted(regular)))
        if settings.subs in ("sub", "both"):
            units.add(tuple(sorted(sat)))
        pairs += [(unit, game) for unit in units]
    return _rows(Season(pairs, settings, name, tags))


def _apart(game: Played) -> list[Played]:
    """Split the record of a night that was imported as a total into one record for each of its games.

    Return any other record unchanged, in a list of one. The first game gets all the points. A game with an unknown
    result is neither won nor lost.
    """
    if game.total is None:
        return [game]
    games, wins, losses = game.total
    told = ["won"] * (wins or 0) + ["lost"] * (losses or 0)
    told += ["unknown"] * ((games or 1) - len(told))
    return [
        game._replace(
            points=game.points if at == 0 else 0,
            points_against=game.points if at == 0 else 0,
            won=one == "won",
            drawn=one == "unknown",
        )
        for at, one in enumerate(told)
    ]


@lru_cache(maxsize=1000)
def _handicap(season: Season, unit: Team, night: int) -> int:
    """Return the points that the handicap of a person or team adds to each of its games on this night."""
    settings = season.settings
    if settings.handicap == "none":
        return 0
    past = [n for n in season.all_nights() if n < night and any(not g.bye and g.night == n for _, g in season.pairs)]

    def average(who: Team) -> Fraction | None:
        scores = [g.points for g in season.games(who) if g.night < night]
        return Fraction(sum(scores), len(scores)) if scores else None

    regulars = [
        who
        for who in {u for u, _ in season.pairs}
        if len([n for n in past if season.games(who, n)]) * 2 >= len(past) and average(who) is not None
    ]
    own = average(unit)
    if own is None or not regulars:
        return 0
    best = max(a for who in regulars if (a := average(who)) is not None)
    if best <= own:
        return 0
    return min(floor((best - own) * settings.handicap_percent / 100), settings.handicap_cap)


def _night(season: Season, unit: Team, night: int) -> dict[str, Any]:
    settings = season.settings
    games = season.games(unit, night)
    given = _handicap(season, unit, night) * len(games)
    points = Fraction(sum(g.points for g in games) + given)
    count, wins = len(games), len([g for g in games if g.won])
    for _ in range(season.byes(unit, night)):
        if settings.bye == "points":
            points, count = points + settings.bye_points, count + 1
            wins += 1 if settings.bye_wins else 0
        elif settings.bye == "average" and season.games(unit):
            whole = sum(g.points + _handicap(season, unit, g.night) for g in season.games(unit))
            points, count = points + Fraction(whole, len(season.games(unit))), count + 1
    return {
        "night": night,
        "points": points,
        "games": count,
        "wins": wins,
        "losses": len([g for g in games if not g.won and not g.drawn]),
        "handicap": given,
        "difference": sum(g.points - g.points_against for g in games),
        "sets": sum(g.sets for g in games),
        "unknown": len([g for g in games if g.total and g.drawn and None in g.total[1:]]),
    }


SUMS = ("points", "games", "wins", "losses", "handicap", "difference", "sets", "unknown")
"""Numbers that `_night` calculates for a night and that are added up over the nights that count."""


def _value(order: str, what: dict[str, Any]) -> Fraction:
    if order == "wins":
        return Fraction(what["wins"])
    if order == "points":
        return Fraction(what["points"])
    return Fraction(what["points"], what["games"]) if what["games"] else Fraction(0)


def _row(season: Season, unit: Team) -> dict[str, Any]:
    settings = season.settings
    nights = [_night(season, unit, night) for night in season.all_nights()]
    nights = [night for night in nights if night["games"]]
    keep = max(len(season.all_nights()) - settings.drop_nights, 1)
    dropped = []
    while len(nights) > keep:
        worst = min(nights, key=lambda n: (_value(settings.order, n), n["points"], n["night"]))
        nights.remove(worst)
        dropped.append(worst["night"])
    row: dict[str, Any] = {"unit": unit, "dropped": tuple(sorted(dropped)), "played": len(season.games(unit))}
    for key in SUMS:
        row[key] = sum(night[key] for night in nights)
    row["value"] = _value(settings.order, row)
    return row


def _lots(season: Season, units: list[Team]) -> dict[Team, bytes]:
    def tag(unit: Team) -> str:
        return "+".join(sorted(season.tags[person] for person in unit))

    pool = "\n".join([season.name, *sorted(tag(unit) for unit in units)])
    return {unit: hashlib.sha256((pool + "\n\n" + tag(unit)).encode()).digest() for unit in units}


def _met(season: Season, unit: Team, others: list[Team]) -> int:
    """Return how many games the team `unit` won minus how many it lost against the teams in `others`.

    A game against several of the teams in `others` counts once.
    """
    balance = 0
    for game in season.games(unit):
        beaten_by = met = False
        for other in others:
            for theirs in season.games(other):
                if (theirs.night, theirs.game) == (game.night, game.game) and theirs.person in game.opponents:
                    met = True
                    beaten_by = beaten_by or theirs.won
        balance += 1 if met and game.won else -1 if beaten_by else 0
    return balance


def _never_met(season: Season, unit: Team, tied: list[Team]) -> int:
    """Return how many teams in `tied` have never played against the team `unit`."""
    return len(
        [
            other
            for other in tied
            if other != unit
            and not any(
                (mine.night, mine.game) == (theirs.night, theirs.game) and theirs.person in mine.opponents
                for mine in season.games(unit)
                for theirs in season.games(other)
            )
        ]
    )


def _sure(season: Season, tied: list[Team]) -> dict[Team, Any]:
    """Return head to head for teams that haven't all met: only teams ahead in any case are put first.

    The value of such a team is what it would have after losing all missing games; all others have the value of the team
    that would have most after winning all missing games. The dict is empty if no team is ahead in any case.
    """
    span = {}
    for one in tied:
        missing, won = _never_met(season, one, tied), _met(season, one, [other for other in tied if other != one])
        span[one] = (won - missing, won + missing)
    first: list[Team] = []
    while True:
        others = [one for one in tied if one not in first]
        ahead = [one for one in others if all(span[one][0] > span[other][1] for other in others if other != one)]
        if len(others) == 1 or not ahead:
            break
        first += ahead
    top = max(span[one][1] for one in tied if one not in first)
    return {one: -(span[one][0] if one in first else top) for one in tied} if first else {}


LEAST_IS_BEST = ("fewest_sets", "draw")


def _partial(season: Season, tied: list[Team]) -> bool:
    """Return True if head to head doesn't count in full, because some of these teams never met."""
    return season.settings.met_all and any(_never_met(season, one, tied) for one in tied)


def _compared(season: Season, rows: dict[Team, Any], rule: str, tied: list[Team]) -> dict[Team, Any]:
    """Return a dict of each tied team's value by the tie-breaker `rule`. The team with the lowest value is best.

    The dict is empty if the tie-breaker doesn't apply, such as head to head between teams that never met.
    """
    lots = _lots(season, tied)
    if rule == "head_to_head" and _partial(season, tied):
        return _sure(season, tied) if season.settings.reapply else {}
    rules: dict[str, Callable[[Team], Any]] = {
        "wins": lambda one: -rows[one]["wins"],
        "point_difference": lambda one: -rows[one]["difference"],
        "fewest_sets": lambda one: rows[one]["sets"],
        "head_to_head": lambda one: -_met(season, one, [other for other in tied if other != one]),
        "draw": lambda one: len([other for other in tied if lots[other] <= lots[one]]),
    }
    assert rule in rules, (
        f"calculate the tie-breaker {rule!r} a second time, here in tests/leagues/standings/second_calculation.py"
    )
    return {one: rules[rule](one) for one in tied}


def _rows(season: Season) -> list[dict[str, Any]]:
    settings = season.settings
    rows = {unit: _row(season, unit) for unit in {unit for unit, _ in season.pairs}}
    in_play = [unit for unit, row in rows.items() if row["played"] >= max(1, settings.min_games)]
    keys: dict[Team, list[Any]] = {unit: [-rows[unit]["value"]] for unit in in_play}
    ties: dict[Team, list[Any]] = {unit: [] for unit in in_play}
    tied_on: dict[Team, list[str]] = {unit: [settings.order] for unit in in_play}
    skipped: dict[Team, list[str]] = {unit: [] for unit in in_play}
    rules: list[str | None] = [rule for rule in settings.ties if rule != settings.order]
    for rule in [*rules, None]:
        split = True
        while split:
            split = False
            found = {}
            for unit in in_play:
                tied = [other for other in in_play if keys[other] == keys[unit]]
                values: dict[Team, Any] = {} if rule is None else _compared(season, rows, rule, tied)
                found[unit] = values.get(unit)
                partial = rule == "head_to_head" and _partial(season, tied)
                if len(tied) > 1 and (rule is None or len(set(values.values())) > 1):
                    split = settings.reapply and rule is not None
                    shown = {one: (v if rule in LEAST_IS_BEST else -v) for one, v in values.items()}
                    leaders = len(set(values.values())) - 1 if partial and values else 0
                    ties[unit].append(
                        (frozenset(tied), tuple(tied_on[unit]), rule or "", shown, tuple(skipped[unit]), leaders)
                    )
                    skipped[unit] = []
                if rule is not None and len(tied) > 1 and not (partial and values):
                    told = (tied_on if values else skipped)[unit]
                    told += [] if rule in told else [rule]
            for unit in in_play:
                keys[unit].append(found[unit])
    for unit in in_play:
        rows[unit]["place"] = 1 + len([other for other in in_play if keys[other][:-1] < keys[unit][:-1]])
        rows[unit]["ties"] = ties[unit]
    lowest = [unit for unit in rows if unit not in in_play]
    for unit in lowest:
        rows[unit] |= {"place": None, "ties": []}

    def order(unit: Team) -> Any:
        tied = [other for other in lowest if rows[other]["value"] == rows[unit]["value"]]
        lots = _lots(season, tied)
        return -rows[unit]["value"], lots[unit]

    def shared(unit: Team) -> Any:
        lots = _lots(season, [other for other in in_play if rows[other]["place"] == rows[unit]["place"]])
        return rows[unit]["place"], lots[unit]

    return [rows[unit] for unit in [*sorted(in_play, key=shared), *sorted(lowest, key=order)]]
