"""Measured on pages of the home table, no word is broken, no line is cut off and nothing is wider than the screen."""

from __future__ import annotations

import os
from itertools import cycle, islice, product
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.taps import press
from tests.e2e.test_layout import open_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page

    from tests.e2e.conftest import OpenPhone
    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SCREENS = tuple(product((320, 360, 390), ("100%", "200%")))
TABLES = (
    ("en", ("Ann", "Bartholomew", "Jo", "Mary Elizabeth W")),
    ("es", ("Margaret", "Christopher", "Hans-Christopher", "Wilhelmina-Maude")),
    ("fr", ("Georgina", "Elisabeth", "Konstantinopolos", "Maximiliana")),
)

LOOK = """(screen) => {
  const OUT = ".vh, .skip, svg, .paper";
  const SEEN = { visibilityProperty: true, opacityProperty: true };
  const shown = (each) => each.checkVisibility(SEEN) && !each.closest(OUT);
  const told = (each) => `${each.parentElement.className}/${each.className} "${each.textContent.trim().slice(0, 50)}"`;
  const shortened = (each) => {
    const { textOverflow, overflowX } = getComputedStyle(each);
    return each.matches(".name") && textOverflow === "ellipsis" && overflowX !== "visible";
  };
  const linesWithout = (without) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const lines = [];
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      if (!text.data.trim() || text.parentElement.closest(without) || !shown(text.parentElement)) continue;
      if (shortened(text.parentElement)) continue;
      const whole = document.createRange();
      whole.selectNode(text);
      /* Letters fill about the middle half of the height that a font asks for. */
      for (const { left, right, top, bottom, height } of whole.getClientRects())
        lines.push([text, { left, right, top: top + height / 4, bottom: bottom - height / 4 }]);
    }
    return lines;
  };
  const found = [];
  const over = document.documentElement.scrollWidth - screen;
  if (over > 0) found.push(`wider than the screen by ${over} px`);
  const range = document.createRange();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const holder = text.parentElement;
    if (!text.data.trim() || !shown(holder) || holder.matches("option, script, noscript")) continue;
    for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}'’]+/gu)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const parts = [...range.getClientRects()].filter(({ width }) => width > 0.5);
      const width = parts.reduce((sum, part) => sum + part.width, 0);
      /* A word that is longer than its line has to break. */
      let box = holder;
      while (getComputedStyle(box).display.startsWith("inline") && box.parentElement) box = box.parentElement;
      const { paddingLeft, paddingRight } = getComputedStyle(box);
      const whole = document.createRange();
      whole.selectNode(text);
      const own = getComputedStyle(box).display.endsWith("flex") ? whole.getBoundingClientRect().width : Infinity;
      const room = Math.min(own, box.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
      const broken = parts.some(({ top }) => top > parts[0].bottom - 2);
      if (broken && width < room) found.push(`broken: ${word} in ${told(holder)}`);
      const beyond = parts.some(({ left, right }) => right > screen + 0.5 || left < -0.5);
      const scrolls = holder.closest(".scroll");
      if (beyond && !scrolls && !shortened(holder)) found.push(`beyond the screen: ${word} in ${told(holder)}`);
      const button = holder.closest("button, .button, .total, .face")?.getBoundingClientRect();
      const spilt = button && parts.some(({ left, right }) => right > button.right + 0.5 || left < button.left - 0.5);
      if (spilt && !shortened(holder)) found.push(`beyond its box: ${word} in ${told(holder)}`);
    }
  }
  const lies = linesWithout(OUT + ", .bar, script, noscript, option");
  for (const [index, [one, its]] of lies.entries()) {
    for (const [other, theirs] of lies.slice(index + 1)) {
      const aside = Math.min(its.right, theirs.right) - Math.max(its.left, theirs.left);
      const below = Math.min(its.bottom, theirs.bottom) - Math.max(its.top, theirs.top);
      if (aside > 3 && below > 1 && one !== other) found.push(`"${one.data.trim()}" lies on "${other.data.trim()}"`);
    }
  }
  for (const each of document.querySelectorAll("body *")) {
    if (!shown(each) || each.matches("textarea, input, select, [readonly]")) continue;
    const { overflowX, overflowY, textOverflow } = getComputedStyle(each);
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = each;
    if (!clientWidth || !each.textContent.trim() || each.matches(".scroll, .preview")) continue;
    const name = each.matches(".name, .name *, .calls li, .status *") || each.querySelector(":scope > .name");
    const aside = overflowX !== "visible" && scrollWidth > clientWidth + 1;
    const below = overflowY !== "visible" && scrollHeight > clientHeight + 1;
    if ((aside || below) && !(name && textOverflow === "ellipsis")) {
      found.push(`cut ${aside ? "aside" : "below"}: ${told(each)}`);
    }
  }
  return found;
}"""
"""JavaScript that returns a list of faults: broken words, lines cut off, texts beyond the screen.

Only a name may end in an ellipsis.
"""


