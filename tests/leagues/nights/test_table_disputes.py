"""Disputes over a table's result, confirmations by players, and changes that only helpers and directors can make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.core.models import LeagueEventRow
from scorekeeper.leagues.nights import closing
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.rules.commands import EnterHand, Undo
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db
from tests.leagues.nights.test_card import HAND, card
from tests.support.league_night import DIRECTOR, NAMES, Hall, buttons, open_hall, reason_of
from tests.support.page import way_named, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone


@pytest.fixture
def hall(app: Flask, client: Phone) -> Hall:
    """Return a night with eight people seated at two tables for three rounds."""
    hall = open_hall(app, client)
    hall.check_in(*NAMES[:8])
    hall.draw()
    return hall


@pytest.fixture
def guest(new_phone: Callable[[], Phone]) -> Phone:
    """Return a phone without a role in the league, such as a player's phone."""
    return new_phone()


@pytest.fixture
def other(new_phone: Callable[[], Phone]) -> Phone:
    """Return a second phone without a role in the league."""
    return new_phone()


def at(hall: Hall, index: int = 0) -> str:
    """Return the path of a table's page. `index` is the table's index among the tables of all rounds."""
    return f"{hall.path}/tables/{hall.tables()[index].id}"


def tell(hall: Hall, phone: Phone, ours: int, theirs: int, index: int = 0, status: int = 303) -> Page:
    """Enter a table's final score on a phone that scans the table's card, and return the page that follows.

    `ours` are the points of the first side, and `theirs` those of the second side. If the table already has a result,
    the score is entered on the table's page instead of the card's page.
    """
    page = phone.see(card(hall, hall.tables()[index].number))
    if hall.tables()[index].done:
        phone.post(card(hall, hall.tables()[index].number), data=sent(page, table=hall.tables()[index].id))
        return phone.submit(
            phone.see(at(hall, index)), f"{at(hall, index)}/result", status, points_0=ours, points_1=theirs
        )
    fields: dict[str, Any] = {"table": hall.tables()[index].id, "act": "final", "points-0": ours, "points-1": theirs}
    return phone.submit(page, card(hall, hall.tables()[index].number), status, **fields)


def sent(page: Page, **fields: object) -> dict[str, object]:
    """Return the data of a form to post: the CSRF token of `page`, a new request id, and `fields`."""
    return {
        "csrf_token": page.all("input", name="csrf_token")[0].get("value", ""),
        "client_id": "a-tap-of-its-own",
    } | fields


def log(hall: Hall, *kinds: str) -> list[LeagueEventRow]:
    """Return the league's log entries of these kinds, oldest first."""
    with hall.app.app_context():
        query = select(LeagueEventRow).where(LeagueEventRow.kind.in_(kinds)).order_by(LeagueEventRow.id)
        return list(db.session.scalars(query))


def reasons(hall: Hall, *kinds: str) -> list[str]:
    """Return the reason of each log entry of these kinds, oldest first. An entry without a reason gives ""."""
    with hall.app.app_context():
        return [reason_of(line) for line in log(hall, *kinds)]


def play_out(hall: Hall, phone: Phone, index: int = 0) -> str:
    """Score a table's game on a phone, hand by hand until it is over, and return the game's public id."""
    address = card(hall, hall.tables()[index].number)
    board = phone.submit(phone.see(address), address, table=hall.tables()[index].id)
    game = board.path.split("/")[2]
    with hall.app.app_context():
        for number in range(6):
            scoring.act(
                public_id=game, command=EnterHand(HAND), request=ClientRequest(DIRECTOR, f"hand-{game}-{number}", None)
            )
    return game


def test_the_first_scan_offers_the_final_score(hall: Hall, guest: Phone) -> None:
    page = tell(hall, guest, 21, 15)
    assert page.path == at(hall)
    assert hall.tables()[0].points == (21, 15)
    assert [(line.data["before"], line.data["after"]) for line in log(hall, "result_told")] == [(None, [21, 15])]


