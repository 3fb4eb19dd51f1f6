"""The page for adjusting a score has a number pad; `test_final_score.py` tests the pad with a minus key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, record
from tests.e2e.taps import expect_totals, press
from tests.e2e.test_offline import TWO, open_game, worker_ready

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_an_adjustment_is_entered_on_big_digits(page: Page, server: Server) -> None:
    """The number pad enters no more digits than the field allows, and is hidden while the reason is typed."""
    page.goto(f"{bring_in(page, server, record())}/adjustments")
    page.wait_for_load_state()
    pad = page.locator(".number-pad")
    expect(pad).to_be_hidden()
    field = page.locator("#points")
    press(field)
    expect(pad).to_be_visible()
    expect(pad.get_by_role("button", name="Minus")).to_be_disabled()
    assert all(box["height"] >= 48 for box in (key.bounding_box() for key in pad.get_by_role("button").all()) if box)
    for digit in "123":
        press(pad.get_by_role("button", name=digit, exact=True))
    expect(field).to_have_value("12")
    expect(field).to_be_focused()
    press(page.locator("#reason"))
    expect(pad).to_be_hidden()


def test_the_pad_works_without_a_signal(page: Page, server: Server) -> None:
    """Without a signal, the number pad works each time that a player opens the page for adjusting a score."""
    open_game(page, server, TWO)
    worker_ready(page)
    page.context.set_offline(True)
    for digit in "23":
        press(page.get_by_role("link", name="Menu"))
        press(page.get_by_role("link", name="Adjust the score"))
        press(page.get_by_role("radio", name="Bob and Dee"))
        press(page.locator("#points"))
        press(page.get_by_role("group", name="Number pad").get_by_role("button", name=digit, exact=True))
        expect(page.locator("#points")).to_have_value(digit)
        page.locator("#reason").fill("revoke")
        press(page.get_by_role("button", name="Review"))
        press(page.get_by_role("button", name="Save"))
        expect(page.locator(".totals")).to_be_visible()
    expect_totals(page, 5, -2)
