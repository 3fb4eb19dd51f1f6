"""A whole evening's game of Setback is entered at one table by taps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.taps import expect_totals, owner_of, play, press, start_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

A, B = "Ann and Cid", "Bob and Dee"

FIRST_HANDS = (
    # bidder, bid, owners of High, Low, Jack and Game, preview, totals after the hand
    ("Ann", 3, (A, A, A, B), f"Made it! {A} score 3, from 0 to 3. {B} score 1, from 0 to 1.", (3, 1)),
    ("Bob", 2, (B, A, "", ""), f"Set! {B} lose 2, from 1 to −1. {A} score 1, from 3 to 4.", (4, -1)),
    ("Cid", 4, (A, A, B, A), f"Set! {A} lose 4, from 4 to 0. {B} score 1, from −1 to 0.", (0, 0)),
    ("Dee", 4, (B, B, B, B), f"Made it! {B} score 4, from 0 to 4.", (0, 4)),
    ("Ann", 4, (A, A, A, A), f"Made it! {A} score 4, from 0 to 4.", (4, 4)),
    ("Dee", 3, (B, B, B, ""), f"Made it! {B} score 3, from 4 to 7.", (4, 7)),
    ("Cid", 4, (A, A, A, A), f"Made it! {A} score 4, from 4 to 8.", (8, 7)),
    ("Bob", 4, (B, B, B, B), f"Made it! {B} score 4, from 7 to 11.", (8, 11)),
    ("Ann", 4, (A, A, A, A), f"Made it! {A} score 4, from 8 to 12.", (12, 11)),
    ("Dee", 4, (B, B, B, B), f"Made it! {B} score 4, from 11 to 15.", (12, 15)),
    ("Cid", 4, (A, A, A, A), f"Made it! {A} score 4, from 12 to 16.", (16, 15)),
    ("Dee", 2, (B, B, A, A), f"Made it! {B} score 2, from 15 to 17. {A} score 2, from 16 to 18.", (18, 17)),
)


@pytest.mark.slow
@pytest.mark.browser
def test_a_whole_game_by_taps(page: Page) -> None:
    start_game(page, "Setback", ["Ann", "Bob", "Cid", "Dee"], dealer=3)
    for bidder, bid, took, says, totals in FIRST_HANDS:
        play(page, bidder, bid, took, says)
        expect_totals(page, *totals)

    # 21 as a defender, five ahead: the game goes on.
    play_on = f"{A} have 21 but didn't have the bid. Play on."
    play(page, "Bob", 3, (B, A, A, A), f"Set! {B} lose 3, from 17 to 14. {A} score 3, from 18 to 21. {play_on}")
    expect_totals(page, 21, 14)
    expect(page.get_by_role("main").get_by_text(play_on)).to_be_visible()
    expect(page.get_by_role("main").get_by_text("Must make a bid to win.")).to_be_visible()
    expect(page.get_by_role("main").get_by_text("7 to go. Must make a bid and lead by 2.")).to_be_visible()

    # One tap undoes the hand, one restores it.
    press(page.get_by_role("button", name="Undo hand 13"))
    expect_totals(page, 18, 17)
    expect(page.get_by_role("main").get_by_text(play_on)).not_to_be_attached()
    press(page.get_by_role("button", name="Redo hand 13"))
    expect_totals(page, 21, 14)

    # In hand 6 Game was not tied. Four taps correct it, and the page first shows the effect on the score.
    press(page.get_by_role("link", name="Correct hand 6"))
    expect(page.get_by_role("main").get_by_text("Dee bid 3")).to_be_visible()
    press(owner_of(page, "Game", B))
    press(page.get_by_role("button", name="Review", exact=True).filter(visible=True))
    effect = page.get_by_role("region", name="With this correction")
    rows = effect.get_by_role("row")
    expect(rows).to_have_count(1 + 8)
    expect(rows.nth(1)).to_have_text(re.compile(r"^6\s*4 to 7\s*4 to 8$"))
    expect(rows.last).to_have_text(re.compile(r"^13\s*21 to 14\s*21 to 15$"))
    expect(effect).to_contain_text("New score: 21 to 15. Game continues.")
    press(effect.get_by_role("button", name="Save"))
    expect_totals(page, 21, 15)
    expect(page.get_by_role("row", name="Correct hand 6")).to_contain_text("corrected")

    # A lead of 1 is not enough, with or without the bid.
    play(page, "Bob", 3, (B, B, B, ""), f"Made it! {B} score 3, from 15 to 18. {play_on}")
    short = "Only 1 ahead. You must win by 2, so play on."
    play(page, "Dee", 2, (B, B, "", ""), f"Made it! {B} score 2, from 18 to 20. {short}")
    expect_totals(page, 21, 20)
    short = "Only 1 ahead. You must win by 2, so play on."
    play(page, "Ann", 2, (A, B, A, B), f"Made it! {A} score 2, from 21 to 23. {B} score 2, from 20 to 22. {short}")
    expect_totals(page, 23, 22)
    expect(page.get_by_role("main").get_by_text(short)).to_be_visible()

    last = ("Cid", 2, (A, A, B, A))
    why = f"{A} made their bid of 2 and won 26 to 23."
    says = f"{A} win. {why} Made it! {A} score 3, from 23 to 26. {B} score 1, from 22 to 23."
    play(page, *last, says)
    expect_end(page, why)

    # One tap undoes the last hand, and the game can be played again.
    press(page.get_by_role("button", name="Undo hand 17"))
    expect_totals(page, 23, 22)
    expect(page.get_by_role("heading", name=f"{A} win")).not_to_be_attached()
    play(page, *last, says)
    expect_end(page, why)
    page.reload()
    expect_end(page, why)
    expect(page.get_by_role("region", name="Hands").get_by_text("Set", exact=True)).to_have_count(3)


def expect_end(page: Page, why: str) -> None:
    """Check that Ann and Cid won 26 to 23, and that the page gives the reason `why`."""
    expect_totals(page, 26, 23)
    expect(page.get_by_role("heading", name=f"{A} win")).to_be_visible()
    expect(page.get_by_role("main").get_by_text(why, exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    expect(page.get_by_role("heading", name="Winning bid")).not_to_be_attached()
