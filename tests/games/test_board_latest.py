"""The board has a short line about the latest event, and a sentence below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.game import path_of, play, play_all, start
from tests.support.page import words

if TYPE_CHECKING:
    from tests.support.page import Page
    from tests.support.phone import Phone


def last(board: Page) -> str:
    """Return the sentence about the latest event."""
    return words(board.one("p", class_="in-full"))


def brief(board: Page) -> str:
    """Return the short line about the latest event, under the score."""
    line = board.one("div", class_="last").find("p")
    assert line is not None
    return words(line)


def test_undo_is_named(client: Phone, board: Page) -> None:
    """After an undo, the board says which hand was undone, in place of a sentence about the hand before it.

    Two hands in a row can have equal results. The sentence about the earlier hand wouldn't show the undo.
    """
    board = play_all(client, board, ((0, 4, "AA-B"), (0, 4, "AA-B")))
    board = client.submit(board, f"{path_of(board)}/undos")
    assert last(board) == "Hand 2 undone. Ann and Cid −4, Bob and Dee 1."
    assert brief(board) == "Hand 2 undone."
    board = client.submit(board, f"{path_of(board)}/redos")
    assert last(board) == "Hand 2 redone. Ann and Cid −8, Bob and Dee 2."


def test_a_set_that_costs_nothing_says_so(client: Phone, board: Page) -> None:
    """In a game whose scores can't go below zero, the board says that a side stays at 0 when it is set."""
    page = client.submit(
        client.see(f"{board.path}/house-rules"), f"{board.path}/house-rules", 200, rule_negative="floor_zero"
    )
    board = client.submit(page, f"{board.path}/house-rules", rule_negative="floor_zero")
    assert last(board) == "House rules changed. Ann and Cid 0, Bob and Dee 0."
    board = play(client, board, 0, 3, "AA-B")
    assert last(board) == "Set! Ann and Cid stay at 0. Bob and Dee score 1, from 0 to 1."
    assert brief(board) == "Set! Bob and Dee +1 → 1"


def test_a_hand_in_short(client: Phone, board: Page) -> None:
    """The short line has the change and the new score of each side whose score changed."""
    board = play(client, board, 0, 3, "AA-B")
    assert brief(board) == "Set! Ann and Cid −3 → −3 Bob and Dee +1 → 1"
    board = play(client, board, 1, 2, "BBBB")
    assert brief(board) == "Bob and Dee +4 → 5"
    assert last(board) == "Made it! Bob and Dee score 4, from 1 to 5."
    page = client.see(f"{path_of(board)}/adjustments")
    fields = {"side": "0", "sign": "-", "points": "2", "reason": "A very long story about a renege"}
    page = client.submit(page, f"{path_of(board)}/adjustments", 200, **fields)
    board = client.submit(page, f"{path_of(board)}/adjustments")
    assert brief(board) == "Ann and Cid −2 → −5"
    assert last(board) == "Ann and Cid −2: A very long story about a renege"


def test_changing_a_called_bid_reopens_the_auction(client: Phone, board: Page) -> None:
    """If a bid that came from an auction is changed, only the last call is undone, and the auction goes on."""
    for call in ("pass", "pass", "pass", "2"):
        board = client.submit(client.see(f"{board.path}?entry=auction"), f"{board.path}/calls", call=call)
    board = client.submit(board, f"{board.path}/bid/void")
    assert "Dee" in words(board.one("form", action=f"{board.path}/calls"))


def test_what_everyone_needs_is_said_once(client: Phone) -> None:
    """In a game of four solo players, a sentence that is true for several of them is not repeated."""

    def needs(page: Page) -> list[str]:
        return [words(line) for line in page.one("ul", class_="needs").findall("li")]

    board = start(client, preset="setback-7-pitch", seating="4")
    assert needs(board) == ["7 to go. Or make a pitch."]
    after = play(client, board, 0, 2, "AB-A")
    assert needs(after) == ["A Ann: 5 to go.", "B Bob: 6 to go.", "C D 7 to go.", "Or make a pitch."]
