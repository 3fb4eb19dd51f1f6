"""What the app guessed looks like a guess: dashed, explained, and with a quiet button to save it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, record
from tests.e2e.taps import expect_totals, owner_of, press, press_save, take_bid

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.server import Server

pytestmark = pytest.mark.browser

HEIGHTS = "rows => rows.map((row) => row.getBoundingClientRect().height)"


def test_save_is_lit_once_nothing_is_a_guess(page: Page, server: Server) -> None:
    """Save is lit and the note goes away once each guessed point was tapped. No row changes its height by that."""
    page.goto(bring_in(page, server, record(players=("Margaret", "Christopher", "Jo", "Bartholomew"))))
    take_bid(page, "Margaret", 3)
    save, note = page.get_by_role("button", name="Save", exact=True), page.locator(".told")
    rows = page.locator(".points .row")
    quiet = save.evaluate("button => getComputedStyle(button).backgroundColor")
    before = rows.evaluate_all(HEIGHTS)
    for point in ("High", "Low", "Jack", "Game"):
        expect(save).to_have_css("background-color", quiet)
        expect(note).to_be_visible()
        press(owner_of(page, point, "" if point == "Jack" else "Margaret and Jo"))
    expect(save).not_to_have_css("background-color", quiet)
    expect(note).not_to_be_visible()
    assert rows.evaluate_all(HEIGHTS) == before


def test_a_quiet_save_saves(page: Page, server: Server) -> None:
    """The note is gone while only points are entered, because nothing is dashed there. The guess can be saved."""
    page.goto(bring_in(page, server, record()))
    take_bid(page, "Ann", 3)
    press(page.get_by_text("Enter points only"))
    expect(page.locator(".told")).not_to_be_visible()
    press(page.get_by_text("Enter points only"))
    expect(page.locator(".told")).to_be_visible()
    press_save(page)
    expect_totals(page, 3, 0)


def test_save_waits_for_a_result_on_a_slow_network(page: Page, server: Server) -> None:
    """Save is called Save while the result is on its way, and saves then; another choice takes the tap back.

    The result of an earlier choice isn't shown meanwhile.
    """
    page.goto(bring_in(page, server, record()))
    take_bid(page, "Ann", 3)
    save, shown = page.get_by_role("button", name="Save", exact=True), page.locator(".preview").first
    expect(shown).to_have_text("Made it! Ann and Cid score 3, from 0 to 3.")
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    slow = {"offline": False, "latency": 2500, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", slow)
    press(owner_of(page, "Low", "Bob and Dee"))
    expect(shown).to_have_css("opacity", "0", timeout=600)
    save.tap()
    press(owner_of(page, "Jack", "Ann and Cid"))
    expect(shown).to_have_text("Made it! Ann and Cid score 3, from 0 to 3. Bob and Dee score 1, from 0 to 1.")
    expect_totals(page, 0, 0)
    press(owner_of(page, "Jack", ""))
    save.tap()
    expect_totals(page, -3, 1)
