"""Undoing an import as a whole, which is possible until its data has been changed or used."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from scorekeeper.leagues.core.models import NightRow, PersonRow
from scorekeeper.leagues.nights import closing, opening
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.leagues.privacy.data_export import own_data
from scorekeeper.leagues.publishing import service as club
from scorekeeper.leagues.seasons import service as seasons
from scorekeeper.leagues.transfer.archive import pack, read_archive
from scorekeeper.web.extensions import db
from tests.support.game import contents
from tests.support.league_night import DIRECTOR, Hall, open_hall
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

GAMES = """date,round,table,player 1,player 2,player 3,player 4,points 1,points 2
2026-10-06,1,1,Ann,Bob,Cid,Xaver,21,13
2026-10-13,1,1,Ann,Cid,Bob,Dee,18,21
"""
WIDE = "name,2026-10-06,2026-10-13\nAnn,63,58\nXaver,55,\n"
LOGS = frozenset(("league_event", "league_event_text", "night"))


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a league with an open night on September 1."""
    return open_hall(app, client)


def _import(hall: Hall, text: str) -> None:
    path = f"/seasons/{hall.season}/results/import"
    page = hall.desk.submit(hall.desk.see(path), path, 200, text=text)
    hall.desk.submit(page, path, confirmed="1")


def _undo_path(hall: Hall) -> str:
    page = hall.desk.see(f"/seasons/{hall.season}/results/import")
    found = [str(form.get("action")) for form in page.all("form") if "/imports/" in str(form.get("action"))]
    return found[0] if found else ""


def _obstacle(hall: Hall) -> str:
    page = hall.desk.see(f"/seasons/{hall.season}/results/import")
    assert not _undo_path(hall)
    return words(page.one("ul", class_="imports"))


@pytest.mark.parametrize("text", [GAMES, WIDE], ids=["games", "totals"])
def test_undone_import_leaves_nothing_but_its_lines_in_the_log(app: Flask, hall: Hall, text: str) -> None:
    """Undoing an import removes everything that was imported, except lines in the log. A second undo changes nothing.

    The same spreadsheet can then be imported again.
    """
    before = contents(app)
    _import(hall, text)
    path = _undo_path(hall)
    page = hall.desk.see(f"/seasons/{hall.season}/results/import")
    assert "2026/27, 2 nights, 1 new player" in words(page.one("ul", class_="imports"))
    hall.desk.submit(page, path)
    after = contents(app)
    assert {name for name in before if before[name] != after[name]} <= LOGS
    hall.desk.submit(page, path)
    assert contents(app) == after
    log = hall.desk.see(f"/leagues/{hall.league}/log").text
    assert "2 nights were removed. 1 player was removed." in log
    assert "New players: (removed)" in log
    _import(hall, text)
    with app.app_context():
        assert db.session.scalars(select(NightRow.number).order_by(NightRow.number)).all() == [1, 2, 3]


def test_imported_players_can_be_removed_again(app: Flask, hall: Hall) -> None:
    path = f"/leagues/{hall.league}/people/import"
    before = contents(app)["person"]
    page = hall.desk.submit(hall.desk.see(path), path, 200, text="Nan\nOle\n")
    hall.desk.submit(page, path, confirmed="1")
    page = hall.desk.see(path)
    (form,) = (each for each in page.all("form") if "/imports/" in str(each.get("action")))
    hall.desk.submit(page, str(form.get("action")))
    assert contents(app)["person"] == before


def _merge(hall: Hall) -> None:
    xaver = read_archive(db.session(), hall.league).parts["people"][-1]["public_id"]
    people.change_person(person=xaver, told=PersonData(name="Xaver", nickname="X"), device=DIRECTOR)
    nights.check_in(night=hall.night, people=[xaver], device=DIRECTOR)


def _reopen(hall: Hall) -> None:
    last = db.session.scalars(select(NightRow.public_id).order_by(NightRow.number.desc())).first()
    closing.reopen_night(night=str(last), reason="a slip", device=DIRECTOR)


def _close_season(hall: Hall) -> None:
    opening.remove_night(night=hall.night, device=DIRECTOR)
    seasons.close_season(season=hall.season, device=DIRECTOR)


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (_merge, "were changed since the import: Xaver"),
        (_reopen, "changed after the import: 3"),
        (_close_season, "The season is closed."),
    ],
)
def test_import_that_something_was_built_on_stays(
    app: Flask, hall: Hall, act: Callable[[Hall], None], says: str
) -> None:
    """An import can't be undone after its data was changed or the season was closed. The page gives the reason.

    If a page was opened before that change, its form to undo the import is refused, too.
    """
    _import(hall, WIDE)
    path = _undo_path(hall)
    page = hall.desk.see(f"/seasons/{hall.season}/results/import")
    with app.app_context():
        act(hall)
    held = contents(app)
    assert says in _obstacle(hall)
    hall.desk.submit(page, path, 422)
    assert contents(app) == held


