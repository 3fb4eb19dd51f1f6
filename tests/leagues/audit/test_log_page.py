"""The log of a league on its page and as a file: who, when, what before and after, why; and nobody's hash."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.accounts.devices import COOKIE
from scorekeeper.games.services import sharing
from scorekeeper.leagues.audit.messages import WORDS, line_change, line_words
from scorekeeper.leagues.nights import closing, service, table_disputes, tables
from scorekeeper.leagues.people.service import PersonData, change_person
from tests.support.directors import NAME, sign_up
from tests.support.league_night import DIRECTOR, NAMES, Hall, open_hall
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

MADE = "The device that made the league"


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a league with a night on which two tables are drawn."""
    hall = open_hall(app, client)
    hall.check_in(*NAMES[:8])
    hall.draw()
    return hall


def log_path(hall: Hall) -> str:
    """Return the address of the log."""
    return f"/leagues/{hall.league}/log"


def told(page: Page) -> list[tuple[str, str]]:
    """Return who did what, the newest first."""
    items = page.one("ol", class_="log").findall("li")
    return [(words(item[0]).split(" · ")[1], words(item[1])) for item in items]


def test_it_says_who_did_what_in_words(app: Flask, hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """The director's device; a phone at a table, numbered; and to everybody the same."""
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
    assert told(page)[0] == (
        "Another phone (1)",
        "Round 1, table 1: side A said that 21 to 13 is right.",
    )
    assert {who for who, _what in told(page)[1:]} == {MADE}
    assert told(phone.see(log_path(hall))) == told(page)


def test_what_was_changed_stands_there_before_and_after(app: Flask, hall: Hall) -> None:
    with app.app_context():
        service.set_team(night=hall.night, people=[hall.people["Ann"], hall.people["Bob"]], device=DIRECTOR)
        service.set_team(night=hall.night, people=[hall.people["Ann"], hall.people["Cid"]], device=DIRECTOR)
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
        closing.reopen_night(night=hall.night, device=DIRECTOR, reason="one table was missing")
    items = [words(item) for item in hall.desk.see(log_path(hall)).one("ol", class_="log").findall("li")]
    assert "BeforeAnn and BobAfterAnn and Cid" in items[2]
    assert "The night was opened again. Whyone table was missing" in items[0]


def test_a_corrected_score_stands_there_before_and_after(app: Flask, hall: Hall) -> None:
    """ "From 21 to 12 to 21 to 13" is a riddle."""
    (one, _two) = (table for table in hall.tables() if table.round == 1)
    with app.app_context():
        tables.tell_result(night=hall.night, table=one.id, totals=(21, 12), device=DIRECTOR)
        tables.tell_result(night=hall.night, table=one.id, totals=(21, 13), device=DIRECTOR, reason="misread")
    items = [words(item) for item in hall.desk.see(log_path(hall)).one("ol", class_="log").findall("li")]
    corrected = "Round 1, table 1: the final score was corrected. Before21 to 12After21 to 13Whymisread"
    assert items[0].endswith(corrected)
    assert items[1].endswith("Round 1, table 1: final score 21 to 12.")
    lines = json.loads(hall.desk.get(f"{log_path(hall)}.json").text)
    assert [(line["before"], line["after"]) for line in lines[-2:]] == [("", ""), ("21 to 12", "21 to 13")]


def test_the_log_of_a_night_holds_its_own_lines(app: Flask, hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """The night leads to it, for whoever is in the hall; the night of another league is none of this one."""
    reader = new_phone()
    path = f"{log_path(hall)}?night={hall.night}"
    assert any(link.get("href") == path for link in reader.see(hall.path).all("a"))
    page = reader.see(path)
    assert page.h1 == "Log of the league: Night 1"
    assert [what for _who, what in told(page)][-1] == "The night was opened."
    assert not any("league" in what for _who, what in told(page))
    reader.see(f"{log_path(hall)}?night=nosuchnight", 404)


def test_a_table_leads_to_the_log_of_its_game(app: Flask, hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """And both sides, whoever watches and the league read the same there."""
    one = next(table for table in hall.tables() if table.round == 1)
    with app.app_context():
        game = tables.start_table(night=hall.night, table=one.id, device=DIRECTOR, client_id="tap-of-table")
    reader = new_phone()
    link = f"/games/{game}/log"
    assert any(each.get("href") == link for each in reader.see(f"{hall.path}/tables/{one.id}").all("a"))
    assert told(reader.see(link)) == told(hall.desk.see(link))
    assert told(reader.see(link))[0][0] == "The device that directs the league"


def test_it_is_handed_on_as_csv_and_json(app: Flask, hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """The same lines as on the page, the oldest first; a name is no formula, and nothing is secret."""
    with app.app_context():
        change_person(person=hall.people["Ann"], told=PersonData(name="=Ann"), device=DIRECTOR)
    reader = new_phone()
    page = reader.see(log_path(hall))
    rows = list(csv.DictReader(io.StringIO(reader.get(f"{log_path(hall)}.csv").data.decode("utf-8-sig"))))
    objects = json.loads(reader.get(f"{log_path(hall)}.json").text)
    assert [(row["Who"], row["What"]) for row in rows] == told(page)[::-1]
    assert [list(one.values()) for one in objects] == [list(row.values()) for row in rows]
    assert rows[-1]["What"].startswith("Ann changed")
    assert rows[0]["When (UTC)"].endswith("Z")
    for kind in ("csv", "json"):
        text = reader.get(f"{log_path(hall)}.{kind}").text
        assert not any(cell.startswith(("=", "+", "@")) for row in csv.reader(io.StringIO(text)) for cell in row)
        assert DIRECTOR not in text
        assert hall.league not in text
        named = reader.get(f"{log_path(hall)}.{kind}").headers["Content-Disposition"]
        assert named == f'attachment; filename="log-{hall.league}.{kind}"'


def test_the_log_of_a_game_is_handed_on_too(app: Flask, hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """To whoever may see it."""
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
def test_an_account_is_called_what_the_owner_calls_it(hall: Hall, new_phone: Callable[[], Phone]) -> None:
    """Never by the name that it signs in with."""
    sign_up(hall.desk)
    hall.desk.submit(hall.desk.see(f"/leagues/{hall.league}"), f"/leagues/{hall.league}/account")
    page = new_phone().see(log_path(hall))
    assert told(page)[0][0] == "The director who keeps it in an account"
    assert NAME not in page.text


def test_no_page_and_no_file_shows_a_hash(hall: Hall, new_phone: Callable[[], Phone]) -> None:
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
def test_a_line_that_somebody_made_up_is_shown_all_the_same(data: dict[str, Any]) -> None:
    """A league comes as a file, and a file can be written by hand; its log is no reason for a page that breaks."""
    for kind in WORDS:
        assert line_words(kind, data, str), kind
        line_change(kind, data, str)
