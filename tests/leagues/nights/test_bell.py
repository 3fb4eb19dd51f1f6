"""The bell of a round: the last hand of each table, and results that no phone changes once they are built on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.games.services import scoring
from scorekeeper.games.services.scoring import ClientRequest
from scorekeeper.leagues.core.models import SeasonRow
from scorekeeper.leagues.nights import bell, service, table_disputes, tables
from scorekeeper.leagues.nights.tables import rules_of
from scorekeeper.leagues.schedule.night_plan import NightPlan
from scorekeeper.rules.commands import CorrectHand, EnterHand, Undo, VoidHand
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.extensions import db
from tests.leagues.nights.test_card import card
from tests.support.league_night import DIRECTOR, NAMES, Hall, buttons, open_hall
from tests.support.page import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from scorekeeper.leagues.standings.table_results import TableState
    from tests.support.page import Page
    from tests.support.phone import Phone

RUNG = datetime(2026, 9, 1, 20, 0, tzinfo=UTC)
"""When the bell rings in these tests."""
MINUTE = timedelta(minutes=1)
TIMED = NightPlan(format="timed", options={"minutes": 20, "one_more": 1}, rounds=2)


def hand(side: int, other: int = 0) -> dict[str, Any]:
    """Return a hand in which `side` makes a bid of 2 and takes all four points, or all but `other` of them."""
    takes = [1 - side if place < other else side for place in range(4)]
    return {"bidder": side, "bid": 2, "points": dict(zip(("high", "low", "jack", "game"), takes, strict=True))}


class Night:
    """An open night whose first round has started at both tables, each on a phone of its own.

    Hands are saved at times relative to the bell, in minutes.
    """

    def __init__(self, hall: Hall, phones: tuple[Phone, Phone]) -> None:
        self.hall, self.phones = hall, phones
        self.boards: list[Page] = []
        for number, phone in enumerate(phones, 1):
            address = card(hall, number)
            self.boards.append(phone.submit(phone.see(address), address, table=self.table(number - 1).id))
        self.taps = 0

    def table(self, index: int = 0) -> TableState:
        """Return the current state of a table of the first round."""
        return self.hall.tables()[index]

    def winner(self, index: int = 0) -> int | None:
        """Return the side that won a table of the first round, or None if no side has won."""
        verdict = self.table(index).verdict
        return None if verdict is None else verdict.winner

    def see(self, index: int = 0) -> Page:
        """Return the board of a table's game on the table's phone."""
        return self.phones[index].see(self.boards[index].path)

    def act(self, command: object, minute: float, index: int = 0) -> None:
        """Carry out a command on a table's game, `minute` minutes after the bell (negative: before it)."""
        self.taps += 1
        with self.hall.app.app_context():
            scoring.act(
                public_id=self.table(index).game,
                command=command,  # type: ignore[arg-type]
                request=ClientRequest(DIRECTOR, f"tap-{self.taps}", None),
                now=RUNG + minute * MINUTE,
            )

    def play(self, side: int, minute: float, index: int = 0, other: int = 0) -> None:
        """Save a hand that `side` wins; its opponents take `other` points."""
        self.act(EnterHand(hand(side, other)), minute, index)

    def ring(self, *, rung: bool = True) -> None:
        """Ring the bell, or undo that."""
        with self.hall.app.app_context():
            bell.ring(night=self.hall.night, device=DIRECTOR, rung=rung, now=RUNG)

    def send(self, *minutes: float, side: int = 0, first: int = 1, version: int = 1, index: int = 0) -> dict[str, Any]:
        """Send hands that a table's phone saved without a signal at these minutes, and return the answer."""
        hands = [
            {
                "id": f"waiting-{index}-{number}",
                "number": number,
                "at": int((RUNG + minute * MINUTE).timestamp() * 1000),
                "hand": {"dealer": (number + 2) % 4, **hand(side)},
            }
            for number, minute in enumerate(minutes, first)
        ]
        token = self.see(index).all("input", name="csrf_token")[0].get("value", "")
        sent = {"game": self.table(index).game, "version": version, "hands": hands}
        answer = self.phones[index].post(
            f"{self.boards[index].path}/waiting", json=sent, headers={"X-CSRFToken": token}
        )
        assert answer.json is not None
        return dict(answer.json)

    def news(self, shown: str | None, index: int = 0) -> str:
        """Return what a phone is told that shows the board with the mark `shown`; "" if nothing is new."""
        answer = self.phones[index].get(f"{self.boards[index].path}/news?version={shown}")
        return "" if answer.json is None else " ".join(answer.json["says"].split())


