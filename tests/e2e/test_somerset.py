"""A whole game of Some'R'Set with five players: a partner is called in every hand, and a tie is broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.pocket import PREPARED
from tests.e2e.taps import expect_totals, press, press_save, start_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PLAYERS = ("Ann", "Bob", "Cid", "Dee", "Eve")

HANDS = (
    # bidder, bid, partner, what they took of 22, totals after it
    # Made: both get the 14 they took, the others 22 − 14 = 8.
    ("Ann", 12, "Cid", 14, (14, 8, 14, 8, 8)),
    # Set: 11 − 9 = 2 were missing, 4 from each of the two; the others get 13.
    ("Bob", 11, "Eve", 9, (27, 4, 27, 21, 4)),
    # Alone against four: 11 each.
    ("Dee", 10, "alone", 11, (38, 15, 38, 32, 15)),
    ("Cid", 15, "Dee", 16, (44, 21, 54, 48, 21)),
    ("Eve", 14, "Bob", 12, (54, 17, 64, 58, 17)),
    # 72 to 72, both at 66: one more hand. Ann made her bid at 68, and that gives her nothing.
    ("Ann", 12, "Dee", 14, (68, 25, 72, 72, 25)),
    ("Bob", 13, "Cid", 15, (75, 40, 87, 79, 32)),
)


@pytest.mark.slow
def test_five_players_to_the_end(page: Page) -> None:
    start_game(page, "Some'R'Set", PLAYERS, seating="5 players, bidder calls a partner", dealer=4)
    for number, (bidder, bid, partner, took, totals) in enumerate(HANDS, 1):
        if number == 3:
            press(page.get_by_role("button", name="All passed, next deal"))
            expect(page.get_by_role("main").get_by_text("All passed: nobody scores.")).to_be_visible()
            expect_totals(page, 27, 4, 27, 21, 4)
        press(page.get_by_role("group", name="Who won the bid").get_by_role("radio", name=bidder, exact=True))
        press(page.get_by_role("button", name=f"Bid {bid}", exact=True))
        called = page.get_by_role("group", name="Called partner")
        expect(called.get_by_role("radio")).to_have_count(5)
        expect(called.get_by_role("radio", name=bidder, exact=True)).to_have_count(0)
        press(called.get_by_role("radio", name=partner, exact=True))
        pad = page.get_by_role("group", name=f"{bidder} and partner")
        expect(pad.get_by_role("radio")).to_have_count(23)
        press(pad.get_by_role("radio", name=str(took), exact=True))
        press_save(page)
        expect_totals(page, *totals)
        if number == 6:
            expect(
                page.get_by_role("main").get_by_text("Tied at 72. One more hand, and high score wins.")
            ).to_be_visible()

    expect(page.get_by_role("heading", name="Cid wins")).to_be_visible()
    expect(
        page.get_by_role("main").get_by_text("Cid has the high score after the tie-break hand, 87.", exact=True)
    ).to_be_visible()
    expect(page.get_by_role("region", name="Hands").get_by_text("Set", exact=True)).to_have_count(2)
    expect(page.get_by_role("group", name="Who won the bid")).not_to_be_attached()


@pytest.mark.parametrize("offline", [False, True])
def test_the_bid_may_be_tapped_before_the_bidder(page: Page, *, offline: bool) -> None:
    """The bid stays pressed, another one can be tapped instead, and both are saved once the bidder is tapped."""
    start_game(page, "Some'R'Set", PLAYERS, seating="5 players, bidder calls a partner", dealer=4)
    if offline:
        page.evaluate(PREPARED)
        page.reload()
        expect(page.locator("html[data-offline=ready]")).to_be_attached()
        page.context.set_offline(True)
    bids = page.locator("form.bid-pad")
    press(bids.get_by_role("button", name="Bid 11", exact=True))
    expect(bids.get_by_role("status")).to_have_text("Now tap the bidder.")
    press(bids.get_by_role("button", name="Bid 12", exact=True))
    expect(bids.get_by_role("button", pressed=True)).to_have_text("Bid 12")
    press(bids.get_by_role("radio", name="Bob", exact=True))
    expect(page.locator(".in-play")).to_contain_text("Bob bid 12")
    page.context.set_offline(False)
