"""The desk enters the final score of a game that a phone scores hand by hand, because that phone died."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.games.store.models import GameRow, ScorerRow
from scorekeeper.leagues.core.models import PersonRow
from scorekeeper.leagues.nights import service
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.rules.commands import Reopen, TakeBid, Undo
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db
from tests.leagues.nights.test_bell import Night
from tests.leagues.nights.test_table_disputes import at, log, reasons
from tests.support.league_night import DIRECTOR, NAMES, open_hall
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from tests.support.page import Page
    from tests.support.phone import Phone

ENTERED = "Final score entered at the desk"


@pytest.fixture
def night(app: Flask, client: Phone, new_phone: Callable[[], Phone]) -> Night:
    """Return a night with two tables, each with a phone, of which the first has saved two hands."""
    hall = open_hall(app, client, plan=NightPlan(rounds=2))
    hall.check_in(*NAMES[:8])
    hall.draw()
    night = Night(hall, (new_phone(), new_phone()))
    night.play(0, -9)
    night.play(1, -8)
    return night


def enter(night: Night, ours: int, theirs: int, status: int = 303, **fields: Any) -> Page:
    """Go from the desk to the first table's page, type the final score there, and return the page that follows."""
    hall = night.hall
    desk = hall.at_desk("?round=1")
    assert desk.all("a", href=f"{at(hall)}#final"), "the desk leads to the form"
    page = hall.desk.see(at(hall))
    assert page.one("a", href=f"{hall.path}/desk?round=1#round") is not None
    return hall.desk.submit(page, f"{at(hall)}/result", status, **{"points-0": ours, "points-1": theirs, **fields})


def by_phone(night: Night, command: object) -> None:
    """Carry out a command on the first table's game as its phone."""
    night.taps += 1
    with night.hall.app.app_context():
        device = next(word for word in _devices(night) if word != DIRECTOR)
        scoring.act(
            public_id=night.table().game,
            command=command,  # type: ignore[arg-type]
            request=ClientRequest(device, f"phone-{night.taps}", None),
        )


def _devices(night: Night) -> list[str]:
    query = select(ScorerRow.device).join(GameRow, GameRow.id == ScorerRow.game_id)
    return list(db.session.scalars(query.where(GameRow.public_id == night.table().game)))


def test_the_desk_ends_a_game_whose_phone_died(night: Night) -> None:
    """The typed score counts, the hands stay in the history, and the league's log says who entered it and why."""
    page = enter(night, 21, 13, reason="phone died")
    assert page.path == at(night.hall)
    table = night.table()
    assert (table.done, table.points, night.winner(), table.hands) == (True, (21, 13), 0, 2)
    line = log(night.hall, "result_told")[-1]
    assert (line.data["before"], line.data["after"], reasons(night.hall, "result_told")) == (
        None,
        [21, 13],
        ["phone died"],
    )
    history = night.hall.desk.see(f"/games/{table.game}/log").text
    assert "phone died" in history
    standings = night.hall.desk.see(f"/seasons/{night.hall.season}")
    assert standings.status == 200
    assert night.see().status == 200
    row = next(each for each in night.hall.at_desk("?round=1").all("li") if "line" in (each.get("class") or ""))
    assert "Change the final score" in words(row)


def test_the_same_score_again_changes_nothing_and_another_needs_a_reason(night: Night) -> None:
    enter(night, 21, 13)
    assert ENTERED in night.hall.desk.see(f"/games/{night.table().game}/log").text
    enter(night, 21, 13)
    assert len(log(night.hall, "result_told")) == 1
    assert "Enter a reason for the correction." in enter(night, 13, 21, 422).text
    assert night.table().points == (21, 13)
    enter(night, 13, 21, reason="typed the wrong way round")
    assert (night.table().points, night.winner()) == ((13, 21), 1)
    assert [line.data["before"] for line in log(night.hall, "result_told")] == [None, [21, 13]]


def test_a_correction_types_only_the_wrong_total(night: Night) -> None:
    """The fields of the page have the score that stands; those of a game in progress are empty."""

    def typed() -> list[str | None]:
        page = night.hall.desk.see(at(night.hall))
        return [page.one("input", name=f"points-{side}").get("value") for side in (0, 1)]

    assert typed() == ["", ""]
    page = enter(night, 21, 13)
    assert typed() == ["21", "13"]
    only: dict[str, Any] = {"points-1": 14, "reason": "misread"}
    night.hall.desk.submit(page, f"{at(night.hall)}/result", **only)
    assert night.table().points == (21, 14)


def test_a_doubtful_score_is_asked_about(night: Night) -> None:
    """A score below the target is saved after the desk has said how the game ended."""
    asked = enter(night, 10, 8, 422, reason="phone died")
    assert night.table().points != (10, 8)
    assert asked.all("input", name="reason")[0].get("value") == "phone died"
    fields: dict[str, Any] = {"points-0": 10, "points-1": 8, "asked": "10,8", "ending": "agreed:0"}
    night.hall.desk.submit(asked, f"{at(night.hall)}/result", **fields)
    assert (night.table().points, night.winner()) == ((10, 8), 0)


def test_a_hand_in_progress_is_no_obstacle(night: Night) -> None:
    night.act(TakeBid(0, 3), -7)
    enter(night, 21, 13)
    assert (night.table().done, night.table().points) == (True, (21, 13))


