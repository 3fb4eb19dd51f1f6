"""Calculate the handicap.

In each game of a night a unit gets a percentage of the gap between its average and the league's best average, rounded
down to a whole point and limited by the cap. Both averages are of the games played on earlier nights of the season. On
the first night of the season, and on its own first night, a unit gets nothing. The best average must belong to a unit
that played on at least half of the nights so far, so that one lucky night doesn't set it; a unit above it gets nothing.
Averages are of points scored: earlier handicaps don't count, dropped nights do. Handicap points count for points and
points per game, never for wins or the point difference.
"""

from __future__ import annotations

from fractions import Fraction

from scorekeeper.games.logic.statistics.person_game import Unit
from scorekeeper.leagues.standings.night_sums import Tallies
from scorekeeper.leagues.standings.settings import StandingSettings


def handicaps(tallies: Tallies, settings: StandingSettings) -> dict[tuple[Unit, int], int]:
    """Return the handicap points per game, by unit and night, without zeros."""
    given: dict[tuple[Unit, int], int] = {}
    if settings.handicap == "none" or not settings.handicap_percent:
        return given
    share = Fraction(settings.handicap_percent, 100)
    games: dict[Unit, int] = {}
    points: dict[Unit, int] = {}
    attended: dict[Unit, int] = {}
    really = (night for nights in tallies.values() for night, each in nights.items() if each.played)
    for past, night in enumerate(sorted(set(really))):
        averages = {unit: Fraction(points[unit], count) for unit, count in games.items()}
        best = max((averages[unit] for unit, count in attended.items() if 2 * count >= past), default=None)
        for unit, nights in tallies.items():
            tally = nights.get(night)
            if tally is None or not tally.played:
                continue
            if best is not None and unit in averages:
                points_given = min(int(share * max(best - averages[unit], Fraction(0))), settings.handicap_cap)
                if points_given:
                    given[unit, night] = points_given
            games[unit] = games.get(unit, 0) + tally.played
            points[unit] = points.get(unit, 0) + tally.points
            attended[unit] = attended.get(unit, 0) + 1
    return given
