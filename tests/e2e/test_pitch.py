"""A whole game of Setback to 7 with pitch bids, in which five players play solo, is scored on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.taps import expect_totals, owner_of, play, press, save, start_game, take_bid

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PLAYERS = ("Ann", "Bob", "Cid", "Dee", "Eve")


@pytest.mark.slow
def test_five_players_and_three_pitches(page: Page) -> None:
    start_game(page, "Setback to 7 with a pitch", PLAYERS, seating="5 players, solo", dealer=4)
    to_win = page.locator(".to-win")
    expect(to_win.get_by_role("listitem")).to_have_text(["7 to go. Or make a pitch."])

    play(
        page,
        "Ann",
        2,
        ("Ann", "Bob", "Bob", "Cid"),
        "Set! Ann loses 2, from 0 to −2. Bob scores 2, from 0 to 2. Cid scores 1, from 0 to 1.",
    )
    expect_totals(page, -2, 2, 1, 0, 0)
    expect(to_win.get_by_role("listitem").first).to_have_text(
        "A Ann: 9 to go. A pitch scores, but can't win from below zero."
    )

    # Nobody bids: the hand is thrown in and the next player deals.
    press(page.get_by_role("button", name="All passed, next deal"))
    expect(page.get_by_role("main").get_by_text("All passed: nobody scores.")).to_be_visible()
    expect(page.get_by_text("Bob deals")).to_be_visible()

    # Ann is below zero: a pitch scores four points, and the game goes on.
    play(page, "Ann", "pitch", ("Ann", "Ann", "Ann", "Ann"), "Ann makes the pitch, from −2 to 2.")
    expect_totals(page, 2, 2, 1, 0, 0)
    expect(to_win.get_by_role("listitem").first).to_have_text("A B 5 to go.")

    # A pitch promises all four points. The Jack was not out, so Bob cannot have made it.
    take_bid(page, "Bob", "pitch")
    for point, side in {"High": "Bob", "Low": "Bob", "Jack": "", "Game": "Bob"}.items():
        press(owner_of(page, point, side))
    save(page, "Set! The pitch failed: Bob loses 4, from 2 to −2.")
    expect_totals(page, 2, -2, 1, 0, 0)

    # Dee is at zero, so a pitch wins whatever the others have.
    why = "Dee made a pitch. That wins the game."
    play(page, "Dee", "pitch", ("Dee",) * 4, f"Dee wins. {why}")
    expect_totals(page, 2, -2, 1, 4, 0)
    expect(page.get_by_role("heading", name="Dee wins")).to_be_visible()
    expect(page.get_by_role("main").get_by_text(why, exact=True)).to_be_visible()
