"""The desk: people come in, rounds are drawn and entered, the night is closed and opened again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.nights import closing
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.rules.commands import EnterHand
from tests.support.game import contents
from tests.support.league_night import DIRECTOR, NAMES, Hall, buttons, open_hall
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return an open night, nobody there yet."""
    return open_hall(app, client)


@pytest.fixture
def drawn(hall: Hall) -> Hall:
    """Return it with eight people at two tables, three rounds drawn."""
    hall.check_in(*NAMES[:8])
    hall.draw()
    return hall


def enter(hall: Hall, page: Page, number: int, scores: dict[int, str], status: int = 303, reason: str = "") -> Page:
    """Type scores like "21 13" for tables by their index in the round, and save."""
    at = [table.id for table in hall.tables() if table.round == number]
    fields: dict[str, object] = {
        f"points-{at[index]}-{side}": points
        for index, score in scores.items()
        for side, points in enumerate(score.split(" "))
    }
    return hall.desk.submit(page, f"{hall.path}/rounds/{number}/results", status, reason=reason, **fields)


def points(hall: Hall) -> list[tuple[int, ...]]:
    """Return the points of the tables in the order of rounds and numbers."""
    return [table.points for table in hall.tables()]


def test_the_season_page_opens_a_night_and_again_the_same_one(hall: Hall) -> None:
    page = hall.at_desk()
    token = page.form(f"{hall.path}/draw").values["csrf_token"]
    for _time in range(2):
        sent = hall.desk.post(f"/seasons/{hall.season}/nights", data={"csrf_token": token, "day": "2026-09-08"})
        assert sent.status_code == 303
        assert hall.desk.see(sent.location).h1 == "Desk: Fire Hall, night 2"


def test_one_tap_checks_somebody_in(hall: Hall) -> None:
    page = hall.at_desk()
    assert buttons(page)[1 : 1 + len(NAMES)] == list(NAMES)
    page = hall.desk.submit(page, f"{hall.path}/people", person=hall.people["Cid"])
    assert "Who comes in one is here" in page.text
    door = page.form(f"{hall.path}/people")
    assert door.names == {"csrf_token", "person"}
    assert hall.people["Cid"] not in page.response.text.split('id="here"')[0]


def test_those_of_last_week_stand_first(hall: Hall) -> None:
    hall.check_in("Hal", "Bob")
    token = hall.at_desk().form(f"{hall.path}/draw").values["csrf_token"]
    sent = hall.desk.post(f"/seasons/{hall.season}/nights", data={"csrf_token": token, "day": "2026-09-08"})
    page = hall.desk.see(sent.location)
    assert buttons(page)[1:5] == ["Bob", "Hal", "Ann", "Cid"]
    assert [words(h3) for h3 in page.all("h3")][:2] == ["Here last time", "Others"]


def test_the_filter_works_without_a_script(hall: Hall) -> None:
    page = hall.at_desk("?find=ID")
    assert buttons(page)[1:3] == ["Cid", "Ida"]
    page = hall.at_desk("?find=Zed")
    assert page.form(f"{hall.path}/people/new").values["name"] == "Zed"


def test_a_new_name_is_typed_once(hall: Hall) -> None:
    """It is in the book and here; one from the book in small letters adds nobody."""
    for name in ("Zed", "ann"):
        page = hall.desk.submit(hall.at_desk(), f"{hall.path}/people/new", name=name)
    assert "2 are here" in page.text
    page = hall.desk.submit(page, f"{hall.path}/people/new", 422, name=" ")
    assert len(page.all("p", class_="error")) == 1


def test_who_has_the_name_of_somebody_here_is_not_taken_for_them(hall: Hall) -> None:
    """Two people called Ann: the desk says so, and the name waits there for a last one. Who left comes back."""
    new, leaving = f"{hall.path}/people/new", f"{hall.path}/people/leaving"
    hall.desk.submit(hall.at_desk(), new, name="Ann")
    page = hall.desk.submit(hall.at_desk(), new, 422, name="ann")
    said = words(page.one("p", class_="error"))
    assert said == "Ann is here already. If this is somebody else, add a last name or a place."
    assert page.one("input", name="name").get("autofocus") is not None  # where no script leads to it
    assert page.form(new).values["name"] == "ann"
    page = hall.desk.submit(page, leaving, person=hall.people["Ann"])
    assert "one is here" in hall.desk.submit(page, new, name="ann").text


def test_a_new_name_at_a_night_that_closed_meanwhile_is_not_added_to_the_league(app: Flask, hall: Hall) -> None:
    """Both, in the book and here, or neither."""
    page = hall.at_desk()
    with app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
    before = contents(app)
    hall.desk.submit(page, f"{hall.path}/people/new", 422, name="Zed")
    assert contents(app) == before


def test_late_ones_and_leavers_are_said_where_the_draw_does_not_fit(drawn: Hall) -> None:
    page = drawn.desk.submit(drawn.at_desk(), f"{drawn.path}/people", person=drawn.people["Ida"])
    assert "Ida has no seat yet." in page.text
    page = drawn.desk.submit(page, f"{drawn.path}/people/leaving", person=drawn.people["Ann"])
    assert "Ann has a seat, and is not here." in page.text
    page = drawn.desk.submit(page, f"{drawn.path}/draw")
    assert not page.all("p", class_="notice")
    assert "Ida" in page.text


