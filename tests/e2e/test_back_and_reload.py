"""Back and reload show the page of a form again with what was typed, with and without a signal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, record
from tests.e2e.pocket import PREPARED
from tests.e2e.taps import owner_of, press
from tests.e2e.test_offline import TWO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

    from tests.e2e.conftest import OpenPhone
    from tests.e2e.pocket import Pocket
    from tests.e2e.wifi import Wifi
    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def prepared(open_phone: OpenPhone) -> Iterator[Page]:
    """Yield a phone that has been here before, so that its pages come through the service worker."""
    page = open_phone()
    page.goto("/")
    page.evaluate(PREPARED)
    yield page
    page.context.set_offline(False)


def seat(page: Page, number: int, name: str) -> None:
    page.get_by_role("combobox", name=re.compile(f"^Seat {number}\\b")).fill(name)


def expect_seat(page: Page, number: int, name: str) -> None:
    expect(page.get_by_role("combobox", name=re.compile(f"^Seat {number}\\b"))).to_have_value(name)


def back_and_reload(page: Page) -> Iterator[None]:
    """Leave the page for another one, come back, and reload; yield after each step that shows the page again.

    Then do the same without a signal.
    """
    expect(page).to_have_url(re.compile("(answer|problem)="))
    here = page.url
    for offline in (False, True):
        page.context.set_offline(offline)
        page.goto("/no-signal")  # no script that reloads it
        page.go_back()
        yield
        assert page.url == here
        page.reload()
        yield
    page.context.set_offline(False)


def test_a_missing_name(prepared: Page) -> None:
    page = prepared
    page.goto("/games/new")
    for number, name in enumerate(("Ann", "Bob", "", "Dee"), 1):
        seat(page, number, name)
    press(page.get_by_role("button", name="Start the game"))
    for _ in back_and_reload(page):
        expect(page.get_by_role("alert")).to_contain_text("name")
        expect_seat(page, 4, "Dee")


def test_saved_house_rules(prepared: Page) -> None:
    """The names of the players stay, too."""
    page = prepared
    page.goto("/games/new")
    seat(page, 2, "Bob")
    press(page.get_by_text("House rules", exact=True))
    page.get_by_label("Name these rules").fill("Tuesday")
    press(page.get_by_role("button", name="Save", exact=True))
    for _ in back_and_reload(page):
        expect(page.get_by_text("Saved on this phone as “Tuesday”.")).to_be_visible()
        expect_seat(page, 2, "Bob")


def test_a_correction_to_review(prepared: Page, server: Server) -> None:
    page = prepared
    game = bring_in(page, server, record(TWO))
    page.goto(game)
    page.goto(page.get_by_role("link", name="Correct hand 1", exact=True).get_attribute("href") or "")
    press(owner_of(page, "Jack", "Bob and Dee"))
    press(page.get_by_role("button", name="Review").and_(page.locator(".main")))
    for _ in back_and_reload(page):
        expect(page.get_by_role("heading", name="With this correction")).to_be_visible()
        expect(page.locator("[name=jack]:checked")).to_have_value("1")


def test_an_adjustment_without_a_reason(prepared: Page, server: Server) -> None:
    page = prepared
    page.goto(f"{bring_in(page, server, record(TWO))}/adjustments")
    page.get_by_label("How many points").fill("7")
    press(page.get_by_role("button", name="Review"))
    for _ in back_and_reload(page):
        expect(page.get_by_role("alert").first).to_be_visible()
        expect(page.get_by_label("How many points")).to_have_value("7")


def test_a_form_without_a_signal(prepared: Page) -> None:
    """The page that says so has an address of its own, from which "Try again" leads back to the form."""
    page = prepared
    page.goto("/games/new")
    press(page.get_by_text("House rules", exact=True))
    page.context.set_offline(True)
    press(page.get_by_role("button", name="Save", exact=True))
    expect(page.get_by_role("heading", name="No signal")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="No signal")).to_be_visible()
    page.context.set_offline(False)
    press(page.get_by_role("link", name="Try again"))
    expect(page.get_by_role("heading", name="New game")).to_be_visible()


def test_a_game_without_a_signal(pocket: Pocket, air: Wifi) -> None:
    """The phone's own answer to the form has an address too."""
    air.lead_to("")
    page = pocket.open()
    press(page.get_by_role("link", name="New game"))
    for number, name in enumerate(("Ann", "Bob", "", "Dee"), 1):
        seat(page, number, name)
    press(page.get_by_role("button", name="Start the game"))
    expect(page).to_have_url(re.compile("/games/new.answer="))
    page.goto("/")
    page.go_back()
    expect(page.get_by_role("alert")).to_contain_text("name")
    expect_seat(page, 4, "Dee")
    page.reload()
    expect_seat(page, 4, "Dee")


def test_an_error_page(prepared: Page) -> None:
    """The page that refuses a form stays too, and says the same."""
    page = prepared
    page.goto("/games/new")
    page.context.clear_cookies()
    press(page.get_by_role("button", name="Start the game"))
    for _ in back_and_reload(page):
        expect(page.get_by_role("heading", name="Please send that again")).to_be_visible()
    press(page.get_by_role("link", name="Go back"))
    expect(page.get_by_role("heading", name="New game")).to_be_visible()
