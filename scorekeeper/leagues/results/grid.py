"""Make the table of a season's points by night, with a row for each player or pair and a column for each night.

Export the results of a night, and the points of a season by night.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.i18n.sentences import join_names
from scorekeeper.leagues.core.access import NoSuchLeagueError, season_at
from scorekeeper.leagues.core.models import SeasonRow
from scorekeeper.leagues.results.pages import (
    GridCell,
    GridLine,
    GridNight,
    NightResults,
    ResultLine,
    ResultTable,
    SeasonGrid,
    TeamMatch,
)
from scorekeeper.leagues.standings.columns import Sheet, plain_number, workbook
from scorekeeper.leagues.standings.queries import page_of_person
from scorekeeper.leagues.standings.rows import Nights, NightSums, StandingRow
from scorekeeper.leagues.standings.standings_cache import SeasonStandings, season_standings
from scorekeeper.leagues.standings.wording import decimal, whole
from scorekeeper.web.csv_cells import Cell, csv_file
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
    numbers = [number for number in standings.nights if number in played]
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
        standings.settings.bye == "average" and any(row.byes for row in rows),
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


BOTH = 2
"""Value of `TeamMatch.forfeit` if both teams forfeited."""


def result_sheets(page: NightResults) -> Mapping[str, Sheet]:
    """Return the results of a night as tables of plain numbers, by the names that `part_names` returns.

    Each table has rows of one kind: matches of teams, partners, players, forfeits or honors. The first ranking is there
    even before the first game is over.
    """
    names = part_names(page)
    sheets = {key: _ranking(table, page) for key, table in ((table.key, table) for table in page.tables)}
    if not page.tables:
        sheets["people"] = _ranking(None, page)
    if page.matches:
        sheets["matches"] = _matches(page.matches, page)
    if page.forfeits:
        sheets["forfeits"] = _forfeits(page)
    if page.honors:
        sheets["honors"] = _honors(page)
    return {key: sheets[key]._replace(name=name) for key, name in names.items()}


def part_names(page: NightResults) -> dict[str, str]:
    """Return the name of each table of a night's results by its key.

    The keys are "matches", "partners", "people", "forfeits" and "honors".
    """
    keys = [table.key for table in page.tables] or ["people"]
    named = {"partners": _("Partners"), "people": _("Players")}
    return {
        **({"matches": _("Matches")} if page.matches else {}),
        **{key: named[key] for key in keys},
        **({"forfeits": _("Forfeits")} if page.forfeits else {}),
        **({"honors": _("Honors")} if page.honors else {}),
    }


def results_csv(page: NightResults, part: str = "") -> bytes | None:
    """Return one table of a night's results as a CSV file; by default the ranking that decides the prizes.

    Return None if the night has no such table.
    """
    sheet = result_sheets(page).get(part or (page.tables[0].key if page.tables else "people"))
    return None if sheet is None else csv_file(sheet.head, sheet.lines)


def results_xlsx(page: NightResults) -> bytes:
    """Return the results of a night as an Excel workbook with a sheet for each table."""
    return workbook(f"{page.league}, {page.title}", tuple(result_sheets(page).values()))


def _ranking(table: ResultTable | None, page: NightResults) -> Sheet:
    lines = table.lines if table else ()
    columns = list(lines[0].values) if lines else []
    prize, sub, reason = _("Prize"), _("Substitute for"), _("Reason")
    head = [_("Rank"), _("Name"), _("Date"), *(_(name) for name in columns), prize, sub, reason]
    return Sheet("", head, [_cells(line, columns, page) for line in lines])


def _cells(line: ResultLine, columns: Sequence[str], page: NightResults) -> list[Cell]:
    regulars = [person.sub_for for person in line.people if person.sub_for]
    name = join_names([person.name for person in line.people])
    numbers = [line.values[column] for column in columns]
    prize = line.cents / 100 if line.cents else None
    return [line.rank, name, page.date, *numbers, prize, ", ".join(regulars), line.reason]


def _matches(matches: Sequence[TeamMatch], page: NightResults) -> Sheet:
    head = [
        _("Round"),
        _("Home team"),
        _("Visitors"),
        _("Date"),
        _("Tables won, home team"),
        _("Tables won, visitors"),
        _("Points, home team"),
        _("Points, visitors"),
        _("Winner"),
        _("Forfeited by"),
    ]
    return Sheet(
        "",
        head,
        [
            [
                match.round,
                match.home,
                match.away,
                page.date,
                *(match.tables or (None, None)),
                *(match.points or (None, None)),
                "" if match.winner is None else match.teams[match.winner],
                join_names([team for side, team in enumerate(match.teams) if match.forfeit in (side, BOTH)] or [""]),
            ]
            for match in matches
        ],
    )


def _forfeits(page: NightResults) -> Sheet:
    head = [_("Round"), _("Table"), _("Date"), _("Forfeited by"), _("Winner")]
    return Sheet("", head, [[each.round, each.table, page.date, each.gone, each.came] for each in page.forfeits])


def _honors(page: NightResults) -> Sheet:
    head = [_("Honor"), _("Name"), _("Date"), _("Number"), _("Round"), _("Table")]
    return Sheet(
        "",
        head,
        [
            [honor.label, holder.name, page.date, honor.number, *(holder.at or (None, None))]
            for honor in page.honors
            for holder in honor.holders
        ],
    )


def grid_csv(grid: SeasonGrid) -> bytes:
    """Return the points by night as a CSV file. The cell for a missed night is empty."""
    sheet = grid_sheet(grid)
    return csv_file(sheet.head, sheet.lines)


def grid_sheet(grid: SeasonGrid) -> Sheet:
    """Return the points by night as a table of plain numbers.

    Each night is headed by its number and date, so that the table can be imported again. If any nights are dropped, the
    last column lists their numbers.
    """
    numbers = [_("Night %(number)s, %(day)s", number=night.number, day=night.date.isoformat()) for night in grid.nights]
    dropped = [_("Dropped nights")] if grid.any_dropped else []
    lines: list[list[Cell]] = []
    for line in grid.lines:
        out = [str(night.number) for night, cell in zip(grid.nights, line.cells, strict=True) if cell.dropped]
        rank = int(line.rank) if line.rank else None
        points = [cell.value for cell in line.cells]
        lines.append([rank, line.name, *points, line.total.value, *([" ".join(out)] if dropped else [])])
    return Sheet(_("By night"), [_("Rank"), _("Name"), *numbers, _("Total"), *dropped], lines)
