"""The history of a league and of a game, on a page and as a file, without the hash of any device."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.games.services import sharing
from scorekeeper.leagues.audit.messages import SENTENCES, line_change, line_words
from scorekeeper.leagues.core.models import LeagueEventRow
from scorekeeper.leagues.nights import closing, service, table_disputes, tables
from scorekeeper.leagues.people.service import PersonData, change_person
from scorekeeper.web.extensions import db
from tests.support.directors import NAME, sign_up
from tests.support.league_night import DIRECTOR, NAMES, Hall, open_hall
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

MADE = "The device that runs the league"


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a league with a night for which two tables are seated."""
    hall = open_hall(app, client)
    hall.check_in(*NAMES[:8])
    hall.draw()
    return hall


def log_path(hall: Hall) -> str:
    """Return the address of the league's history."""
    return f"/leagues/{hall.league}/log"


def sentences(page: Page) -> list[str]:
    """Return the sentences on the page of a league's history, newest first."""
    return [words(item[1]) for item in page.one("ol", class_="log").findall("li")]


def told(page: Page) -> list[tuple[str, str]]:
    """Return the lines on the page of a game's history, newest first, as (who acted, what they did)."""
    items = page.one("ol", class_="log").findall("li")
    return [(words(item[0]).split(" · ")[1], words(item[1])) for item in items]


