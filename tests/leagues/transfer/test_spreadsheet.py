"""Spreadsheets of past results: how dates, numbers, headings and encodings are read, and what the preview asks."""

from __future__ import annotations

import csv
import io
import zipfile
from datetime import date
from typing import TYPE_CHECKING

import pytest
from openpyxl import Workbook
from sqlalchemy import func, select

from scorekeeper.leagues.core.models import NightRow, PersonRow, SeatRow
from scorekeeper.leagues.transfer import archive
from scorekeeper.leagues.transfer.layouts import EXAMPLES
from scorekeeper.leagues.transfer.names import newcomers
from scorekeeper.leagues.transfer.spreadsheet import text_of
from scorekeeper.leagues.transfer.spreadsheet_dates import day_of, is_unclear, order_of
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db
from scorekeeper.web.text import likely_names
from tests.support.league_night import NAMES, Hall, buttons, open_hall
from tests.support.page import words

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

HEAD = "date,round,table,player 1,player 2,player 3,player 4,points 1,points 2"
GOOD = "2026-10-06,1,1,Ann,Bob,Cid,Dee,21,13"


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a league with an open night on September 1."""
    return open_hall(app, client)


def look(hall: Hall, *lines: str, **fields: str) -> Page:
    """Paste `lines` of past results below a line of headings, and return the preview.

    `fields` are more fields of the form.
    """
    path = f"/seasons/{hall.season}/results/import"
    return hall.desk.submit(hall.desk.see(path), path, 200, text="\n".join((HEAD, *lines)), **fields)


def store(hall: Hall, page: Page, status: int = 303) -> Page:
    """Import the results that the preview `page` shows, and return the page that follows."""
    return hall.desk.submit(page, f"/seasons/{hall.season}/results/import", status, confirmed="1")


def nights(hall: Hall) -> int:
    """Return the number of nights in the database."""
    with hall.app.app_context():
        return db.session.scalar(select(func.count()).select_from(NightRow)) or 0


def people(hall: Hall) -> set[str]:
    """Return the names of all people in the database."""
    with hall.app.app_context():
        return set(db.session.scalars(select(PersonRow.name)))


def says(page: Page) -> list[str]:
    """Return what the preview says about each line, from the column for the result."""
    table, *_sums = page.all("table")
    return [[words(cell) for cell in row][1] for row in table.iter("tr")][1:]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("9/25/2026", date(2026, 9, 25)),
        ("25/09/2026", date(2026, 9, 25)),
        ("9/25/26", date(2026, 9, 25)),
        ("9/9/2026", date(2026, 9, 9)),
        ("1-Sep-26", date(2026, 9, 1)),
        ("Sep 1, 2026", date(2026, 9, 1)),
        ("September 8, 2026", date(2026, 9, 8)),
        ("Tuesday, September 8, 2026", date(2026, 9, 8)),
        ("2026-09-01 00:00:00", date(2026, 9, 1)),
        ("9/25/2026 7:00 PM", date(2026, 9, 25)),
        ("46266", date(2026, 9, 1)),
        ("01.09.2026", date(2026, 9, 1)),
        ("2026-09-01", date(2026, 9, 1)),
        ("9/1/2026", None),
        ("13/13/2026", None),
        ("2/30/2026", None),
        ("Total", None),
        ("", None),
    ],
)
def test_date_is_read_as_a_spreadsheet_writes_it(text: str, day: date | None) -> None:
    assert day_of(text, "") == day


def test_one_clear_date_decides_the_order_for_the_file() -> None:
    assert order_of(["9/1/2026", "9/15/2026", "Total"]) == "month"
    assert order_of(["01/09/2026", "15/09/2026"]) == "day"
    assert order_of(["12/1/2026", "12/15/2026"]) == "month"
    assert order_of(["01/12/2026", "15/12/2026"]) == "day"
    assert order_of(["9/1/2026", "9/8/2026"]) == ""
    assert order_of(["15/09/2026", "9/15/2026"]) == ""
    assert day_of("9/1/2026", "month") == date(2026, 9, 1)
    assert day_of("9/1/2026", "day") == date(2026, 1, 9)
    assert is_unclear("9/1/2026", "")
    assert not is_unclear("9/31/2026", "")


def test_unclear_dates_are_asked_about(hall: Hall) -> None:
    page = look(hall, "10/6/2026,1,1,Ann,Bob,Cid,Dee,21,13", "10/11/2026,1,1,Ann,Bob,Cid,Dee,21,13")
    assert all("read two ways" in line for line in says(page))
    assert "Import 2 nights" not in page.text
    path = f"/seasons/{hall.season}/results/import"
    page = hall.desk.submit(page, path, 200, order="month")
    assert says(page) == ["new", "new"]
    store(hall, page)
    with hall.app.app_context():
        days = db.session.scalars(select(NightRow.day).order_by(NightRow.day)).all()
    assert days == [date(2026, 9, 1), date(2026, 10, 6), date(2026, 10, 11)]


def test_points_with_empty_decimals_are_whole_numbers(hall: Hall) -> None:
    page = look(hall, '2026-10-06,1,1,Ann,Bob,Cid,Dee,"21,0",13.00')
    assert says(page) == ["new"]
    assert "Ann and Cid 21 – Bob and Dee 13" in page.text
    assert says(look(hall, '2026-10-06,1,1,Ann,Bob,Cid,Dee,"21,5",13')) == ["Points must be whole numbers."]


def test_wrong_lines_can_be_skipped(hall: Hall) -> None:
    page = look(hall, GOOD, "2026-10-06,1,2,Eve,Fay,Gus,Hal,x,3", "Total,,,,,,,21,13")
    assert "1 line will be skipped." in page.text
    assert "left out: a line of totals" in says(page)
    assert "these nights are missing a table: October 6, 2026." in page.text
    store(hall, page)
    assert nights(hall) == 2


def test_only_previewed_lines_are_skipped(hall: Hall) -> None:
    """If a wrong line is added to the text after the preview, the import shows another preview and saves nothing."""
    page = look(hall, GOOD)
    path = f"/seasons/{hall.season}/results/import"
    text = f"{HEAD}\n{GOOD}\n2026-10-06,1,2,Eve,Fay,Gus,Hal,x,3"
    again = hall.desk.submit(page, path, 200, confirmed="1", text=text)
    assert "1 line will be skipped." in again.text
    assert nights(hall) == 1


def test_unknown_names_are_pointed_out(hall: Hall) -> None:
    """For a misspelled name, the preview suggests the person with the most similar name.

    Other unknown names are new players. The import button says how many new players will be added.
    """
    page = look(hall, "2026-10-06,1,1,Ann,Bob,Cidd,Xaver,21,13")
    form = page.form(f"/seasons/{hall.season}/results/import")
    assert (form.values["who-cidd"], form.values["who-xaver"]) == (["=Cid", ""], ["+", ""])
    assert "Import 1 night, add 1 new player" in buttons(page)
    store(hall, page)
    assert people(hall) == {*NAMES, "Xaver"}


def test_names_in_wrong_lines_are_not_counted_as_new_players(hall: Hall) -> None:
    page = look(hall, "2026-10-06,1,1,Ann,Bob,Cid,Xaver,21,13", f"2026-10-06,1,2,Eve,Fay,Gus,{'Z' * 41},21,13")
    assert "Import 1 night, add 1 new player" in buttons(page)
    store(hall, page)
    assert people(hall) == {*NAMES, "Xaver"}


def test_a_date_before_2000_is_marked_where_it_can_be_corrected(hall: Hall) -> None:
    page = look(hall, "0001-01-01,1,1,Ann,Bob,Cid,Dee,21,13")
    assert "0001-01-01 is before 2000. Correct the date under “Dates.”" in page.text
    assert "0001-01-01 Check this date." in page.text


@pytest.mark.parametrize(("answer", "then"), [("+", {"Cidd", "Xaver"}), ("=Ida", {"Xaver"}), ("-", set())])
def test_name_is_whoever_the_answer_says(hall: Hall, answer: str, then: set[str]) -> None:
    page = look(hall, GOOD, "2026-10-06,2,1,Ann,Bob,Cidd,Xaver,21,13")
    path = f"/seasons/{hall.season}/results/import"
    page = hall.desk.submit(page, path, 200, **{"who-cidd": answer})
    store(hall, page)
    assert people(hall) == {*NAMES} | then


def test_player_that_the_preview_did_not_show_is_not_added(hall: Hall) -> None:
    """If a new player is added to the text after the preview, the import shows another preview and saves nothing."""
    page = look(hall, GOOD)
    text = f"{HEAD}\n{GOOD}\n2026-10-06,2,1,Ann,Bob,Cid,Xaver,21,13"
    again = hall.desk.submit(page, f"/seasons/{hall.season}/results/import", 200, confirmed="1", text=text)
    assert "add 1 new player" in again.text
    assert (nights(hall), people(hall)) == (1, {*NAMES})


def test_likely_names() -> None:
    known = ("Ann Baker", "Bob Carter", "Zoë Müller", "José Núñez", "Tom One", "Tom Two")
    new = ("Ann", "Bob Cater", "Zoe Muller", "Jose Nunez", "Tom", "Walt Sims", "Baker, Ann", "Müller", "J. Núñez")
    assert likely_names(new, known) == {
        "Ann": ("Ann Baker",),
        "Bob Cater": ("Bob Carter",),
        "Zoe Muller": ("Zoë Müller",),
        "Jose Nunez": ("José Núñez",),
        "Tom": ("Tom One", "Tom Two"),
        "Walt Sims": (),
        "Baker, Ann": ("Ann Baker",),
        "Müller": ("Zoë Müller",),
        "J. Núñez": ("José Núñez",),
    }
    whole, other = "ab" * 20, ("ba" * 20,)
    assert likely_names([whole], other) == {whole: other}
    assert likely_names([f"{whole}c"], other) == {f"{whole}c": ()}, "what is longer than a name takes too long"


def test_substitutes_are_imported_and_exported(hall: Hall) -> None:
    header = f"{HEAD},plays for 1,plays for 2,plays for 3,plays for 4"
    path = f"/seasons/{hall.season}/results/import"
    page = hall.desk.submit(hall.desk.see(path), path, 200, text=f"{header}\n{GOOD},,Eve,,\n")
    assert "Bob for Eve" in page.text
    store(hall, page)
    with hall.app.app_context():
        (sub,) = db.session.scalars(select(SeatRow).where(SeatRow.sub_for.is_not(None)))
        assert sub.seat == 1
        packed = zipfile.ZipFile(io.BytesIO(archive.pack(archive.read_archive(db.session(), hall.league))))
    (row,) = csv.DictReader(io.StringIO(packed.read("results.csv").decode("utf-8-sig")))
    assert (row["player 2"], row["plays for 2"], row["plays for 1"]) == ("Bob", "Eve", "")


@pytest.mark.parametrize(
    "text",
    [
        "First Name,Last Name,Email,Phone\nAnn,Baker,ann@example.org,555-0101\n",
        "Thursday Setback 2026\n\nFirst Name,Last Name,Email,Phone\nAnn,Baker,ann@example.org,555-0101\n",
        "Phone;Last Name;First Name;E-mail\n555-0101;Baker;Ann;ann@example.org\n",
        "Thursday Setback 2026,,\nName,Email,Phone\nAnn Baker,ann@example.org,555-0101\n",
    ],
)
def test_address_list_is_read(text: str) -> None:
    (line,) = newcomers(text, ())
    assert line.state == "new"
    assert (line.told.name, line.told.nickname) == ("Ann Baker", "")
    assert line.told.notes == "ann@example.org, 555-0101"


def test_table_without_headings_keeps_its_first_line() -> None:
    lines = newcomers("Ann\nBob\nCid Last,Cid\n", ())
    assert [line.told.name for line in lines] == ["Ann", "Bob", "Cid Last"]


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_text_is_read(coding: str) -> None:
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(coding, b"")
    assert text_of(mark + "Name\tNickname\r\nZoë Müller\tZ\r\n".encode(coding)).startswith("Name\tNickname")


def test_sheet_and_dates_can_be_corrected_and_nights_may_be_earlier(hall: Hall) -> None:
    """A night of another sheet, dated by hand, is added to a season that has begun, with the next number."""
    book = Workbook()
    book.worksheets[0].append(["Player", "2026-10-06"])
    book.worksheets[0].append(["Ann", 1])
    games = book.create_sheet("Games")
    for line in (HEAD.split(","), ["2062-08-06", 1, 1, "Ann", "Bob", "Cid", "Dee", 21, 13]):
        games.append(line)
    file = io.BytesIO()
    book.save(file)
    path = f"/seasons/{hall.season}/results/import"
    page = hall.desk.submit(hall.desk.see(path), path, 200, file=(io.BytesIO(file.getvalue()), "club.xlsx"))
    assert page.form(path).values["sheet"] == "Sheet"
    page = hall.desk.submit(page, path, 200, sheet="Games")
    assert "2062-08-06 is after today" in page.text
    page = hall.desk.submit(page, path, 200, **{"date-on-2062-08-06~2062-08-06": "2026-08-06"})
    assert "Earlier nights get the next numbers of the season." in page.text
    store(hall, page)
    with hall.app.app_context():
        found = db.session.execute(select(NightRow.number, NightRow.day).order_by(NightRow.number)).all()
    assert [tuple(each) for each in found] == [(1, date(2026, 9, 1)), (2, date(2026, 8, 6))]


def test_players_are_imported_from_the_chosen_sheet(hall: Hall) -> None:
    path = f"/leagues/{hall.league}/people/import"
    text = "sheet=Fall\nName,Nickname\nOle,O\nsheet=Spring\nName,Nickname\nPia,P\n"
    page = hall.desk.submit(hall.desk.see(path), path, 200, text=text)
    page = hall.desk.submit(page, path, 200, sheet="Spring")
    hall.desk.submit(page, path, confirmed="1")
    assert people(hall) == {*NAMES, "Pia"}


def test_unreadable_layout_leads_to_those_that_can_be_read(hall: Hall) -> None:
    """If a spreadsheet can't be read, the page shows the layouts that can, each with a file to fill in."""
    path = f"/seasons/{hall.season}/results/import"
    for text in ("Ann,Bob\n", "what,which\n3,4\n5,6\n"):
        page = hall.desk.submit(hall.desk.see(path), path, 422 if text == "Ann,Bob\n" else 200, text=text)
        keys = [button.get("value") for button in page.all("button") if button.get("name") == "layout"]
        assert keys == list(EXAMPLES)
    form = page.form(path)
    headers = {"Origin": "http://localhost", "Referer": f"http://localhost{path}"}
    sent = {"csrf_token": form.values["csrf_token"], "layout": "nights"}
    file = hall.desk.post(path, data=sent, headers=headers)
    assert file.data.decode("utf-8-sig").replace("\r\n", "\n") == EXAMPLES["nights"][1]


@pytest.mark.parametrize(
    "text",
    [
        "<html><body><table><tr><td>Night</td><td>Ann</td></tr></table></body></html>",
        '\ufeff<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"></Workbook>',
        "\n<TABLE border=1><tr><td>Night</td></tr></TABLE>",
    ],
)
def test_a_web_page_named_as_a_spreadsheet_is_refused_in_a_sentence(text: str) -> None:
    """Excel opens such files after a warning, and saves them as a workbook."""
    with pytest.raises(RuleViolation, match="That isn't a spreadsheet"):
        text_of(text.encode())
