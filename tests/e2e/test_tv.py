"""The TV scoreboard: digits fill a TV of any size without scrolling, and a lost connection is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.taps import press
from tests.e2e.test_watch import NOTE_PAUSES, POLLS_IN_FIVE_SECONDS

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.conftest import OpenPhone
    from tests.support.server import Server

pytestmark = pytest.mark.browser

SCREENS = ((1280, 720), (1920, 1080), (3840, 2160))
SPILT = """
[...document.querySelectorAll("html, .wall, .table, .status, .headline, .side, .say")]
  .filter((part) => part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1)
  .map((part) => part.className)
"""
TALLEST = "Math.max(...[...document.querySelectorAll('.score')].map((d) => parseFloat(getComputedStyle(d).fontSize)))"
SMALLEST = TALLEST.replace("max", "min").replace(".score", ".sides-2 .score")
COVERED = """() => {
  const ink = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  };
  const shown = (element) => element.checkVisibility({ visibilityProperty: true });
  return [...document.querySelectorAll(".stamp")].flatMap((stamp) => {
    const { top, bottom, left, right } = stamp.getBoundingClientRect();
    return [...stamp.parentElement.querySelectorAll(".score, .who, .need")].filter(shown).filter((part) => {
      const its = ink(part);
      return its.top < bottom && its.bottom > top && its.left < right && its.right > left;
    }).map((part) => part.textContent.trim());
  });
}"""
"""JavaScript that returns the texts on which the stamp of a set lies."""
MOST = 12
FIGURE = 0.714
"""Height of a digit as a fraction of its font size."""


@pytest.mark.slow
def test_digits_fill_a_tv_and_nothing_scrolls(page: Page, server: Server) -> None:
    """The scores on a TV are large, and nothing scrolls or overflows at any screen size.

    With one game, digits take at least 40 % of the screen's height. With twelve games, they take at least 7.5 %.
    On a 55-inch TV these smaller digits are 5 cm high and can be read from 10 m.
    """
    won = record([hand(0, 4, 0, 0, 0, 0)] * 6)
    lost = record([hand(0, 4, 1, 1, None, 1)] * 3, players=("Bartholomew", "Maximiliana", "Christabel", "Desdemona"))
    seven = record(
        [{"bidder": 0, "bid": 2, "points": {"high": 0, "low": 1, "jack": None, "game": 2}}] * 4,
        players=("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus"),
    )
    games = [bring_in(page, server, each).split("/")[2] for each in (record([hand(0, 2, 0, 1, None, 0)]), won, lost)]
    games.append(bring_in(page, server, seven).split("/")[2])
    more = [bring_in(page, server, lost).split("/")[2] for _ in range(8)]
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        for shown in ([games[0]], [games[1]], [games[2]], [games[3]], games, [*games, *more]):
            page.goto(f"/watch/tv?games={','.join(shown)}")
            assert page.evaluate(SPILT) == [], f"{len(shown)} games at {width} x {height}"
            if shown == [games[0]]:
                assert page.evaluate(TALLEST) * FIGURE >= 0.4 * height
            if len(shown) == MOST:
                assert page.evaluate(SMALLEST) * FIGURE >= 0.075 * height


@pytest.mark.slow
def test_the_longest_sentences_fit_on_a_tv(page: Page, server: Server) -> None:
    """With names of sixteen letters, no sentence is cut off after a set, an undo or the end of the game."""
    players = ("Hans-Christopher", "Mary Elizabeth W", "Konstantinopolos", "Wilhelmina-Maude")
    lost = hand(0, 3, 1, 1, None, 0)
    games = {
        "set": bring_in(page, server, record([lost, lost], players=players)),
        "undone": bring_in(page, server, record([lost, lost], players=players)),
        "short": bring_in(page, server, record([lost, lost])),
        "over": bring_in(page, server, record([hand(0, 4, 0, 0, 0, 0)] * 6, players=players)),
    }
    for told in ("undone", "short"):
        page.goto(games[told])
        press(page.get_by_role("button", name="Undo hand 2"))
        expect(page.get_by_role("button", name="Redo hand 2")).to_be_visible()
    for width, height in SCREENS[:2]:
        page.set_viewport_size({"width": width, "height": height})
        for told, path in games.items():
            page.goto(f"/watch/tv?games={path.split('/')[2]}")
            assert page.evaluate(SPILT) == [], f"{told} at {width} x {height}"
            assert page.locator(".stamp").count() == (told == "set")
            assert page.evaluate(COVERED) == [], f"{told} at {width} x {height}"


def test_a_tv_follows_the_games_and_shows_a_lost_connection(open_phone: OpenPhone, server: Server) -> None:
    table, tv = open_phone(), open_phone()
    path = bring_in(table, server, record())
    tv.add_init_script(NOTE_PAUSES)
    tv.goto(path.replace("/games/", "/watch/") + "/tv")
    table.goto(path)
    press(table.locator("button[name=call]").first)
    expect(tv.get_by_text("Ann bid 2")).to_be_visible()
    tv.wait_for_function(POLLS_IN_FIVE_SECONDS)
    tv.context.set_offline(True)
    expect(tv.get_by_text("No connection. Last update:")).to_be_visible()
    tv.context.set_offline(False)
    expect(tv.get_by_text("No connection")).to_be_hidden()


ARABIC = "\u0645\u0631\u064a\u0645"
LEFT_EDGES = """([first, second]) => {
  const shown = document.querySelector(".wall .who .name");
  const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
  const edges = {};
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const name of [first, second]) {
      const at = node.data.indexOf(name);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + name.length);
      edges[name] = range.getBoundingClientRect().left;
    }
  }
  return [edges[first], edges[second]];
}"""


@pytest.mark.slow
def test_a_right_to_left_name_keeps_its_place_before_its_partner(page: Page, server: Server) -> None:
    """On an English page, a first partner's right-to-left name stays to the left of the second partner's name."""
    players = (ARABIC, "Bob", "Ann", "Dee")
    games = [bring_in(page, server, record(players=players)).split("/")[2] for _ in range(2)]
    for path in (f"/watch/tv?games={','.join(games)}", f"/watch/tv?games={games[0]}"):
        page.goto(path)
        first, second = page.evaluate(LEFT_EDGES, [ARABIC, "Ann"])
        assert first < second, path