def test_an_incomplete_score_from_a_card_starts_nothing(hall: Hall, guest: Phone) -> None:
    page = tell(hall, guest, 21, "", status=422)  # type: ignore[arg-type]
    assert "Enter points for every side." in page.text
    assert page.one("input", name="points-0", value="21") is not None
    assert not hall.tables()[0].game


def test_a_refused_request_from_a_card_lets_nobody_score(hall: Hall, guest: Phone, other: Phone) -> None:
    """A phone that tries to confirm or dispute an outdated score is refused and can't score the table.

    The refused request doesn't start a game, either.
    """
    page = guest.see(card(hall, 1))
    for act in ("confirm", "wrong"):
        fields = {"table": hall.tables()[0].id, "act": act, "side": 0, "points": "21,15"}
        guest.submit(page, card(hall, 1), 422, **fields)
        assert not hall.tables()[0].game
    tell(hall, guest, 21, 15)
    game = hall.tables()[0].game
    page = other.see(card(hall, 1))
    other.submit(page, card(hall, 1), 422, table=hall.tables()[0].id, act="wrong", points="21,14")
    assert other.get(f"/games/{game}/table").status_code == 403


def test_the_game_menu_links_to_the_final_score(hall: Hall, guest: Phone) -> None:
    address = card(hall, 1)
    board = guest.submit(guest.see(address), address)
    menu = guest.see(f"{board.path}/table")
    assert way_named(menu, "Enter final score") == f"{at(hall)}#final"
    page = guest.see(at(hall))
    assert not [fold for fold in page.all("details") if "inal score" in words(fold)]
    guest.submit(page, f"{at(hall)}/result", points_0=21, points_1=15)
    assert hall.tables()[0].points == (21, 15)


def test_a_different_score_from_another_phone_makes_a_dispute(hall: Hall, guest: Phone, other: Phone) -> None:
    """If a second phone enters a different score for a table, the first score counts until the dispute is settled.

    Both phones, the desk and the league's log show both scores. The first phone can accept the second phone's score,
    but the second phone can't accept the score that it entered itself.
    """
    tell(hall, guest, 21, 15)
    page = tell(hall, other, 15, 21)
    assert hall.tables()[0].points == (21, 15)
    for phone in (guest, other):
        assert "21 to 15" in phone.see(at(hall)).text
        assert "15 to 21" in words(phone.see(at(hall)).one("span", role="alert"))
    line = hall.at_desk().one("li", class_="done")
    assert "Two phones disagree. 21 to 15 counts for now. According to another phone, it's 15 to 21." in words(line)
    (told,) = log(hall, "disputed")
    assert (told.data["before"], told.data["after"]) == ([21, 15], [15, 21])
    assert "Keep 21 to 15" in buttons(page)
    assert "Change to 15 to 21" not in buttons(page), "a phone cannot choose its own score"
    taken = guest.submit(guest.see(at(hall)), f"{at(hall)}/settlement", how="take")
    assert hall.tables()[0].points == (15, 21)
    assert not taken.all("span", role="alert")
    assert log(hall, "dispute_settled")[0].data["after"] == [15, 21]


def test_a_dispute_is_seen_from_every_round(hall: Hall, guest: Phone, other: Phone) -> None:
    tell(hall, guest, 21, 15)
    tell(hall, other, 15, 21)
    told = [words(part) for part in hall.at_desk("?round=2").all("p", class_="notice")]
    (notice,) = (each for each in told if "According to another phone, it's 15 to 21." in each)
    assert notice.endswith(f"Round 1, table {hall.tables()[0].number}")
    assert notice not in [words(part) for part in hall.at_desk("?round=1").all("p", class_="notice")]


