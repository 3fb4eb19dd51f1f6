"""A whole game can be scored without JavaScript; "Review" then opens a page with the effect and the "Save" button."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.taps import choose, expect_totals, owner_of, press, save, start_game, take_bid

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.conftest import OpenPhone

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_a_short_game(open_phone: OpenPhone) -> None:
    page = open_phone(javascript=False)
    start_game(page, "Setback to 7", ["Ann", "Bob"], seating="2 players, solo", dealer=1)

    enter(page, "Ann", 4, ("Ann", "Ann", "Ann", "Ann"), "Made it! Ann scores 4, from 0 to 4.")
    expect_totals(page, 4, 0)
    enter(page, "Bob", 3, ("Bob", "Ann", "", "Bob"), "Set! Bob loses 3, from 0 to −3. Ann scores 1, from 4 to 5.")
    expect_totals(page, 5, -3)
    press(page.get_by_role("button", name="Undo hand 2"))
    expect_totals(page, 4, 0)
    press(page.get_by_role("button", name="Redo hand 2"))
    expect_totals(page, 5, -3)

    # In hand 1 the bid was really 3, and one of the four points was Bob's.
    press(page.get_by_role("link", name="Correct hand 1"))
    press(owner_of(page, "Jack", "Bob"))
    press(page.get_by_role("group", name="Bid").get_by_role("radio", name="3"))
    press(page.get_by_role("button", name="Review", exact=True).filter(visible=True))
    effect = page.get_by_role("region", name="With this correction")
    expect(effect.get_by_role("row").last).to_have_text("2 5 to −3 4 to −2", use_inner_text=True)
    press(effect.get_by_role("button", name="Save"))
    expect_totals(page, 4, -2)

    enter(
        page,
        "Ann",
        2,
        ("Ann", "Ann", "Ann", ""),
        "Ann wins. Ann made the bid and reached 7. Made it! Ann scores 3, from 4 to 7.",
    )
    expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    expect(page.get_by_text("Ann made the bid and reached 7.")).to_be_visible()
    press(page.get_by_role("button", name="Undo hand 3"))
    expect_totals(page, 4, -2)


@pytest.mark.slow
def test_entering_points_only(open_phone: OpenPhone) -> None:
    page = open_phone(javascript=False)
    start_game(page, "Setback to 7", ["Ann", "Bob"], seating="2 players, solo", dealer=1)
    take_bid(page, "Ann", 2)
    press(page.get_by_text("Enter points only"))
    press(page.get_by_role("group", name="A Ann").get_by_role("radio", name="3"))
    press(page.get_by_role("group", name="B Bob").get_by_role("radio", name="2"))
    press(page.get_by_role("button", name="Review", exact=True).filter(visible=True))
    expect(page.get_by_role("status").filter(visible=True)).to_have_text(
        "A hand has at most 4 points, but these add up to 5."
    )
    press(page.get_by_role("group", name="B Bob").get_by_role("radio", name="1"))
    press(page.get_by_role("button", name="Review", exact=True).filter(visible=True))
    save(page, "Made it! Ann scores 3, from 0 to 3. Bob scores 1, from 0 to 1.")
    expect_totals(page, 3, 1)


def enter(page: Page, bidder: str, bid: int, took: tuple[str, ...], says: str) -> None:
    """Enter a whole hand, check that the review contains the sentence `says`, and save the hand.

    `took` lists the winners of High, Low, Jack and Game, in that order.
    """
    take_bid(page, bidder, bid)
    high, low, jack, game = took
    choose(page, high, low, jack, game)
    press(page.get_by_role("button", name="Review", exact=True).filter(visible=True))
    save(page, says)
