"""Export the results of a night, and the points of a season by night."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.sentences import join_names
from scorekeeper.leagues.results.pages import NightResults, ResultLine, SeasonGrid
from scorekeeper.leagues.standings.export import Sheet
from scorekeeper.web.csv_cells import Cell, csv_file


def results_csv(page: NightResults) -> bytes:
    """Return the rankings of a night, followed by its honors, as a CSV file.

    The ranking of partners comes before the ranking of players. If there are both, the last column says which ranking
    a line belongs to.
    """
    both = len(page.tables) > 1
    columns = list(page.tables[0].lines[0].values) if page.tables else []
    head = [_("Rank"), _("Name"), *(_(name) for name in columns), _("Prize"), _("Substitute for"), _("Reason")]
    head += [_("Ranking")] if both else []
    lines: list[list[Cell]] = []
    for table in page.tables:
        of = [_("Partners") if table.key == "partners" else _("Players")] if both else []
        lines += [[*_line(line, columns), *of] for line in table.lines]
    for honor in page.honors:
        lines += [[honor.label, holder.name, honor.number, holder.where] for holder in honor.holders]
    return csv_file(head, lines)


def _line(line: ResultLine, columns: Sequence[str]) -> list[Cell]:
    regulars = [person.sub_for for person in line.people if person.sub_for]
    name = join_names([person.name for person in line.people])
    numbers = [line.values[column] for column in columns]
    return [line.rank, name, *numbers, line.prize, ", ".join(regulars), line.reason]


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
