"""After a hand in which a side was set, the board marks that side until the next bid, hand or undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.game import bid, path_of, play, start, undo
from tests.support.page import Page, words

if TYPE_CHECKING:
    from tests.support.phone import Phone


def fell(page: Page) -> list[str]:
    """Return the letters of the sides that the board marks as just set."""
    cards = [card for card in page.all("li") if "fell" in card.get("class", "").split()]
    return [words(card)[0] for card in cards]


def test_a_set_marks_the_side_that_fell(client: Phone, other: Phone) -> None:
    board = play(client, start(client), 1, 4, "ABBB")
    assert fell(board) == ["B"]
    watch = path_of(board).replace("/games/", "/watch/")
    assert fell(other.see(watch)) == fell(other.see(f"{watch}/tv")) == ["B"]


def test_only_until_something_else_happens(client: Phone) -> None:
    board = play(client, start(client), 1, 4, "ABBB")
    assert fell(bid(client, board, 0, 2)) == []
    board = client.submit(client.see(board.path), f"{path_of(board)}/bid/void")
    assert fell(undo(client, board)) == []


def test_a_made_bid_marks_nobody(client: Phone) -> None:
    assert fell(play(client, start(client), 0, 3, "AAAB")) == []


def test_the_last_set_is_not_marked_again_by_an_undo(client: Phone) -> None:
    board = play(client, play(client, start(client), 1, 4, "ABBB"), 0, 3, "AAAB")
    assert fell(undo(client, board)) == []
