"""At the widths of phones and a tablet, light and dark, no page overflows and all tap targets are large enough."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import FOUR, bring_in, hand, record
from tests.e2e.taps import bid_of, choose, press, take_bid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Locator, Page

    from tests.support.server import Server

pytestmark = pytest.mark.browser

A, B = "Ann and Cid", "Bob and Dee"
WIDTHS = (320, 360, 768)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LEAST = 44
"""Smallest width and height of a target for a finger, in CSS pixels."""
LEAST_TO_SCORE = 56

LOOK = """({least, leastToScore}) => {
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".vh, .skip");
  const name = (element) => `${element.tagName} ${element.className} "${element.textContent.trim().slice(0, 40)}"`;
  const scrolls = (element) => element.closest(".scroll");
  const wide = [...document.body.querySelectorAll("*")].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return shown(element) && !scrolls(element) && width && (right > innerWidth + 0.5 || left < -0.5);
  });
  const targets = "button, a[href], summary, select, textarea, input:not([type=hidden])";
  const small = [...document.querySelectorAll(targets)].filter((element) => {
    const { height, width } = element.getBoundingClientRect();
    const scoring = element.closest(".entry") && element.matches(".cell, .pick input, .main");
    return shown(element) && (height < (scoring ? leastToScore : least) - 0.1 || width < least - 0.1);
  });
  const root = document.documentElement;
  return {
    overflow: Math.max(root.scrollWidth, document.body.scrollWidth) - root.clientWidth,
    wide: wide.map(name), small: small.map((element) => `${name(element)} ${element.getBoundingClientRect().height}`),
  };
}"""


def look_at(page: Page, what: str) -> None:
    """Check at every width, in light and dark, that nothing overflows and all tap targets are large enough.

    `what` is a name for the page, used only in the message of a failure.
    """
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 640})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate(LOOK, {"least": LEAST, "leastToScore": LEAST_TO_SCORE})
            assert found == {"overflow": 0, "wide": [], "small": []}, f"{what}, {width} px, {scheme}"
    page.set_viewport_size({"width": 360, "height": 640})
    page.emulate_media(color_scheme="light")


def in_sight(page: Page, *parts: Locator) -> None:
    """Check that each of `parts` is completely on the screen without scrolling.

    The bar at the bottom must not cover any of the parts.
    """
    page.evaluate("scrollTo(0, 0)")
    for part in parts:
        for one in part.all():
            expect(one).to_be_in_viewport(ratio=1)


def open_all(page: Page) -> None:
    """Expand every collapsed section of the page."""
    page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true; })")


TWENTY = [
    hand(0, 2, 0, 1, None, 0),
    hand(1, 3, 0, 1, 1, None),
    hand(2, 2, 0, 1, 1, None),
    hand(3, 2, 1, 1, None, 0),
] * 5
"""Twenty hands, ten of which are sets."""


@pytest.mark.slow
def test_the_pages_of_a_game(page: Page, server: Server) -> None:
    board = bring_in(page, server, record(TWENTY))
    page.goto("/")
    open_all(page)
    look_at(page, "home")
    page.goto("/games/new")
    open_all(page)
    look_at(page, "new game")
    page.goto(f"{board}/table")
    open_all(page)
    look_at(page, "table")
    page.goto(f"{board}/log")
    look_at(page, "log")
    page.goto(board)
    press(page.get_by_role("link", name="Correct hand 1", exact=True))
    expect(page.get_by_role("heading", name="Correct hand 1")).to_be_visible()
    open_all(page)
    look_at(page, "correction")

    page.goto(board)
    look_at(page, "bid step")
    in_sight(page, page.locator(".total"), *(bid_of(page, name, bid) for name in FOUR for bid in (2, 3, 4)))
    take_bid(page, "Ann", 2)
    look_at(page, "points step")
    above_the_bar(page)
    choose(page, A, B, "", A)
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_visible()
    look_at(page, "points step with what it will do")
    above_the_bar(page)
    press(page.get_by_text("Enter points only"))
    look_at(page, "points step, only the points")


def test_trump_can_be_tapped_on_the_card_count(page: Page, server: Server) -> None:
    page.goto(bring_in(page, server, record()))
    take_bid(page, "Ann", 2)
    press(page.get_by_role("link", name="Count the cards"))
    expect(page.get_by_role("heading", name="Count the cards")).to_be_visible()
    suits = page.get_by_role("group", name="Trump", exact=True)
    in_sight(page, suits.locator(".face"))
    assert suits.locator(".pick").evaluate_all("all => all.map(each => getComputedStyle(each).opacity)") == ["1"] * 4
    press(suits.get_by_role("radio", name="hearts"))
    expect(page.get_by_text("Trump: hearts")).to_be_visible()
    expect(page.get_by_role("group", name="2 of hearts, trump")).to_be_visible()
    expect(page.get_by_role("button", name="Count cards", exact=True)).not_to_be_visible()
    expect(page.get_by_role("button", name="Use this count")).to_be_visible()


@pytest.mark.slow
def test_links_of_two_lines_do_not_overlap(page: Page) -> None:
    """On the home page in Spanish, where link texts take two lines, the links don't overlap."""
    page.set_extra_http_headers({"Accept-Language": "es"})
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto("/")
    edges = page.locator(".starts, main > .way").evaluate_all(
        """each => each.map((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          const { top, bottom } = range.getBoundingClientRect();
          return [top, bottom];
        })"""
    )
    rows = sorted({tuple(edge) for edge in edges})
    assert len(rows) == 3
    gaps = [below[0] - above[1] for above, below in pairwise(rows)]
    assert min(gaps) >= 6, gaps


