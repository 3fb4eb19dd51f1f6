"""For people with low vision, pages work with text at 200 % and in forced colors."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import product
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.taps import owner_of, press, take_bid
from tests.e2e.test_layout import LEAST, LEAST_TO_SCORE, LOOK, open_all
from tests.support import databases
from tests.support.server import environment, running

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.support.server import Server

pytestmark = pytest.mark.browser

HANDS = [hand(0, 2, 0, 1, None, 0), hand(1, 3, 0, 1, 1, None)]
TWICE = {"width": 180, "height": 320}
"""Viewport in CSS pixels of a phone of 360 x 640 at 200 % zoom."""
CUT_OFF = """() => [...document.body.querySelectorAll("*")].filter((element) => {
  const { overflowX, overflowY } = getComputedStyle(element);
  const hides = [overflowX, overflowY].some((way) => way === "hidden" || way === "clip");
  const more = element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
  return hides && more && !element.matches("input") && !element.closest(".vh, .skip") && element.checkVisibility();
}).map((element) => `${element.tagName} ${element.className} ${element.textContent.trim().slice(0, 40)}`)"""
OVERLAID = """() => [...document.querySelectorAll("*")]
  .filter((element) => ["fixed", "sticky"].includes(getComputedStyle(element).position) && element.checkVisibility())
  .map((element) => element.className)"""

LARGE = """() => {
  document.documentElement.style.fontSize = "200%";
  const shown = (each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".vh, .skip, svg");
  const line = document.querySelector("main").clientWidth * 0.8;
  const found = [];
  if (document.documentElement.scrollWidth > 360) found.push(`${document.documentElement.scrollWidth} px wide`);
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (!shown(text.parentElement)) continue;
    for (const word of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const parts = [...range.getClientRects()].filter((part) => part.width);
      const width = parts.reduce((sum, part) => sum + part.width, 0);
      const lines = parts.some((part) => part.top > parts[0].bottom - 2);
      if (lines && width < line) found.push(`"${word[0]}" is broken in "${text.data.trim()}"`);
    }
  }
  for (const element of document.querySelectorAll("main *")) {
    if (!shown(element) || element.closest(".paper, [readonly]")) continue;
    const { overflowX, overflowY } = getComputedStyle(element);
    const typed = element.matches("input:is([type=text], [type=search], :not([type]))");
    const hides = typed || [overflowX, overflowY].some((way) => way === "hidden" || way === "clip");
    const taller = !typed && element.scrollHeight > element.clientHeight + 1;
    if (hides && (taller || element.scrollWidth > element.clientWidth + 1)) {
      found.push(`"${(element.value ?? element.textContent).trim().slice(0, 40)}" is cut off`);
    }
  }
  return found;
}"""
"""JavaScript that doubles the text size and returns a list of faults: broken words, texts cut off, a page too wide."""


@pytest.mark.slow
def test_nothing_is_cut_off_at_200_percent(page: Page, server: Server) -> None:
    """With text at 200 %, no page overflows, no name is cut off, and no bar covers text."""
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


def at_large_text(page: Page, path: str) -> list[str]:
    """Expand every section of the page at `path`, double the text size, and return a sentence for each fault.

    Text is at fault if it is broken, cut off or too wide.
    """
    page.goto(path)
    open_all(page)
    return [f"{path}: {fault}" for fault in page.evaluate(LARGE)]


@pytest.mark.slow
def test_names_stay_whole_in_large_text(page: Page, server: Server) -> None:
    """With doubled text on a game's pages, no word that fits on a line is broken and no name is cut off.

    No page overflows either.
    """
    players = ("Ann Mercer", "Hazel Burke", "Sal Marchetti", "Dee Sutherland")
    over = bring_in(page, server, record([hand(0, 4, 0, 0, 0, 0)] * 6, players=players))
    board = bring_in(page, server, record(HANDS, players=players))
    page.goto("/table")
    player = page.locator("a[href^='/table/players/']").first.get_attribute("href")
    assert player
    page.goto(board)
    correction = page.get_by_role("link", name="Correct hand 1", exact=True).get_attribute("href")
    assert correction
    paths = ["/", "/games/new", "/settings", over, board, correction, f"{board}/table", "/table", player]
    assert [fault for path in paths for fault in at_large_text(page, path)] == []


@pytest.mark.slow
def test_names_stay_whole_in_large_text_at_a_league(page: Page, tmp_path: Path) -> None:
    """With doubled text on the pages of the demo league, no word that fits on a line is broken and no name is cut off.

    No page overflows either. The pages are the league, its people, a season, a night, its desk and the money.
    """
    words = [sys.executable, "-m", "scorekeeper", "demo", "--instance", str(tmp_path)]
    env = environment(**databases.variables_for(tmp_path))
    told = subprocess.run(words, env=env, check=True, capture_output=True, text=True).stdout
    direct = re.search(r"/leagues/\w+/direct/\S+", told)
    assert direct, told
    league = direct[0].partition("/direct/")[0]
    with running(tmp_path) as server:
        page.goto(server.url + direct[0])
        press(page.locator("main form button").first)
        page.wait_for_url(f"**{league}")

        def first(start: str) -> str:
            return server.url + (page.locator(f"main a[href^='{start}']").first.get_attribute("href") or "")

        season = first("/seasons/").partition("?")[0]
        page.goto(season)
        night, person = first("/nights/").partition("?")[0], first("/people/")
        page.goto(f"{season}/money")
        account = first(f"{season.removeprefix(server.url)}/money?who=")
        paths = [f"{night}{part}" for part in ("", "/desk", "/desk?round=1", "/rotation", "/results", "/money")]
        paths += [season, f"{season}/money", account, person, f"{server.url}{league}", f"{server.url}{league}/people"]
        assert [fault for path in paths for fault in at_large_text(page, path)] == []


def test_a_hand_needs_no_search_in_large_text(page: Page, server: Server) -> None:
    """With doubled text, the page goes to the points after a bid, and Save and all totals are on the screen."""
    page.add_init_script(
        "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%' })"
    )
    page.goto(bring_in(page, server, record(HANDS)))
    sheet = page.locator(".scroll").evaluate("each => [each.scrollWidth, each.clientWidth]")
    assert sheet[0] == sheet[1]
    take_bid(page, "Ann", 3)
    expect(page.locator(".in-play")).to_be_in_viewport(ratio=1)
    expect(owner_of(page, "High", "Ann and Cid").locator("..")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_in_viewport(ratio=1)


def test_keys_for_trump_are_as_wide_as_a_finger(page: Page, server: Server) -> None:
    for preset, width in product(("somerset-66", "horsley-66", "setback-21"), (320, 360)):
        page.set_viewport_size({"width": width, "height": 640})
        page.goto(bring_in(page, server, record(preset=preset)))
        open_all(page)
        widths = page.locator(".trumps .pick").evaluate_all(
            "keys => keys.map((key) => key.getBoundingClientRect().width)"
        )
        assert min(widths) >= LEAST, (preset, width)


def test_a_choice_is_visible_in_forced_colors(page: Page, server: Server) -> None:
    """In forced colors, a chosen card has a different background from the card beside it.

    Badges, score cards and the cells of the bid grid have a border.
    """
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
    """The cards at the end of a game are animated only if the system allows motion."""
    page.goto(bring_in(page, server, record([hand(0, 4, 0, 0, 0, 0)] * 6)))
    for wish, moves in (("reduce", False), ("no-preference", True)):
        page.emulate_media(reduced_motion="reduce" if wish == "reduce" else "no-preference")
        names = page.locator("*").evaluate_all("all => all.map((each) => getComputedStyle(each).animationName)")
        assert any(name != "none" for name in names) is moves, wish
