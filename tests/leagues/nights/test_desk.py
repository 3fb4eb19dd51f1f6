"""The desk of a night, which is the page for check-in, the seating, scores, and closing and reopening the night."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from scorekeeper.games.services import scoring, sharing
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.core.models import ByeRow
from scorekeeper.leagues.nights import closing, service, tables
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.rules.commands import EnterHand
from scorekeeper.web.extensions import db
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
    """Return an open night with nobody checked in."""
    return open_hall(app, client)


def test_a_link_to_a_folded_part_opens_it(app: Flask, client: Phone) -> None:
    """The desk's links lead to what they name, also without scripts: the format, the partners and the entry fees."""
    hall = open_hall(app, client, money={"entry_fee": 500})
    hall.check_in(*NAMES[:5])

    def follow() -> list[str]:
        followed = []
        for link in hall.at_desk().all("a"):
            path, _hash, part = (link.get("href") or "").partition("#")
            if part in ("plan", "teams", "fees"):
                page = hall.desk.see(path or f"{hall.path}/desk")
                around = [fold for fold in page.all("details") if part in [each.get("id") for each in fold.iter()]]
                inside = [fold for each in page.all("section", id=part) for fold in each.iter("details")]
                assert around or inside, words(link)
                assert all(fold.get("open") is not None for fold in around + inside), words(link)
                followed.append(words(link))
        return followed

    assert follow() == ["Change tables"]
    hall.desk.submit(hall.at_desk(), f"{hall.path}/plan", format="round_robin", together="fixed")
    assert follow() == ["Choose partners"]
    for pair in (NAMES[:2], NAMES[2:4]):
        with app.app_context():
            service.set_team(night=hall.night, people=[hall.people[name] for name in pair], device=DIRECTOR)
    hall.desk.submit(hall.at_desk(), f"{hall.path}/people/leaving", person=hall.people[NAMES[4]])
    assert follow() == ["Change rounds", "Choose partners"]
    hall.desk.submit(hall.at_desk(), f"{hall.path}/fees", person=hall.people[NAMES[0]])
    assert follow() == ["Change rounds", "Choose partners", "Entry fees"]


@pytest.fixture
def drawn(hall: Hall) -> Hall:
    """Return the night with eight people seated at two tables for three rounds."""
    hall.check_in(*NAMES[:8])
    hall.draw()
    return hall


def test_a_later_round_says_which_rounds_still_play(drawn: Hall) -> None:
    """Redoing the seating during round 1 leads to round 2, whose page must not be taken for that of round 1."""
    with drawn.app.app_context():
        table = drawn.tables()[0].id
        tables.start_table(night=drawn.night, table=table, device=DIRECTOR, client_id="tap")
    page = drawn.desk.submit(drawn.at_desk(), f"{drawn.path}/draw")
    notice = next(each for each in page.all("p", class_="notice") if "left" in words(each))
    assert words(notice) == "Round 1 · 2 tables left"
    (link,) = notice.iter("a")
    again = drawn.desk.see((link.get("href") or "").partition("#")[0])
    assert again.one("div", class_="halves").get("data-round") == "1"
    assert "tables left" not in [words(each)[-11:] for each in again.all("p", class_="notice")]
    enter(drawn, page, 2, {0: "21 13"})
    assert "Round 1 · 2 tables left" in drawn.desk.see(drawn.path).text
    assert "Round 1: 2 tables left" in drawn.desk.see(f"{drawn.path}/tv").text
    enter(drawn, drawn.at_desk("?round=1"), 1, {0: "21 13", 1: "21 13"})
    for path in ("", "/tv", "/desk?round=2"):
        assert "2 tables left" not in drawn.desk.see(f"{drawn.path}{path}").text