def test_the_same_tap_draws_the_same_seats(drawn: Hall) -> None:
    """The seed comes with the form: sent twice, nobody changes seats between two looks."""
    page = drawn.at_desk()
    drawn.desk.submit(page, f"{drawn.path}/draw")
    once = [table.seats for table in drawn.tables()]
    drawn.desk.submit(page, f"{drawn.path}/draw")
    assert [table.seats for table in drawn.tables()] == once


def test_another_format_is_planned(hall: Hall) -> None:
    fields: dict[str, object] = {
        "format": "fixed_hands",
        "fixed_hands-hands": "10",
        "rounds": "5",
        "fixed_hands-one_more": "1",
    }
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/plan", 303, **fields)
    planned = page.form(f"{hall.path}/plan").values
    assert (planned["fixed_hands-hands"], planned["fixed_hands-one_more"]) == ("10", "1")
    assert "What is played: A number of hands, 5 rounds" in page.text
    page = hall.desk.submit(page, f"{hall.path}/plan", 422, rounds="0")
    assert page.form(f"{hall.path}/plan").values["rounds"] == "0"
    page = hall.desk.submit(page, f"{hall.path}/plan", 422, format="nonsense")
    assert len(page.all("p", class_="error")) == 1
    page = hall.desk.submit(page, f"{hall.path}/plan", 422, format="progressive", together="alone", rounds="5")
    assert "Progressive: partners change every round, and a table has four players." in page.text
    page = hall.desk.submit(page, f"{hall.path}/plan", 303, format="progressive", together="rotate", rounds="5")
    assert "What is played: Progressive, 5 rounds" in page.text


def test_only_scores_that_changed_are_written(drawn: Hall) -> None:
    page = enter(drawn, drawn.at_desk(), 1, {0: "21 13"})
    assert points(drawn)[:2] == [(21, 13), ()]
    versions = [table.version for table in drawn.tables()]
    page = enter(drawn, page, 1, {1: "-3 22"})
    assert points(drawn)[:2] == [(21, 13), (-3, 22)]
    assert drawn.tables()[0].version == versions[0]
    assert "Round 1 all in" in page.text


def test_a_correction_asks_its_reason(drawn: Hall) -> None:
    page = enter(drawn, drawn.at_desk(), 1, {0: "21 13"})
    page = enter(drawn, page, 1, {0: "21 14", 1: "10 21"}, 422)
    assert "Say why the score is corrected." in page.text
    assert points(drawn)[:2] == [(21, 13), (10, 21)]
    enter(drawn, drawn.at_desk("?round=1"), 1, {0: "21 14"}, reason="read wrong")
    assert points(drawn)[0] == (21, 14)


def test_half_a_score_is_not_saved_and_stays_on_the_page(drawn: Hall) -> None:
    page = enter(drawn, drawn.at_desk(), 1, {0: "21 "}, 422)
    table = drawn.tables()[0]
    assert page.form(f"{drawn.path}/rounds/1/results").values[f"points-{table.id}-0"] == "21"
    assert "Enter the points of every side." in page.text
    assert not table.game


def test_two_desks_do_not_undo_each_other(drawn: Hall) -> None:
    """A page that is behind writes nothing over what the other desk corrected, unless it was looked at."""
    behind = enter(drawn, drawn.at_desk(), 1, {0: "21 13"})
    enter(drawn, drawn.at_desk("?round=1"), 1, {0: "21 15"}, reason="read wrong")
    enter(drawn, behind, 1, {1: "10 21"})
    assert points(drawn)[:2] == [(21, 15), (10, 21)]
    page = enter(drawn, behind, 1, {0: "21 14"}, 422, reason="also read wrong")
    assert "Somebody entered another score meanwhile: 21,15." in page.text
    assert points(drawn)[0] == (21, 15)


def test_a_table_is_scored_on_this_device(drawn: Hall) -> None:
    """Its hands then stand in the way of a final score: the grid has no field for it."""
    table = drawn.tables()[0]
    board = drawn.desk.submit(drawn.at_desk(), f"{drawn.path}/games", table=table.id)
    assert board.path.startswith("/games/")
    with drawn.app.app_context():
        hand = {"bidder": 0, "bid": 4, "points": {"high": 0, "low": 0, "jack": 0, "game": 0}}
        scoring.act(
            public_id=board.path.split("/")[2], command=EnterHand(hand), request=ClientRequest(DIRECTOR, "one", None)
        )
    form = drawn.at_desk().form(f"{drawn.path}/rounds/1/results")
    assert f"points-{table.id}-0" not in form.names
    assert "Hand 2" in drawn.at_desk().text