@pytest.fixture
def start(app: Flask, client: Phone, new_phone: Callable[[], Phone]) -> Callable[[NightPlan], Night]:
    """Return a function that opens a night with eight people at two tables, and starts its first round."""

    def night(plan: NightPlan) -> Night:
        hall = open_hall(app, client, plan=plan)
        hall.check_in(*NAMES[:8])
        hall.draw()
        return Night(hall, (new_phone(), new_phone()))

    return night


def test_the_hand_in_progress_at_the_bell_is_the_last_one(start: Callable[[NightPlan], Night]) -> None:
    """The phone says so, its next save ends the game by most points, and the phone then offers no further hand."""
    night = start(TIMED)
    night.play(0, -5)
    version = night.see().one("p", class_="says").get("data-version")
    night.ring()
    news = night.news(version)
    assert news == "The bell has rung. Finish this hand: it's the last one."
    page = night.see()
    assert news in page.text
    shown = page.one("p", class_="says").get("data-version")
    assert not night.news(shown)
    assert night.table().last_hand == "due"
    night.play(1, 1, other=2)
    table = night.table()
    assert (table.done, night.winner(), table.points) == (True, 0, (6, 2))
    page = night.see()
    assert not page.all("form", action=f"{night.boards[0].path}/bid")
    assert "The bell has rung" not in page.text


def test_no_phone_starts_the_next_round_before_the_bell(start: Callable[[NightPlan], Night]) -> None:
    """An early tap on a card would end the round at all tables, and stop its clock."""
    night = start(TIMED)
    hall, guest, two = night.hall, night.phones[1], card(night.hall, 2)
    night.play(0, -5)
    with hall.app.app_context():
        tables.tell_result(night=hall.night, table=night.table(1).id, totals=(21, 13), device=DIRECTOR)
        bell.set_clock(night=hall.night, number=1, what="start", device=DIRECTOR)
    page = guest.see(two)
    assert [words(h2) for h2 in page.all("h2")] == ["Round 1"]
    assert "The next round starts after the bell." in page.text
    later = next(table for table in hall.tables() if (table.round, table.number) == (2, 2))
    page = guest.submit(page, two, 422, table=later.id, act=None)
    assert "Round 2 starts after the bell." in page.text
    assert not night.table().done
    with hall.app.app_context():
        assert hall.row().clock_at is not None
    night.ring()
    night.play(0, 1)
    page = guest.see(two)
    assert [words(h2) for h2 in page.all("h2")] == ["Round 2", "Round 1"]
    guest.submit(page, two, table=later.id)
    assert hall.tables()[later.id - 1].game


@pytest.mark.parametrize("rounds", [1, 2])
def test_nobody_is_asked_to_ring_when_the_last_round_is_over(start: Callable[[NightPlan], Night], rounds: int) -> None:
    """Before another round, the bell is still there. A bell that has rung can be undone."""
    night = start(NightPlan(format="timed", rounds=rounds))
    told: dict[str, Any] = {"night": night.hall.night, "totals": (21, 13), "device": DIRECTOR}
    with night.hall.app.app_context():
        tables.tell_result(table=night.table(0).id, **told)
        assert "Ring bell" in buttons(night.hall.at_desk("?round=1"))
        tables.tell_result(table=night.table(1).id, **told)
    assert ("Ring bell" in buttons(night.hall.at_desk("?round=1"))) == (rounds > 1)
    night.ring()
    assert "Undo bell" in buttons(night.hall.at_desk("?round=1"))