def enter(hall: Hall, page: Page, number: int, scores: dict[int, str], status: int = 303, reason: str = "") -> Page:
    """Type the scores of round `number` at the desk, save them, and return the page that follows.

    `scores` maps a table's index in the round to a score like "21 13". `reason` is needed to change a saved score.
    """
    at = [table.id for table in hall.tables() if table.round == number]
    fields: dict[str, object] = {
        f"points-{at[index]}-{side}": points
        for index, score in scores.items()
        for side, points in enumerate(score.split(" "))
    }
    return hall.desk.submit(page, f"{hall.path}/rounds/{number}/results", status, reason=reason, **fields)


def points(hall: Hall) -> list[tuple[int, ...]]:
    """Return the points by side of each table, in order of rounds and tables, with () for a table without a score."""
    return [table.points for table in hall.tables()]


def test_opening_a_night_twice_opens_one(hall: Hall) -> None:
    page = hall.at_desk()
    token = page.form(f"{hall.path}/draw").values["csrf_token"]
    for _time in range(2):
        sent = hall.desk.post(f"/seasons/{hall.season}/nights", data={"csrf_token": token, "day": "2026-09-08"})
        assert sent.status_code == 303
        assert hall.desk.see(sent.location).h1 == "Desk: Fire Hall, night 2"


def test_a_tap_on_a_name_undoes_the_check_in_until_the_first_game(drawn: Hall) -> None:
    """Before the first game, a tap on the name of a checked-in person undoes the check-in.

    After a game has started, the tap checks the person out. The desk says what a tap on a name does.
    """
    page = drawn.at_desk()
    assert "Tap a name to undo the check-in" in page.text
    assert "Tap a name to check someone out" in enter(drawn, page, 1, {0: "21 13"}).text


def test_the_scores_come_before_a_new_seating_while_tables_play(drawn: Hall) -> None:
    """If someone has no seat, or the tables are done and the next round has no seating, the seating comes first."""

    def first(page: Page) -> str | None:
        return next(part.get("id") for part in page.all("section") if part.get("id") in ("draw", "round"))

    page = drawn.at_desk()
    assert first(page) == "round"
    assert "Redo seating from round 1" in buttons(page)
    page = drawn.desk.submit(page, f"{drawn.path}/people/new", name="Newcomer")
    assert "Newcomer has no seat yet." in page.text
    assert first(page) == "draw"


def test_one_tap_checks_a_person_in(hall: Hall) -> None:
    page = hall.at_desk()
    assert buttons(page)[1 : 1 + len(NAMES)] == list(NAMES)
    page = hall.desk.submit(page, f"{hall.path}/people", person=hall.people["Cid"])
    assert "Check-in 1 here" in page.text
    door = page.form(f"{hall.path}/people")
    assert door.names == {"csrf_token", "person"}
    assert hall.people["Cid"] not in page.response.text.split('id="here"')[0]


def test_people_of_the_last_night_are_listed_first(hall: Hall) -> None:
    hall.check_in("Hal", "Bob")
    token = hall.at_desk().form(f"{hall.path}/draw").values["csrf_token"]
    sent = hall.desk.post(f"/seasons/{hall.season}/nights", data={"csrf_token": token, "day": "2026-09-08"})
    page = hall.desk.see(sent.location)
    assert buttons(page)[1:5] == ["Bob", "Hal", "Ann", "Cid"]
    assert [words(h3) for h3 in page.all("h3")][:2] == ["Played last time", "Others"]


def test_the_name_filter_works_without_javascript(hall: Hall) -> None:
    page = hall.at_desk("?find=ID")
    assert buttons(page)[1:3] == ["Cid", "Ida"]
    page = hall.at_desk("?find=Zed")
    assert page.form(f"{hall.path}/people/new").values["name"] == "Zed"


def test_a_typed_name_is_added_and_checked_in(hall: Hall) -> None:
    """A name typed at the desk is added to the league and checked in.

    If the league already has the name, in upper or lower case, that person is checked in and nobody is added.
    """
    for name in ("Zed", "ann"):
        page = hall.desk.submit(hall.at_desk(), f"{hall.path}/people/new", name=name)
    assert "2 here" in page.text
    page = hall.desk.submit(page, f"{hall.path}/people/new", 422, name=" ")
    assert len(page.all("p", class_="error")) == 1