class Album:
    """Looks at pages, each at two of the screens. Those of all languages have each page at every screen."""

    def __init__(self, page: Page, language: str) -> None:
        self.page, self.name, self.faults = page, language, list[str]()
        first = 2 * [each for each, _ in TABLES].index(language)
        self.screens = cycle(SCREENS[first:] + SCREENS[:first])

    def look(self, what: str) -> None:
        """Measure the page at the next two screens, and keep what is wrong."""
        for width, size in islice(self.screens, 2):
            self.page.set_viewport_size({"width": width, "height": 640})
            self.page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
            self.faults += [
                f"{self.name} {what}, {width} px, {size}: {fault}" for fault in self.page.evaluate(LOOK, width)
            ]
            if folder := os.environ.get("SCOREKEEPER_PICTURES"):
                self.page.screenshot(path=f"{folder}/{self.name}-{what}-{width}-{size}.png", full_page=True)
        self.page.evaluate("document.documentElement.style.fontSize = ''")

    def see(self, what: str, path: str) -> None:
        """Open the page at `path` with all its sections expanded, and look at it."""
        self.page.goto(path)
        open_all(self.page)
        self.look(what)


@pytest.mark.parametrize(("language", "players"), TABLES, ids=[language for language, _ in TABLES])
def test_every_page_of_the_home_table(
    open_phone: OpenPhone, server: Server, language: str, players: Sequence[str]
) -> None:
    page = open_phone()
    page.context.set_extra_http_headers({"Accept-Language": language})
    album = Album(page, language)
    lost = hand(0, 3, 1, 1, None, 0)
    won = [hand(0, 4, 0, 0, 0, 0)] * 6
    over = bring_in(page, server, record(won, players=players))
    bring_in(page, server, record(won, players=players))
    solo = bring_in(page, server, record([lost], preset="setback-7-pitch", players=(*players, "Jo", "Bo")))
    bowers = bring_in(page, server, record(preset="bowers-12", players=players))
    somerset = bring_in(page, server, record(preset="somerset-66", players=players))
    board = bring_in(page, server, record([hand(1, 2, 0, 1, 1, None), lost], players=players))
    for what, path in {
        "home": "/",
        "new": "/games/new",
        "finished": "/games/finished",
        "board": board,
        "auction": f"{board}?entry=auction",
        "history": f"{board}/log",
        "rules": f"{board}/rules",
        "menu": f"{board}/table",
        "end": over,
        "settle": f"{over}/settlement",
        "evening": f"{over}/evening",
        "table": "/table",
        "solo": solo,
        "somerset": somerset,
    }.items():
        album.see(what, path)
    for what, path in {"bowers": bowers, "solo": solo, "points": board}.items():
        page.goto(path)
        press(page.locator(".bid-row .cell").nth(2))
        page.locator(".took-what").wait_for()
        album.look(f"{what}-points")
    page.goto(f"{board}/count")
    expect(page.locator("h1")).to_be_visible()
    album.look("count")
    assert not album.faults, "\n".join(album.faults)