def test_another_hand_is_refused_after_the_last_one(start: Callable[[NightPlan], Night]) -> None:
    """That is so even if the players take back the end of the game to correct its last hand."""
    night = start(TIMED)
    night.ring()
    night.play(0, 1)
    with pytest.raises(RuleViolation, match="game is over"):
        night.play(1, 2)
    night.act(Undo(), 3)
    assert night.table().last_hand == "played"
    assert "Correct the last hand, or end the game." in night.see().text
    with pytest.raises(RuleViolation, match="has played its last hand"):
        night.play(1, 4)
    night.act(Undo(), 5)
    night.play(1, 6)
    assert (night.table().done, night.table().points) == (True, (0, 4))


def test_a_last_hand_that_is_undone_is_played_again(start: Callable[[NightPlan], Night]) -> None:
    """The correction of an earlier hand, in contrast, leaves the game over."""
    night = start(TIMED)
    night.play(0, -5)
    night.ring()
    night.play(0, 1)
    night.act(CorrectHand(2, hand(0, other=1)), 2)
    assert night.table().done
    night.act(VoidHand(3), 3)
    assert (night.table().last_hand, night.table().done) == ("due", False)
    night.play(1, 4)
    assert (night.table().done, night.table().points) == (True, (3, 5))


def test_a_corrected_last_hand_changes_who_won(start: Callable[[NightPlan], Night]) -> None:
    night = start(TIMED)
    night.ring()
    night.play(0, 1)
    assert night.winner() == 0
    night.act(CorrectHand(2, hand(1)), 2)
    assert night.winner() == 1
    night.act(CorrectHand(2, hand(1, other=2)), 3)
    assert (night.table().last_hand, night.table().done) == ("tied", False)


@pytest.mark.parametrize("one_more", [1, 0])
def test_a_tie_after_the_last_hand(start: Callable[[NightPlan], Night], one_more: int) -> None:
    """The table plays one more hand while it is tied, if the night says so; otherwise nobody wins."""
    night = start(NightPlan(format="timed", options={"minutes": 20, "one_more": one_more}, rounds=2))
    night.play(0, -1, other=2)
    night.ring()
    night.play(1, 1, other=2)
    assert (night.table().done, night.winner()) == (not one_more, None)
    if one_more:
        assert "Play one more hand." in night.see().text
        night.play(0, 2, other=2)
        night.play(1, 3)
        assert night.winner() == 1


def test_a_table_between_two_hands_ends_its_game_without_another(start: Callable[[NightPlan], Night]) -> None:
    """The phone at the table has a button for that, and the desk one for each table, until the game is over."""
    night = start(TIMED)
    for index in (0, 1):
        night.play(index, -1, index)
    night.ring()
    board = night.phones[0].submit(night.see(), f"{night.hall.path}/tables/{night.table().id}/last-hand")
    assert "No hand in progress" not in buttons(board)
    assert night.table().done
    page = night.hall.at_desk()
    assert "One table is playing its last hand." in page.text
    page = night.hall.desk.submit(page, f"{night.hall.path}/tables/{night.table(1).id}/last-hand")
    assert "all done" in page.text
    assert [night.winner(0), night.winner(1)] == [0, 1]


def test_a_tied_table_cannot_end_without_one_more_hand(start: Callable[[NightPlan], Night]) -> None:
    night = start(TIMED)
    night.ring()
    with night.hall.app.app_context(), pytest.raises(RuleViolation, match="one more hand"):
        bell.end_game(night=night.hall.night, table=night.table().id, device=DIRECTOR)


def test_undoing_the_bell_lets_the_games_go_on(start: Callable[[NightPlan], Night]) -> None:
    night = start(TIMED)
    night.ring()
    night.play(0, 1)
    assert night.table().done
    shown = night.see(1).one("p", class_="says").get("data-version")
    night.ring(rung=False)
    assert night.news(shown, 1) == "The bell was undone. Keep playing."
    assert [table.last_hand or table.done for table in night.hall.tables()[:2]] == [False, False]
    night.play(0, 2)
    night.play(0, 3)
    assert not night.table().done


