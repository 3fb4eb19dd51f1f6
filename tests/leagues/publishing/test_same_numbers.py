"""The page, the embed, the feed, the API and the league's own page and CSV say the same of a night."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from lxml import etree, html

from tests.leagues.publishing.conftest import PEOPLE
from tests.leagues.publishing.test_club_page import lines_of
from tests.support.page import words

if TYPE_CHECKING:
    from tests.leagues.publishing.conftest import Club

ATOM = "{http://www.w3.org/2005/Atom}"


def text_of(cell: etree._Element | ET.Element) -> str:
    """Return the words of a cell."""
    return " ".join("".join(cell.itertext()).split())


def told_in(source: str) -> list[list[str]]:
    """Return the cells of the first table in HTML."""
    table = html.fromstring(source).find(".//table")
    assert table is not None
    return [[text_of(cell) for cell in row] for row in table.findall("tbody/tr")]


def rank_of(row: list[str]) -> list[str]:
    """Return the row with its rank alone, without the sign of a tie."""
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