@pytest.mark.slow
def test_the_reason_for_playing_on_hides_nothing(page: Page, server: Server) -> None:
    climb = [hand(seat % 2, 4, *(seat % 2,) * 4) for seat in range(10)]
    page.goto(bring_in(page, server, record([*climb, hand(1, 3, 0, 0, None, 1)])))
    in_sight(page, page.get_by_text("did not have the bid: play goes on."))
    expect(page.get_by_text("4 to go. Must make a bid and lead by 2.")).to_be_visible()
    in_sight(page, page.locator(".total"), *(bid_of(page, name, bid) for name in FOUR for bid in (2, 3, 4)))
    take_bid(page, "Ann", 2)
    above_the_bar(page)
    choose(page, A, A, B, A)
    expect(page.get_by_role("status").filter(visible=True)).to_contain_text(f"{A} win")
    above_the_bar(page)
    press(page.get_by_role("link", name="Scorekeeper", exact=False))
    expect(page.get_by_role("link", name=f"A {A} 22 B {B} 17")).to_be_visible()


def above_the_bar(page: Page) -> None:
    """Check that the bid, the rows of the four points and the button in the bottom bar are on the screen."""
    bar = page.locator(".bar").filter(visible=True)
    rows = [page.get_by_role("group", name=point, exact=True) for point in ("High", "Low", "Jack", "Game")]
    in_sight(page, page.locator(".total"), page.locator(".in-play"), *rows, bar, bar.get_by_role("button"))
    top = bar.bounding_box()
    low = rows[-1].bounding_box()
    assert top is not None
    assert low is not None
    assert low["y"] + low["height"] <= top["y"] + 0.5


def test_the_end_of_a_game(page: Page, server: Server) -> None:
    page.goto(bring_in(page, server, record([hand(0, 4, 0, 0, 0, 0)] * 6)))
    expect(page.get_by_role("heading", name=f"{A} win")).to_be_visible()
    look_at(page, "end")
    in_sight(page, page.locator(".outcome > p"), page.get_by_role("button", name="Play again"))
    page.goto("/games/22222222")
    look_at(page, "no such game")


def test_the_bids_of_a_second_game_are_in_sight(page: Page, server: Server) -> None:
    """The series above the score leaves room for the bids of four who play solo."""
    won = record([hand(0, 4, 0, 0, 0, 0)] * 2, preset="setback-7", sides=[[0], [1], [2], [3]])
    page.goto(bring_in(page, server, won))
    press(page.get_by_role("button", name="Play again"))
    expect(page.get_by_text("Series:")).to_be_visible()
    in_sight(page, *(bid_of(page, name, bid) for name in FOUR for bid in (1, 2, 3, 4)))
    expect(page.get_by_role("heading", name="To win")).to_be_visible()


def test_a_score_is_centered_in_its_card(page: Page, server: Server) -> None:
    """The number on each score card is centered, even if one card also says how often its side was set."""
    hands = [{"bidder": 0, "bid": 4, "taken": [1, 4]}, {"bidder": 1, "bid": 2, "taken": [1, 4]}]
    page.goto(bring_in(page, server, record(hands, preset="bowers-12")))
    expect(page.get_by_text("set once")).to_be_visible()
    middles = page.evaluate("""() => [...document.querySelectorAll(".total")].map((card) => {
      const number = document.createRange();
      number.selectNodeContents(card.querySelector(".score"));
      return [card, number].map((place) => {
        const { left, right } = place.getBoundingClientRect();
        return (left + right) / 2;
      });
    })""")
    assert len(middles) == 2
    assert all(abs(card - score) < 1 for card, score in middles), middles


@pytest.mark.slow
def test_the_other_pages_of_a_game(page: Page, server: Server) -> None:
    board = bring_in(page, server, record(TWENTY))
    paths = ["?entry=auction", "/rules", "/settlement", "/adjustments", "/house-rules"]
    for path in paths:
        answer = page.goto(board + path)
        assert answer is not None
        assert answer.status == 200
        open_all(page)
        look_at(page, path)
    page.goto(board)
    take_bid(page, "Ann", 2)
    answer = page.goto(f"{board}/count")
    assert answer is not None
    assert answer.status == 200
    open_all(page)
    look_at(page, "count")
    in_sight(page, page.get_by_role("heading", level=1))


