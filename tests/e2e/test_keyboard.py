"""By keyboard alone, every control can be reached and is visible when focused, and a game is played to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import FOUR, bring_in, hand, record
from tests.e2e.taps import bid_of, expect_totals, owner_of, take_bid, unfold_games

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.support.server import Server

pytestmark = pytest.mark.browser

MOST_STOPS = 300
MARK = """() => {
  const shown = (element) => element.checkVisibility({ visibilityProperty: true });
  const all = [...document.querySelectorAll("a[href], button, summary, select, textarea, input, [tabindex='0']")]
    .filter((element) => element.type !== "hidden" && element.tabIndex >= 0 && shown(element));
  all.forEach((element, index) => { element.dataset.stop = index; });
  return all.map((element) => ({
    group: element.type === "radio" ? `${element.form.action} ${element.name}` : "",
    what: `${element.tagName} ${element.name ?? ""} ${element.value ?? ""} ${element.textContent.trim().slice(0, 40)}`,
  }));
}"""
STOP = """() => {
  const focused = document.activeElement;
  if (focused.dataset.stop === undefined) return { stop: -1, faults: [] };
  const face = focused.nextElementSibling?.matches(".face") ? focused.nextElementSibling : focused;
  const { top, right, bottom, left } = focused.getBoundingClientRect();
  const at = [(Math.max(left, 0) + Math.min(right, innerWidth)) / 2,
    (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2];
  const hit = document.elementFromPoint(...at);
  const seen = hit && (focused.contains(hit) || hit.contains(focused) || focused.closest("label")?.contains(hit));
  const ring = getComputedStyle(face);
  const faults = [];
  if (!seen) faults.push(`hidden under ${hit?.tagName} ${hit?.className}`);
  if (ring.outlineStyle !== "solid" || parseFloat(ring.outlineWidth) < 2) faults.push("no ring");
  return { stop: Number(focused.dataset.stop), faults };
}"""


def walk(page: Page) -> list[str]:
    """Press Tab through the page, and return a sentence for each fault.

    A control is at fault if Tab doesn't reach it, if it has no focus ring, or if something covers it.
    """
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
    every: list[dict[str, Any]] = page.evaluate(MARK)
    reached: set[int] = set()
    wrong: list[str] = []
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        found = page.evaluate(STOP)
        if found["stop"] in reached or (found["stop"] < 0 and reached):
            break
        reached.add(found["stop"])
        wrong += [f"{every[found['stop']]['what']}: {fault}" for fault in found["faults"]]
    # Tab reaches one radio button of a group, and the arrow keys the others.
    groups = {every[stop]["group"] for stop in reached} - {""}
    missed = [one["what"] for stop, one in enumerate(every) if stop not in reached and one["group"] not in groups]
    return [*wrong, *(f"not reached: {what}" for what in missed)]


def open_all(page: Page) -> None:
    """Expand every collapsed section of the page."""
    page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true; })")


@pytest.mark.slow
def test_every_control_is_reached_and_visible(page: Page, server: Server) -> None:
    """Tab reaches every control in page order, each has a focus ring, and the bar at the bottom covers none of them."""
    board = bring_in(page, server, record([hand(0, 2, 0, 1, None, 0), hand(1, 3, 0, 1, 1, None)]))
    wrong = []
    for path in ("/", "/games/new", "/settings", board, f"{board}/table"):
        page.goto(path)
        open_all(page)
        wrong += [f"{path}: {fault}" for fault in walk(page)]
    page.goto(board)
    take_bid(page, "Ann", 2)
    page.goto(board)
    open_all(page)
    wrong += [f"points step: {fault}" for fault in walk(page)]
    page.goto(bring_in(page, server, record([hand(0, 4, 0, 0, 0, 0)] * 6)))
    wrong += [f"end: {fault}" for fault in walk(page)]
    assert wrong == []


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until `wanted` has the focus."""
    for _ in range(MOST_STOPS):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} is not reached")


def press_key(page: Page, wanted: Locator) -> None:
    """Tab to a button or link, and press Enter."""
    expect(wanted).to_be_visible()
    tab_to(page, wanted)
    page.keyboard.press("Enter")


def choose_key(page: Page, wanted: Locator) -> None:
    """Press Tab until a group of radio buttons has the focus, and choose the button `wanted` with the arrow keys."""
    group = wanted.evaluate("""element => [...element.form.elements[element.name]].map((one) => one.value)""")
    for _ in range(MOST_STOPS):
        if page.evaluate("() => document.activeElement.name") == wanted.get_attribute("name"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    for _ in group:
        if wanted.is_checked():
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"{wanted} is not chosen")


@pytest.mark.slow
def test_a_game_from_the_home_page_to_its_end(page: Page) -> None:
    """A whole game of Setback can be played by keyboard, without touching the screen.

    In this game, the first bidder makes the bid. The second bidder is set, and the second hand is undone. Then a side
    concedes.
    """
    page.goto("/")
    press_key(page, page.get_by_role("link", name="New game"))
    unfold_games(page)
    press_key(page, page.get_by_role("button").filter(has=page.get_by_text("Setback", exact=True)))
    expect(page.locator("details.picked:not([open]) > summary b")).to_have_text("Setback")
    for seat, name in enumerate(FOUR):
        tab_to(page, page.get_by_role("combobox").nth(seat))
        page.keyboard.type(name)
    page.keyboard.press("Shift+Tab")
    choose_key(page, page.get_by_role("radio", name="Seat 4 Dealer"))
    press_key(page, page.get_by_role("button", name="Start the game"))
    expect(page.get_by_role("heading", name="Winning bid")).to_be_attached()

    for bidder, bid, owner in (("Ann", 4, "Ann and Cid"), ("Bob", 3, "Ann and Cid")):
        press_key(page, bid_of(page, bidder, bid))
        expect(page.get_by_role("heading", name="Who took what")).to_be_attached()
        for point in ("High", "Low", "Jack", "Game"):
            choose_key(page, owner_of(page, point, owner))
        save = page.get_by_role("button", name="Save", exact=True).filter(visible=True)
        press_key(page, save)
        sure = page.get_by_role("button", name="Yes, save it")
        bids = page.get_by_role("heading", name="Winning bid")
        expect(sure.or_(bids).first).to_be_attached()
        if sure.count():
            press_key(page, sure)
        expect(bids).to_be_attached()
    expect_totals(page, 8, -3)
    press_key(page, page.get_by_role("button", name="Undo hand 2"))
    expect_totals(page, 4, 0)
    press_key(page, page.get_by_role("link", name="Menu"))
    press_key(page, page.get_by_text("Concede", exact=True))
    press_key(page, page.locator("form[action$=concession] button").first)
    press_key(page, page.get_by_role("button", name="End game"))
    expect(page.locator(".outcome")).to_be_visible()
    press_key(page, page.get_by_role("button", name="Play again"))
    expect_totals(page, 0, 0)
