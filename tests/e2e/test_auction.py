"""A whole game of Pitch in which every player's bid is entered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.taps import choose, expect_totals, press, press_save, start_game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

ANN, BOB, CID = "Ann", "Bob", "Cid"


@pytest.mark.slow
def test_a_game_of_pitch_bid_player_by_player(page: Page) -> None:
    start_game(page, "Pitch", (ANN, BOB, CID), seating="3 players, solo", dealer=2)

    # Cid deals and wins the bid by matching it.
    hear(page, (ANN, "pass", "2 3 4"), (BOB, 2, "2 3 4"), (CID, 2, "2"))
    hand(page, "Cid bid 2", (CID, ANN, CID, BOB), (1, 1, 2))

    # Ann deals. Bob is set: 2 of 3.
    hear(page, (BOB, 3, "2 3 4"), (CID, "pass", "4"), (ANN, "pass", "3"))
    hand(page, "Bob bid 3", (BOB, BOB, "", CID), (1, -2, 3))

    # Bob deals. A 4 does not end the bidding: the dealer matches it, and makes it.
    hear(page, (CID, 4, "2 3 4"), (ANN, "pass", ""), (BOB, 4, "4"))
    hand(page, "Bob bid 4", (BOB, BOB, BOB, BOB), (1, 2, 3))

    # Cid deals, is stuck with exactly 2 and cannot pass.
    hear(page, (ANN, "pass", "2 3 4"), (BOB, "pass", "2 3 4"))
    expect(page.get_by_role("button", name="Cid: Pass")).to_have_count(0)
    hear(page, (CID, 2, "2"))
    hand(page, "Cid bid 2", (ANN, CID, CID, ANN), (3, 2, 5))

    # Ann deals and matches the 3.
    hear(page, (BOB, "pass", "2 3 4"), (CID, 3, "2 3 4"), (ANN, 3, "3"))
    hand(page, "Ann bid 3", (ANN, ANN, ANN, BOB), (6, 3, 5))

    # Bob deals. Ann said 4, not 3: the last call is undone.
    hear(page, (CID, 2, "2 3 4"), (ANN, 3, "3 4"))
    press(page.get_by_role("button", name="Undo last bid"))
    hear(page, (ANN, 4, "3 4"), (BOB, "pass", "4"))
    hand(page, "Ann bid 4", (ANN, ANN, ANN, ANN), (10, 3, 5))

    # Cid deals. Bob makes the 3, but Ann has 11 with Game, and Bob only 6.
    hear(page, (ANN, 2, "2 3 4"), (BOB, 3, "3 4"), (CID, "pass", "3"))
    hand(page, "Bob bid 3", (BOB, BOB, BOB, ANN), (11, 6, 5))
    expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    reason = page.get_by_role("main").get_by_text("Ann has the high score, 11.", exact=True)
    expect(reason).to_be_visible()
    expect(page.get_by_role("link", name="Bid player by player")).to_have_count(0)


@pytest.mark.slow
def test_half_an_auction_survives_a_reload_and_can_be_left(page: Page) -> None:
    start_game(page, "Setback", ("Ann", "Bob", "Cid", "Dee"), dealer=3)
    hear(page, (ANN, "pass", "2 3 4"), (BOB, 2, "2 3 4"))
    page.reload()
    expect(page.get_by_role("main").get_by_text("Cid's turn")).to_be_visible()
    expect(page.get_by_role("main").get_by_text("High bid: 2 (Bob).")).to_be_visible()
    press(page.get_by_role("link", name="Enter the winning bid"))
    press(page.get_by_role("button", name="Dee bids 3"))
    expect(page.get_by_role("main").get_by_text("Dee bid 3")).to_be_visible()


def hear(page: Page, *calls: tuple[str, int | str, str]) -> None:
    """Tap the calls of an auction in order. Each of `calls` is (player's name, call, offered bids).

    The offered bids are a string such as "2 3 4". Before each call, check that the player is offered exactly these
    bids.
    """
    for name, called, offered in calls:
        link = page.get_by_role("link", name="Bid player by player")
        if link.count():
            press(link)
        expect(page.get_by_role("main").get_by_text(f"{name}'s turn")).to_be_visible()
        bids = page.get_by_role("button", name=f"{name} bids ")
        expect(bids).to_have_count(len(offered.split()))
        for number in offered.split():
            expect(page.get_by_role("button", name=f"{name} bids {number}")).to_be_visible()
        label = f"{name}: Pass" if called == "pass" else f"{name} bids {called}"
        press(page.get_by_role("button", name=label))
        expect(page.get_by_role("main").get_by_text(f"{name}'s turn")).to_have_count(0)


def hand(page: Page, bid: str, took: Sequence[str], totals: Sequence[int]) -> None:
    """Enter and save a hand, after checking that the page shows the winning bid as `bid`. Then check the totals.

    `took` holds the sides that took High, Low, Jack and Game. `totals` holds the expected total of each side.
    """
    expect(page.locator(".in-play").get_by_text(bid)).to_be_visible()
    choose(page, *took)
    press_save(page)
    expect_totals(page, *totals)
