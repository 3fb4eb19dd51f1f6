"""The watchers' page has no cookie and no buttons, and an unchanged page takes the server almost no work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.game import path_of, play, start
from tests.support.page import Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.phone import Phone


def watched(board: Page) -> str:
    """Return the address at which the game of `board` can be watched."""
    return path_of(board).replace("/games/", "/watch/")


def test_a_watcher_sees_the_score_and_can_change_nothing(client: Phone, new_phone: Callable[[], Phone]) -> None:
    """The watchers' page has no forms, not even for the phone that started the game."""
    board = play(client, start(client), 0, 3, "ABAA")
    for phone in (client, new_phone()):
        page = phone.see(watched(board))
        assert page.h1 == "Ann and Cid 3, Bob and Dee 1"
        assert not page.all("form")
        assert not page.all("button")


def test_a_watcher_gets_no_cookie_and_shares_the_page(client: Phone, new_phone: Callable[[], Phone]) -> None:
    """The watchers' page sets no cookie, so caches can share the page.

    A cache must check with the server each time before it sends the page.
    """
    response = new_phone().get(watched(start(client)))
    assert "Set-Cookie" not in response.headers
    assert response.headers["Cache-Control"] == "public, no-cache"
    assert "Cookie" not in response.headers.get("Vary", "")


def test_an_unchanged_game_is_answered_with_304(client: Phone, new_phone: Callable[[], Phone]) -> None:
    """A watcher's browser gets 304 until the game changes, and gets the new page after a hand.

    The page's ETag contains the game's version, which every event changes.
    """
    board = start(client)
    watcher = new_phone()
    tag = watcher.get(watched(board)).headers["ETag"]
    again = watcher.get(watched(board), headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    play(client, board, 0, 3, "ABAA")
    changed = watcher.get(watched(board), headers={"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != tag
    assert Page(changed).h1 == "Ann and Cid 3, Bob and Dee 1"


def test_a_deleted_game_cannot_be_watched(client: Phone, new_phone: Callable[[], Phone]) -> None:
    """A deleted game's watch page leads to a 404, even for a phone that has the page in its cache."""
    board = start(client)
    watcher = new_phone()
    tag = watcher.get(watched(board)).headers["ETag"]
    client.submit(client.see(f"{path_of(board)}/table"), f"{path_of(board)}/deletion")
    assert watcher.get(watched(board), headers={"If-None-Match": tag}).status_code == 404
