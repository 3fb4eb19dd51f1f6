"""A group settles up on a phone, to the cent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, record
from tests.e2e.taps import press

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.server import Server

pytestmark = pytest.mark.browser

HANDS = [
    {"bidder": 1, "bid": 3, "taken": [0, 2, 1]},  # Bob set:  0 −3  1
    {"bidder": 2, "bid": 2, "taken": [1, 2, 1]},  # Cid set:  1 −1 −1
    {"bidder": 2, "bid": 2, "taken": [0, 3, 1]},  # Cid set:  1  2 −3
    {"bidder": 0, "bid": 3, "taken": [3, 0, 1]},  # Ann made: 4  2 −2
    {"bidder": 0, "bid": 4, "taken": [4, 0, 0]},  # Ann made: 8  2 −2
]


def test_three_settle_up_to_the_cent(page: Page, server: Server) -> None:
    page.goto(bring_in(page, server, record(HANDS, preset="setback-7", players=("Ann", "Bob", "Cid"))))
    expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    press(page.get_by_text("More", exact=True))
    press(page.get_by_role("link", name="Settle up"))

    # Each point above or below the average, 8/3, is worth a quarter: 133 1/3, −16 2/3 and −116 2/3 cents.
    press(page.get_by_role("radio", name=re.compile("^Versus average")))
    page.get_by_label("Per point").fill("0.25")
    press(page.get_by_role("button", name="Work it out"))
    expect_payments(page, "A Ann gets $1.34", "B Bob pays $0.17", "C Cid pays $1.17")
    expect(page.get_by_text("Payments add up to zero.")).to_be_visible()
    handed = page.get_by_role("region", name="Who pays whom").get_by_role("listitem").filter(has_text="pays Ann")
    expect(handed).to_have_text(["Cid pays Ann $1.17.", "Bob pays Ann $0.17."])

    # The differences 16, −2 and −14 at 7 cents; a decimal comma works too.
    press(page.get_by_role("radio", name=re.compile("^Head to head")))
    page.get_by_label("Per point").fill("0,07")
    press(page.get_by_role("button", name="Work it out"))
    expect_payments(page, "A Ann gets $1.12", "B Bob pays $0.14", "C Cid pays $0.98")

    # A lost game costs 1.50 and each set 0.35: one for Bob, two for Cid.
    press(page.get_by_role("radio", name=re.compile("^Losers pay the winner")))
    page.get_by_label("Per game lost").fill("1.50")
    page.get_by_label("Per set").fill("0.35")
    press(page.get_by_role("button", name="Work it out"))
    expect_payments(page, "A Ann gets $4.05", "B Bob pays $1.85", "C Cid pays $2.20")

    press(page.get_by_role("radio", name=re.compile("^A pot for sets")))
    press(page.get_by_role("button", name="Work it out"))
    expect_payments(page, "A Ann gets $1.05", "B Bob pays $0.35", "C Cid pays $0.70")

    page.get_by_label("Per set").fill("a lot")
    press(page.get_by_role("button", name="Work it out"))
    expect(page.get_by_role("alert")).to_have_text("Enter an amount from 0 to 10,000, like 0.25.")


def expect_payments(page: Page, *lines: str) -> None:
    """Check that the page lists exactly these payments."""
    rows = page.get_by_role("region", name="Who pays whom").get_by_role("row")
    words = [re.compile(r"^\s*" + r"\s*".join(map(re.escape, line.split())) + r"\s*$") for line in lines]
    expect(rows.filter(has=page.get_by_role("cell"))).to_have_text(words)
