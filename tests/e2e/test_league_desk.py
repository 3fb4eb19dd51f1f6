"""Fast use of the desk, and the first hand of a table from its card."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.browser import PATIENCE
from tests.e2e.taps import choose, press, press_save, take_bid
from tests.e2e.test_league_night import Night, set_up

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.conftest import OpenPhone

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TAP_ALL = """names => {
  const buttons = names.map((name) => document.querySelector(`.door [data-name^="${name}"]`));
  const before = buttons.map((button) => button.getBoundingClientRect().top);
  for (const button of buttons) button.click();
  return buttons.every((button, index) => button.getBoundingClientRect().top === before[index]);
}"""


def test_fast_check_in_loses_no_tap_and_moves_no_name(page: Page) -> None:
    """All names are tapped while the first request is still open, then more are typed without waiting."""
    night = Night(page, [])
    set_up(night)
    page.set_viewport_size({"width": 1366, "height": 768})
    door, here = page.locator("#door"), page.locator("#door h2 small")
    for left, name in enumerate(("Ann", "Bob", "Cid", "Dee", "Eve", "Fay"), 1):
        press(page.locator("#here").get_by_role("button", name=name, exact=True))
        expect(here).to_have_text(f"{20 - left} here")
    page.get_by_label("New player").fill("Max")
    assert page.evaluate(TAP_ALL, ["Ann", "Bob", "Cid", "Dee"])
    expect(door.get_by_role("button", name="Eve", exact=True)).to_be_enabled()
    expect(here).to_have_text("18 here")
    expect(page.get_by_label("New player")).to_have_value("Max")
    find = page.get_by_label("Find a name")
    find.focus()
    for name in ("eve", "fay", "lou"):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        expect(find).to_have_value("")
    expect(here).to_have_text("21 here")
    expect(door.locator("[data-name]")).to_have_count(1)
    expect(find).to_be_focused()


def test_a_signed_out_desk_reloads_by_itself(page: Page) -> None:
    """That is before a round is typed that cannot be saved; text already typed is kept."""
    set_up(Night(page, []))
    page.get_by_label("New player").fill("Max")
    page.context.clear_cookies()
    with page.expect_response("**/desk", timeout=PATIENCE) as asked:
        pass
    assert asked.value.status == 403
    page.wait_for_timeout(300)
    expect(page.get_by_label("New player")).to_have_value("Max")
    page.get_by_label("New player").fill("")
    expect(page.locator(".halves")).not_to_be_attached()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()


def test_three_taps_from_the_card_to_the_first_hand_and_the_desk_follows(open_phone: OpenPhone) -> None:
    """One tap starts scoring and the second is the bid; the desk shows the saved hand by itself."""
    desk, phone = open_phone(), open_phone()
    night = Night(desk, [phone])
    set_up(night)
    press(desk.get_by_role("button", name="Make the seating"))
    expect(desk.locator(".rounds a")).to_have_count(4)
    line = desk.locator(".grid .line").first
    ours = night.seats()[0][::2]
    desk.goto(f"{night.path}/cards")
    phone.goto(desk.locator(".way-there a").first.get_attribute("href") or "")
    desk.goto(f"{night.path}/desk")
    desk.get_by_label("Table 5:").first.fill("9")
    press(phone.get_by_role("button", name="Score this table").first)
    take_bid(phone, ours[0], 4)
    assert "cards" not in phone.url, "the card's token is in no address"
    choose(phone, *(" and ".join(ours),) * 4)
    press_save(phone)
    expect(line.locator(".pts")).to_have_text(["4", "0"])
    expect(desk.get_by_label("Table 5:").first).to_have_value("9")


def test_a_button_changes_the_sign_of_points(page: Page) -> None:
    """A number pad may lack a minus key."""
    night = Night(page, [])
    set_up(night)
    press(page.get_by_role("button", name="Make the seating"))
    field = page.locator(".grid .line [data-points]").first
    field.fill("4")
    sign = page.locator(".grid .line [data-sign]").first
    press(sign)
    expect(field).to_have_value("-4")
    expect(field).to_be_focused()
    press(sign)
    expect(field).to_have_value("4")


def test_the_title_of_the_night_fits_a_small_tv(page: Page) -> None:
    night = Night(page, [])
    set_up(night)
    press(page.get_by_role("button", name="Make the seating"))
    expect(page.locator(".rounds a")).to_have_count(4)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{night.path}/tv")
    for part in page.locator(".head h1, .head h1 b").all():
        assert part.evaluate(
            "part => part.scrollWidth <= part.clientWidth || getComputedStyle(part).display == 'inline'"
        )
    title = page.locator(".head h1 b")
    assert title.evaluate("part => part.getBoundingClientRect().right <= innerWidth")


def test_pages_and_logs_write_dates_in_one_style(page: Page) -> None:
    night = Night(page, [])
    set_up(night)
    page.goto(night.path)
    page.get_by_role("navigation").get_by_role("link", name="Standings").click()
    long = re.compile(r"\b[A-Z][a-z]+ \d{1,2}, \d{4}\b")
    days = long.findall(page.locator("main").inner_text())
    page.goto((page.locator('a[href^="/leagues/"]').first.get_attribute("href") or "") + "/log")
    expect(page.locator("time").first).to_have_text(re.compile(rf"^{long.pattern}, "))
    logged = long.findall(page.locator("time").first.inner_text())
    assert days[:1] == logged, "the night was opened today"
