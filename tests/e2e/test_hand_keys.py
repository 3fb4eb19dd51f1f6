"""A hand is entered by keyboard with letters and digits, except in text fields or if shortcuts are turned off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, record
from tests.e2e.taps import expect_totals, owner_of
from tests.e2e.test_offline import ready

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

STEP = "form.took-what"
READY = ".took-what .bar button.main"


def keys(page: Page, *pressed: str) -> None:
    for key in pressed:
        page.keyboard.press(key)


def bid_by_keys(page: Page, *pressed: str) -> None:
    """Press the keys of a bid, and wait for the points step."""
    page.locator("form.entry").first.wait_for()
    keys(page, *pressed)
    expect(page.locator(STEP)).to_be_visible()


def test_a_whole_hand_without_a_field_in_focus(page: Page, server: Server) -> None:
    """A whole hand can be entered by keyboard without focusing a field.

    A point's letter selects the point and gives it to the next side. A digit after the letter gives the point to the
    side with that number, and 0 gives the point to nobody.
    """
    page.goto(bring_in(page, server, record()))
    ready(page)
    bid_by_keys(page, "2", "3")
    keys(page, "h")
    expect(owner_of(page, "High", "Ann and Cid")).to_be_checked()
    keys(page, "2", "l", "1", "j", "0", "g", "2")
    for point, side in (("High", "Bob and Dee"), ("Low", "Ann and Cid"), ("Jack", ""), ("Game", "Bob and Dee")):
        expect(owner_of(page, point, side)).to_be_checked()
    expect(page.locator(READY).first).to_have_text("Save")
    keys(page, "Enter")
    expect_totals(page, 1, -3)
    expect(page.locator(".bid-row kbd")).to_have_text(["1", "2", "3", "4"])


def test_escape_takes_choices_back_and_then_the_bid(page: Page, server: Server) -> None:
    page.goto(bring_in(page, server, record(preset="bowers-12")))
    ready(page)
    bid_by_keys(page, "1", "1")
    guess = page.locator(".pick.likely").count()
    keys(page, "h", "1", "h")
    expect(page.locator(".pick.likely")).to_have_count(guess - 1)
    keys(page, "Escape", "Escape", "Escape")
    expect(page.locator(".pick.likely")).to_have_count(guess)
    keys(page, "Escape")
    expect(page.get_by_role("heading", name="Winning bid")).to_be_attached()
    keys(page, "3", "Escape", "1", "2")
    expect(page.locator(".in-play")).to_contain_text("Ann bid 2")


def test_numbers_of_two_digits(page: Page, server: Server) -> None:
    """In Some'R'Set, bids and points can have two digits, so the page waits for a second digit or for Enter."""
    page.goto(bring_in(page, server, record(preset="somerset-66")))
    ready(page)
    bid_by_keys(page, "3", "1", "2")
    expect(page.locator(".in-play")).to_contain_text("Cid bid 12")
    keys(page, "1", "Enter")
    expect(page.locator("[name=taken-0][value='1']")).to_be_checked()
    keys(page, "Escape", "1", "4")
    expect(page.locator("[name=taken-0][value='14']")).to_be_checked()
    expect(page.locator(READY).first).to_have_text("Save")
    keys(page, "Enter")
    expect_totals(page, 14, 10)


def test_fields_modifiers_and_the_setting_are_respected(page: Page, server: Server) -> None:
    board = bring_in(page, server, record())
    page.goto(board)
    ready(page)
    page.evaluate(
        "document.querySelector('main').append(Object.assign(document.createElement('input'), {id: 'typed'}))"
    )
    page.locator("#typed").focus()
    keys(page, "1", "2")
    expect(page.locator("#typed")).to_have_value("12")
    page.locator("#typed").blur()
    keys(page, "1", "Control+2", "Alt+2")
    expect(page.locator(STEP)).to_have_count(0)
    page.goto("/settings")
    page.get_by_role("group", name="Keyboard shortcuts").get_by_role("radio", name="Off").tap()
    expect(page.get_by_role("status")).to_have_text("Saved.")
    page.goto(board)
    ready(page)
    keys(page, "1", "2", "1", "2")
    expect(page.locator("kbd")).to_have_count(0)
    expect(page.locator(STEP)).to_have_count(0)


def test_keys_in_spanish_and_without_a_signal(page: Page, server: Server) -> None:
    """In Spanish, each of the four points has a different letter as its key, and the keys work without a signal."""
    page.goto(bring_in(page, server, record()))
    page.context.add_cookies([{"name": "scorekeeper_settings", "value": "language=es", "url": server.url}])
    page.reload()
    ready(page)
    keys(page, "Tab")
    page.context.set_offline(True)
    bid_by_keys(page, "1", "4")
    letters = page.locator(".took-what .points legend kbd").all_text_contents()
    assert len(set(letters)) == 4, letters
    keys(page, *(key for letter in letters for key in (letter, "1")), "Enter")
    expect_totals(page, 4, 0)
