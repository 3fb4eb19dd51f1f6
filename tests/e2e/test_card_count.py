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
    expect(page.locator(".points legend")).to_have_text(["High A♠", "Low 2♠", "Right J♠", "Left J♣", "Game"])
    save(page)
    expect_totals(page, 3, 1)

    # 28 to 25: nobody has 41, so nobody gets Game. High and Right are not enough for 4.
    bid(page, "Bob", 4, "hearts")
    count(page, "JD 2H TS TH AC", "AH KH JH TD TC", (25, 28))
    expect_owners(page, {"High": B, "Low": A, "Right": B, "Left": A, "Game": "nobody"})
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
    for point, side in {"High": B, "Low": A, "Right": B, "Left": B, "Game": "nobody"}.items():
        press(owner(page, point, side))
    save(page)
    expect_totals(page, 11, 0)

    # The left bower is the lowest trump that was taken: Low. Even with the ten of hearts, nobody has 41.
    bid(page, "Ann", 1, "clubs")
    count(page, "AC JS", "TH", (5, 10))
    expect_owners(page, {"High": A, "Low": A, "Right": "not out", "Left": A, "Game": "nobody"})
    save(page)
    expect_totals(page, 14, 0)
    expect(page.get_by_role("heading", name=f"{A} win")).to_be_visible()
    expect(page.get_by_role("main").get_by_text(f"{A} made the bid and reached 14.", exact=True)).to_be_visible()


@pytest.mark.slow
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


@pytest.mark.slow
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
    """Choose the trump suit, and tap the bid `number` of the player `name`."""
    press(page.get_by_role("group", name="Trump").get_by_role("radio", name=trump))
    take_bid(page, name, number)


def tap(page: Page, card: str) -> None:
    """Tap a card once, which gives the card to the next side.

    If the last side has the card, the tap takes the card away from that side. `card` is a rank and a suit, such as
    "AS".
    """
    said = f"{RANKS[card[0]]} of {SUITS[card[1]]}"
    press(page.get_by_role("group", name=re.compile(f"^(?:\\W*\\w+\\W*)?{said}\\b")).locator(".pick:has(:checked)"))


def count(page: Page, ours: str, theirs: str, points: tuple[int, int]) -> None:
    """Count the cards of a hand with taps, check the card points, and tap "Use this count".

    `ours` and `theirs` are the cards that the first and the second side took, separated by spaces. `points` are the
    card points that the page should show for the two sides.
    """
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
    """Check that the counting page shows these card points for the first and the second side."""
    running = page.get_by_role("list", name="Card points").get_by_role("listitem")
    expect(running).to_have_text([f"A {points[0]}", f"B {points[1]}"])


def owner(page: Page, point: str, side: str) -> Locator:
    """Return the radio button for `side` as the winner of `point`.

    `side` is the label of a side, or the label for nobody.
    """
    group = page.get_by_role("group", name=re.compile(f"^{point}( |$)"))
    return group.get_by_role("radio", name=side, exact=True)


def expect_owners(page: Page, owners: Mapping[str, str]) -> None:
    """Check that the page has the expected winner chosen for each point.

    `owners` maps each point to the label of a side, or to the label for nobody.
    """
    for point, side in owners.items():
        expect(owner(page, point, side)).to_be_checked()


def save(page: Page) -> None:
    """Save the hand without changing it."""
    press_save(page)
    expect(page.get_by_role("heading", name="Who took what")).not_to_be_attached()
