"""A second phone at the table sees what the first one saved by itself, and loses nothing that it had begun."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, record
from tests.e2e.taps import choose, expect_totals, owner_of, press, press_save, take_bid
from tests.e2e.test_offline import SWEEP, THEM, TWO, US, ready, score

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.e2e.conftest import OpenPhone
    from tests.support.server import Server

pytestmark = pytest.mark.slow


@pytest.fixture
def phones(page: Page, open_phone: OpenPhone, server: Server) -> tuple[Page, Page]:
    """Return the phone that started a game of two hands, and Bob's, let in to score; both show it."""
    path = bring_in(page, server, record(TWO))
    page.goto(f"{path}/table")
    with page.expect_navigation():  # the page that it leaves shows a link too: that to watch
        page.locator(f"form[action='{path}/score-links'] button").evaluate("button => button.form.submit()")
    link = page.locator("input[type=url]").input_value()
    second = open_phone()
    second.goto(link)
    press(second.get_by_role("radio", name="Bob"))
    press(second.get_by_role("button", name="Keep score"))
    page.goto(path)
    for each in (page, second):
        ready(each)
        expect_totals(each, 5, 3)
    return page, second


def test_a_second_phone_follows_by_itself(phones: tuple[Page, Page]) -> None:
    """Also while it looks at the sheet below: it is not thrown back to the top."""
    page, second = phones
    second.evaluate("() => scrollTo(0, 300)")
    there = second.evaluate("() => scrollY")
    assert there > 100
    score(page, "Ann", 4, SWEEP)
    expect_totals(second, 9, 3)
    expect(second.locator(".says")).to_contain_text("Ann")
    assert second.evaluate("() => scrollY") == there
    score(second, "Bob", 2, (THEM, THEM, "", US))
    expect_totals(page, 10, 5)


def test_what_was_begun_is_not_wiped(phones: tuple[Page, Page]) -> None:
    """The second phone has tapped who took High: it is told in one line, and goes there when it wants to."""
    page, second = phones
    take_bid(page, "Ann", 4)
    expect(second.get_by_role("heading", name="Who took what")).to_be_attached()
    press(owner_of(second, "High", THEM))
    choose(page, *SWEEP)
    press_save(page)
    expect_totals(page, 9, 3)
    line = second.locator(".news")
    expect(line).to_have_text("The first phone saved hand 3. Show it")
    expect(owner_of(second, "High", THEM)).to_be_checked()
    expect_totals(second, 5, 3)
    press(line.get_by_role("link", name="Show it"))
    expect_totals(second, 9, 3)
    expect(second.locator(".news")).to_have_count(0)


def test_what_a_page_saved_itself_is_no_news_to_it(phones: tuple[Page, Page]) -> None:
    """An answer that was on its way while the page saved a hand tells of that hand: nothing is said of it."""
    page, _second = phones
    held: list[Route] = []
    page.route("**/news?*", lambda route: held.append(route))  # noqa: PLW0108  Playwright marks what it is given
    while not held:
        page.wait_for_timeout(200)
    score(page, "Ann", 4, SWEEP)
    expect_totals(page, 9, 3)
    take_bid(page, "Bob", 2)
    press(owner_of(page, "High", THEM))
    with page.expect_response("**/news?*"):
        held[0].continue_()
    page.wait_for_timeout(300)
    expect(page.locator(".news")).to_have_count(0)


def test_hands_that_wait_are_left_alone(phones: tuple[Page, Page]) -> None:
    """A phone whose hands could not be sent keeps its own board, whatever the other one does."""
    page, second = phones
    second.evaluate("() => delete ServiceWorkerRegistration.prototype.sync")  # its worker would send them
    second.route("**/waiting", lambda route: route.abort())
    second.route("**/bid", lambda route: route.abort())
    score(second, "Bob", 2, (THEM, THEM, "", US))
    expect_totals(second, 6, 5)
    score(page, "Ann", 4, SWEEP)
    second.wait_for_timeout(7_000)
    expect_totals(second, 6, 5)
    expect(second.locator(".waiting")).to_contain_text("1 hand waiting")


def send_away(page: Page) -> None:
    """Send Bob's phone away, and come back to the game."""
    path = urlsplit(page.url).path
    page.goto(f"{path}/table?score=1")
    press(page.get_by_role("button", name="Remove"))
    expect(page.get_by_role("button", name="Remove")).to_have_count(0)
    page.goto(path)


def test_a_phone_that_is_sent_away_sees_so_by_itself(phones: tuple[Page, Page]) -> None:
    """Nobody goes on tapping hands that nothing saves."""
    page, second = phones
    send_away(page)
    expect(second.get_by_role("main")).to_contain_text("You're watching")
    expect(second.get_by_role("button", name="Ann bids 4")).to_have_count(0)
    score(page, "Ann", 4, SWEEP)
    expect_totals(second, 9, 3)


def test_a_phone_that_is_sent_away_in_the_middle_of_a_hand_is_told_and_keeps_it(phones: tuple[Page, Page]) -> None:
    page, second = phones
    take_bid(page, "Ann", 4)
    expect(second.get_by_role("heading", name="Who took what")).to_be_attached()
    press(owner_of(second, "High", THEM))
    send_away(page)
    line = second.locator(".news")
    expect(line).to_have_text("This phone can no longer score this game. Show it")
    expect(owner_of(second, "High", THEM)).to_be_checked()
    press(line.get_by_role("link", name="Show it"))
    expect(second.get_by_role("main")).to_contain_text("You're watching")
