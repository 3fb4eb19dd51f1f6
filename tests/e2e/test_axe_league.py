"""WCAG 2.2 AA on every page of a league in the route list, while its first night is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.taps import press
from tests.e2e.test_axe import filled_in, judge, judge_all
from tests.e2e.test_league_night import Night, set_up

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def end_of(link: Locator) -> str:
    """Return the last word of the address that a link leads to."""
    return (link.first.get_attribute("href") or "").split("#")[0].rsplit("/", 1)[1]


def test_every_page_of_a_league(page: Page) -> None:
    """With one game told on paper, one that is scored on this device, and everything that can be unfolded."""
    night = Night(page, [])
    set_up(night)
    assert judge(page, "desk before the draw") == []
    press(page.get_by_role("button", name="Draw the rounds"))
    expect(page.locator(".rounds a")).to_have_count(4)
    fields = page.locator(".grid .line").first.locator("input:not([type=hidden])")
    fields.nth(0).fill("8")
    fields.nth(1).fill("3")
    press(page.get_by_role("button", name="Save the scores"))
    expect(page.locator(".grid .line.done")).to_have_count(1)
    values = {"night_id": night.path.rsplit("/", 1)[1], "number": "1", "who": "people"}
    values["season_id"] = end_of(page.get_by_role("link", name="Standings"))
    page.goto(f"{night.path}/cards")
    values["word"] = end_of(page.locator(".way-there a"))
    page.goto(night.path)
    values["table"] = end_of(page.locator(".at h3 a"))
    page.goto(f"/seasons/{values['season_id']}")
    values["person_id"] = end_of(page.locator("table.standings th a"))
    values["league_id"] = end_of(page.get_by_role("link", name="Fire Hall"))
    press(page.get_by_role("link", name="To the open night"))
    press(page.locator(".start button").first)
    assert judge_all(page, filled_in(values, lambda endpoint: endpoint.startswith("leagues."))) == []