SEVEN = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus")
LONG = tuple(f"{name}bartholomewina Featherstonehaugh-Cholm"[:40] for name in FOUR)
UNUSUAL = ("👩🏽‍🚀🃏♠️", "أبو عبد الرحمن", "Ælfgifu̩̩̩", "松本 一郎")
UNBROKEN = tuple(letter * 40 for letter in "WMQG")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "preset"),
    [
        (SEVEN, "setback-7-pitch"),
        (tuple(name * 13 for name in SEVEN), "setback-7-pitch"),
        (LONG, "setback-21"),
        (UNBROKEN, "bowers-12"),
        (UNUSUAL, "pitch-11"),
    ],
    ids=["seven", "seven long names", "long names", "no spaces", "other scripts"],
)
def test_many_and_strange_names(page: Page, server: Server, players: Sequence[str], preset: str) -> None:
    sides = len(players) if len(players) != 4 else 2
    hands = [hand(0, 2, 0, 1, sides - 1, None), hand(1, 3, 1, 1, 1, None)]
    if preset == "bowers-12":
        hands = [{"bidder": 0, "bid": 3, "points": {"high": 0, "low": 1, "right": 0, "left": 1, "game": None}}]
    board = bring_in(page, server, record(hands, preset=preset, players=players))
    for path in ("/", "/games/new", f"{board}/table", f"{board}/log"):
        page.goto(path)
        open_all(page)
        look_at(page, path)
    page.goto(board)
    look_at(page, "bid step")
    assert page.locator(".scroll").evaluate("sheet => sheet.scrollWidth - sheet.clientWidth") == 0
    take_bid(page, players[0], 3)
    look_at(page, "points step")
    page.goto(f"{board}/table")
    open_all(page)
    press(page.locator("form[action$=concession] button").first)
    press(page.get_by_role("button", name="End game"))
    expect(page.locator(".outcome")).to_be_visible()
    look_at(page, "end")


EDGES = """() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const linear = (part) => (part / 255 <= 0.04045 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  const ratio = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const root = getComputedStyle(document.documentElement);
  const grounds = ["--felt", "--felt-lit", "--felt-deep", "--card"].map((name) =>
    root.getPropertyValue(name).match(/[\\da-f]{2}/g).map((part) => parseInt(part, 16)),
  );
  const fields = ".seat-name, select, input:not(.pick *, .seat-name *), textarea";
  const controls = [...document.querySelectorAll(`main :is(button:not(.grip), .button, .face, ${fields})`)];
  return controls.filter((control) => {
    if (!control.checkVisibility({ visibilityProperty: true }) || control.closest(".vh, .likely")) return false;
    const { boxShadow, borderTopColor, borderTopWidth, backgroundColor } = getComputedStyle(control);
    const colors = [...boxShadow.matchAll(/rgba?\\([^)]*\\)/g)].map(([color]) => rgb(color));
    if (parseFloat(borderTopWidth)) colors.push(rgb(borderTopColor));
    colors.push(rgb(backgroundColor));
    const opaque = colors.filter(([, , , alpha = 1]) => alpha === 1);
    return !opaque.some((color) => grounds.every((ground) => ratio(color, ground) >= 3));
  }).map((control) => `${control.className} "${control.textContent.trim().slice(0, 30)}"`);
}"""
"""JavaScript that returns the fields and buttons without an edge or a surface of 3:1 against felt and cards.

Guesses are left out, because their edge is dashed.
"""


def test_fields_and_buttons_have_an_edge_in_the_dark(page: Page, server: Server) -> None:
    page.emulate_media(color_scheme="dark")
    board = bring_in(page, server, record())
    for path in ("/games/new", "/games/finished", "/settings", f"{board}/house-rules", board):
        page.goto(path)
        open_all(page)
        assert page.evaluate(EDGES) == [], path
    take_bid(page, "Ann", 2)
    assert page.evaluate(EDGES) == []


CLIPPED = """[...document.querySelectorAll("main *")].filter((element) => {
  const text = [...element.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  if (!text || !element.checkVisibility({ visibilityProperty: true }) || element.closest(".vh")) return false;
  const drawn = document.createRange();
  drawn.selectNodeContents(text);
  const tails = [...drawn.getClientRects()].at(-1)?.bottom;
  for (let box = element; box.matches("main *"); box = box.parentElement) {
    const { overflowY, display } = getComputedStyle(box);
    if (display !== "inline" && overflowY !== "visible" && !box.matches(".scroll")) {
      return tails > box.getBoundingClientRect().bottom + 1;
    }
  }
  return false;
}).map((element) => `"${element.textContent.trim()}" in .${element.parentElement.className}`)"""
"""JavaScript that returns the texts whose descenders are cut off by the edge of their element."""


def test_descenders_are_not_cut_off(page: Page, server: Server) -> None:
    """Descenders, such as the "y" in "Fay", aren't cut off on score cards and buttons."""
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(bring_in(page, server, record(players=("Fay", "Peggy", "Guy", "Jody"))))
    assert page.evaluate(CLIPPED) == []
    take_bid(page, "Fay", 2)
    assert page.evaluate(CLIPPED) == []