def test_typed_name_that_looks_alike_is_asked_about(hall: Hall) -> None:
    """A name that looks like another is a new player only on request. Spaces that nobody sees make no difference."""
    path = f"{hall.path}/people/new"
    page = hall.desk.submit(hall.at_desk(), path, name="Ann\u200b")
    page = hall.desk.submit(page, path, name="Walter Sims")
    page = hall.desk.submit(page, path, 422, name="Walther Sims")
    assert "“Walther Sims” looks like Walter Sims" in page.text
    page = hall.desk.submit(page, path, another="1")
    assert "3 here" in page.text


def test_a_second_person_of_the_same_name_needs_a_last_name(hall: Hall) -> None:
    """If a typed name belongs to a person who is already checked in, the name is refused.

    The form keeps the name, so that a last name can be added. If the person with that name has left, typing the name
    checks that person in again.
    """
    new, leaving = f"{hall.path}/people/new", f"{hall.path}/people/leaving"
    hall.desk.submit(hall.at_desk(), new, name="Ann")
    page = hall.desk.submit(hall.at_desk(), new, 422, name="ann")
    said = words(page.one("p", class_="error"))
    assert said == "Ann is already checked in. If this is someone else, add a last name or a town."
    assert page.one("input", name="name").get("autofocus") is not None  # for pages without JavaScript
    assert page.form(new).values["name"] == "ann"
    page = hall.desk.submit(page, leaving, person=hall.people["Ann"])
    assert "1 here" in hall.desk.submit(page, new, name="ann").text


def test_a_name_typed_after_the_night_closed_is_not_added_to_the_league(app: Flask, hall: Hall) -> None:
    """A new name typed after the night was closed is neither added to the league nor checked in."""
    page = hall.at_desk()
    with app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR, anyway=True)
    before = contents(app)
    hall.desk.submit(page, f"{hall.path}/people/new", 422, name="Zed")
    assert contents(app) == before


def test_the_desk_names_people_the_seating_does_not_fit(drawn: Hall) -> None:
    page = drawn.desk.submit(drawn.at_desk(), f"{drawn.path}/people", person=drawn.people["Ida"])
    assert "Ida has no seat yet." in page.text
    page = drawn.desk.submit(page, f"{drawn.path}/people/leaving", person=drawn.people["Ann"])
    assert "Ann has left but still has a seat." in page.text
    page = drawn.desk.submit(page, f"{drawn.path}/draw")
    assert "no seat yet" not in page.text
    assert "still has a seat" not in page.text
    assert "Ida" in page.text


def test_a_repeated_request_makes_the_same_seating(drawn: Hall) -> None:
    """Sending the same form for the seating twice gives the same seats, because the form contains the random seed."""
    page = drawn.at_desk()
    drawn.desk.submit(page, f"{drawn.path}/draw")
    once = [table.seats for table in drawn.tables()]
    drawn.desk.submit(page, f"{drawn.path}/draw")
    assert [table.seats for table in drawn.tables()] == once


def test_the_format_of_a_night_can_be_changed(hall: Hall) -> None:
    fields: dict[str, object] = {
        "format": "fixed_hands",
        "fixed_hands-hands": "10",
        "rounds": "5",
        "fixed_hands-one_more": "1",
    }
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/plan", 303, **fields)
    planned = page.form(f"{hall.path}/plan").values
    assert (planned["fixed_hands-hands"], planned["fixed_hands-one_more"]) == ("10", "1")
    assert "Tonight's format: Fixed number of hands, 5 rounds" in page.text
    page = hall.desk.submit(page, f"{hall.path}/plan", 422, rounds="0")
    assert page.form(f"{hall.path}/plan").values["rounds"] == "0"
    page = hall.desk.submit(page, f"{hall.path}/plan", 422, format="nonsense")
    assert len(page.all("p", class_="error")) == 1
    page = hall.desk.submit(page, f"{hall.path}/plan", 422, format="progressive", together="alone", rounds="5")
    assert "Progressive needs four players per table and new partners every round." in page.text
    page = hall.desk.submit(page, f"{hall.path}/plan", 303, format="progressive", together="rotate", rounds="5")
    assert "Tonight's format: Progressive, 5 rounds" in page.text


