"""A second phone at the table shows hands from the first one by itself, and loses no choices made on it."""

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
    """Return the pages of two phones that score the same game, which has two hands.

    The first page is on the phone that started the game, and the second page is on Bob's phone.
    """
    path = bring_in(page, server, record(TWO))
    page.goto(f"{path}/table")
    with page.expect_navigation():  # the page before also shows a link: the one to watch
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
    """A second phone at the table shows new hands without a tap, and its page doesn't scroll while it is updated."""
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


def test_choices_on_a_second_phone_are_not_lost(phones: tuple[Page, Page]) -> None:
    """If a hand is saved on the first phone, choices that were already made on the second phone stay on the page.

    A message says what the first phone saved. A link in the message shows the new board.
    """
    page, second = phones
    take_bid(page, "Ann", 4)
    expect(second.get_by_role("heading", name="Who took what")).to_be_attached()
    press(owner_of(second, "High", THEM))
    choose(page, *SWEEP)
    press_save(page)
    expect_totals(page, 9, 3)
    line = second.locator(".news")
    expect(line).to_have_text("The main phone saved hand 3. Show it")
    expect(owner_of(second, "High", THEM)).to_be_checked()
    expect_totals(second, 5, 3)
    press(line.get_by_role("link", name="Show it"))
    expect_totals(second, 9, 3)
    expect(second.locator(".news")).to_have_count(0)


def test_a_page_is_not_told_of_its_own_hand(phones: tuple[Page, Page]) -> None:
    """After a page saves a hand, it doesn't announce that hand as news from another phone.

    This holds even if the page asks for news before it saves the hand, and gets the reply afterwards.
    """
    page, _second = phones
    page.evaluate("AbortController.prototype.abort = () => {}")  # it would be given up while this test is slow
    held: list[Route] = []
    page.route("**/news?*", lambda route: held.append(route))  # noqa: PLW0108  Playwright marks what it is given
    with page.expect_request("**/news?*"):
        pass
    score(page, "Ann", 4, SWEEP)
    expect_totals(page, 9, 3)
    take_bid(page, "Bob", 2)
    press(owner_of(page, "High", THEM))
    with page.expect_response("**/news?*"):
        held[0].continue_()
    page.wait_for_timeout(300)
    expect(page.locator(".news")).to_have_count(0)


def test_waiting_hands_are_left_alone(phones: tuple[Page, Page]) -> None:
    """A phone with waiting hands keeps showing its own board, whatever the other phone saves."""
    page, second = phones
    second.evaluate("() => delete ServiceWorkerRegistration.prototype.sync")  # otherwise its worker would send them
    second.route("**/waiting", lambda route: route.abort())
    second.route("**/bid", lambda route: route.abort())
    score(second, "Bob", 2, (THEM, THEM, "", US))
    expect_totals(second, 6, 5)
    score(page, "Ann", 4, SWEEP)
    second.wait_for_timeout(7_000)
    expect_totals(second, 6, 5)
    expect(second.locator(".waiting")).to_contain_text("1 hand waiting")


def send_away(page: Page) -> None:
    """Remove Bob's phone from the game's scorers, and return to the game."""
    path = urlsplit(page.url).path
    page.goto(f"{path}/table?score=1")
    press(page.get_by_role("button", name="Remove"))
    expect(page.get_by_role("button", name="Remove")).to_have_count(0)
    page.goto(path)


def test_a_removed_phone_says_so_by_itself(phones: tuple[Page, Page]) -> None:
    """If a phone is removed from a game's scorers, its open page says by itself that the phone is now only watching.

    Otherwise a player might go on entering hands that can't be saved.
    """
    page, second = phones
    send_away(page)
    expect(second.get_by_role("main")).to_contain_text("You're watching")
    expect(second.get_by_role("button", name="Ann bids 4")).to_have_count(0)
    score(page, "Ann", 4, SWEEP)
    expect_totals(second, 9, 3)


def test_a_phone_removed_in_the_middle_of_a_hand_does_not_lose_it(phones: tuple[Page, Page]) -> None:
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
