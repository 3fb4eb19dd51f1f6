"""A final score is entered on a phone with few taps, from scanning the QR code on a table's card to saving."""

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
    """A thumb that taps a phone and counts its taps. Digits typed into a field aren't counted."""

    def __init__(self) -> None:
        self.taps = 0

    def tap(self, thing: Locator) -> None:
        """Tap an element, scrolling to it if needed."""
        self.taps += 1
        press(thing)

    def score(self, phone: Page, *points: int) -> None:
        """Tap each score field, type the points of its side, and save."""
        for side, told in enumerate(points):
            self.tap(phone.locator(f"[name=points-{side}]"))
            phone.keyboard.type(str(told))
        self.tap(phone.get_by_role("button", name="Save final score"))


@pytest.fixture
def night(page: Page, open_phone: OpenPhone) -> Night:
    """Return an open league night with seats assigned, two phones, and the addresses of all table cards."""
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
    """Entering a final score takes at most four taps after the table card is scanned.

    Three taps are enough unless the page asks whether an unusual score is right.
    """
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
    """If two phones report different final scores for a table, the first phone and the director's page say so.

    The first phone can then accept the second phone's score.
    """
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
    """A final score, even a negative one, can be entered on the page's number pad.

    The score field keeps the focus while keys of the pad are tapped. One tap on "Save final score" saves the score,
    even while the pad is open.
    """
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
