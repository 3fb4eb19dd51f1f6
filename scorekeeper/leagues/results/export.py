"""Export the results of a night, and the points of a season by night."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorekeeper.i18n.catalog import _
from scorekeeper.i18n.sentences import join_names
from scorekeeper.leagues.results.pages import NightResults, ResultLine, ResultTable, SeasonGrid, TeamMatch
from scorekeeper.leagues.standings.export import Sheet, workbook
from scorekeeper.web.csv_cells import Cell, csv_file

BOTH = 2
"""Value of `TeamMatch.forfeit` if both teams forfeited."""


def result_sheets(page: NightResults) -> Mapping[str, Sheet]:
    """Return the results of a night as tables of plain numbers, by the names that `part_names` returns.

    Each table has rows of one kind: matches of teams, partners, players or honors. The first ranking is there even
    before the first game is over.
    """
    names = part_names(page)
    sheets = {key: _ranking(table, page) for key, table in ((table.key, table) for table in page.tables)}
    if not page.tables:
        sheets["people"] = _ranking(None, page)
    if page.matches:
        sheets["matches"] = _matches(page.matches, page)
    if page.honors:
        sheets["honors"] = _honors(page)
    return {key: sheets[key]._replace(name=name) for key, name in names.items()}


def part_names(page: NightResults) -> dict[str, str]:
    """Return the name of each table of a night's results by its key: "matches", "partners", "people", "honors"."""
    keys = [table.key for table in page.tables] or ["people"]
    named = {"partners": _("Partners"), "people": _("Players")}
    return {
        **({"matches": _("Matches")} if page.matches else {}),
        **{key: named[key] for key in keys},
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
    return Sheet("", head, [_line(line, columns, page) for line in lines])


def _line(line: ResultLine, columns: Sequence[str], page: NightResults) -> list[Cell]:
    regulars = [person.sub_for for person in line.people if person.sub_for]
    name = join_names([person.name for person in line.people])
    numbers = [line.values[column] for column in columns]
    prize = line.cents / 100 if line.cents else None
    return [line.rank, name, page.date.isoformat(), *numbers, prize, ", ".join(regulars), line.reason]


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
                page.date.isoformat(),
                *(match.tables or (None, None)),
                *(match.points or (None, None)),
                "" if match.winner is None else match.teams[match.winner],
                join_names([team for side, team in enumerate(match.teams) if match.forfeit in (side, BOTH)] or [""]),
            ]
            for match in matches
        ],
    )


def _honors(page: NightResults) -> Sheet:
    head = [_("Honor"), _("Name"), _("Date"), _("Number"), _("Round"), _("Table")]
    return Sheet(
        "",
        head,
        [
            [honor.label, holder.name, page.date.isoformat(), honor.number, *(holder.at or (None, None))]
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
