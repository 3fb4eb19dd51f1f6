"""Importing players and past results, with a preview of every line before anything is saved."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import date

import pytest
from flask import Flask
from sqlalchemy import func, select

from scorekeeper.leagues.core.models import NightRow, PersonRow, TableRow
from scorekeeper.leagues.nights import closing, tables
from scorekeeper.leagues.nights import service as nights
from scorekeeper.leagues.transfer import past_nights, past_reading, views
from scorekeeper.leagues.transfer.columns import NOTHING_SAID, read_sheet
from scorekeeper.leagues.transfer.import_results import PastDays, game_lines, past_results
from scorekeeper.leagues.transfer.names import newcomers
from scorekeeper.leagues.transfer.spreadsheet import MOST_BYTES, MOST_LINES, lines_of, text_of
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.web.extensions import db
from tests.support.league_night import DIRECTOR, NAMES, Hall, open_hall
from tests.support.page import Page, words
from tests.support.phone import Phone

PAST = """date,round,table,player 1,player 2,player 3,player 4,points 1,points 2
2026-10-06,1,1,Ann,Bob,Cid,Dee,21,13
2026-10-06,1,2,Eve,Fay,Gus,New Nan,-4,22
2026-10-13,1,1,Ann,Cid,Bob,Dee,18,21
"""


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a league with an open night on September 1."""
    return open_hall(app, client)


def _lines(page: Page) -> list[list[str]]:
    table, *_sums = page.all("table")
    return [[words(cell) for cell in row] for row in table.iter("tr")][1:]


@pytest.mark.parametrize("what", ["people", "results"])
def test_example_on_the_page_can_be_imported(hall: Hall, what: str) -> None:
    """The last example shown on each import page can be imported.

    The example for players can also be imported without its line of headings.
    """
    path = f"/leagues/{hall.league}/people/import" if what == "people" else f"/seasons/{hall.season}/results/import"
    empty = hall.desk.see(path)
    *_wide, pre = empty.all("pre")
    example = (pre.text or "").replace("2026-09-01", "2026-10-06")
    columns = [words(column) for column in empty.one("ul", class_="columns").iter("b")]
    assert len(columns) == (4 if what == "people" else 6)
    page = hall.desk.submit(empty, path, 200, text=example)
    assert [line[1] for line in _lines(page)] == ["new", "new"]
    if what == "people":
        bare = hall.desk.submit(empty, path, 200, text=example.split("\n", 1)[1])
        assert [line[2:] for line in _lines(bare)] == [line[2:] for line in _lines(page)]
        assert _lines(bare)[0][2:] == ["Josephine Tremblay", "Jo", "", "pays by the season"]


def _people(app: Flask) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count()).select_from(PersonRow)) or 0


def test_nothing_is_saved_before_the_preview(app: Flask, hall: Hall) -> None:
    """The preview says whether each line is new, known or wrong, and saves nothing.

    When the previewed text is imported, only the new players are added.
    """
    path = f"/leagues/{hall.league}/people/import"
    text = f"name;nickname;guest\nNan;Nanny;yes\nANN;;\nNan;;\n;Nobody;\n{'x' * 41};;\n"
    page = hall.desk.submit(hall.desk.see(path), path, 200, text=text)
    assert [(line[0], line[2], line[1]) for line in _lines(page)][:3] == [
        ("2", "Nan", "new"),
        ("3", "ANN", "already in the league"),
        ("4", "Nan", "This name is listed twice."),
    ]
    assert "3 lines have problems. Nothing is saved yet." in page.text
    assert _people(app) == len(NAMES)
    page = hall.desk.submit(page, path, confirmed="1")
    assert "1 player added." in page.text
    with app.app_context():
        nan = db.session.scalars(select(PersonRow).where(PersonRow.name == "Nan")).one()
        assert (nan.nickname, nan.guest) == ("Nanny", True)
    again = hall.desk.submit(hall.desk.see(path), path, 200, text=text)
    assert "confirmed" not in again.form(path).names


def test_windows_file_is_read(app: Flask, hall: Hall) -> None:
    """A file of players from Windows, with Windows encoding, tabs and no headings, can be imported.

    The first cell of a line is the name. An apostrophe in front of a formula is removed.
    """
    path = f"/leagues/{hall.league}/people/import"
    file = (io.BytesIO("José\tPepe\r\n'=Zed\t\r\n".encode("cp1252")), "players.csv")
    page = hall.desk.submit(hall.desk.see(path), path, 200, file=file)
    assert [line[2:4] for line in _lines(page)] == [["José", "Pepe"], ["=Zed", ""]]
    hall.desk.submit(page, path, confirmed="1")
    assert _people(app) == len(NAMES) + 2


