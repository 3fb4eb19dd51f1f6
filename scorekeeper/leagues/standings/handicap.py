"""The handicap.

In each game of a night a unit is given points: so many percent of what its average is below the best average of the
league, both over the games really played on earlier nights of the season, rounded down to a whole point and at most the
cap. On the first night of the season, and on its own first night, it is given nothing. The best average is that of
somebody who played on at least half of the nights so far, so that one lucky evening does not set it; whoever is above
it is given nothing. Averages are of points made: what was given before does not count, and dropped nights do. The
points given count for points and points per game, never for who won a game, nor for the point difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from scorekeeper.leagues.standings.played import Unit
from scorekeeper.leagues.standings.settings import StandingSettings

Made = Mapping[Unit, Mapping[int, tuple[int, int]]]
"""The games really played and the points made in them, by unit and night."""


def handicaps(made: Made, settings: StandingSettings) -> dict[tuple[Unit, int], int]:
    """Return the points given in each game, by unit and night; where nothing is given there is no entry."""
    given: dict[tuple[Unit, int], int] = {}
    if settings.handicap == "none" or not settings.handicap_percent:
        return given
    share = Fraction(settings.handicap_percent, 100)
    games: dict[Unit, int] = {}
    points: dict[Unit, int] = {}
    attended: dict[Unit, int] = {}
    for past, night in enumerate(sorted({night for nights in made.values() for night in nights})):
        averages = {unit: Fraction(points[unit], count) for unit, count in games.items()}
        best = max((averages[unit] for unit, count in attended.items() if 2 * count >= past), default=None)
        for unit, nights in made.items():
            if night not in nights:
                continue
            if best is not None and unit in averages:
                points_given = min(int(share * max(best - averages[unit], Fraction(0))), settings.handicap_cap)
                if points_given:
                    given[unit, night] = points_given
            count, scored = nights[night]
            games[unit] = games.get(unit, 0) + count
            points[unit] = points.get(unit, 0) + scored
            attended[unit] = attended.get(unit, 0) + 1
    return given
