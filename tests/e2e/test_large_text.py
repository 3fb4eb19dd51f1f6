"""For low vision: text at 200 %, and forced colors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.taps import owner_of, press, take_bid
from tests.e2e.test_layout import LEAST, LEAST_TO_SCORE, LOOK

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.server import Server

pytestmark = pytest.mark.browser

HANDS = [hand(0, 2, 0, 1, None, 0), hand(1, 3, 0, 1, 1, None)]
TWICE = {"width": 180, "height": 320}
"""The space that a phone of 360 x 640 has for a page at 200 % zoom."""
CUT_OFF = """() => [...document.body.querySelectorAll("*")].filter((element) => {
  const { overflowX, overflowY } = getComputedStyle(element);
  const hides = [overflowX, overflowY].some((way) => way === "hidden" || way === "clip");
  const more = element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
  return hides && more && !element.matches("input") && !element.closest(".vh, .skip") && element.checkVisibility();
}).map((element) => `${element.tagName} ${element.className} ${element.textContent.trim().slice(0, 40)}`)"""
OVERLAID = """() => [...document.querySelectorAll("*")]
  .filter((element) => ["fixed", "sticky"].includes(getComputedStyle(element).position) && element.checkVisibility())
  .map((element) => element.className)"""


@pytest.mark.slow
def test_nothing_is_cut_off_at_200_percent(page: Page, server: Server) -> None:
    """Nothing overflows, no name is cut off, and no bar covers text."""
    over = bring_in(page, server, record([hand(0, 4, 0, 0, 0, 0)] * 6))
    five = bring_in(page, server, record(preset="setback-7-pitch", players=("Ann", "Bob", "Cid", "Dee", "Eve")))
    board = bring_in(page, server, record(HANDS))
    page.set_viewport_size({"width": TWICE["width"], "height": TWICE["height"]})
    for path in ("/", "/games/new", "/settings", over, five, f"{board}/table", f"{board}/log", board):
        page.goto(path)
        look(page, path)
    take_bid(page, "Ann", 2)
    look(page, "points step")


def look(page: Page, what: str) -> None:
    found = page.evaluate(LOOK, {"least": LEAST, "leastToScore": LEAST_TO_SCORE})
    assert found == {"overflow": 0, "wide": [], "small": []}, what
    assert page.evaluate(CUT_OFF) == [], what
    assert page.evaluate(OVERLAID) == [], what


def test_a_choice_is_visible_in_forced_colors(page: Page, server: Server) -> None:
    """A chosen card has another background than the one beside it; badges and cards have a border."""
    page.emulate_media(forced_colors="active")
    page.goto(bring_in(page, server, record(HANDS)))
    for edged in (".badge", ".total", ".cell"):
        assert page.locator(edged).first.evaluate("each => getComputedStyle(each).borderTopStyle") == "solid", edged
    take_bid(page, "Ann", 2)
    owner = owner_of(page, "High", "Bob and Dee")
    press(owner)
    expect(owner).to_be_checked()
    grounds = [
        owner_of(page, "High", side).evaluate("each => getComputedStyle(each.nextElementSibling).backgroundColor")
        for side in ("Ann and Cid", "Bob and Dee")
    ]
    assert grounds[0] != grounds[1]


def test_reduced_motion_stops_all_animation(page: Page, server: Server) -> None:
    """The cards at the end are animated only if the system allows motion."""
    page.goto(bring_in(page, server, record([hand(0, 4, 0, 0, 0, 0)] * 6)))
    for wish, moves in (("reduce", False), ("no-preference", True)):
        page.emulate_media(reduced_motion="reduce" if wish == "reduce" else "no-preference")
        names = page.locator("*").evaluate_all("all => all.map((each) => getComputedStyle(each).animationName)")
        assert any(name != "none" for name in names) is moves, wish