def test_only_changed_scores_are_saved(drawn: Hall) -> None:
    page = enter(drawn, drawn.at_desk(), 1, {0: "21 13"})
    assert points(drawn)[:2] == [(21, 13), ()]
    versions = [table.version for table in drawn.tables()]
    assert "Saved." in page.text
    page = enter(drawn, page, 1, {1: "-3 22"})
    assert points(drawn)[:2] == [(21, 13), (-3, 22)]
    assert drawn.tables()[0].version == versions[0]
    assert "Round 1 all done" in page.text
    page = enter(drawn, page, 1, {})
    assert "Nothing to save: no score was typed or changed." in page.text
    assert "Saved." not in page.text


def test_a_correction_needs_a_reason(drawn: Hall) -> None:
    page = enter(drawn, drawn.at_desk(), 1, {0: "21 13"})
    page = enter(drawn, page, 1, {0: "21 14", 1: "10 21"}, 422)
    assert "Enter a reason for the correction." in page.text
    assert points(drawn)[:2] == [(21, 13), (10, 21)]
    enter(drawn, drawn.at_desk("?round=1"), 1, {0: "21 14"}, reason="read wrong")
    assert points(drawn)[0] == (21, 14)


def test_half_a_score_is_not_saved_and_stays_on_the_page(drawn: Hall) -> None:
    page = enter(drawn, drawn.at_desk(), 1, {0: "21 "}, 422)
    table = drawn.tables()[0]
    assert page.form(f"{drawn.path}/rounds/1/results").values[f"points-{table.id}-0"] == "21"
    assert "Enter points for every side." in page.text
    assert not table.game


def test_two_desks_do_not_overwrite_each_other(drawn: Hall) -> None:
    """If a score is corrected at the desk, a desk page that was opened earlier can't overwrite the correction."""
    behind = enter(drawn, drawn.at_desk(), 1, {0: "21 13"})
    enter(drawn, drawn.at_desk("?round=1"), 1, {0: "21 15"}, reason="read wrong")
    enter(drawn, behind, 1, {1: "10 21"})
    assert points(drawn)[:2] == [(21, 15), (10, 21)]
    page = enter(drawn, behind, 1, {0: "21 14"}, 422, reason="also read wrong")
    assert "Someone else saved a different score first: 21 to 15." in page.text
    assert points(drawn)[0] == (21, 15)
    enter(drawn, drawn.at_desk("?round=1"), 1, {0: " "}, reason="wrong table")
    page = enter(drawn, behind, 1, {0: "21 14"}, 422, reason="also read wrong")
    assert "Someone else removed this score first." in page.text


def test_a_table_is_scored_on_this_device(drawn: Hall) -> None:
    """A table can be scored on the desk's own device.

    As soon as the game has a hand, the desk has no fields for the table's final score.
    """
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


def test_two_people_are_swapped(drawn: Hall) -> None:
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
    assert "Make a choice first. Nothing was changed." in page.text
    page = drawn.desk.submit(
        page, f"{drawn.path}/rounds/1/swap", 422, one=drawn.people["Ann"], other=drawn.people["Ida"]
    )
    assert "Ida can't be swapped in that round" in page.text


def test_a_substitute_is_set_and_removed(drawn: Hall) -> None:
    page = drawn.desk.submit(
        drawn.at_desk(), f"{drawn.path}/substitutes", person=drawn.people["Ann"], regular=drawn.people["Ida"]
    )
    assert "Ann for Ida" in page.text
    undo = [
        each for each in page.all("template") if any(field.get("name") == "regular" for field in each.iter("input"))
    ]
    assert [field.get("value") for field in undo[0].iter("input")] == [drawn.people["Ida"]]
    page = drawn.desk.submit(page, f"{drawn.path}/substitutes", person=drawn.people["Ann"], regular="")
    assert "Ann for Ida" not in page.text


