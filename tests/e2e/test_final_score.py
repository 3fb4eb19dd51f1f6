"""The final score on a phone, from scanning a card to saving, with the taps counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.taps import press
from tests.e2e.test_league_night import Night, set_up

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, ViewportSize

    from tests.e2e.conftest import OpenPhone

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONE: ViewportSize = {"width": 412, "height": 915}


class Thumb:
    """Taps and counts the taps; digits are typed on the number pad that a field opens."""

    def __init__(self) -> None:
        self.taps = 0

    def tap(self, thing: Locator) -> None:
        """Tap an element, scrolling to it if needed."""
        self.taps += 1
        press(thing)

    def score(self, phone: Page, *points: int) -> None:
        """Tap each score field, type the points, and save."""
        for side, told in enumerate(points):
            self.tap(phone.locator(f"[name=points-{side}]"))
            phone.keyboard.type(str(told))
        self.tap(phone.get_by_role("button", name="Save final score"))


@pytest.fixture
def night(page: Page, open_phone: OpenPhone) -> Night:
    """Return a seated night with two phones, each 412 by 915, and the card addresses."""
    night = Night(page, [open_phone(), open_phone()])
    set_up(night)
    press(page.get_by_role("button", name="Make the seating"))
    expect(page.locator("#round")).to_be_attached()
    page.goto(f"{night.path}/cards")
    night.cards = [link.get_attribute("href") or "" for link in page.locator(".way-there a").all()]
    for phone in night.phones:
        phone.set_viewport_size(PHONE)
    return night


def test_four_taps_from_the_scan_to_a_saved_score(night: Night) -> None:
    """Without unfolding or a second scan; a questioned score takes one tap more than three."""
    phone, thumb = night.phones[0], Thumb()
    phone.goto(night.cards[0])
    thumb.score(phone, 21, 15)
    expect(phone.locator(".result .pts")).to_have_text(["21", "15"])
    assert thumb.taps <= 4
    phone, thumb = night.phones[1], Thumb()
    phone.goto(night.cards[1])
    thumb.score(phone, 21, 20)
    thumb.tap(phone.locator(".answers button").first)
    expect(phone.locator(".result .pts")).to_have_text(["21", "20"])
    assert thumb.taps <= 4


def test_two_phones_disagree_and_one_accepts(night: Night) -> None:
    """Both phones and the desk show both scores; the first phone accepts the other's."""
    first, second = night.phones
    first.goto(night.cards[0])
    Thumb().score(first, 21, 15)
    expect(first.locator(".result .pts")).to_have_text(["21", "15"])
    second.goto(night.cards[0])
    press(second.get_by_role("button", name="Report wrong score"))
    expect(second.locator(".notice")).to_contain_text("21 to 15 is wrong")
    Thumb().score(second, 15, 21)
    expect(second.locator(".notice")).to_contain_text("15 to 21")
    first.reload()
    expect(first.locator(".notice")).to_contain_text("15 to 21")
    desk = night.at_desk(1)
    red = desk.locator(".line .bad").first
    expect(red).to_contain_text("Two phones disagree")
    assert first.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert red.evaluate("(each) => getComputedStyle(each).color !== getComputedStyle(each.parentElement).color")
    press(first.get_by_role("button", name="Change to 15 to 21"))
    expect(first.locator(".result .pts")).to_have_text(["15", "21"])


def test_points_are_entered_on_big_digits(night: Night) -> None:
    """A minus key for points, none for sets or an adjustment; Save stays where it is when it is tapped."""
    phone = night.phones[0]
    phone.goto(night.cards[0])
    points = phone.locator("[name=points-0]")
    press(points)
    pad = phone.get_by_role("group", name="Number pad")
    for key in ("Minus", "2", "5", "Delete digit", "1"):
        press(pad.get_by_role("button", name=key, exact=True))
    expect(points).to_have_value("-21")
    expect(points).to_be_focused()
    press(pad.get_by_role("button", name="Minus"))
    press(phone.locator("[name=points-1]"))
    press(pad.get_by_role("button", name="1", exact=True))
    press(pad.get_by_role("button", name="5"))
    press(phone.get_by_role("button", name="Save final score"))
    expect(phone.locator(".result .pts")).to_have_text(["21", "15"])