def test_an_empty_file_is_refused_even_beside_pasted_lines(hall: Hall) -> None:
    for path in (f"/leagues/{hall.league}/people/import", f"/seasons/{hall.season}/results/import"):
        page = hall.desk.see(path)
        refused = hall.desk.submit(page, path, 422, file=(io.BytesIO(), "players.csv"), text="Zed")
        assert "That file is empty. Choose another one." in refused.text


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "Choose a file"),
        (b"  \n", "Choose a file"),
        (b"a\x00b", "spreadsheet"),
        (b"x" * (MOST_BYTES + 1), "too much"),
        (b"x\n" * (MOST_LINES + 1), "3000 lines"),
        (b"x," * 100 + b"x", "3000 lines with 100 cells"),
    ],
)
def test_unreadable_table_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(RuleViolation, match=why):
        lines_of(text_of(data))


def test_control_characters_become_spaces() -> None:
    """Control characters in imported cells become spaces.

    A league file with control characters would be refused, so such a league could not be moved.
    """
    (line,) = newcomers("Name,Nickname,Notes\nAnn,A\x08nn,chips\x1b\n", ())
    assert (line.told.nickname, line.told.notes) == ("A nn", "chips")


def test_separators_and_quotes() -> None:
    """Commas, semicolons or tabs separate cells, except within quotes."""
    for text in ('"Ann, the elder",x\n', '"Ann, the elder";x\n', '"Ann, the elder"\tx\n'):
        assert newcomers(text, ())[0].told.name == "Ann, the elder"
    assert [line.state for line in newcomers("﻿Name\nBob\n".replace("\ufeff", ""), ["bob"])] == ["there"]


def test_past_results_become_closed_nights(app: Flask, hall: Hall) -> None:
    """Imported past results become closed nights with final scores, and count in the standings.

    Unknown names in the results are added as new players.
    """
    path = f"/seasons/{hall.season}/results/import"
    page = hall.desk.submit(hall.desk.see(path), path, 200, text=PAST)
    assert "Nothing is saved yet." in page.text
    assert "Import 2 nights" in page.text
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(NightRow)) == 1
    page = hall.desk.submit(page, path, confirmed="1")
    assert page.path == f"/seasons/{hall.season}"
    with app.app_context():
        nights = db.session.scalars(select(NightRow).order_by(NightRow.number)).all()
        assert [(night.number, night.day, night.closed_at is not None) for night in nights][1:] == [
            (2, date(2026, 10, 6), True),
            (3, date(2026, 10, 13), True),
        ]
        tables = db.session.scalars(select(TableRow).order_by(TableRow.id)).all()
        assert [(table.points, table.winner, table.kind) for table in tables] == [
            ([21, 13], 0, "partners"),
            ([-4, 22], 1, "partners"),
            ([18, 21], 1, "partners"),
        ]
        night = nights[1].public_id
    assert "New Nan" in page.text
    assert "21" in hall.desk.see(f"/nights/{night}").text
    again = hall.desk.submit(hall.desk.see(path), path, 200, text=PAST)
    assert "The season already has a night on 2026-10-06." in again.text


BAD = {
    "06/10/2026,1,1,Ann,Bob,Cid,Dee,21,13": "can be read two ways",
    "31/31/2026,1,1,Ann,Bob,Cid,Dee,21,13": "Enter it under “Dates.”",
    "2026-09-01,1,1,Ann,Bob,Cid,Dee,21,13": "already has a night",
    "2026-11-02,1,1,Ann,Bob,Cid,Dee,21,13": "is after today",
    "2026-10-06,0,1,Ann,Bob,Cid,Dee,21,13": "numbers from 1",
    "2026-10-06,1,1,Ann,Bob,Cid,Dee,21,many": "whole numbers",
    "2026-10-06,1,1,Ann,Bob,Cid,Ann,21,13": "Ann has two seats",
    "2026-10-06,1,1,Ann,Bob,Cid,,21,13": "3 players and 2 scores",
    "2026-10-06,1,2,Ann,Bob,Cid,Dee,21,13\n2026-10-06,1,2,Eve,Fay,Gus,Hal,21,13": "listed twice",
}


