"""The public pages of a night and of its tables, both for phones and for a TV."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event

from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.nights import table_disputes, tables
from scorekeeper.leagues.people import service as people
from scorekeeper.leagues.people.service import PersonData
from scorekeeper.rules.commands import EnterHand
from scorekeeper.web.extensions import db
from tests.support.league_night import DIRECTOR, NAMES, Hall, open_hall
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.phone import Phone

HAND = {"bidder": 0, "bid": 4, "points": {"high": 0, "low": 0, "jack": 0, "game": 0}}


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a night with nine people seated for three rounds."""
    hall = open_hall(app, client)
    hall.check_in(*NAMES)
    hall.draw()
    return hall


@pytest.fixture
def guest(new_phone: Callable[[], Phone]) -> Phone:
    """Return a phone without a role in the league."""
    return new_phone()


def start(hall: Hall, index: int) -> str:
    """Start the game at a table on the director's device, and return the game's public id.

    `index` is the table's index among the tables of all rounds.
    """
    with hall.app.app_context():
        table = hall.tables()[index]
        return tables.start_table(night=hall.night, table=table.id, device=DIRECTOR, client_id=f"tap-{table.id}")


def tell(hall: Hall, index: int, *totals: int) -> None:
    """Enter a table's final score at the desk.

    `index` is the table's index among the tables of all rounds, and `totals` has each side's total.
    """
    with hall.app.app_context():
        tables.tell_result(night=hall.night, table=hall.tables()[index].id, totals=totals, device=DIRECTOR)


def test_seats_are_listed_before_the_first_hand(hall: Hall, guest: Phone) -> None:
    page = guest.see(hall.path)
    seats = page.one("ul", class_="by-name").findall("li")
    assert [words(seat).split()[0] for seat in seats] == list(NAMES)
    assert sum("sitting out" in words(seat) for seat in seats) == 1
    assert "Your seat in round 1" in page.text


def test_the_seats_of_a_round_are_listed_until_its_tables_are_over(hall: Hall, guest: Phone) -> None:
    """The first phone of a round that taps "Score this table" doesn't hide the seats that others are looking for."""

    def listed() -> list[str]:
        titles = [words(heading) for heading in guest.see(hall.path).all("h2")]
        return [title for title in titles if title.startswith("Your seat in ")]

    for number in range(3):
        assert listed() == [f"Your seat in round {number + 1}"]
        start(hall, 2 * number)
        assert listed() == [f"Your seat in round {number + 1}"]
        tell(hall, 2 * number, 21, 13)
        start(hall, 2 * number + 1)
        assert listed() == [f"Your seat in round {number + 1}"]
        tell(hall, 2 * number + 1, 9, 21)
    assert listed() == []


def test_the_page_shows_open_tables_and_next_seats(hall: Hall, guest: Phone) -> None:
    tell(hall, 0, 21, 13)
    start(hall, 1)
    page = guest.see(hall.path)
    assert "Provisional: 5 games from round 1 on have no score yet." in page.text
    assert "Next: round 2" in page.text
    first = page.all("li", class_="at")[0]
    assert "Final score only" in words(first)
    assert [words(points) for points in first.iter("b") if points.get("class") == "pts"] == ["21", "13"]
    tell(hall, 1, 9, 21)
    page = guest.see(hall.path)
    assert words(page.all("h2")[0]) == "Round 2"


def test_a_night_of_final_scores_says_so_once(hall: Hall, guest: Phone) -> None:
    for index, totals in enumerate(((21, 13), (9, 21))):
        tell(hall, index, *totals)
    for path in ("", "/tv"):
        page = guest.see(f"{hall.path}{path}")
        assert "Final score only" not in page.text
        assert page.text.count("Final scores only") == 1


