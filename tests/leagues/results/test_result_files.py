"""The files of a night's results are tables that other programs read: one kind of row, and one type in each column."""

from __future__ import annotations

import csv
import io
import re
from datetime import date, datetime, time
from typing import TYPE_CHECKING

import pytest
from openpyxl import load_workbook

from scorekeeper.leagues.results.queries import night_results
from scorekeeper.leagues.transfer.past_reading import PastSeason, Said, read_past
from scorekeeper.leagues.transfer.spreadsheet import text_of
from scorekeeper.rules.presets import PRESETS
from tests.leagues.results.random_nights import PLANS, play
from tests.leagues.teams.team_season import TeamSeason

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
TEXTS = {
    *("Name", "Dropped nights", "Random draw", "Substitute for", "Reason", "Honor"),
    *("Home team", "Visitors", "Winner", "Forfeited by"),
}


def table(client: Phone, path: str, language: str = "en") -> list[dict[str, str]]:
    """Return the rows of a CSV file, after checking that each has as many cells as there are headings."""
    response = client.get(path, headers={"Accept-Language": language})
    assert response.status_code == 200, path
    head, *rows = csv.reader(io.StringIO(response.data.decode("utf-8-sig")))
    assert len(set(head)) == len(head), path
    assert {len(row) for row in rows} <= {len(head)}, path
    return [dict(zip(head, row, strict=True)) for row in rows]


def check_types(rows: list[dict[str, str]]) -> None:
    for row in rows:
        for head, cell in row.items():
            if head == "Date":
                date.fromisoformat(cell)
            elif head not in TEXTS and cell:
                float(cell)


@pytest.mark.parametrize("kind", PLANS)
def test_each_file_has_one_kind_of_row(app: Flask, client: Phone, kind: str) -> None:
    with app.app_context():
        evening = play(kind, 2)
        told = night_results(evening.night)
    path = f"/nights/{evening.night}"
    parts = {each.key: table(client, f"{path}/results/{each.key}.csv") for each in told.tables}
    assert table(client, f"{path}/results.csv") == parts[told.tables[0].key]
    for each in told.tables:
        assert [row["Name"] for row in parts[each.key]] == [line.name for line in each.lines]
    parts["honors"] = table(client, f"{path}/results/honors.csv")
    assert len(parts["honors"]) == sum(len(honor.holders) for honor in told.honors)
    for rows in parts.values():
        check_types(rows)
    assert client.get(f"{path}/results/nothing.csv").status_code == 404
    book = load_workbook(io.BytesIO(client.get(f"{path}/results.xlsx").data))
    sheets = [
        [["" if cell is None else _shown(cell) for cell in row] for row in sheet.values] for sheet in book.worksheets
    ]
    assert sheets == [
        [list(rows[0]), *([_plain(cell) for cell in row.values()] for row in rows)] for rows in parts.values()
    ]
    page = client.see(f"{path}/results")
    files = [link.get("href", "") for link in page.all("a") if (link.get("href") or "").endswith(("csv", "xlsx"))]
    assert files == [f"{path}/results.xlsx", *(f"{path}/results/{key}.csv" for key in parts)]


def _shown(cell: object) -> str:
    """Return a cell of a workbook as text. A date must be a date of the workbook, without a time."""
    if isinstance(cell, datetime):
        assert cell.time() == time()
        return cell.date().isoformat()
    assert not isinstance(cell, str) or not ISO_DATE.fullmatch(cell)
    return str(cell)


def _plain(cell: str) -> str:
    """Return a number as openpyxl shows it."""
    return cell.removesuffix(".0")


def test_a_night_of_teams_has_a_file_of_its_matches(app: Flask, client: Phone) -> None:
    with app.app_context():
        season = TeamSeason(app, client, "Ape", "Bee", "Cod", "Dog")
        night = season.open(1)
        season.play(night, "AD")
        told = night_results(night)
    rows = table(client, f"/nights/{night}/results/matches.csv")
    check_types(rows)
    assert [(row["Home team"], row["Visitors"], row["Date"]) for row in rows] == [
        (*match.teams, "2026-09-01") for match in told.matches
    ]
    assert all(row["Winner"] in (row["Home team"], row["Visitors"]) for row in rows)
    book = load_workbook(io.BytesIO(client.get(f"/nights/{night}/results.xlsx").data))
    assert book.sheetnames == ["Matches", "Players", "Honors"]


@pytest.mark.parametrize("language", ["en", "es", "fr"])
def test_results_can_be_imported_again(app: Flask, client: Phone, language: str) -> None:
    """The file has the date of the night, so that an import needs no answer and stores the same points and games."""
    with app.app_context():
        evening = play("timed", 2)
        told = night_results(evening.night)
    data = client.get(f"/nights/{evening.night}/results.csv", headers={"Accept-Language": language}).data
    known = [line.name for line in told.tables[0].lines]
    past = read_past(
        text_of(data), PastSeason(PRESETS["setback-21"], (), stops=False, known=known), Said(), date(2027, 11, 28)
    )
    assert not past.asks, (past.sheet, past.totals)
    assert past.wrong == 0
    stored = {line.name: [(night.day, night.points) for night in line.nights] for line in past.totals}
    assert stored == {
        line.name: [(told.date, line.values["Points"])] for line in told.tables[0].lines if line.values["Games"]
    }