def test_fixed_partners_are_made_and_split(app: Flask, client: Phone) -> None:
    hall = open_hall(app, client, plan=NightPlan(rounds=1, together="fixed"))
    hall.check_in(*NAMES[:4])
    page = hall.at_desk()
    for pair in (("Ann", "Dee"), ("Bob", "Cid")):
        page = hall.desk.submit(page, f"{hall.path}/partners", person=[hall.people[name] for name in pair])
    page = hall.desk.submit(page, f"{hall.path}/draw")
    assert {frozenset(side) for side in hall.tables()[0].plan.sides} == {frozenset({1, 4}), frozenset({2, 3})}
    page = hall.desk.submit(page, f"{hall.path}/partners", person=[hall.people["Ann"]])
    assert [words(span) for row in page.one("div", id="teams").iter("form") for span in row.findall("span")] == [
        "Bob, Cid"
    ]


def _sit_out(hall: Hall) -> dict[int, int]:
    """Return the number of people who sit out in each round, by the round's number."""
    with hall.app.app_context():
        return dict(Counter(db.session.scalars(select(ByeRow.round))))


def test_a_round_called_started_keeps_its_seats(drawn: Hall) -> None:
    before = [table.seats for table in drawn.tables() if table.round == 1]
    drawn.desk.submit(drawn.at_desk(), f"{drawn.path}/rounds/1/started", started="1")
    assert drawn.at_desk("?round=2").form(f"{drawn.path}/rounds/2/started") is not None
    drawn.check_in("Ida")
    page = drawn.desk.submit(drawn.at_desk(), f"{drawn.path}/draw")
    assert [table.seats for table in drawn.tables() if table.round == 1] == before
    assert _sit_out(drawn) == {2: 1, 3: 1}
    drawn.desk.submit(page, f"{drawn.path}/rounds/1/started", started="0")
    drawn.desk.submit(drawn.at_desk(), f"{drawn.path}/draw")
    assert _sit_out(drawn) == {1: 1, 2: 1, 3: 1}


def test_only_the_next_round_can_be_called_started(drawn: Hall) -> None:
    first = drawn.at_desk()
    drawn.desk.submit(first, f"{drawn.path}/rounds/1/started")
    second = drawn.at_desk("?round=2")
    drawn.desk.submit(first, f"{drawn.path}/rounds/1/started")
    drawn.desk.submit(second, f"{drawn.path}/rounds/2/started")
    third = drawn.at_desk("?round=3")
    told = drawn.desk.submit(first, f"{drawn.path}/rounds/1/started", 422, started="0")
    assert "The night has moved on." in told.text
    drawn.desk.submit(third, f"{drawn.path}/rounds/2/started")
    enter(drawn, drawn.at_desk("?round=2"), 2, {0: "21 10"})
    told = drawn.desk.submit(third, f"{drawn.path}/rounds/2/started", 422, started="0")
    assert "so the round has started" in told.text
    drawn.desk.submit(third, f"{drawn.path}/rounds/3/started")
    drawn.desk.submit(drawn.at_desk(), f"{drawn.path}/rounds/3/started", started="0")
    history = drawn.desk.see(f"/leagues/{drawn.league}/log").text
    assert history.count("started round") == 3
    assert history.count("took back the start of round 3") == 1


@pytest.mark.slow
def test_the_bell_is_rung_and_undone_for_each_round(app: Flask, client: Phone) -> None:
    hall = open_hall(app, client, plan=NightPlan(format="timed", rounds=2))
    hall.check_in(*NAMES[:4])
    hall.draw()
    hall.desk.submit(hall.at_desk(), f"{hall.path}/games", table=hall.tables()[0].id)
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/bell")
    assert "Undo bell" in page.text
    page = hall.desk.submit(page, f"{hall.path}/bell")
    assert "Ring bell" in page.text
    hall.desk.submit(page, f"{hall.path}/bell")
    hall.desk.submit(hall.at_desk("?round=2"), f"{hall.path}/games", table=hall.tables()[1].id)
    assert hall.tables()[1].verdict is not None
    assert not hall.tables()[1].done


