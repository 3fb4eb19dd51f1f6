"""A club's pages, embeds, feed and API have the same numbers as the league's own pages and files."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from lxml import etree, html
from openpyxl import load_workbook

from scorekeeper.leagues.core.access import night_at
from scorekeeper.leagues.nights import closing
from scorekeeper.leagues.nights import tables as result_tables
from scorekeeper.leagues.standings.table_results import tables_of
from scorekeeper.web.extensions import db
from tests.leagues.publishing.conftest import PEOPLE, Club
from tests.leagues.publishing.test_club_page import lines_of
from tests.support.league import make_hall
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

ATOM = "{http://www.w3.org/2005/Atom}"


def text_of(cell: etree._Element | ET.Element) -> str:
    """Return the text of a cell with single spaces."""
    return " ".join("".join(cell.itertext()).split())


def told_in(source: str) -> list[list[str]]:
    """Return the rows of the first HTML table in `source`. Each row is a list of what its cells contain."""
    table = html.fromstring(source).find(".//table")
    assert table is not None
    return [[text_of(cell) for cell in row] for row in table.findall("tbody/tr")]


def rank_of(row: list[str]) -> list[str]:
    """Return a copy of a row of the standings in which the first cell has only the rank, without a mark for a tie."""
    return [row[0].split(" ")[0], *row[1:]]


def test_every_surface_says_the_same_of_a_night(club: Club) -> None:
    night = club.night((PEOPLE, (9, 21)))
    phone = club.stranger
    where = f"{club.path}/seasons/1/nights/2"
    page = [rank_of(row) for row in lines_of(phone.see(where))]
    assert len(page) == len(PEOPLE)
    own = phone.see(f"/nights/{night}/results")
    assert [rank_of(row) for row in lines_of(own)] == page
    assert told_in(phone.get(f"/embed/{club.slug}/last-night").text) == page
    entry = etree.fromstring(phone.get(f"{club.path}/feed.atom").data).find(f"{ATOM}entry")
    assert entry is not None
    assert told_in(entry.findtext(f"{ATOM}content") or "") == page
    (ranking,) = json.loads(phone.get(f"/api/1{where}").text)["rankings"]
    rows = [[str(row["rank"]), row["people"][0]["name"], str(row["values"]["points"])] for row in ranking["rows"]]
    assert rows == [[row[0], row[1], row[3]] for row in page]
    file = phone.get(f"/nights/{night}/results.csv").data.decode("utf-8-sig")
    lines = [line for line in csv.reader(io.StringIO(file)) if any(name in line for name in PEOPLE)]
    assert [next(cell for cell in line if cell in PEOPLE) for line in lines[: len(PEOPLE)]] == [row[1] for row in page]
    winner = words(phone.see(where).all("p", class_="won")[0])
    assert winner.startswith(("Bob Carter", "Dee Evans"))


TEAMS = {"Owls": "East", "Foxes": "East", "Elks": "West", "Hens": "West"}
SQUADS = {team: [f"{team} {letter}" for letter in "AB"] for team in TEAMS}


@pytest.fixture
def teams(app: Flask, client: Phone) -> Club:
    """Return an open club with a season of four teams in two divisions and one closed night with all results."""
    names = [player for players in SQUADS.values() for player in players]
    hall = make_hall(app, client, names, **{"night-format": "team_match", "option-team_match-tables": "1"})
    club = Club(hall.app, hall.phone, hall.league, hall.season, hall.days)
    club.open()
    path = f"{club.season}/teams"
    for team, division in TEAMS.items():
        page = client.see(path)
        client.submit(page, path, name=team, division=division, players="\n".join(SQUADS[team]))
    client.submit(client.see(path), f"{club.season}/matches", twice="1")
    desk = client.submit(club.standings(), f"{club.season}/nights", day="2026-10-01")
    with club.book() as people:
        everybody = [people[name] for name in names]
    night = desk.path.split("/")[2]
    desk = client.submit(desk, f"/nights/{night}/people", person=everybody)
    client.submit(desk, f"/nights/{night}/draw")
    with club.book():
        for index, table in enumerate(tables_of(db.session(), night_at(db.session(), night))):
            result_tables.tell_result(night=night, table=table.id, totals=(21, 5 + index), device=club.device)
        closing.close_night(night=night, device=club.device)
    return club


def divisions_in(source: str, path: str = ".//table") -> list[list[list[str]]]:
    """Return a list of the HTML tables in `source` that have a column "Team".

    Each table is a list of rows, and each row is a list of what its cells contain. `path` is the XPath that selects the
    tables.
    """
    tables = [table for table in html.fromstring(source).iterfind(path) if "Team" in map(text_of, table.iter("th"))]
    return [[[text_of(cell) for cell in row] for row in table.findall("tbody/tr")] for table in tables]


def test_every_surface_says_the_same_of_a_team_season(teams: Club) -> None:
    """The standings of a team season have the same numbers on all pages, in all files, in the feed and in the API."""
    phone, own = teams.stranger, f"{teams.season}/teams"
    shown = divisions_in(phone.get(own).text)
    assert [[row[0] for row in division] for division in shown] == [["1", "2"]] * 2
    assert {row[1] for division in shown for row in division} == set(TEAMS)
    seasons = f"{teams.path}/seasons/1"
    for path in (teams.path, seasons, f"{seasons}/nights/1", f"/embed/{teams.slug}/standings"):
        assert divisions_in(phone.get(path).text) == shown, path
    entry = etree.fromstring(phone.get(f"{teams.path}/feed.atom").data).find(f"{ATOM}entry")
    assert entry is not None
    assert divisions_in(entry.findtext(f"{ATOM}content") or "") == shown
    lines = [row for division in shown for row in division]
    told = json.loads(phone.get(f"/api/1{seasons}/standings").text)["teams"]
    assert [division["division"] for division in told] == ["East", "West"]
    rows = [row for division in told for row in division["rows"]]
    numbers = [[row["rank"], row["team"]["name"], *row["values"].values()] for row in rows]
    assert [[str(row[0]), row[1], str(row[2]), str(row[3])] for row in numbers] == [line[:4] for line in lines]
    assert ["–".join(map(str, row[4:6])) for row in numbers] == [line[4] for line in lines]
    assert [f"{row[7]:+}".replace("-", "−") for row in numbers] == [line[5] for line in lines]
    (head, *file) = list(csv.reader(io.StringIO(phone.get(f"{own}.csv").data.decode("utf-8-sig"))))
    assert head[:3] == ["Rank", "Team", "Division"]
    assert [[row[0], row[1], *row[3:]] for row in file] == [[str(cell) for cell in row] for row in numbers]
    book = load_workbook(io.BytesIO(phone.get(f"{own}.xlsx").data), read_only=True)
    sheet = [[str(cell) for cell in row] for row in book.worksheets[0].iter_rows(values_only=True)]
    assert sheet == [head, *file]
    message = words(phone.see(own).all("textarea")[0])
    for line in lines:
        assert f"{line[0]}. {line[1]} {line[2]} points, {line[4]}" in message