def test_hands_after_the_last_one_from_a_phone_without_a_signal_do_not_count(
    start: Callable[[NightPlan], Night],
) -> None:
    """Hands that it played before the bell count, and so does the one in progress. The phone says what didn't count."""
    night = start(TIMED)
    night.play(0, -9)
    night.ring()
    version = 2
    answer = night.send(-3, 1, 5, 9, side=1, first=2, version=version)
    assert [each.rpartition("-")[2] for each in answer["saved"]] == ["2", "3", "4", "5"]
    assert [each.rpartition("-")[2] for each in answer["set_aside"]] == ["4", "5"]
    assert answer["why"].startswith("Not counted: hands 4 and 5. The bell had rung.")
    assert answer["state"]["outcome"] == {"winner": 1, "rule": "time"}
    assert (night.table().points, night.table().done) == ((4, 8), True)
    # The answer to the last hand was lost, and the phone played on: the same again changes nothing.
    again = night.send(-3, 1, 5, 9, 12, side=1, first=2, version=version)
    assert [each.rpartition("-")[2] for each in again["set_aside"]] == ["4", "5", "6"]
    assert again["why"].startswith("Not counted: hands 4, 5 and 6.")
    assert night.table().points == (4, 8)
    assert "saved hand 4 offline. It doesn't count." in night.phones[0].see(f"{night.boards[0].path}/log").text


def test_hands_for_a_game_that_the_desk_has_ended_do_not_count(start: Callable[[NightPlan], Night]) -> None:
    night = start(TIMED)
    night.play(0, -9)
    night.ring()
    with night.hall.app.app_context():
        bell.end_game(night=night.hall.night, table=night.table().id, device=DIRECTOR, now=RUNG + MINUTE)
    for _again in range(2):
        answer = night.send(-3, 2, side=1, first=2, version=2)
        assert len(answer["set_aside"]) == 2
        assert answer["why"].startswith("Not counted: hands 2 and 3. ")
    assert (night.table().points, night.winner()) == ((4, 0), 0)


def test_the_next_seating_locks_the_results_it_was_made_from(start: Callable[[NightPlan], Night]) -> None:
    """On a progressive night, phones can't change a result once the next round is seated, and they say why.

    Only the desk can, after reopening the result.
    """
    night = start(NightPlan(format="progressive", options={"hands": 0}, rounds=3))
    night.play(0, -1)
    night.play(1, -1, 1)
    night.ring()
    night.play(0, 1)
    night.play(1, 1, 1)
    night.hall.draw()
    with pytest.raises(RuleViolation, match="The next round is set, so only the desk"):
        night.act(Undo(), 2, 1)
    before = night.table(1).points
    answer = night.send(3, side=0, first=3, version=5, index=1)
    assert (answer["set_aside"], night.table(1).points) == (["waiting-1-3"], before)
    assert not {"Ring bell", "Undo bell"} & {*buttons(night.hall.at_desk("?round=1"))}
    with pytest.raises(RuleViolation, match="Round 2 is already seated"):
        night.ring(rung=False)
    with night.hall.app.app_context():
        table_disputes.reopen_result(night=night.hall.night, table=night.table(1).id, device=DIRECTOR, reason="a slip")
    night.act(Undo(), 4, 1)
    night.play(0, 5, 1)
    assert night.table(1).points == (4, 8)


def test_a_later_round_locks_the_results_of_a_timed_one(start: Callable[[NightPlan], Night]) -> None:
    """A hand that was in progress when the next round started no longer changes the result."""
    night = start(TIMED)
    night.play(0, -1)
    page = night.hall.at_desk("?round=2")
    night.hall.desk.submit(page, f"{night.hall.path}/rounds/2/started")
    with pytest.raises(RuleViolation, match="The next round is set, so only the desk"):
        night.play(1, 1)
    answer = night.send(2, side=1, first=2, version=2)
    assert (answer["trouble"], answer["why"]) == (
        "refused",
        "The next round is set, so only the desk can change this result.",
    )
    assert night.table().points == (4, 0)


def test_a_card_starts_no_round_while_tables_play_their_last_hand(start: Callable[[NightPlan], Night]) -> None:
    night = start(TIMED)
    night.play(1, -1, 1)
    night.ring()
    night.play(1, 1, 1)
    address, phone = card(night.hall, 2), night.phones[1]
    coming = next(table.id for table in night.hall.tables() if (table.round, table.number) == (2, 2))
    page = phone.submit(phone.see(address), address, 422, table=coming)
    assert "Wait for the last hand at these tables: 1." in page.text
    night.play(0, 1)
    phone.submit(phone.see(address), address, table=coming)