def test_a_phone_can_withdraw_its_dispute_but_not_decide_it(hall: Hall, guest: Phone, other: Phone) -> None:
    tell(hall, guest, 21, 15)
    page = tell(hall, other, 15, 21)
    other.submit(page, f"{at(hall)}/settlement", 422, how="take")
    assert hall.tables()[0].points == (21, 15)
    other.submit(page, f"{at(hall)}/settlement", how="keep")
    assert not hall.tables()[0].dispute


def test_the_desk_settles_a_dispute_with_a_reason(hall: Hall, guest: Phone, other: Phone) -> None:
    tell(hall, guest, 21, 15)
    tell(hall, other, 15, 21)
    page = hall.desk.see(at(hall))
    hall.desk.submit(page, f"{at(hall)}/settlement", 422, how="take")
    assert hall.tables()[0].points == (21, 15)
    hall.desk.submit(page, f"{at(hall)}/settlement", how="take", reason="the sheet says so")
    assert hall.tables()[0].points == (15, 21)
    assert reasons(hall, "dispute_settled") == ["the sheet says so"]


def test_the_phone_that_entered_a_score_can_correct_it(hall: Hall, guest: Phone) -> None:
    """The phone that entered a score can correct it, and the league's log has the old and the new score."""
    tell(hall, guest, 21, 15)
    tell(hall, guest, 21, 16)
    assert hall.tables()[0].points == (21, 16)
    assert [line.data["before"] for line in log(hall, "result_told")] == [None, [21, 15]]


def test_another_score_from_the_first_phone_does_not_end_a_dispute(hall: Hall, guest: Phone, other: Phone) -> None:
    """In a dispute, another score from the first phone ends the dispute only if it equals the second phone's score."""
    tell(hall, guest, 21, 15)
    tell(hall, other, 15, 21)
    tell(hall, guest, 21, 16)
    assert hall.tables()[0].points == (21, 16)
    assert "21 to 16 counts for now. According to another phone, it's 15 to 21." in guest.see(at(hall)).text
    assert "21 to 16 counts for now. This phone entered 15 to 21." in other.see(at(hall)).text
    tell(hall, guest, 15, 21)
    assert hall.tables()[0].points == (15, 21)
    assert hall.tables()[0].dispute is None


def test_the_scorer_cannot_change_a_score_the_other_side_confirmed(hall: Hall, guest: Phone, other: Phone) -> None:
    tell(hall, guest, 21, 15)
    scan_and(hall, other, "confirm", side=1)
    tell(hall, guest, 21, 5)
    assert hall.tables()[0].points == (21, 15)
    assert hall.tables()[0].dispute is not None


def scan_and(hall: Hall, phone: Phone, act: str, **fields: Any) -> Page:
    """Scan the first table's card on a phone, confirm or dispute the result, and return the page that follows.

    `act` names the button, such as "confirm", and `fields` are more fields of the form.
    """
    address = card(hall, 1)
    page = phone.see(address)
    told = ",".join(map(str, hall.tables()[0].points))
    return phone.submit(page, address, act=act, points=told, table=hall.tables()[0].id, **fields)


def test_only_the_desk_changes_a_confirmed_result(hall: Hall, guest: Phone, other: Phone) -> None:
    tell(hall, guest, 21, 15)
    guest.submit(guest.see(at(hall)), f"{at(hall)}/confirmations", side=0)
    scan_and(hall, other, "confirm", side=1)
    for phone in (guest, other):
        page = phone.see(at(hall))
        assert f"{at(hall)}/result" not in [form.get("action") for form in page.all("form")]
        answer = phone.post(f"{at(hall)}/result", data=sent(page) | {"points-0": 15, "points-1": 21})
        assert answer.status_code == 422
        assert "Only the desk can change it" in answer.text
    assert hall.tables()[0].points == (21, 15)
    one = hall.tables()[0].id
    typed: dict[str, Any] = {f"points-{one}-0": "15", f"points-{one}-1": "21"}
    hall.desk.submit(hall.at_desk("?round=1"), f"{hall.path}/rounds/1/results", reason="misread", **typed)
    assert hall.tables()[0].points == (15, 21)
    assert reasons(hall, "result_told")[-1] == "misread"


