"""Calculate the handicap points of each player or team on each night.

A unit is one player or a set of partners. In each game, it gets a percentage of the gap between its own average and the
best average, rounded down to a whole point and limited by the cap. An average is the points per game on earlier nights
of the season. It includes dropped nights, but no handicap points. A unit gets no handicap on its own first night.

Only units that played on at least half of the nights so far can have the best average, so that one lucky night doesn't
decide it. A unit that played less often and has a higher average gets no handicap. Handicap points count for points and
points per game, never for wins or the point differential.
"""

from __future__ import annotations

from fractions import Fraction

from scorekeeper.games.logic.statistics.person_game import Unit
from scorekeeper.leagues.standings.night_sums import Tallies
from scorekeeper.leagues.standings.settings import StandingSettings


def handicaps(tallies: Tallies, settings: StandingSettings) -> dict[tuple[Unit, int], int]:
    """Return the handicap points per game for each unit on each night. A unit is one player or a set of partners.

    The keys are (unit, number of the night). Units without a handicap on a night are left out.
    """
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
