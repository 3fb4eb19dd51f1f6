"""Last week's game on paper is added on a phone that has never been used: 16 fields and taps, no other page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_enter_moves_to_the_next_name_or_score(page: Page) -> None:
    page.goto("/games/finished")
    page.locator("[name=name-0]").focus()
    for typed in ("Ann", "Cid", "21", "Bob", "Dee", "15"):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Add game")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Ann and Cid win")).to_be_visible()


def test_points_that_were_put_right_are_no_longer_marked(page: Page) -> None:
    page.goto("/games/finished")
    for seat, name in enumerate(("Ann", "Bob", "Cid", "Dee")):
        page.locator(f"[name=name-{seat}]").fill(name)
    page.locator("[name=points-1]").fill("13b")
    page.get_by_role("button", name="Add game").click()
    error, wrong = page.locator("#error-points"), page.locator("[aria-invalid=true]")
    expect(wrong).to_have_count(2)
    page.locator("[name=points-0]").fill("21")
    expect(wrong).to_have_attribute("name", "points-1")
    expect(error).to_be_visible()
    page.locator("[name=points-1]").fill("13")
    expect(wrong).to_have_count(0)
    expect(page.locator(".error")).to_have_count(0)


def test_a_new_phone_adds_last_weeks_game(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Add a finished game").click()
    for seat, name in enumerate(("Ann", "Bob", "Cid", "Dee")):
        page.locator(f"[name=name-{seat}]").fill(name)
    for side, points in enumerate(("21", "13")):
        page.locator(f"[name=points-{side}]").fill(points)
    last_week = datetime.now(UTC).date() - timedelta(days=7)
    page.get_by_label("Played on").fill(last_week.isoformat())
    page.get_by_role("button", name="Add game").click()
    expect(page.get_by_role("heading", name="Ann and Cid win")).to_be_visible()
    page.goto("/")
    expect(page.locator("a.game[href^='/games/'] time")).to_have_text(
        f"{last_week:%B} {last_week.day}, {last_week.year}"
    )
    page.goto("/table")
    page.goto("/games/new")
    page.goto("/games/finished")
    page.locator("[name=points-0]").fill("15")
    page.locator("[name=points-1]").fill("8")
    page.get_by_role("button", name="Add game").click()
    expect(page.get_by_text("Conceded: Ann and Cid won")).to_be_visible()
    page.go_back()
    page.go_forward()
    expect(page.get_by_text("Conceded: Ann and Cid won")).to_be_visible()