def test_a_bid_without_a_hand_is_no_obstacle_at_the_desk(night: Night) -> None:
    """The second table has made its first bid, so that its row still has boxes."""
    night.act(TakeBid(0, 3), -7, 1)
    hall, table = night.hall, night.table(1)
    fields: dict[str, Any] = {f"points-{table.id}-0": 21, f"points-{table.id}-1": 13}
    hall.desk.submit(hall.at_desk("?round=1"), f"{hall.path}/rounds/1/results", **fields)
    assert (night.table(1).done, night.table(1).points) == (True, (21, 13))


def test_the_phone_that_comes_back_changes_nothing(night: Night) -> None:
    """It is told why, whether it undoes the end or sends hands that it saved without a signal."""
    version = night.table().version
    enter(night, 21, 13)
    for command in (Reopen(), Undo()):
        with pytest.raises(RuleViolation, match="Only the desk can change it"):
            by_phone(night, command)
    answer = night.send(3, 4, side=1, first=3, version=version)
    assert len(answer["set_aside"]) == 2
    assert "The desk has entered this game's final score." in answer["why"]
    assert (night.table().points, night.winner()) == ((21, 13), 0)
    assert "saved hand 3 offline. It doesn't count." in night.phones[0].see(f"{night.boards[0].path}/log").text


def test_the_desk_can_undo_it_in_the_game(night: Night) -> None:
    enter(night, 21, 13)
    for _tap in range(3):
        night.act(Undo(), 1)
    assert (night.table().done, night.table().points, night.table().hands) == (False, (4, 4), 2)


@pytest.mark.parametrize("end", ["abandonment", "rules"])
def test_a_wrong_result_of_a_game_with_hands_is_replaced(night: Night, end: str) -> None:
    """So it is after the table ended its game without a winner, and after it played to the end."""
    if end == "abandonment":
        board = night.boards[0].path
        night.phones[0].submit(night.phones[0].see(f"{board}/table"), f"{board}/abandonment", sure="1")
    else:
        for _hand in range(5):
            night.play(0, 1)
    assert night.table().done
    page = night.hall.desk.see(at(night.hall))
    assert "Change the final score" in page.text
    enter(night, 13, 21, 422)
    enter(night, 13, 21, reason="the sheet says so")
    assert (night.table().points, night.winner()) == ((13, 21), 1)


def test_a_player_has_no_such_form(night: Night) -> None:
    phone = night.phones[0]
    page = phone.see(at(night.hall))
    assert not page.all("form", action=f"{at(night.hall)}/result")
    assert not [each for each in page.all("a") if words(each) == "Desk"]
    token = night.see().all("input", name="csrf_token")[0].get("value", "")
    data = {"csrf_token": token, "client_id": "another-tap", "points-0": "21", "points-1": "13"}
    assert phone.post(f"{at(night.hall)}/result", data=data).status_code == 422
    assert night.table().points == (4, 4)


def test_a_game_scored_at_the_wrong_table_is_removed_and_brought_back(night: Night) -> None:
    """The table then waits for its own game. The removed one comes back with its hands, unless there is another."""
    desk, path, before = night.hall.desk, at(night.hall), night.table()
    game = before.game
    page = desk.submit(desk.see(path), f"{path}/removal", 422, reason=" ")
    assert "Enter a reason for the correction." in page.text
    page = desk.submit(page, f"{path}/removal", reason="their table is 2")
    assert (night.table().game, night.table().done) == ("", False)
    assert desk.get(f"/games/{game}").status_code == 404
    assert log(night.hall, "game_removed")[-1].data["before"] == list(before.points)
    page = desk.submit(page, f"{path}/return")
    assert (night.table().game, night.table().points, night.table().hands) == (game, before.points, 2)
    assert desk.see(f"/games/{game}").status == 200
    history = desk.see(f"/leagues/{night.hall.league}/log").text
    assert "removed the game of round 1, table 1, at" in history
    assert "brought the game of round 1, table 1 back." in history
    again = desk.submit(desk.see(path), f"{path}/removal", reason="their table is 2")
    desk.submit(night.hall.at_desk("?round=1"), f"{night.hall.path}/games", table=night.table().id)
    assert night.table().game not in {"", game}
    page = desk.submit(again, f"{path}/return", 422)
    assert "There is no removed game to bring back to this table." in page.text
    assert "Bring it back" not in page.text


def test_a_removed_game_does_not_come_back_to_other_people(night: Night) -> None:
    """If the round has a new seating since, the game was not theirs."""
    desk, path = night.hall.desk, at(night.hall)
    desk.submit(desk.see(path), f"{path}/removal", reason="wrong table")
    other = night.hall.tables()[1]
    desk.submit(desk.see(at(night.hall, 1)), f"{at(night.hall, 1)}/removal", reason="wrong table")
    assert "Bring it back" in desk.see(path).text
    with night.hall.app.app_context():
        names = {row.id: row.public_id for row in db.session.scalars(select(PersonRow))}
        one, two = names[night.table().seats[0]], names[other.seats[0]]
        service.swap(night=night.hall.night, round_number=1, one=one, other=two, device=DIRECTOR, tap="swap")
    assert "Bring it back" not in desk.see(path).text


def test_players_can_not_remove_a_game(night: Night) -> None:
    path, phone = at(night.hall), night.phones[0]
    assert "Remove game" not in phone.see(path).text
    token = night.see().all("input", name="csrf_token")[0].get("value")
    assert phone.post(f"{path}/removal", data={"csrf_token": token, "reason": "mine"}).status_code == 403
    assert night.table().game