def test_history_names_who_did_what(app: Flask, hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """The history says who did what, and calls an unknown phone "another phone" with a number.

    Every reader sees the same history.
    """
    (one, _two) = (table for table in hall.tables() if table.round == 1)
    with app.app_context():
        tables.tell_result(night=hall.night, table=one.id, totals=(21, 13), device=DIRECTOR)
        game = next(table.game for table in hall.tables() if table.id == one.id)
        secret = sharing.make_link(public_id=game, device=DIRECTOR)
        sharing.join_game(secret=secret, device="a phone at the table", seat=None)
        told_by = {"side": 0, "points": (21, 13), "device": "a phone at the table"}
        table_disputes.confirm(night=hall.night, table=one.id, **told_by)  # type: ignore[arg-type]
    phone = new_phone()
    page = hall.desk.see(log_path(hall))
    assert sentences(page)[0] == "Another phone (1) confirmed 21 to 13 for side A at round 1, table 1."
    assert all(each.startswith(MADE) for each in sentences(page)[1:])
    assert sentences(phone.see(log_path(hall))) == sentences(page)


def test_history_shows_the_random_number_of_the_seating(app: Flask, hall: Hall) -> None:
    """The history shows the random number of the seating, so that players can check how tables were drawn."""
    with app.app_context():
        query = select(LeagueEventRow.data).where(LeagueEventRow.kind == "drawn")
        seed = db.session.scalars(query).one()["seed"]
    assert sentences(hall.desk.see(log_path(hall)))[0].endswith(f"drawn with random number {seed}.")


def test_history_shows_values_before_and_after(app: Flask, hall: Hall) -> None:
    with app.app_context():
        service.set_team(night=hall.night, people=[hall.people["Ann"], hall.people["Bob"]], device=DIRECTOR)
        service.set_team(night=hall.night, people=[hall.people["Ann"], hall.people["Cid"]], device=DIRECTOR)
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
        closing.reopen_night(night=hall.night, device=DIRECTOR, reason="one table was missing")
    items = [words(item) for item in hall.desk.see(log_path(hall)).one("ol", class_="log").findall("li")]
    assert "BeforeAnn and BobAfterAnn and Cid" in items[2]
    assert "reopened the night. Reasonone table was missing" in items[0]


def test_history_shows_a_corrected_score_before_and_after(app: Flask, hall: Hall) -> None:
    """The history shows the old and the new score of a correction separately.

    A sentence with "from 21 to 12 to 21 to 13" would be hard to read.
    """
    (one, _two) = (table for table in hall.tables() if table.round == 1)
    with app.app_context():
        tables.tell_result(night=hall.night, table=one.id, totals=(21, 12), device=DIRECTOR)
        tables.tell_result(night=hall.night, table=one.id, totals=(21, 13), device=DIRECTOR, reason="misread")
    items = [words(item) for item in hall.desk.see(log_path(hall)).one("ol", class_="log").findall("li")]
    corrected = "corrected the final score of round 1, table 1. Before21 to 12After21 to 13Reasonmisread"
    assert items[0].endswith(corrected)
    assert items[1].endswith("entered the final score 21 to 12 for round 1, table 1.")
    lines = json.loads(hall.desk.get(f"{log_path(hall)}.json").text)
    assert [(line["before"], line["after"]) for line in lines[-2:]] == [("", ""), ("21 to 12", "21 to 13")]


def test_history_of_a_night_has_only_its_lines(app: Flask, hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """The history of a night has only the lines about that night. Everyone can open it from the night's page.

    A request for the history of an unknown night gets a 404.
    """
    reader = new_phone()
    path = f"{log_path(hall)}?night={hall.night}"
    assert any(link.get("href") == path for link in reader.see(hall.path).all("a"))
    page = reader.see(path)
    assert page.h1 == "History: Night 1"
    assert sentences(page)[-1] == f"{MADE} opened the night."
    assert not any("created the league" in each for each in sentences(page))
    reader.see(f"{log_path(hall)}?night=nosuchnight", 404)


def test_table_links_to_the_history_of_its_game(app: Flask, hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """The page of a table links to the history of the game at that table, which is the same on every phone."""
    one = next(table for table in hall.tables() if table.round == 1)
    with app.app_context():
        game = tables.start_table(night=hall.night, table=one.id, device=DIRECTOR, client_id="tap-of-table")
    reader = new_phone()
    link = f"/games/{game}/log"
    assert any(each.get("href") == link for each in reader.see(f"{hall.path}/tables/{one.id}").all("a"))
    assert told(reader.see(link)) == told(hall.desk.see(link))
    assert told(reader.see(link))[0][0] == "The league director's device"


def test_history_exports_as_csv_and_json(app: Flask, hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """The downloaded history has the same lines as the page, but with the oldest line first.

    No cell of the CSV file can be read as a formula by a spreadsheet program. The lines contain neither the id of a
    device nor the id of the league.
    """
    with app.app_context():
        change_person(person=hall.people["Ann"], told=PersonData(name="=Ann"), device=DIRECTOR)
    reader = new_phone()
    page = reader.see(log_path(hall))
    rows = list(csv.DictReader(io.StringIO(reader.get(f"{log_path(hall)}.csv").data.decode("utf-8-sig"))))
    objects = json.loads(reader.get(f"{log_path(hall)}.json").text)
    assert [row["What"] for row in rows] == sentences(page)[::-1]
    assert {row["Who"] for row in rows} == {MADE}
    assert [[one.pop("at").rstrip("Z"), *one.values()] for one in objects] == [list(row.values()) for row in rows]
    assert rows[-1]["What"].startswith(f"{MADE} changed Ann")
    assert rows[0]["When (UTC)"].count("T") == 1  # ISO 8601
    for kind in ("csv", "json"):
        text = reader.get(f"{log_path(hall)}.{kind}").text
        assert not any(cell.startswith(("=", "+", "@")) for row in csv.reader(io.StringIO(text)) for cell in row)
        assert DIRECTOR not in text
        assert hall.league not in text
        named = reader.get(f"{log_path(hall)}.{kind}").headers["Content-Disposition"]
        assert named == f'attachment; filename="log-{hall.league}.{kind}"'


def test_history_of_a_game_exports(app: Flask, hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """Any phone can download a game's history as CSV and JSON."""
    one = next(table for table in hall.tables() if table.round == 1)
    with app.app_context():
        game = tables.start_table(night=hall.night, table=one.id, device=DIRECTOR, client_id="tap-of-table")
    reader = new_phone()
    page = reader.see(f"/games/{game}/log")
    rows = list(csv.DictReader(io.StringIO(reader.get(f"/games/{game}/log.csv").data.decode("utf-8-sig"))))
    assert [(row["Who"], row["What"]) for row in rows] == told(page)[::-1]
    objects = json.loads(reader.get(f"/games/{game}/log.json").text)
    assert [one["what"] for one in objects] == [row["What"] for row in rows]
    assert DIRECTOR not in reader.get(f"/games/{game}/log.json").text


@pytest.mark.usefixtures("open_sign_up")
def test_history_never_shows_the_name_of_an_account(hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """The history never shows an account's name; the owner appears as "the signed-in owner"."""
    sign_up(hall.desk)
    hall.desk.submit(hall.desk.see(f"/leagues/{hall.league}"), f"/leagues/{hall.league}/account")
    page = new_phone().see(log_path(hall))
    assert sentences(page)[0] == "The signed-in owner saved the league to an account."
    assert NAME not in page.text


def test_no_page_and_no_file_shows_the_hash_of_a_device(hall: Hall, new_phone: Callable[[], Phone]) -> None:
    cookie = hall.desk.get_cookie(COOKIE)
    assert cookie is not None
    for path in (log_path(hall), f"{log_path(hall)}.csv", f"{log_path(hall)}.json"):
        text = new_phone().get(path).text
        assert cookie.value not in text
        assert hashlib.sha256(cookie.value.encode()).hexdigest() not in text


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"before": 1, "after": []},
        {"name": 7, "names": 7, "people": 7, "before": {}, "after": {}, "round": "x", "changed": 1},
    ],
)
def test_malformed_line_is_still_shown(data: dict[str, Any]) -> None:
    """A log line with malformed data still appears on the history page, because imported files can contain anything."""
    for kind in SENTENCES:
        assert line_words(kind, data, str, "Bob"), kind
        line_change(kind, data, str)
