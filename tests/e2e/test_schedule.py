"""A series of nights is planned on a phone, players say if they will play, and the director checks them in together."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.taps import press
from tests.e2e.test_axe import judge

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.e2e.conftest import OpenPhone
    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = ("Ann", "Bob", "Cid", "Dee")


def set_up(page: Page) -> str:
    """Create a league with people and a season, and return the season's address."""
    page.goto("/leagues")
    page.get_by_label("League name").fill("Fire Hall")
    press(page.get_by_role("button", name="Create league"))
    press(page.get_by_role("link", name="Add players"))
    page.get_by_label("Names").fill("\n".join(NAMES))
    press(page.get_by_role("button", name="Add players"))
    press(page.get_by_role("link", name="Fire Hall"))
    press(page.get_by_role("link", name="Start a season"))
    page.get_by_label("Season name").fill("2026/27")
    press(page.get_by_role("button", name="Start season"))
    page.wait_for_url("**/seasons/*")
    return page.url


def test_a_night_from_the_plan_to_the_check_in(page: Page, open_phone: OpenPhone) -> None:
    """A director plans league nights, three players say yes, and the director checks all three in with a single tap.

    The players' phones have no JavaScript. The accessibility checker axe finds no problem on the pages.
    """
    season = set_up(page)
    press(page.get_by_role("link", name="Schedule"))
    page.get_by_label("Date", exact=True).fill((datetime.now(UTC).date() + timedelta(days=7)).isoformat())
    page.get_by_label("Starts at").fill("19:00")
    page.get_by_label("Place").fill("Legion Hall")
    page.get_by_label("Repeat", exact=True).select_option("1")
    page.get_by_label("Number of nights").fill("3")
    press(page.get_by_role("button", name="Plan nights"))
    boxes = page.get_by_role("checkbox")
    expect(boxes).to_have_count(3)
    assert judge(page, "review of a series") == []
    boxes.nth(1).uncheck()
    press(page.get_by_role("button", name="Plan these nights"))
    expect(page.locator(".nights-list li")).to_have_count(2)
    assert judge(page, "schedule") == []
    press(page.get_by_role("link", name="Attendance links"))
    press(page.get_by_role("button", name="Make 4 links"))
    expect(page.locator(".personal-links li")).to_have_count(4)
    assert judge(page, "personal links") == []
    for link in page.locator(".personal-links input[type=url]").evaluate_all("all => all.map(each => each.value)")[:3]:
        phone = open_phone(javascript=False)
        phone.goto(link)
        press(phone.get_by_role("button", name="Yes").first)
        expect(phone.get_by_text("Saved.")).to_be_visible()
    own = open_phone()
    own.goto(link)
    assert judge(own, "personal page") == []
    page.goto(season)
    press(page.get_by_role("button", name="Open this night"))
    press(page.get_by_role("button", name="Check in the 3 who said yes"))
    expect(page.locator("#door h2 small")).to_have_text("3 here")
    press(page.get_by_role("button", name="Undo", exact=True))
    expect(page.locator("#door h2 small")).to_have_text("0 here")
    expect(page.get_by_role("button", name="Check in the 3 who said yes")).to_be_visible()


def test_the_time_zone_is_that_of_the_director(browser: Browser, server: Server) -> None:
    """The schedule form starts with the time zone of the director's browser."""
    context = browser.new_context(base_url=server.url, timezone_id="America/Chicago", has_touch=True)
    page = context.new_page()
    set_up(page)
    press(page.get_by_role("link", name="Schedule"))
    expect(page.get_by_label("Time zone")).to_have_value("America/Chicago")
    context.close()
