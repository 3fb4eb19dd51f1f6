"""The table of a season's points by night, on a page, in a CSV file, and on a sheet of the workbook."""

from __future__ import annotations

import csv
import io
from datetime import date
from random import Random
from typing import TYPE_CHECKING

import pytest
from openpyxl import load_workbook

from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.core.models import PersonRow
from scorekeeper.leagues.nights import closing, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.results import grid
from scorekeeper.leagues.results.grid import points_of
from scorekeeper.leagues.standings.table import standings
from scorekeeper.leagues.standings.table_results import byes_of, tables_of
from scorekeeper.leagues.transfer.past_reading import PastSeason, Said, read_past
from scorekeeper.leagues.transfer.spreadsheet import text_of
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.leagues.standings.random_seasons import any_season, any_settings
from tests.support.league import make_hall
from tests.support.league import table as shown
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.league import Hall
    from tests.support.phone import Phone

EVERYBODY = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")


def _season(app: Flask, client: Phone, **season: str) -> Hall:
    """Return a season of three nights. Eve, Fay, Gus and Hal missed the second night."""
    hall = make_hall(app, client, EVERYBODY, **season)
    hall.night((EVERYBODY[:4], (21, 13)), (EVERYBODY[4:], (21, 5)))
    hall.night((EVERYBODY[:4], (3, 22)))
    hall.night((EVERYBODY[:4], (21, 20)), (EVERYBODY[4:], (8, 23)))
    return hall


def _lines(client: Phone, hall: Hall, who: str = "people") -> list[dict[str, str]]:
    """Return the lines of the CSV file by heading, without the dates in the headings."""
    text = client.get(f"{hall.season}/{who}/nights.csv").data.decode("utf-8-sig")
    lines = csv.DictReader(io.StringIO(text))
    return [{head.partition(",")[0]: cell for head, cell in line.items()} for line in lines]


def _second_sheet(data: bytes) -> list[dict[str, str]]:
    """Return the rows of the workbook's second sheet.

    Each row is a dict of what its cells contain, by the cell's address, like "B2". Empty cells are left out.
    """
    sheet = load_workbook(io.BytesIO(data)).worksheets[1]
    return [
        {cell.coordinate: str(cell.value) for cell in row if cell.value not in (None, "")} for row in sheet.iter_rows()
    ]


def test_a_bye_at_the_own_average_is_one_number_and_said_to_change(app: Flask, client: Phone) -> None:
    """Someone who sat out night 1 gets the points of night 2 for it, everywhere but in the results of night 1."""
    hall = make_hall(app, client, EVERYBODY[:5], **{"count-bye": "average"})
    device, season = hall.device, hall.season.removeprefix("/seasons/")
    with hall.book() as people:
        first = nights.open_night(season=season, day=date(2026, 8, 30), device=device)
        nights.check_in(night=first, people=[people[name] for name in EVERYBODY[:5]], device=device)
        nights.draw(night=first, device=device, seed=1)
        session = db.session()
        (table,) = tables_of(session, night_at(session, first))
        tables.tell_result(night=first, table=table.id, totals=(21, 13), device=device)
        closing.close_night(night=first, device=device)
        ((out,),) = byes_of(session, night_at(session, first)).values()
        name = session.get_one(PersonRow, out).name
    others = [each for each in EVERYBODY[:5] if each != name]
    says = "A bye is worth the player's own average so far"
    hall.night(((name, *others[:3]), (9, 21)))
    (line,) = [each for each in _lines(client, hall) if each["Name"] == name]
    assert (line["Night 1"], line["Night 2"], line["Total"]) == ("9", "9", "18")
    assert says in hall.standings().text
    (row,) = [row for row in shown(hall.standings()) if row[1] == name]
    assert row[3:5] == ["18", "2"]
    person = client.see(hall.person(name) + "?night=all").text
    assert person.count("Points 9, average 9") == 2
    results = client.see(f"/nights/{first}/results")
    assert "Here, a bye is worth the player's average of tonight." in results.text
    (own,) = [line for line in night_lines(client, first) if line["Name"] == name]
    assert (own["Points"], own["Games"]) == ("0", "0")


def night_lines(client: Phone, night: str) -> list[dict[str, str]]:
    """Return the lines of the CSV file of a night's results."""
    return list(csv.DictReader(io.StringIO(client.get(f"/nights/{night}/results.csv").data.decode("utf-8-sig"))))


def test_missed_nights_are_empty_and_the_rest_adds_up(app: Flask, client: Phone) -> None:
    hall = _season(app, client)
    lines = {line["Name"]: line for line in _lines(client, hall)}
    assert len(lines) == len(EVERYBODY)
    ann, eve = lines["Ann"], lines["Eve"]
    assert [ann[f"Night {night}"] for night in (1, 2, 3)] == ["21", "3", "21"]
    assert [eve[f"Night {night}"] for night in (1, 2, 3)] == ["21", "", "8"]
    for line in lines.values():
        assert sum(int(line[f"Night {night}"] or 0) for night in (1, 2, 3)) == int(line["Total"])
        assert "Dropped nights" not in line


