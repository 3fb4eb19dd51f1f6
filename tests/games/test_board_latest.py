"""The sentence about the latest event on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.game import path_of, play, play_all
from tests.support.page import words

if TYPE_CHECKING:
    from tests.support.page import Page
    from tests.support.phone import Phone


def last(board: Page) -> str:
    """Return the sentence under the score."""
    sentence = board.one("div", class_="last").find("p")
    assert sentence is not None
    return words(sentence)


def test_undo_is_named(client: Phone, board: Page) -> None:
    """Not the effect of the hand before, which may read the same."""
    board = play_all(client, board, ((0, 4, "AA-B"), (0, 4, "AA-B")))
    board = client.submit(board, f"{path_of(board)}/undos")
    assert last(board) == "Hand 2 undone. Ann and Cid −4, Bob and Dee 1."
    board = client.submit(board, f"{path_of(board)}/redos")
    assert last(board) == "Hand 2 redone. Ann and Cid −8, Bob and Dee 2."


def test_a_set_that_costs_nothing_says_so(client: Phone, board: Page) -> None:
    """Where a set stops at zero, nobody loses 0."""
    page = client.submit(
        client.see(f"{board.path}/house-rules"), f"{board.path}/house-rules", 200, rule_negative="floor_zero"
    )
    board = client.submit(page, f"{board.path}/house-rules", rule_negative="floor_zero")
    assert last(board) == "House rules changed. Ann and Cid 0, Bob and Dee 0."
    board = play(client, board, 0, 3, "AA-B")
    assert last(board) == "Set! Ann and Cid stay at 0. Bob and Dee score 1, from 0 to 1."


def test_changing_a_called_bid_reopens_the_auction(client: Phone, board: Page) -> None:
    """A slip in the last call does not cost the calls before it."""
    for call in ("pass", "pass", "pass", "2"):
        board = client.submit(client.see(f"{board.path}?entry=auction"), f"{board.path}/calls", call=call)
    board = client.submit(board, f"{board.path}/bid/void")
    assert "Dee" in words(board.one("form", action=f"{board.path}/calls"))
