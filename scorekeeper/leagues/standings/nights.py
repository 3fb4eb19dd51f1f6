"""What a unit scored on each night, and which nights count.

A bye scores what the season says: nothing, and then it is no game; fixed points, as a game that is won or not as the
season says; or as a game, not won, with the average of the unit's own games of the season, handicap and dropped nights
included (where it has none, nothing). A bye has no point difference and no sets, and is given no handicap.

Where the lowest n nights are dropped, everybody keeps as many nights as the season has had so far less n, one at the
least: the best of his own. The nights he missed are dropped first. Nights are compared by what the order looks at, on
that night alone: the points per game, the points, or the wins; of level ones the night with fewer points goes, then the
earlier one. A dropped night counts for nothing more but the minimum of games, averages, and who met whom.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import lcm

from scorekeeper.leagues.standings.handicap import handicaps
from scorekeeper.leagues.standings.night_sums import NightSums, Tallies
from scorekeeper.leagues.standings.person_game import Unit
from scorekeeper.leagues.standings.rows import Nights
from scorekeeper.leagues.standings.settings import StandingSettings


def score_nights(tallies: Tallies, settings: StandingSettings) -> Mapping[Unit, Nights]:
    """Return the nights of each unit, with those that are dropped."""
    given: defaultdict[Unit, dict[int, int]] = defaultdict(dict)
    for (unit, night), points in handicaps(tallies, settings).items():
        given[unit][night] = points
    so_far = len({night for nights in tallies.values() for night in nights})
    return {
        unit: _drop(_nights(sorted(nights.items()), given.get(unit, {}), settings), so_far, settings)
        for unit, nights in tallies.items()
    }


def _nights(tallies: Sequence[tuple[int, NightSums]], given: Mapping[int, int], settings: StandingSettings) -> Nights:
    if settings.bye == "points":
        return Nights(tallies, given, settings.bye_points, 1, settings.bye_wins)
    played = sum(tally.played for _night, tally in tallies)
    if settings.bye == "nothing" or not played:
        return Nights(tallies, given, None, 1, bye_wins=False)
    points = sum(tally.points + given.get(night, 0) * tally.played for night, tally in tallies)
    return Nights(tallies, given, points, played, bye_wins=False)


def _drop(nights: Nights, so_far: int, settings: StandingSettings) -> Nights:
    """The nights with the lowest dropped, `so_far` nights into the season."""
    kept = max(so_far - settings.drop_nights, 1)
    if len(nights) <= kept:
        return nights
    merits = sorted(_merits(nights, settings.order))
    return replace(nights, dropped=frozenset(night for *_, night in merits[: max(len(merits) - kept, 0)]))


def _merits(nights: Nights, order: str) -> Iterator[tuple[int, int, int]]:
    """What the order looks at on each night with a game, the points, and the night.

    Points are whole numbers here, all as many times too big: fractions compare slowly.
    """
    scores: list[tuple[int, int, int, int]] = []
    for night, tally in nights.tallies:
        played, byes = tally.played, tally.byes
        games = played if nights.bye is None else played + byes
        if games:
            points = nights.scale * (tally.points + nights.given.get(night, 0) * played) + byes * (nights.bye or 0)
            scores.append((games, points, tally.wins + byes if nights.bye_wins else tally.wins, night))
    common = lcm(*{games for games, *_ in scores})
    for games, points, wins, night in scores:
        yield {"wins": wins, "points": points, "per_game": points * (common // games)}[order], points, night
