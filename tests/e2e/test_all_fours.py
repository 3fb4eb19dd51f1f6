"""All Fours on a phone. Nobody bids, so the board starts with the points. A hand entered offline is saved only once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, record
from tests.e2e.taps import expect_totals, press
from tests.e2e.test_offline import badge, hands_of, ready

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ALL_OURS = {"high": "0", "low": "0", "jack": "hung-0", "game": "0"}


def enter(page: Page, won: dict[str, str], says: str, says_board: str = "") -> int:
    """Enter a hand, save it, and return the number of taps.

    `won` maps the form field of each point to the value to choose, such as "0" for the first side. `says` is the
    expected preview. `says_board` is the expected sentence on the board; "" means the same as the preview.
    """
    for field, value in won.items():
        press(page.locator(f".mode .pick:has([name={field}][value='{value}'])"))
    expect(page.locator(".preview").filter(visible=True)).to_have_text(says)
    press(page.get_by_role("button", name="Save", exact=True))
    expect(page.locator(".in-full, .outcome p").first).to_contain_text(says_board or says)
    return len(won) + 1


def test_a_game_without_bidding(page: Page, server: Server) -> None:
    """A game without bidding can be played on a phone, and each hand takes at most six taps.

    A hand can be undone, corrected, or entered offline. The points of a hand stop counting when a side reaches 14.
    """
    path = bring_in(page, server, record(preset="all-fours-14"))
    page.goto(path)
    ready(page)  # the first taps are the points, sooner than anywhere else
    expect(page.get_by_text("bids first")).not_to_be_attached()
    expect(page.get_by_role("link", name="Bid player by player")).not_to_be_attached()

    first = "Ann and Cid score 6, from 0 to 6: High, Low, hung jack, Game."
    assert enter(page, ALL_OURS, first) == 5
    expect_totals(page, 6, 0)
    press(page.get_by_role("button", name="Undo hand 1"))
    expect_totals(page, 0, 0)
    press(page.get_by_role("button", name="Redo hand 1"))
    expect_totals(page, 6, 0)

    six = {"turned_up": "6", "high": "0", "low": "1", "jack": "0", "game": "1"}
    told = "Ann and Cid score 4, from 6 to 10: turned-up card, High, Jack. Bob and Dee score 2, from 0 to 2: Low, Game."
    assert enter(page, six, told) == 6
    expect_totals(page, 10, 2)
    # A jack that was turned up is out of play.
    for field, value in {"turned_up": "J", "high": "0", "low": "0", "jack": "0", "game": "0"}.items():
        press(page.locator(f".mode .pick:has([name={field}][value='{value}'])"))
    expect(page.locator(".preview.wrong")).to_have_text("The jack was turned up, so nobody can take it.")

    ready(page)
    page.context.set_offline(True)
    jack = {"turned_up": "J", "high": "0", "low": "1", "jack": "none", "game": "1"}
    told = "Bob and Dee score 5, from 2 to 7: turned-up card, Low, Game. Ann and Cid score 1, from 10 to 11: High."
    assert enter(page, jack, told) == 6
    expect_totals(page, 11, 7)
    expect(badge(page)).to_contain_text("1 hand waiting")
    page.context.set_offline(False)
    expect(badge(page)).not_to_contain_text("waiting")
    points = {"high": 0, "low": 1, "jack": None, "game": 1}
    (saved,) = hands_of(page, path)[2:]
    assert saved | {"turned_up": "J", "points": points} == saved

    # Correct it: the jack was dealt after all, and hung; the turned-up card was an ace.
    page.goto(path)
    press(page.get_by_role("link", name="Correct hand 3"))
    for field, value in {"turned_up": "A", "jack": "hung-1"}.items():
        press(page.locator(f".correct .pick:has([name={field}][value='{value}'])"))
    press(page.locator(".correct .mode[data-mode=points] button", has_text="Review"))
    press(page.get_by_role("button", name="Save", exact=True))
    expect_totals(page, 11, 8)

    last = {"high": "0", "low": "0", "jack": "hung-0", "game": "1"}
    for field, value in last.items():
        press(page.locator(f".mode .pick:has([name={field}][value='{value}'])"))
    preview = page.locator(".preview").filter(visible=True)
    expect(preview).to_contain_text("Ann and Cid win. Ann and Cid were the first to reach 14.")
    expect(preview).to_contain_text("The count stops at 14.")
    press(page.get_by_role("button", name="Save", exact=True))
    press(page.get_by_role("button", name="Yes, save it"))
    expect(page.get_by_role("heading", name="Ann and Cid win")).to_be_visible()
    expect_totals(page, 16, 8)