def test_only_the_desk_changes_a_result_of_an_earlier_round(hall: Hall, guest: Phone, other: Phone) -> None:
    """After a later round has started, phones of players can't change an earlier result, even an unconfirmed one.

    The result can still be changed at the desk, which is the page for helpers and directors.
    """
    tell(hall, guest, 21, 15)
    tell(hall, other, 21, 3, index=2)
    page = guest.see(at(hall))
    answer = guest.post(f"{at(hall)}/result", data=sent(page) | {"points-0": 3, "points-1": 21})
    assert answer.status_code == 422
    assert hall.tables()[0].points == (21, 15)


def test_a_card_does_not_open_a_round_that_is_over(hall: Hall, guest: Phone, other: Phone) -> None:
    """A scanned card lets a phone score the next round, but not an earlier round or the round after the next."""
    game = play_out(hall, guest)
    page = other.see(card(hall, 1))
    first, _two, second, _four, third, _six = (table.id for table in hall.tables())
    other.submit(page, card(hall, 1), 422, table=third, act="")
    other.submit(page, card(hall, 1), table=second, act="")
    stranger = hall.app.test_client()
    page = stranger.see(card(hall, 1))  # type: ignore[attr-defined]
    answer = stranger.post(card(hall, 1), data=sent(page) | {"table": first})
    assert answer.status_code == 422
    assert "That round is over." in answer.text
    assert stranger.get(f"/games/{game}/table").status_code == 403


def test_phones_cannot_change_hands_of_an_earlier_round(hall: Hall, guest: Phone, other: Phone) -> None:
    """After a later round has started, phones can't undo hands in a game of an earlier round.

    The desk can reopen the game with a reason, and the league's log shows the change.
    """
    game = play_out(hall, guest)
    tell(hall, other, 21, 3, index=2)
    with hall.app.app_context(), pytest.raises(RuleViolation, match=r"only the desk can change this result"):
        scoring.act(public_id=game, command=Undo(), request=ClientRequest(DIRECTOR, "undo-one", None))
    board = guest.see(f"/games/{game}")
    before = hall.tables()[0].version
    guest.post(f"/games/{game}/undos", data=sent(board) | {"version": before})
    assert hall.tables()[0].version == before
    page = hall.desk.see(at(hall))
    hall.desk.submit(page, f"{at(hall)}/reopening", 422, reason=" ")
    hall.desk.submit(page, f"{at(hall)}/reopening", reason="hand 6 was theirs")
    guest.post(f"/games/{game}/undos", data=sent(board) | {"version": before})
    assert hall.tables()[0].version == before, "the phones at the table still cannot"
    with hall.app.app_context():
        scoring.act(public_id=game, command=Undo(), request=ClientRequest(DIRECTOR, "undo-two", None))
    assert hall.tables()[0].points == (20, 0)
    assert [line.kind for line in log(hall, "result_reopened", "result_changed")] == [
        "result_reopened",
        "result_changed",
    ]
    assert reasons(hall, "result_reopened", "result_changed") == ["hand 6 was theirs", ""]


def test_a_hand_that_changes_a_result_is_in_the_leagues_log(hall: Hall, guest: Phone) -> None:
    game = play_out(hall, guest)
    with hall.app.app_context():
        scoring.act(public_id=game, command=Undo(), request=ClientRequest(DIRECTOR, "undo-one", None))
    (line,) = log(hall, "result_changed")
    assert (line.data["before"], line.data["after"]) == ([24, 0], [20, 0])


