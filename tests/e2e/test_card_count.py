"""A whole game of Setback with bowers, with the cards counted by taps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.taps import expect_totals, press, press_save, start_game, take_bid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

A, B = "Ann and Cid", "Bob and Dee"
NAMES = ("Ann", "Bob", "Cid", "Dee")
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANKS = {"A": "Ace", "K": "King", "Q": "Queen", "J": "Jack", "T": "Ten", "9": "9", "2": "2"}


@pytest.mark.slow
def test_a_game_with_bowers_counted(page: Page) -> None:
    start_game(page, "Setback with bowers", NAMES, dealer=3)

    # A 4 + left 1 + three tens 30 + A 4 + K 3 = 42, and it takes 41. The jack of spades is buried: no Right.
    bid(page, "Ann", 3, "spades")
    count(page, "AS JC TS TH TC AH KH", "2S KD QD TD", (42, 15))
    expect_owners(page, {"High": A, "Low": B, "Right": "not out", "Left": A, "Game": A})
    save(page)
    expect_totals(page, 3, 1)

    # 28 to 25: nobody has 41, so nobody gets Game. High and Right are not enough for 4.
    bid(page, "Bob", 4, "hearts")
    count(page, "JD 2H TS TH AC", "AH KH JH TD TC", (25, 28))
    expect_owners(page, {"High": B, "Low": A, "Right": B, "Left": A, "Game": "tied"})
    save(page)
    expect_totals(page, 5, -3)

    # All five: A 4 + both jacks 2 + four tens 40 = 46.
    bid(page, "Cid", 5, "diamonds")
    count(page, "AD JD JH 2D TD TH TC TS", "KS", (46, 3))
    expect_owners(page, {"High": A, "Low": A, "Right": A, "Left": A, "Game": A})
    save(page)
    expect_totals(page, 10, -3)

    # Not every hand has to be counted.
    bid(page, "Dee", 2, "clubs")
    for point, side in {"High": B, "Low": A, "Right": B, "Left": B, "Game": "tied"}.items():
        press(owner(page, point, side))
    save(page)
    expect_totals(page, 11, 0)

    # The left bower is the lowest trump that was taken: Low. Even with the ten of hearts, nobody has 41.
    bid(page, "Ann", 1, "clubs")
    count(page, "AC JS", "TH", (5, 10))
    expect_owners(page, {"High": A, "Low": A, "Right": "not out", "Left": A, "Game": "tied"})
    save(page)
    expect_totals(page, 14, 0)
    expect(page.get_by_role("heading", name=f"{A} win")).to_be_visible()
    expect(page.get_by_role("main").get_by_text(f"{A} made the bid and reached 14.")).to_be_visible()


def test_tapping_a_card_again_moves_it_on(page: Page) -> None:
    start_game(page, "Setback with bowers", NAMES, dealer=3)
    bid(page, "Ann", 3, "spades")
    press(page.get_by_role("link", name="Count the cards"))
    for points in ((10, 0), (0, 10), (0, 0), (10, 0)):
        tap(page, "TH")
        expect_points(page, points)
    # Going back from the points shows the same choices.
    press(page.get_by_role("button", name="Use this count"))
    expect(page.get_by_role("heading", name="Who took what")).to_be_attached()
    page.go_back()
    expect_points(page, (10, 0))


def test_plus_and_minus_count_for_game(page: Page) -> None:
    start_game(page, "Setback with bowers", NAMES, dealer=3)
    bid(page, "Ann", 3, "spades")
    press(page.get_by_role("link", name="Count the cards"))
    press(page.get_by_role("link", name="Just count Game"))
    more, fewer = (page.get_by_role("button", name=re.compile(f"^{sign} .*[Tt]ens")).first for sign in (r"\+", "−"))
    press(more)
    press(more)
    expect_points(page, (20, 0))
    for _ in range(3):
        press(fewer)
    expect_points(page, (0, 0))


def bid(page: Page, name: str, number: int, trump: str) -> None:
    """Name trump, then take the bid."""
    press(page.get_by_role("group", name="Trump").get_by_role("radio", name=trump))
    take_bid(page, name, number)


def tap(page: Page, card: str) -> None:
    """Tap a card: it goes to the next side, and after the last one to nobody."""
    said = f"{RANKS[card[0]]} of {SUITS[card[1]]}"
    press(page.get_by_role("group", name=re.compile(f"^(?:\\W*\\w+\\W*)?{said}\\b")).locator(".pick:has(:checked)"))


def count(page: Page, ours: str, theirs: str, points: tuple[int, int]) -> None:
    """Tap the cards of both sides, expect these card points, and use the count."""
    press(page.get_by_role("link", name="Count the cards"))
    for card in ours.split():
        tap(page, card)
    for card in theirs.split():
        tap(page, card)
        tap(page, card)
    expect_points(page, points)
    press(page.get_by_role("button", name="Use this count"))
    expect(page.get_by_role("heading", name="Who took what")).to_be_attached()


def expect_points(page: Page, points: tuple[int, int]) -> None:
    """Expect these card points for both sides."""
    running = page.get_by_role("list", name="Card points").get_by_role("listitem")
    expect(running).to_have_text([f"A {points[0]}", f"B {points[1]}"])


def owner(page: Page, point: str, side: str) -> Locator:
    """Return the choice that gives a point to a side, or to nobody."""
    return page.get_by_role("group", name=point, exact=True).get_by_role("radio", name=side, exact=True)


def expect_owners(page: Page, owners: Mapping[str, str]) -> None:
    """Expect these owners of the points."""
    for point, side in owners.items():
        expect(owner(page, point, side)).to_be_checked()


def save(page: Page) -> None:
    """Save the hand as shown."""
    press_save(page)
    expect(page.get_by_role("heading", name="Who took what")).not_to_be_attached()