def test_an_unchanged_night_is_answered_with_304_and_no_cookie(hall: Hall, guest: Phone) -> None:
    """A second request for the page of a night gets status 304 until the night changes. The page sets no cookie.

    A hand, a confirmation and a new name each count as a change.
    """
    game = start(hall, 0)

    def look() -> tuple[int, str]:
        response = guest.get(hall.path, headers={"If-None-Match": tags[-1]})
        assert "Set-Cookie" not in response.headers
        return response.status_code, response.headers["ETag"]

    tags = [guest.get(hall.path).headers["ETag"]]
    assert look() == (304, tags[0])
    assert "Cookie" not in guest.get(hall.path).headers.get("Vary", "")

    def play() -> None:
        scoring.act(public_id=game, command=EnterHand(HAND), request=ClientRequest(DIRECTOR, "hand", None))

    def agree() -> None:
        table_disputes.confirm(
            night=hall.night, table=hall.tables()[0].id, side=0, seat=0, points=(4, 0), device=DIRECTOR
        )

    def rename() -> None:
        people.change_person(person=hall.people["Ann"], told=PersonData(name="Anna"), device=DIRECTOR)

    for change in (play, agree, rename):
        with hall.app.app_context():
            change()
        status, tag = look()
        assert status == 200, change.__name__
        assert tag not in tags
        tags.append(tag)


def test_the_tv_page_shows_scores_and_next_seats(hall: Hall, guest: Phone) -> None:
    tell(hall, 0, 21, 13)
    page = guest.see(f"{hall.path}/tv")
    assert "1 table left" in page.text
    assert "Next: round 2" in page.text
    assert page.one("div", class_="night-wall").get("data-watch") == f"{hall.path}/tv"
    assert "Set-Cookie" not in page.response.headers


def test_an_unknown_night_is_not_found(guest: Phone) -> None:
    for path in ("/nights/nothing", "/nights/nothing/tv", "/nights/nothing/desk", "/nights/nothing/rotation"):
        guest.see(path, 404)


def test_the_pages_of_a_night_make_few_queries(hall: Hall, guest: Phone) -> None:
    """When all tables have scores, the pages of a night need no more database queries than before the first score."""
    asked: list[str] = []
    with hall.app.app_context():
        event.listen(db.engine, "before_cursor_execute", lambda *said: asked.append(said[2]))

    def count(phone: Phone, path: str) -> int:
        asked.clear()
        phone.see(path)
        return len(asked)

    paths = [(guest, hall.path), (guest, f"{hall.path}/tv"), (hall.desk, f"{hall.path}/desk")]
    before = [count(*each) for each in paths]
    for index in range(len(hall.tables())):
        tell(hall, index, 21, index)
    assert all(count(*each) <= queries for each, queries in zip(paths, before, strict=True))
    assert max(before) <= 18


def test_each_side_confirms_for_itself(hall: Hall, guest: Phone) -> None:
    table = hall.tables()[0]
    tell(hall, 0, 21, 13)
    path = f"{hall.path}/tables/{table.id}"
    assert not [form for form in guest.see(path).all("form") if form.get("method") == "post"]
    page = hall.desk.see(path)
    assert page.h1 == "Round 1, table 1"
    page = hall.desk.submit(page, f"{path}/confirmations", seat=0)
    assert page.text.count("Confirmed by ") == 1
    behind = page
    with hall.app.app_context():
        tables.tell_result(night=hall.night, table=table.id, totals=(13, 21), device=DIRECTOR, reason="mixed up")
    page = hall.desk.submit(behind, f"{path}/confirmations", 422, seat=1)
    assert "The score just changed. Check it again." in page.text
    page = hall.desk.submit(hall.desk.see(path), f"{path}/confirmations", side="0", seat=0)
    page = hall.desk.submit(page, f"{path}/confirmations", side="1", seat=1)
    assert page.text.count("Confirmed by ") == 2
    assert "✓" in words(guest.see(hall.path).all("li", class_="at")[0])


def test_the_scoring_phone_can_enter_only_the_final_score(hall: Hall) -> None:
    game = start(hall, 0)
    table = hall.tables()[0]
    path = f"{hall.path}/tables/{table.id}"
    page = hall.desk.see(path)
    page = hall.desk.submit(page, f"{path}/result", 422, points_0="21", points_1="")
    assert "Enter points for every side." in page.text
    page = hall.desk.submit(page, f"{path}/result", points_0="21", points_1="-4")
    assert hall.tables()[0].points == (21, -4)
    assert "Confirm as" in page.text
    assert game == hall.tables()[0].game
