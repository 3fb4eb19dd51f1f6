"""Calculate the score of each player or team on each night, and drop the lowest nights.

The season's settings say how a bye counts. If it scores nothing, it doesn't count as a game. If it scores fixed points,
it counts as a game, and the settings say whether it is a win. If it scores the average, it counts as a game that isn't
won, and it scores the average points of the unit's own games in the season, or 0 if there are none. The average
includes handicap points and dropped nights. A bye has no point differential, no sets and no handicap.

If the lowest n nights are dropped, each unit keeps its best nights: as many as the season has had so far, less n, and
at least one. Missed nights are therefore dropped first. Nights are compared by the value that the season ranks by, on
that night alone: points per game, points, or wins. Of tied nights the one with fewer points is dropped, then the
earlier one. A dropped night still counts for the minimum of games, for averages, and for head-to-head games.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import lcm

from scorekeeper.games.logic.statistics.person_game import Unit
from scorekeeper.leagues.standings.handicap import handicaps
from scorekeeper.leagues.standings.night_sums import NightSums, Tallies
from scorekeeper.leagues.standings.rows import Nights
from scorekeeper.leagues.standings.settings import StandingSettings


def score_nights(tallies: Tallies, settings: StandingSettings) -> Mapping[Unit, Nights]:
    """Return the nights of each player or team with their scores. The lowest nights are marked as dropped."""
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
    """Return `nights` with the lowest nights marked as dropped. `so_far` is how many nights the season has had."""
    kept = max(so_far - settings.drop_nights, 1)
    if len(nights) <= kept:
        return nights
    values = sorted(_values(nights, settings.order))
    return replace(nights, dropped=frozenset(night for *_, night in values[: max(len(values) - kept, 0)]))


def _values(nights: Nights, order: str) -> Iterator[tuple[int, int, int]]:
    """Yield a triple for each night on which the unit has a game: (value, points, number of the night).

    The value is what the season ranks by, for that night alone. Points and averages are multiplied by a common factor,
    so that they are whole numbers. Fractions would be slow to compare.
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
