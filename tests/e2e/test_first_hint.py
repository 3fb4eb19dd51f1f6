"""In the first game on a phone, a hint explains how to enter a hand, until a player closes the hint."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.taps import press, start_game
from tests.e2e.test_offline import ready

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.conftest import OpenPhone

pytestmark = pytest.mark.browser

FOUR = ("Ann", "Bob", "Cid", "Dee")
HINT = "Tap the bid, tap the points, save."


def test_the_first_game_shows_the_hint_until_dismissed(page: Page) -> None:
    start_game(page, "Setback", FOUR)
    expect(page.get_by_text(HINT)).to_be_visible()
    page.reload()
    expect(page.get_by_text(HINT)).to_be_visible()
    press(page.get_by_role("button", name="Got it"))
    expect(page.get_by_text(HINT)).to_be_hidden()
    page.reload()
    ready(page)
    expect(page.get_by_text(HINT)).to_be_hidden()


@pytest.mark.slow
def test_the_second_game_shows_no_hint(page: Page) -> None:
    start_game(page, "Setback", FOUR)
    expect(page.get_by_text(HINT)).to_be_visible()
    start_game(page, "Pitch", ("Ann", "Bob", "Cid"), seating="3 players, solo")
    ready(page)
    expect(page.get_by_text(HINT)).to_be_hidden()


def test_without_javascript_the_hint_is_a_plain_line(open_phone: OpenPhone) -> None:
    phone = open_phone(javascript=False)
    start_game(phone, "Setback", FOUR)
    line = phone.locator(".last noscript p")  # get_by_text does not look into noscript
    expect(line).to_have_text(HINT)
    expect(line).to_be_visible()
    expect(phone.get_by_role("button", name="Got it")).to_be_hidden()
