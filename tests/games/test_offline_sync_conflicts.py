"""If a game went on while a phone was offline, the phone's hands agree, become a dispute, or wait for a decision."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.games.test_hand_reports import disputes, settle
from tests.games.test_offline_sync import ALL, FIRST, send, told, waits
from tests.support.game import bid, contents, play, play_all, sheet, totals, undo
from tests.support.game_steps import let_in, log_of, record_of
from tests.support.page import Page

if TYPE_CHECKING:
    from flask import Flask

    from tests.support.phone import Phone

SAME = FIRST
"""Hand 1 as a phone sends it: Ann (seat 0) bids 4, and Ann's side wins all four points."""
OTHER = FIRST | {"points": ALL | {"game": 1}}
NEXT = {"dealer": 0, "bidder": 1, "bid": 2, "points": {"high": 1, "low": 1, "jack": None, "game": 0}}
LATER = {"dealer": 1, "bidder": 2, "bid": 3, "points": {"high": 0, "low": 0, "jack": 0, "game": 1}}


@pytest.fixture
def second(client: Phone, other: Phone, board: Page) -> Phone:
    """Return Bob's phone, a scorer that went offline before the first hand."""
    let_in(client, other, board, "1")
    return other


def test_the_same_hand_from_another_phone_is_a_check(app: Flask, client: Phone, second: Phone, board: Page) -> None:
    """If a phone was offline and then sends a hand that another phone already saved, the hand is marked as agreed.

    If the phone sends the hand again, nothing changes.
    """
    play(client, board, 0, 4, "AAAA")
    answer = send(second, board, waits(1, SAME))
    assert (answer.status_code, told(answer)["saved"]) == (200, ["phone-made-1"])
    assert "both phones agree" in sheet(client.see(board.path))[0]
    assert "Bob's phone agrees on hand 1." in log_of(client, board)[0]
    before = contents(app)
    assert send(second, board, waits(1, SAME)).status_code == 200
    assert contents(app) == before


def test_agreeing_hands_are_checked_and_later_ones_saved(client: Phone, second: Phone, board: Page) -> None:
    play(client, board, 0, 4, "AAAA")
    assert told(send(second, board, waits(1, SAME), waits(2, NEXT)))["state"]["totals"] == [5, 2]
    first, *rest = sheet(client.see(board.path))
    assert "both phones agree" in first
    assert "both phones agree" not in " ".join(rest)


def test_one_hand_that_differs_is_a_dispute(app: Flask, client: Phone, second: Phone, board: Page) -> None:
    """If an offline hand differs from the saved hand, the server stores a dispute and replies with status 409.

    The response lists the offline hand as saved, so the phone can delete its copy.
    """
    play(client, board, 0, 4, "AAAA")
    answer = send(second, board, waits(1, OTHER))
    assert (answer.status_code, told(answer)["trouble"]) == (409, "differs")
    assert told(answer)["saved"] == ["phone-made-1"]
    says = "Two phones disagree on hand 1. The main phone: 4 to 0. Bob's phone: 3 to 1."
    assert told(answer)["why"] == says
    assert disputes(client.see(board.path)) == ["Two phones disagree on hand 1."]
    before = contents(app)
    assert send(second, board, waits(1, OTHER)).status_code == 200, "it is in the log by now"
    assert contents(app) == before
    assert totals(settle(client, client.see(board.path), "take")) == ["−4", "1"]


def test_only_the_last_hand_may_be_disputed(client: Phone, second: Phone, board: Page) -> None:
    """If all offline hands agree except the last one, the last one becomes a dispute."""
    play_all(client, board, ((0, 4, "AAAA"), (1, 2, "BBAA")))
    answer = send(second, board, waits(1, SAME), waits(2, NEXT))
    assert told(answer)["trouble"] == "differs"
    first, last = sheet(client.see(board.path))
    assert "both phones agree" in first
    assert "two phones disagree" in last


def test_several_different_hands_are_not_saved(app: Flask, client: Phone, second: Phone, board: Page) -> None:
    play(client, board, 0, 4, "AAAA")
    before = contents(app)
    answer = send(second, board, waits(1, OTHER), waits(2, NEXT))
    assert (told(answer)["trouble"], told(answer)["number"]) == ("moved", 1)
    assert contents(app) == before


def test_a_phone_does_not_check_itself(app: Flask, client: Phone, board: Page) -> None:
    """If a phone sends a hand again that it has saved, the hand isn't marked as agreed by two phones.

    If the phone sends a different hand with the same number, nothing is stored until the player decides between the
    two.
    """
    play(client, board, 0, 4, "AAAA")
    before = contents(app)
    assert send(client, board, waits(1, SAME)).status_code == 200
    assert told(send(client, board, waits(1, OTHER, "phone-made-9")))["trouble"] == "moved"
    assert contents(app) == before


def test_a_hand_that_the_phone_saw_is_no_report(app: Flask, client: Phone, second: Phone, board: Page) -> None:
    """If a phone has seen the saved hand 1 but sends a different hand 1, the player must decide which one counts.

    No dispute is stored.
    """
    play(client, board, 0, 4, "AAAA")
    before = contents(app)
    assert told(send(second, board, waits(1, OTHER), version=3))["trouble"] == "moved"
    assert contents(app) == before


def test_an_agreeing_hand_counts_as_saved(app: Flask, client: Phone, second: Phone, board: Page) -> None:
    """If the first hand entered offline equals the saved hand 1, it is accepted even if hand 2 was undone meanwhile.

    If the phone also sends a second hand, nothing is stored until the player decides which hands count.
    """
    now = play_all(client, board, ((0, 4, "AAAA"), (1, 2, "BBAA")))
    undo(client, now)
    assert send(second, board, waits(1, SAME)).status_code == 200
    before = contents(app)
    assert told(send(second, board, waits(1, SAME), waits(2, NEXT)))["trouble"] == "moved"
    assert contents(app) == before


def record_bids(client: Phone, board: Page) -> list[Any]:
    """Return a pair (bidder's seat, bid) for each hand in the game's record."""
    return [(hand["bidder"], hand["bid"]) for hand in record_of(client, board)["hands"]]


def test_another_bid_in_play_keeps_hands_waiting(client: Phone, second: Phone, board: Page) -> None:
    bid(client, board, 1, 2)
    assert told(send(second, board, waits(1, SAME)))["trouble"] == "moved"
    assert record_bids(client, board) == []


@pytest.mark.parametrize("hand", [{"dealer": 3, "passed": True}, SAME | {"bid": 9}])
def test_a_code_with_impossible_hands_is_refused(app: Flask, other: Phone, board: Page, hand: dict[str, Any]) -> None:
    """A scanned code with impossible hands leads to an error page, and nothing is stored."""
    before = contents(app)
    sent = json.dumps({"game": board.path.rpartition("/")[2], "version": 1, "hands": [waits(1, hand)]})
    token = other.see("/").form("/games/import").values["csrf_token"]
    answer = other.post("/carry", data={"csrf_token": token, "sent": sent})
    assert (answer.status_code, Page(answer).h1) == (422, "That doesn't work")
    assert contents(app) == before


def test_a_code_with_a_used_id_and_other_content_is_refused(client: Phone, board: Page) -> None:
    send(client, board, waits(1, SAME))
    sent = json.dumps({"game": board.path.rpartition("/")[2], "version": 1, "hands": [waits(1, OTHER)]})
    token = client.see("/").form("/games/import").values["csrf_token"]
    answer = client.post("/carry", data={"csrf_token": token, "sent": sent})
    assert answer.status_code == 422
    assert "That code was incomplete." in Page(answer).text
