"""Make the points by night of a season: players or partners by nights, from its standings."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from scorekeeper.i18n.catalog import spoken
from scorekeeper.i18n.sentences import join_names
from scorekeeper.leagues.core.access import NoSuchLeagueError, season_at
from scorekeeper.leagues.core.models import SeasonRow
from scorekeeper.leagues.results.pages import GridCell, GridLine, GridNight, SeasonGrid
from scorekeeper.leagues.standings.columns import plain_number
from scorekeeper.leagues.standings.queries import page_of_person
from scorekeeper.leagues.standings.rows import StandingRow
from scorekeeper.leagues.standings.standings_cache import SeasonStandings, season_standings
from scorekeeper.leagues.standings.wording import decimal
from scorekeeper.web.extensions import db
from scorekeeper.web.locale import day_text

SHOWN = 2_000
"""Most cells on a page; files have all of them."""
MISSED = GridCell(None, "")


def season_grids(season_id: str) -> tuple[SeasonGrid, ...]:
    """Return the points by night for the page of a season: of partners, if they are fixed, and of people.

    Only the latest nights are shown if there would be too many cells. Raises `NoSuchLeagueError`.
    """
    session = db.session()
    season = season_at(session, season_id)
    standings = season_standings(session, season)
    keys = ("partners", "people") if standings.teams else ("people",)
    grids = (_grid(key, standings, season) for key in keys)
    return tuple(_shortened(grid) for grid in grids if grid.lines)


def season_grid(season_id: str, who: str) -> SeasonGrid:
    """Return the points of "people" or "partners" on every night, oldest first.

    Raises `NoSuchLeagueError` if there is no such season or no such standings.
    """
    session = db.session()
    season = season_at(session, season_id)
    standings = season_standings(session, season)
    if who != "people" and (who != "partners" or not standings.teams):
        raise NoSuchLeagueError
    return _grid(who, standings, season)


def _grid(key: str, standings: SeasonStandings, season: SeasonRow) -> SeasonGrid:
    rows = standings.teams if key == "partners" else standings.people
    played = {night for row in rows for night, _tally in row.nights.tallies}
    nights = tuple(
        GridNight(night.public_id, night.number, day_text(night.day), not night.closed)
        for night in standings.nights.values()
        if night.number in played
    )
    lines = tuple(_line(row, nights, standings, season) for row in rows)
    return SeasonGrid(key, nights, lines, any(row.dropped for row in rows))


def _line(row: StandingRow, nights: tuple[GridNight, ...], standings: SeasonStandings, season: SeasonRow) -> GridLine:
    # A night with only byes that are no games is a missed night.
    cells = {score.night: _cell(score.points, dropped=not score.counts) for score in row.nights if score.games}
    return GridLine(
        rank="" if row.place is None else str(row.place),
        name=join_names([standings.roster.people[person].name for person in row.unit]),
        page=page_of_person(standings, season, row.person, night="all", _anchor="games"),
        cells=tuple(cells.get(night.number, MISSED) for night in nights),
        total=_cell(row.points),
    )


def _cell(points: Fraction, *, dropped: bool = False) -> GridCell:
    return GridCell(plain_number(points), spoken(decimal(points)), dropped)


def _shortened(grid: SeasonGrid) -> SeasonGrid:
    """Return the grid with its latest nights, at most `SHOWN` cells and at least four nights."""
    left_out = max(len(grid.nights) - max(SHOWN // len(grid.lines), 4), 0)
    if not left_out:
        return grid
    lines = tuple(replace(line, cells=line.cells[left_out:]) for line in grid.lines)
    return replace(grid, nights=grid.nights[left_out:], lines=lines, earlier=left_out)