def test_totals_are_in_the_league_file(app: Flask, hall: Hall) -> None:
    _import(hall, WIDE)
    with app.app_context():
        archive = read_archive(db.session(), hall.league)
        pack(archive)
    assert [(row["points"], row["games"]) for row in archive.parts["totals"]] == [(63, None), (55, None), (58, None)]


def test_night_of_totals_is_shown_and_not_removed(app: Flask, hall: Hall) -> None:
    """If a night was imported as totals (only the points of each player), its page says so and lists no games.

    The desk doesn't offer to remove such a night as if it were empty.
    """
    _import(hall, WIDE)
    with app.app_context():
        night = db.session.scalars(select(NightRow).where(NightRow.day == date(2026, 10, 6))).one().public_id
    assert "Imported as totals" in hall.desk.see(f"/nights/{night}").text
    assert "removal" not in hall.desk.see(f"/nights/{night}/desk").response.text
    person = hall.desk.see(f"/people/{hall.people['Ann']}")
    assert "63" in person.text
    assert "Some nights were imported as totals." in hall.desk.see(f"/seasons/{hall.season}").text


def test_wins_that_no_night_knows_are_not_shown_as_zero(app: Flask, hall: Hall) -> None:
    """Pages have a dash, and files have an empty cell. A known loss without a win is still a zero."""
    _import(hall, "date,player,points,games,wins,losses\n2026-10-06,Ann,63,,,\n2026-10-06,Xaver,55,3,0,3\n")
    with app.app_context():
        opening.remove_night(night=hall.night, device=DIRECTOR)
        seasons.close_season(season=hall.season, device=DIRECTOR)
        club.save_club(league=hall.league, is_open=True, slug="hall", names="full", device=DIRECTOR)
    page = hall.desk.see(f"/seasons/{hall.season}")
    rows = [[words(cell) for cell in row] for row in page.all("tr")]
    assert [row[-1] for row in rows if row[1:2] in (["Ann"], ["Xaver"])] == ["–", "0–3"]
    assert "Ann 63.00 · –" in page.text
    file = hall.desk.get(f"/seasons/{hall.season}/people.csv").get_data(as_text=True)
    told = {
        row["Name"]: [row[key] for key in ("Wins", "Losses", "Ties", "Sets")]
        for row in csv.DictReader(io.StringIO(file))
    }
    assert told == {"Ann": [""] * 4, "Xaver": ["0", "3", "0", "0"]}
    career = [words(row) for row in hall.desk.see("/clubs/hall").all("tr")]
    assert [row for row in career if row.startswith(("Ann 1", "Xaver 0"))] == ["Ann 1 1 – 1", "Xaver 0 1 0–3 2"]
    person = words(hall.desk.see(f"/people/{hall.people['Ann']}").one("main"))
    assert "Won–lost–tied– Sets of their side–" in person
    assert "Points 63, average 63" in person
    assert "won 0" not in person
    with app.app_context():
        data = {row.name: own_data(db.session(), row) for row in db.session.scalars(select(PersonRow)).all()}
    for name, known in (("Ann", [None] * 3), ("Xaver", [0, 3, 0])):
        (season,) = data[name]["statistics"]
        assert [season["standing"][key] for key in ("wins", "losses", "sets")] == known


def test_night_of_totals_stands_in_the_points_by_night(hall: Hall) -> None:
    """The points of a night that was imported as totals are in the table of points by night, and in its CSV file.

    Players who missed the night have no points for it.
    """
    _import(hall, WIDE)
    table = hall.desk.see(f"/seasons/{hall.season}").one("table", class_="grid")
    rows = {words(row.findall("th")[0]): [words(cell) for cell in row.findall("td")] for row in table.iter("tr")}
    assert (rows["Ann"], rows["Xaver"]) == (["63", "58", "121"], ["55", "", "55"])
    (line,) = [
        line
        for line in hall.desk.get(f"/seasons/{hall.season}/people/nights.csv").data.decode().splitlines()
        if "Ann" in line
    ]
    assert line.endswith("63,58,121")