def test_the_clock_says_when_the_bell_is_due(start: Callable[[NightPlan], Night]) -> None:
    """Desk, night page, TV and the phones at the tables show it, as soon as it has started, and when it changes."""
    night = start(TIMED)
    shown = night.see().one("p", class_="says").get("data-version")
    address = f"{night.hall.path}/rounds/1/clock"
    page = night.hall.desk.submit(night.hall.at_desk(), address, what="start")
    desk = page.one("time", class_="clock")
    assert words(desk).startswith("Bell at ")
    assert night.news(shown) == words(desk)
    boards = [night.see(), night.phones[0].see(night.hall.path), night.phones[0].see(f"{night.hall.path}/tv")]
    assert [board.one("time", class_="clock").get("datetime") for board in boards] == [desk.get("datetime")] * 3
    shown = boards[0].one("p", class_="says").get("data-version")
    page = night.hall.desk.submit(page, address, what="more")
    later = datetime.fromisoformat(page.one("time", class_="clock").get("datetime") or "")
    assert later - datetime.fromisoformat(desk.get("datetime") or "") == timedelta(minutes=5)
    assert night.news(shown)
    shown = night.see().one("p", class_="says").get("data-version")
    page = night.hall.desk.submit(page, address, what="stop")
    assert night.news(shown) == "The clock was stopped."
    assert not night.see().all("time", class_="clock")


def test_starting_the_clock_starts_the_round(app: Flask, client: Phone) -> None:
    """The next round's clock can be started before any of its tables has a score. It stops with the round."""
    hall = open_hall(app, client, plan=TIMED)
    hall.check_in(*NAMES[:8])
    hall.draw()
    assert "Start the clock: 20 minutes" in buttons(hall.at_desk())
    page = hall.desk.submit(hall.at_desk(), f"{hall.path}/rounds/1/clock", what="start")
    assert "Mark round 1 as not started" in buttons(page)
    assert "Start the clock: 20 minutes" not in buttons(hall.at_desk("?round=2"))
    with app.app_context():
        service.start_round(night=hall.night, number=2, device=DIRECTOR)
        assert hall.row().clock_at is None
        with pytest.raises(RuleViolation, match="moved on"):
            bell.set_clock(night=hall.night, number=1, what="more", device=DIRECTOR)


def test_the_desk_is_told_to_ring_when_the_time_is_up(start: Callable[[NightPlan], Night]) -> None:
    """Nothing else happens then: the round goes on until somebody rings the bell."""
    night = start(TIMED)
    with night.hall.app.app_context():
        for minutes in (5, 25):
            then = datetime.now(UTC) - minutes * MINUTE
            bell.set_clock(night=night.hall.night, number=1, what="start", device=DIRECTOR, now=then)
            assert ("Ring the bell now." in night.hall.at_desk().text) == (minutes == 25)
            if minutes == 5:
                bell.set_clock(night=night.hall.night, number=1, what="stop", device=DIRECTOR)
    assert night.table().last_hand == ""
    night.hall.desk.submit(night.hall.at_desk(), f"{night.hall.path}/bell")
    assert not night.hall.at_desk().all("time", class_="clock")


def test_only_the_head_table_has_a_number_of_hands(start: Callable[[NightPlan], Night]) -> None:
    """On a progressive night, the desk is told to ring once the head table has finished."""
    night = start(NightPlan(format="progressive", options={"hands": 2}, rounds=3))
    with night.hall.app.app_context():
        row = night.hall.row()
        season = db.session.get_one(SeasonRow, row.season_id)
        assert [rules_of(season, row, number).finish for number in (1, 2)] == ["fixed_hands", "bid_out"]
    for minute in (-9, -8):
        night.play(0, minute)
        night.play(0, minute, 1)
    assert [table.done for table in night.hall.tables()] == [True, False]
    page = night.hall.at_desk()
    assert "Table 1 has finished. Ring the bell for the other tables." in words(page.one("section", id="round"))
