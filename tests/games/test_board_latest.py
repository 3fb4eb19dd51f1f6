"""The board has a sentence about the latest event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.game import path_of, play, play_all
from tests.support.page import words

if TYPE_CHECKING:
    from tests.support.page import Page
    from tests.support.phone import Phone


def last(board: Page) -> str:
    """Return the sentence about the latest event, under the score."""
    sentence = board.one("div", class_="last").find("p")
    assert sentence is not None
    return words(sentence)


def test_undo_is_named(client: Phone, board: Page) -> None:
    """After an undo, the board says which hand was undone, in place of a sentence about the hand before it.

    Two hands in a row can have equal results. The sentence about the earlier hand wouldn't show the undo.
    """
    board = play_all(client, board, ((0, 4, "AA-B"), (0, 4, "AA-B")))
    board = client.submit(board, f"{path_of(board)}/undos")
    assert last(board) == "Hand 2 undone. Ann and Cid −4, Bob and Dee 1."
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


def test_changing_a_called_bid_reopens_the_auction(client: Phone, board: Page) -> None:
    """If a bid that came from an auction is changed, only the last call is undone, and the auction goes on."""
    for call in ("pass", "pass", "pass", "2"):
        board = client.submit(client.see(f"{board.path}?entry=auction"), f"{board.path}/calls", call=call)
    board = client.submit(board, f"{board.path}/bid/void")
    assert "Dee" in words(board.one("form", action=f"{board.path}/calls"))
