"""On the smallest phones, no name breaks inside a word, headings included, and no line of the board is cut off."""

from __future__ import annotations

import os
from itertools import product
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, record
from tests.e2e.taps import press

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page

    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDTHS = (320, 360, 390)
SIZES = ("100%", "200%")
LONG = ("Margaret", "Christopher", "Jo", "Bartholomew")
LONGEST = (
    *("Maximiliana", "Hans-Christopher", "Wilhelmina-Maude", "Mary Elizabeth W", "Georgina", "Konstantinopolos"),
    "Elisabeth",
)
LANGUAGES = ("en", "es", "fr")

LOOK = """() => {
  const shown = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest(".vh, .skip, .after");
  const told = ({ parentElement, className, textContent }) =>
    `${parentElement.className}/${className} "${textContent.trim().slice(0, 60)}"`;
  const found = [];
  const range = document.createRange();
  for (const name of document.querySelectorAll("main :is(.name, button, .flag, legend, h1, h2, h3)")) {
    const walker = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
    while (shown(name) && walker.nextNode()) {
      const text = walker.currentNode;
      for (const { 0: word, index } of text.data.matchAll(/[^\\s-]+/g)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        /* A word that is longer than a line has to break, except in a heading, which gets smaller. */
        const wide = [...range.getClientRects()].reduce((sum, { width }) => sum + width, 0);
        const long = !name.matches("h1, h2, h3") && wide > name.clientWidth;
        if (lines.size > 1 && !long) found.push(`broken: ${word} in ${told(name)}`);
      }
    }
  }
  const lines = "main :is(p, .brief, .brief *, .face, .who, .side, .preview, .status):not(.name)";
  for (const line of document.querySelectorAll(lines)) {
    if (!shown(line)) continue;
    const { overflowX, overflowY } = getComputedStyle(line);
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = line;
    if (overflowY !== "visible" && scrollHeight > clientHeight + 1) found.push(`cut below: ${told(line)}`);
    if (overflowX !== "visible" && scrollWidth > clientWidth + 1) found.push(`cut aside: ${told(line)}`);
    const { right } = line.getBoundingClientRect();
    const most = line.closest(".last p")?.getBoundingClientRect().right ?? innerWidth;
    if (right > most + 0.5) found.push(`too far to the right: ${told(line)}`);
  }
  return found;
}"""


def look(page: Page, what: str) -> list[str]:
    """Return what is broken or cut off on the page at each width and text size; `what` is the name of the page."""
    faults = []
    for width, size in product(WIDTHS, SIZES):
        page.set_viewport_size({"width": width, "height": 640})
        page.evaluate("size => { document.documentElement.style.fontSize = size; scrollTo(0, 0); }", size)
        faults += [f"{what}, {width} px, {size}: {fault}" for fault in page.evaluate(LOOK)]
        if folder := os.environ.get("SCOREKEEPER_PICTURES"):
            page.screenshot(path=f"{folder}/{what}-{width}-{size}.png")
    page.evaluate("document.documentElement.style.fontSize = ''")
    return faults


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("players", "bid"),
    [
        (LONG, 3),
        (("Ann", "Bob", "Cat", "Dan"), 3),
        (LONGEST[:4], 4),
        (LONGEST[:3], 3),
        (LONGEST[2:7], 4),
        (LONGEST, 2),
    ],
)
def test_every_step_of_a_hand(page: Page, server: Server, language: str, players: Sequence[str], bid: int) -> None:
    """The first hint, the bids, the lines after a set and after an undo, and the points."""
    page.context.set_extra_http_headers({"Accept-Language": language})
    lost = {"bidder": 1, "bid": bid, "points": {"high": 0, "low": 0, "jack": None, "game": 0}}
    hands = [{"dealer": len(players) - 1, **lost}]
    game = bring_in(page, server, record(hands, players=players))
    name = f"{language}-{len(players)}-{players[0]}"
    page.goto(bring_in(page, server, record(players=players)))
    expect(page.locator(".hint")).to_be_visible()
    faults = look(page, f"{name}-new")
    page.goto(game)
    faults += look(page, f"{name}-saved")
    press(page.locator(".steps button").first)
    expect(page.locator(".brief > b")).to_contain_text("1")
    faults += look(page, f"{name}-undone")
    press(page.locator(".bid-row .cell").first)
    page.locator(".points").first.wait_for()
    faults += look(page, f"{name}-points")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("winner", [0, 1, 2, 5])
def test_the_headings_of_the_end(page: Page, server: Server, language: str, winner: int) -> None:
    """The winner's name stands whole in the headline, and on the pages that the end leads to."""
    page.context.set_extra_http_headers({"Accept-Language": language})
    made = {"bidder": winner, "bid": 4, "points": dict.fromkeys(("high", "low", "jack", "game"), winner)}
    game = bring_in(page, server, record([made] * 6, players=LONGEST[:6]))
    faults = []
    for path in ("", "/rules", "/settlement", "/log", "/race"):
        page.goto(f"{game}{path}")
        expect(page.get_by_role("heading").first).to_be_attached()
        faults += look(page, f"{language}-end-{winner}{path.replace('/', '-')}")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("width", [320, 360])
@pytest.mark.parametrize("players", [LONG, LONGEST[:4]])
def test_no_point_is_under_the_save_bar(page: Page, server: Server, width: int, players: Sequence[str]) -> None:
    """After the bid, the row for Game stands above the bar with Save."""
    page.set_viewport_size({"width": width, "height": 640})
    page.goto(bring_in(page, server, record(players=players)))
    press(page.locator(".bid-row .cell").first)
    page.locator(".points").first.wait_for()
    bar = page.locator(".took-what .bar:visible").first
    row = page.locator(".points .row").last
    expect(row).to_be_in_viewport(ratio=1)
    page.wait_for_function(
        "([row, bar]) => row.getBoundingClientRect().bottom <= bar.getBoundingClientRect().top + 1",
        arg=[row.element_handle(), bar.element_handle()],
    )
