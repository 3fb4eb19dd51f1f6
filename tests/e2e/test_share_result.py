"""The result of a game is shared as a picture with a message, or in another way if the phone can't share pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.taps import press

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.server import Server

pytestmark = pytest.mark.browser

WON = record([hand(0, 4, 0, 0, 0, 0)] * 6)
SHEET = """() => {
  window.shared = [];
  navigator.canShare = ({ files }) => %s;
  navigator.share = async ({ files = [], ...told }) => {
    shared.push({ ...told, files: files.map(({ name, type }) => `${name} ${type}`) });
  };
}"""


def shared(page: Page, server: Server, takes_files: str) -> dict[str, Any]:
    """Open a won game, tap "Share score", and return the data that the phone's share sheet got.

    `takes_files` is a JavaScript condition on the list `files`. The simulated phone shares files only if this condition
    is true.
    """
    page.goto(bring_in(page, server, WON))
    page.evaluate(SHEET % takes_files)
    page.evaluate("() => document.dispatchEvent(new Event('board-replaced'))")
    press(page.get_by_role("link", name="Share score"))
    page.wait_for_function("() => shared.length")
    (told,) = page.evaluate("() => shared")
    return dict(told)


def test_the_picture_comes_first(page: Page, server: Server) -> None:
    """If the phone can share files, one tap shares the picture together with the message."""
    told = shared(page, server, "files.length === 1")
    assert told["files"] == ["score.png image/png"]
    assert told["text"] == "Setback to 21. Ann and Cid win, 24 to 0."  # no link: only this computer could open it


def test_a_phone_that_shares_no_files_shares_the_message(page: Page, server: Server) -> None:
    told = shared(page, server, "false")
    assert told["files"] == []
    assert told["text"].startswith("Setback to 21.")


def test_a_browser_without_a_share_sheet_copies(page: Page, server: Server) -> None:
    page.goto(bring_in(page, server, WON))
    press(page.get_by_role("link", name="Copy score"))
    expect(page.get_by_role("link", name="Copied")).to_be_visible()