@pytest.mark.slow
def test_a_second_phone_confirms_from_the_card(hall: Hall, guest: Phone, other: Phone) -> None:
    """A second phone that scans the table's card can confirm the result of the last round.

    The card's page shows this result below the table's seats in the next round.
    """
    tell(hall, guest, 21, 15)
    page = other.see(card(hall, 1))
    assert [words(h2) for h2 in page.all("h2")] == ["Round 2", "Round 1"]
    assert sum(button.startswith("Confirm for") for button in buttons(page)) == 2
    assert "Report wrong score" in buttons(page)
    scan_and(hall, other, "confirm", side=1)
    assert hall.tables()[0].confirmed == {1}
    assert not hall.tables()[0].said_by
    page = other.see(card(hall, 1))
    assert sum(button.startswith("Confirm for") for button in buttons(page)) == 0, "the phone now belongs to one side"


def test_a_phone_confirms_for_its_own_side_and_names_the_person_of_the_other(hall: Hall, guest: Phone) -> None:
    page = tell(hall, guest, 21, 15)
    assert "Confirm for your side first." in page.text, "there is no name to tap yet"
    page = guest.submit(page, f"{at(hall)}/confirmations", side=0)
    assert "Have them tap their own name here." in page.text
    page = guest.submit(page, f"{at(hall)}/confirmations", 422, side=1)
    assert hall.tables()[0].confirmed == {0}
    who = next(name for name in NAMES if f"Confirm as {name}" in page.text)
    chosen = page.one("form", action=f"{at(hall)}/confirmations")
    button = next(each for each in chosen.iter("button") if words(each) == f"Confirm as {who}")
    page = guest.submit(page, f"{at(hall)}/confirmations", side=1, seat=button.get("value"))
    assert f"Confirmed by {who}" in page.text
    assert "on another phone" not in page.text, "it was this one"
    assert hall.tables()[0].confirmed == {0, 1}
    assert log(hall, "confirmed")[-1].data["person"] == hall.people[who]
    history = hall.desk.see(f"/leagues/{hall.league}/log").text
    assert f"{who} confirmed 21 to 15 for round 1, table 1." in history


def test_only_people_of_a_side_confirm_for_it(hall: Hall, guest: Phone) -> None:
    page = tell(hall, guest, 21, 15)
    guest.submit(page, f"{at(hall)}/confirmations", 404, side=1, seat=0)
    assert not hall.tables()[0].confirmed


def test_the_desk_confirms_only_for_a_person(hall: Hall, guest: Phone) -> None:
    tell(hall, guest, 21, 15)
    page = hall.desk.see(at(hall))
    assert not any(button.startswith("Confirm for") for button in buttons(page))
    hall.desk.submit(page, f"{at(hall)}/confirmations", 422, side=0)
    hall.desk.submit(page, f"{at(hall)}/confirmations", side=0, seat=0)
    assert hall.tables()[0].confirmed == {0}


def test_reporting_a_wrong_score_makes_a_dispute(hall: Hall, guest: Phone, other: Phone) -> None:
    tell(hall, guest, 21, 15)
    scan_and(hall, other, "wrong")
    assert "21 to 15 is wrong" in guest.see(at(hall)).text
    assert "21 to 15 is wrong" in words(hall.at_desk().one("li", class_="done"))
    scan_and(hall, other, "confirm", side=1)
    assert hall.tables()[0].dispute is None


def test_unconfirmed_results_are_listed_before_closing(app: Flask, client: Phone, guest: Phone) -> None:
    """A night with unconfirmed results can be closed.

    The desk lists those results first, and the league's log keeps the list.
    """
    hall = open_hall(app, client, plan=NightPlan(rounds=1))
    hall.check_in(*NAMES[:4])
    hall.draw()
    tell(hall, guest, 21, 15)
    closes = words(hall.at_desk().one("section", id="closing"))
    assert "One result hasn't been confirmed by its players yet" in closes
    assert "Round 1, table 1" in closes
    with app.app_context():
        closing.close_night(night=hall.night, device=DIRECTOR)
    (line,) = log(hall, "night_closed")
    assert line.data["unconfirmed"] == [[1, 1]]