def test_closing_lists_missing_tables_and_takes_one_tap(drawn: Hall) -> None:
    page = drawn.at_desk()
    for number in (1, 2, 3):
        scores = {0: "21 10", 1: "12 21"} if number < 3 else {0: "21 3"}
        page = enter(drawn, drawn.at_desk(f"?round={number}"), number, scores)
    assert "One game has no score yet Round 3, table 2" in page.text
    late = page
    page = drawn.desk.submit(page, f"{drawn.path}/closing")
    assert page.text.index("This night is closed") < page.text.index("Round 1"), "it comes first on a phone"
    assert "tables left" not in page.text
    page = drawn.desk.submit(page, f"{drawn.path}/reopening", reason="table 2 came late")
    enter(drawn, drawn.at_desk("?round=3"), 3, {1: "9 21"})
    page = drawn.desk.submit(drawn.at_desk(), f"{drawn.path}/closing")
    assert "This night is closed" in page.text
    page = drawn.desk.submit(late, f"{drawn.path}/closing")
    assert "This night is closed" in page.text, "a repeated request gets the same answer"


def test_a_newly_missing_table_is_listed_before_closing(drawn: Hall) -> None:
    page = drawn.at_desk()
    hidden = page.form(f"{drawn.path}/closing").values["missing"]
    assert isinstance(hidden, str)
    page = drawn.desk.submit(page, f"{drawn.path}/closing", 422, missing=hidden.rsplit(",", 1)[0])
    assert "The list of tables without a score has changed. Check it again." in page.text
    with drawn.app.app_context():
        assert drawn.row().closed_at is None


def test_reopening_needs_a_reason(drawn: Hall) -> None:
    page = drawn.desk.submit(drawn.at_desk(), f"{drawn.path}/closing")
    page = drawn.desk.submit(page, f"{drawn.path}/reopening", 422, reason=" ")
    assert "Enter a reason for reopening the night." in page.text


def test_only_people_with_a_role_can_see_or_use_the_desk(drawn: Hall, new_phone: Callable[[], Phone]) -> None:
    other = new_phone()
    other.see(f"{drawn.path}/desk", 403)
    page = drawn.at_desk()
    token = other.see("/").form("/games/import").values["csrf_token"]
    for form in page.all("form"):
        if form.get("method") == "post":
            sent = other.post(form.get("action", ""), data={"csrf_token": token, "client_id": "abcdefgh12"})
            assert sent.status_code in (403, 404), form.get("action")


def start_next(page: Page) -> list[str]:
    """Return the labels of the page's buttons that mark a round as started, such as "Mark round 2 as started"."""
    return [button for button in buttons(page) if button.endswith("as started")]


def test_a_round_can_be_called_started_once_the_one_before_is_over(drawn: Hall) -> None:
    """The page of round 1 has the button to mark round 2 as started only after all scores of round 1 are entered.

    The desk's page of round 2 has this button even before that, because scores on paper may be entered later.
    """
    page = enter(drawn, drawn.at_desk(), 1, {0: "21 10"})
    assert start_next(page) == []
    assert start_next(drawn.at_desk("?round=2")) == ["Mark round 2 as started"]
    page = enter(drawn, page, 1, {1: "21 10"})
    (button,) = [each for each in page.all("button") if words(each) == "Mark round 2 as started"]
    assert button.get("class") == "quiet"
    assert page.text.index("Continue to round 2") < page.text.index("Mark round 2 as started")