def test_two_people_change_places(drawn: Hall) -> None:
    one, two = drawn.tables()[:2]
    names = dict(enumerate(NAMES, 1))
    page = drawn.at_desk()
    for _tap in range(2):
        drawn.desk.submit(
            page,
            f"{drawn.path}/rounds/1/swap",
            one=drawn.people[names[one.seats[0]]],
            other=drawn.people[names[two.seats[0]]],
        )
    assert drawn.tables()[0].seats[0] == two.seats[0]
    page = drawn.desk.submit(page, f"{drawn.path}/rounds/1/swap", 422, one=drawn.people["Ann"])
    assert "Choose one first. Nothing was changed." in page.text
    page = drawn.desk.submit(
        page, f"{drawn.path}/rounds/1/swap", 422, one=drawn.people["Ann"], other=drawn.people["Ida"]
    )
    assert "Ida has no free place in that round." in page.text


def test_a_substitute_is_set_and_taken_back(drawn: Hall) -> None:
    page = drawn.desk.submit(
        drawn.at_desk(), f"{drawn.path}/substitutes", person=drawn.people["Ann"], regular=drawn.people["Ida"]
    )
    assert "Ann for Ida" in page.text
    page = drawn.desk.submit(page, f"{drawn.path}/substitutes", person=drawn.people["Ann"], regular="")
    assert "Ann for Ida" not in page.text


def test_fixed_partners_are_put_together(app: Flask, client: Phone) -> None:
    hall = open_hall(app, client, plan=NightPlan(rounds=1, together="fixed"))
    hall.check_in(*NAMES[:4])
    page = hall.at_desk()
    for pair in (("Ann", "Dee"), ("Bob", "Cid")):
        page = hall.desk.submit(page, f"{hall.path}/partners", person=[hall.people[name] for name in pair])
    page = hall.desk.submit(page, f"{hall.path}/draw")
    assert {frozenset(side) for side in hall.tables()[0].plan.sides} == {frozenset({1, 4}), frozenset({2, 3})}
    page = hall.desk.submit(page, f"{hall.path}/partners", person=[hall.people["Ann"]])
    assert "Ann, Dee" not in words(page.one("div", id="teams"))


def test_the_bell_is_rung_and_taken_back_and_the_next_round_has_its_own(app: Flask, client: Phone) -> None:
    hall = open_hall(app, client, plan=NightPlan(format="timed", rounds=2))
    hall.check_in(*NAMES[:4])
    hall.draw()
    hall.desk.submit(hall.at_desk(), f"{hall.path}/games", table=hall.tables()[0].id)
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/bell")
    assert "Take the bell back" in page.text
    page = hall.desk.submit(page, f"{hall.path}/bell")
    assert "Ring the bell" in page.text
    hall.desk.submit(page, f"{hall.path}/bell")
    hall.desk.submit(hall.at_desk("?round=2"), f"{hall.path}/games", table=hall.tables()[1].id)
    assert hall.tables()[1].verdict is not None
    assert not hall.tables()[1].done


def test_closing_lists_what_is_missing_and_takes_one_tap(drawn: Hall) -> None:
    page = drawn.at_desk()
    for number in (1, 2, 3):
        scores = {0: "21 10", 1: "12 21"} if number < 3 else {0: "21 3"}
        page = enter(drawn, drawn.at_desk(f"?round={number}"), number, scores)
    assert "One table counts for nothing yet Round 3, table 2" in page.text
    late = page
    page = drawn.desk.submit(page, f"{drawn.path}/closing")
    assert page.text.index("This night is closed") < page.text.index("Round 1"), "what comes first on a phone"
    assert "to come" not in page.text
    page = drawn.desk.submit(page, f"{drawn.path}/reopening", reason="table 2 came late")
    enter(drawn, drawn.at_desk("?round=3"), 3, {1: "9 21"})
    page = drawn.desk.submit(drawn.at_desk(), f"{drawn.path}/closing")
    assert "This night is closed" in page.text
    page = drawn.desk.submit(late, f"{drawn.path}/closing")
    assert "This night is closed" in page.text, "a second tap is told what the first one was"


def test_a_table_that_went_missing_meanwhile_is_listed_first(drawn: Hall) -> None:
    page = drawn.at_desk()
    hidden = page.form(f"{drawn.path}/closing").values["missing"]
    assert isinstance(hidden, str)
    page = drawn.desk.submit(page, f"{drawn.path}/closing", 422, missing=hidden.rsplit(",", 1)[0])
    assert "Other tables are missing by now. See the list." in page.text
    with drawn.app.app_context():
        assert drawn.row().closed_at is None


def test_opening_again_asks_why(drawn: Hall) -> None:
    page = drawn.desk.submit(drawn.at_desk(), f"{drawn.path}/closing")
    page = drawn.desk.submit(page, f"{drawn.path}/reopening", 422, reason=" ")
    assert "Say why the night is opened again." in page.text


def test_nobody_else_sees_the_desk_or_uses_it(drawn: Hall, new_phone: Callable[[], Phone]) -> None:
    other = new_phone()
    other.see(f"{drawn.path}/desk", 403)
    page = drawn.at_desk()
    token = other.see("/").form("/games/import").values["csrf_token"]
    for form in page.all("form"):
        if form.get("method") == "post":
            sent = other.post(form.get("action", ""), data={"csrf_token": token, "client_id": "abcdefgh12"})
            assert sent.status_code in (403, 404), form.get("action")
