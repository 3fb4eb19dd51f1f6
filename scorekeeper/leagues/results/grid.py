"""Make the table of a season's points by night, with a row for each player or pair and a column for each night."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from scorekeeper.i18n.catalog import spoken
from scorekeeper.i18n.sentences import join_names
from scorekeeper.leagues.core.access import NoSuchLeagueError, season_at
from scorekeeper.leagues.core.models import SeasonRow
from scorekeeper.leagues.results.pages import GridCell, GridLine, GridNight, SeasonGrid
from scorekeeper.leagues.standings.columns import plain_number
from scorekeeper.leagues.standings.night_sums import NightSums
from scorekeeper.leagues.standings.queries import page_of_person
from scorekeeper.leagues.standings.rows import Nights, StandingRow
from scorekeeper.leagues.standings.standings_cache import SeasonStandings, season_standings
from scorekeeper.leagues.standings.wording import decimal, whole
from scorekeeper.web.extensions import db
from scorekeeper.web.locale import day_text

SHOWN = 800
"""Most cells of a table on a page; if there are more, only the latest nights are shown. Files have all nights."""
LEAST = 4
"""Fewest nights that a page shows, even if these have more than `SHOWN` cells."""
MISSED = GridCell(None, "")


def season_grids(season_id: str) -> tuple[SeasonGrid, ...]:
    """Return the points by night for the page of a season.

    If partners are fixed, the grid of partners comes before the grid of people. If there would be too many cells, only
    the latest nights are included. Raises `NoSuchLeagueError`.
    """
    session = db.session()
    season = season_at(session, season_id)
    standings = season_standings(session, season)
    keys = ("partners", "people") if standings.teams else ("people",)
    return tuple(_grid(key, standings, season, SHOWN) for key in keys if _rows(key, standings))


def season_grid(season_id: str, who: str) -> SeasonGrid:
    """Return the points on every night, oldest night first. `who` is "people" or "partners".

    Raises `NoSuchLeagueError` if there is no such season or no such standings.
    """
    session = db.session()
    season = season_at(session, season_id)
    standings = season_standings(session, season)
    if who != "people" and (who != "partners" or not standings.teams):
        raise NoSuchLeagueError
    return _grid(who, standings, season)


def _rows(key: str, standings: SeasonStandings) -> tuple[StandingRow, ...]:
    return standings.teams if key == "partners" else standings.people


def _grid(key: str, standings: SeasonStandings, season: SeasonRow, most: int = 0) -> SeasonGrid:
    """Return the points by night; `key` is "people" or "partners".

    If there would be more than `most` cells, only the latest nights are included. 0 means no limit.
    """
    rows = _rows(key, standings)
    played = {night for row in rows for night, _tally in row.nights.tallies}
    numbers = sorted(played & standings.nights.keys())
    earlier = max(len(numbers) - max(most // len(rows), LEAST), 0) if most else 0
    shown = [standings.nights[number] for number in numbers[earlier:]]
    return SeasonGrid(
        key,
        tuple(
            GridNight(night.public_id, night.number, night.day, day_text(night.day), not night.closed)
            for night in shown
        ),
        tuple(_line(row, numbers[earlier:], standings, season) for row in rows),
        any(row.dropped for row in rows),
        earlier,
    )


def _line(row: StandingRow, numbers: Sequence[int], standings: SeasonStandings, season: SeasonRow) -> GridLine:
    nights, wanted = row.nights, frozenset(numbers)
    cells = {
        night: _cell(points, night in nights.dropped)
        for night, tally in nights.tallies
        if night in wanted and (points := points_of(nights, night, tally)) is not None
    }
    return GridLine(
        rank="" if row.place is None else str(row.place),
        name=join_names([standings.roster.people[person].name for person in row.unit]),
        page=page_of_person(standings, season, row.person, night="all"),
        cells=tuple([cells.get(number, MISSED) for number in numbers]),
        total=_cell(row.points, dropped=False),
    )


def points_of(nights: Nights, night: int, tally: NightSums) -> int | Fraction | None:
    """Return the points that a player or pair gets for one night in the standings; None if they didn't play.

    `nights` is from the row of the player or pair in the standings, and `night` is the number of the night. `tally` has
    the sums of the games that they played that night. The points include the handicap and the credit for byes, as in
    `NightScore`. Whole numbers stay `int`, because a `Fraction` is slow.
    """
    byes = 0 if nights.bye is None else tally.byes
    if not tally.played and not byes:
        return None
    points = tally.points + nights.given.get(night, 0) * tally.played
    return points + Fraction(byes * (nights.bye or 0), nights.scale) if byes else points


def _cell(points: int | Fraction, dropped: bool) -> GridCell:
    if points.denominator == 1:
        return _whole(points.numerator, dropped)
    return GridCell(plain_number(Fraction(points)), spoken(decimal(points)), dropped)


@lru_cache(4096)
def _whole(points: int, dropped: bool) -> GridCell:
    return GridCell(points, whole(points), dropped)