def test_a_late_arrival_leads_to_the_seating_and_to_new_prints(drawn: Hall) -> None:
    """After a late arrival, the desk links to the button for a new seating.

    Once the new seating is made, the desk links to new printouts and lists the people who sit out above the tables.
    """
    enter(drawn, drawn.at_desk(), 1, {0: "21 10"})
    page = drawn.desk.submit(drawn.at_desk(), f"{drawn.path}/people/new", name="Moe")
    (told,) = page.all("div", id="came")
    assert words(told) == "Moe is checked in. Moe has no seat yet."
    assert [link.get("href") for link in told.iter("a")] == ["#draw"]
    page = drawn.desk.submit(page, f"{drawn.path}/draw")
    (told,) = [each for each in page.all("div", class_="notice") if "data-land" in each.attrib]
    assert words(told).startswith("New seating from round 2. If you printed the rotation")
    assert {link.get("href") for link in told.iter("a")} == {f"{drawn.path}/rotation", f"{drawn.path}/sheets?round=2"}
    assert page.text.index("Sitting out:") < page.text.index("Save scores")


def test_the_first_seating_says_so_where_the_tables_are(hall: Hall) -> None:
    hall.check_in(*NAMES[:8])
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/draw")
    (section,) = page.all("section", id="round")
    assert [words(each) for each in section.iter("p") if "data-land" in each.attrib] == ["The seating is made."]


def test_a_closed_night_says_so_where_the_desk_lands(drawn: Hall) -> None:
    page = drawn.desk.submit(drawn.at_desk(), f"{drawn.path}/closing")
    (told,) = [each for each in page.all("p", class_="notice") if "data-land" in each.attrib]
    assert words(told).startswith("This night is closed. Its results count.")
    assert [link.get("href") for link in told.iter("a")][-1] == f"{drawn.path}/money"


def test_the_cursor_is_in_the_first_wrong_score(drawn: Hall) -> None:
    """If typed scores are refused, the cursor is in the first field of the first wrong score.

    That field may be far below the error message. Even without JavaScript, the browser scrolls to the cursor.
    """
    page = enter(drawn, drawn.at_desk(), 1, {0: "21 10", 1: "21 "}, 422)
    second = drawn.tables()[1].id
    fields = [field.get("name") for field in page.all("input") if "autofocus" in field.attrib]
    assert fields == [f"points-{second}-0"]


def test_another_round_is_planned_first_once_all_have_started(drawn: Hall) -> None:
    """After all rounds have started, the desk offers to add a round instead of a new seating."""
    page = drawn.at_desk()
    for number in (1, 2, 3):
        page = enter(drawn, drawn.at_desk(f"?round={number}"), number, {0: "21 10", 1: "12 21"})
    assert not [button for button in buttons(page) if "seating" in button]
    (link,) = [each for each in page.all("a") if words(each) == "Add a round"]
    assert link.get("class") == "button quiet"
    page = drawn.desk.see(str(link.get("href")).partition("#")[0])
    assert "open" in page.one("details", id="plan").attrib
    page = drawn.desk.submit(page, f"{drawn.path}/plan", rounds="4")
    page = drawn.desk.submit(page, f"{drawn.path}/draw")
    assert [table.round for table in drawn.tables()][-1] == 4


def test_scores_from_paper_wait_for_no_confirmation(drawn: Hall) -> None:
    """A score typed at the desk needs no confirmation if nobody scored the table on a phone.

    If a phone joined the table's game, the desk lists the score as unconfirmed.
    """
    page = enter(drawn, drawn.at_desk(), 1, {0: "21 10", 1: "12 21"})
    assert "confirmed by" not in page.text
    third = drawn.tables()[2]
    with drawn.app.app_context():
        tables.start_table(night=drawn.night, table=third.id, device=DIRECTOR, client_id="phone")
        game = drawn.tables()[2].game
        sharing.join_game(secret=sharing.make_link(public_id=game, device=DIRECTOR), device="b" * 64, seat=0)
        tables.tell_result(night=drawn.night, table=third.id, totals=(21, 3), device=DIRECTOR)
    assert "One result hasn't been confirmed by its players yet" in drawn.at_desk().text