@pytest.mark.parametrize("lines", sorted(BAD))
def test_wrong_line_says_why(lines: str) -> None:
    head = PAST.splitlines()[0]
    sheet = read_sheet(f"{head}\n{lines}\n", NOTHING_SAID, date(2026, 11, 1))
    can_be = PastDays([date(2026, 9, 1)], date(2026, 11, 1))
    told = past_results(game_lines(sheet), PRESETS["setback-21"], can_be)
    assert BAD[lines] in told[-1].problem


@pytest.mark.parametrize(
    ("limit", "says"),
    [("MOST_PEOPLE", "A league can have at most 6 players"), ("MOST_HERE", "A night has room for 6 people")],
)
def test_import_keeps_the_limits_on_people(
    app: Flask, hall: Hall, monkeypatch: pytest.MonkeyPatch, limit: str, says: str
) -> None:
    """An import is refused if it would exceed the limit of people in a league or on a night.

    A file could have 12,000 names, and so many people would make every page of the league slow.
    """
    path = f"/seasons/{hall.season}/results/import"
    page = hall.desk.submit(hall.desk.see(path), path, 200, text=PAST)
    monkeypatch.setattr(past_nights, limit, 6)
    assert says in hall.desk.submit(page, path, 422, confirmed="1").text
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(NightRow)) == 1


def test_wrong_line_that_was_not_previewed_stops_the_import(
    app: Flask, hall: Hall, new_phone: Callable[[], Phone]
) -> None:
    """If an import has a wrong line that wasn't in a preview, nothing is imported.

    Otherwise the import would leave out a table without a warning. Only owners can open the import pages.
    """
    path = f"/seasons/{hall.season}/results/import"
    wrong = PAST.replace("18,21", "18,x")
    page = hall.desk.submit(hall.desk.see(path), path, 200, text=wrong)
    assert page.form(path).values["without"] == "1"
    token = page.form(path).values["csrf_token"]
    sent = {"text": wrong, "confirmed": "1", "csrf_token": token}
    headers = {"Origin": "http://localhost", "Referer": f"http://localhost{path}"}
    assert "will be skipped" in hall.desk.post(path, data=sent, headers=headers).text
    no_head = hall.desk.submit(page, path, 422, text="Ann,Bob\n")
    assert "The first line must name the columns" in no_head.text
    for address in (path, f"/leagues/{hall.league}/people/import"):
        assert new_phone().get(address).status_code == 403
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(NightRow)) == 1


def test_one_import_is_read_at_a_time(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second preview is refused while another is read, since together they would keep phones from saving hands."""
    path = f"/seasons/{hall.season}/results/import"
    page, beside, read = hall.desk.see(path), list[Page](), past_reading.read_past

    def slow(*told: object) -> object:
        if not beside:
            beside.append(hall.desk.submit(page, path, 503, text="name,2026-09-01\nAnn,3\n"))
        return read(*told)  # type: ignore[arg-type]

    monkeypatch.setattr(views, "read_past", slow)
    hall.desk.submit(page, path, 200, text="name,2026-09-01\nAnn,3\n")
    assert len(beside) == 1
    hall.desk.submit(page, path, 200, text="name,2026-09-01\nAnn,3\n")


def test_imported_nights_stand_by_their_dates_not_by_their_numbers(hall: Hall) -> None:
    """A night was played before earlier results were imported. It stays the last one, also for the next check-in."""
    hall.check_in("Ann", "Bob", "Cid", "Dee")
    hall.draw()
    (first, *_later) = hall.tables()
    with hall.app.app_context():
        tables.tell_result(night=hall.night, device=DIRECTOR, table=first.id, totals=(21, 9))
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
    path = f"/seasons/{hall.season}/results/import"
    text = PAST.replace("2026-10", "2026-08").replace("New Nan", "Hal")
    hall.desk.submit(hall.desk.submit(hall.desk.see(path), path, 200, text=text), path, confirmed="1")

    page = hall.desk.see(f"/seasons/{hall.season}")
    assert "After night 1, September 1, 2026." in page.text
    days = ("September 1, 2026", "August 13, 2026", "August 6, 2026")
    places = [page.text.rindex(day) for day in days]
    assert places == sorted(places)

    with hall.app.app_context():
        night = nights.open_night(season=hall.season, day=date(2026, 9, 8), device=DIRECTOR)
    last = hall.desk.see(f"/nights/{night}/desk").one("div", **{"data-list": "last"})
    assert [name for name in NAMES if name in words(last)] == ["Ann", "Bob", "Cid", "Dee"]