def test_dropped_nights_are_marked_and_not_added(app: Flask, client: Phone) -> None:
    hall = _season(app, client, **{"count-drop_nights": "1"})
    for line in _lines(client, hall):
        out = line["Dropped nights"]
        kept = [int(line[f"Night {night}"] or 0) for night in (1, 2, 3) if str(night) != out]
        assert sum(kept) == int(line["Total"])
        assert bool(out) == bool(line["Night 2"])
    page = hall.standings()
    assert len(page.all("s")) == 4


def test_page_csv_and_workbook_say_the_same(app: Flask, client: Phone) -> None:
    hall = _season(app, client, **{"count-drop_nights": "1"})
    lines = _lines(client, hall)
    table = hall.standings().one("table", class_="grid")
    shown = [
        [words(row.findall("th")[0]), *(words(cell).partition(" ")[0] for cell in row.findall("td"))]
        for row in table.findall("tbody/tr")
    ]
    keys = ("Name", "Night 1", "Night 2", "Night 3", "Total")
    assert shown == [[line[key] for key in keys] for line in lines]
    head, *rows = _second_sheet(client.get(f"{hall.season}/people.xlsx").data)
    order = list(lines[0])
    assert [head[f"{chr(65 + index)}1"].partition(",")[0] for index in range(len(order))] == order
    for number, (row, line) in enumerate(zip(rows, lines, strict=True), start=2):
        cells = {f"{chr(65 + index)}{number}": line[key] for index, key in enumerate(order)}
        assert row == {where: cell for where, cell in cells.items() if cell}


@pytest.mark.parametrize("language", ["en", "es", "fr"])
@pytest.mark.parametrize("file", ["people/nights.csv", "people.xlsx"])
def test_files_can_be_imported_again(app: Flask, client: Phone, file: str, language: str) -> None:
    """The files have the date of each night, so that an import needs no answer and stores the same points."""
    hall = _season(app, client)
    data = client.get(f"{hall.season}/{file}", headers={"Accept-Language": language}).data
    season = PastSeason(PRESETS["setback-21"], (), stops=False, known=EVERYBODY)
    past = read_past(text_of(data), season, Said(), date(2026, 11, 28))
    assert not past.asks
    assert past.wrong == 0
    stored = {line.name: [(night.day, night.points) for night in line.nights] for line in past.totals}
    days = [date(2026, 9, 1), date(2026, 9, 2), date(2026, 9, 3)]
    assert stored["Ann"] == list(zip(days, (21, 3, 21), strict=True))
    assert stored["Eve"] == [(days[0], 21), (days[2], 8)]
    assert all(line.points == int(line.total) for line in past.totals)


def test_fixed_partners_have_their_own_table(app: Flask, client: Phone) -> None:
    hall = _season(app, client, **{"night-together": "fixed"})
    assert len(hall.standings().all("table", class_="grid")) == 2
    assert {line["Name"] for line in _lines(client, hall, "partners")} == {
        "Ann and Cid",
        "Bob and Dee",
        "Eve and Gus",
        "Fay and Hal",
    }
    assert client.get(f"{hall.season}/nobody/nights.csv").status_code == 404


def test_a_large_season_shows_its_latest_nights(app: Flask, client: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid, "SHOWN", 1)
    hall = make_hall(app, client)
    for points in range(5):
        hall.night((("Ann", "Bob", "Cid", "Dee"), (21, points)))
    page = hall.standings()
    assert "The first night isn't shown here." in page.text
    table = page.one("table", class_="grid")
    assert [words(row.findall("td")[-1]) for row in table.findall("tbody/tr")] == ["105", "105", "10", "10"]
    assert len(table.findall("thead/tr/th")) == 1 + 4 + 1
    assert "Night 1" in _lines(client, hall)[0]


def test_points_of_a_night_are_those_of_the_standings_and_add_up() -> None:
    """In random seasons, each player's points by night, without dropped nights, add up to the points in the standings.

    Some of the seasons have byes, handicaps and dropped nights.
    """
    byes = 0
    for seed in range(60):
        chance = Random(seed)
        for row in standings(any_season(chance), any_settings(chance), season="s"):
            points = {night: points_of(row.nights, night, tally) for night, tally in row.nights.tallies}
            assert {night: each for night, each in points.items() if each is not None} == {
                score.night: score.points for score in row.nights if score.games
            }
            assert sum(each or 0 for night, each in points.items() if night not in row.dropped) == row.points
            byes += row.nights.scored_byes
    assert byes
