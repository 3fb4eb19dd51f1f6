"""Without a signal, a hand is entered in the way of the last one, and the next game is offered its house rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, record
from tests.e2e.pocket import SENT
from tests.e2e.pocket import record as record_of
from tests.e2e.taps import expect_totals, press, press_save, start_game, take_bid
from tests.e2e.test_house_rules import unfold
from tests.e2e.test_offline import SWEEP, badge, hands_of, open_game, ready, score, worker_ready

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.e2e.pocket import Pocket
    from tests.e2e.wifi import Wifi
    from tests.support.server import Server

OFFERED = """async () => {
  const kept = () => caches.match("/games/kits.json");
  const kits = async () => new Response((await kept()).body.pipeThrough(new DecompressionStream("gzip"))).json();
  const { active } = await navigator.serviceWorker.ready;
  for (const until = Date.now() + 60_000; Date.now() < until; active.postMessage("prepare")) {
    if ((await kits()).kits.some(({ saved }) => saved === 0)) return (await (await kept()).blob()).size;
    await new Promise((done) => setTimeout(done, 1000));
  }
  throw new Error("the phone has not got the house rules of its last game");
}"""
"""JavaScript that returns once the phone can start a game with the house rules of its last one.

It returns the number of bytes that the phone stores of what games are started with.
"""

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def took(page: Page) -> None:
    """Give every point to Ann and Cid, and save the hand."""
    for group in page.locator(".mode .points fieldset").all():
        press(group.get_by_role("radio", name="Ann and Cid", exact=True))
    press_save(page)


def only_points(page: Page) -> Locator:
    """Return the part of the form for entering only the points."""
    return page.locator("details.mode[data-mode=taken]")


def sums(page: Page, bidders: int, others: int) -> None:
    """Save a hand by the points of both sides, in the part of the form that is open already."""
    expect(only_points(page)).to_have_attribute("open", "")
    expect(page.locator("#likely")).not_to_be_attached()
    expect(page.locator(".points :checked")).to_have_count(0)
    pads = only_points(page).locator("fieldset")
    for pad, points in zip(pads.all(), (bidders, others), strict=False):
        press(pad.get_by_role("radio", name=str(points), exact=True))
    press_save(page)


def test_the_next_hand_is_bid_player_by_player(page: Page, server: Server) -> None:
    """After an auction without a signal, the next hand begins with an auction, also after a reload."""
    path = open_game(page, server)
    worker_ready(page)
    page.context.set_offline(True)
    press(page.get_by_role("link", name="Bid player by player"))
    for name in ("Cid", "Dee", "Ann"):
        press(page.get_by_role("button", name=f"{name}: Pass"))
    press(page.get_by_role("button", name="Bob bids 2"))
    took(page)
    expect(page.locator(".auction .turn")).to_contain_text("Dee's turn")
    page.reload()
    expect(page.locator(".auction .turn")).to_contain_text("Dee's turn")
    press(page.get_by_role("link", name="Menu", exact=True))
    press(page.locator("summary").get_by_text("Change dealer"))
    press(page.get_by_role("group", name="Dealer for this hand").get_by_role("radio", name="Dee"))
    press(page.get_by_role("button", name="Change dealer"))
    expect(page.locator(".auction .turn")).to_contain_text("Ann's turn")
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    expect(page.locator(".auction .turn")).to_contain_text("Ann's turn")
    page.context.set_offline(True)
    press(page.get_by_role("link", name="Enter the winning bid"))
    score(page, "Ann", 4, SWEEP)
    expect(page.locator(".bids")).to_be_visible()
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    expect(page.locator(".bids")).to_be_visible()
    assert [len(each.get("calls", ())) for each in hands_of(page, path)] == [0, 0, 4, 0]


def test_only_the_points_are_entered_again(page: Page, server: Server) -> None:
    """A table that enters only the points finds that part open without a signal, however it began."""
    path = open_game(page, server)
    worker_ready(page)
    take_bid(page, "Ann", 2)
    press(only_points(page).locator("summary"))
    pad = only_points(page).locator("fieldset")
    for row, points in zip(pad.all(), (3, 1), strict=True):
        press(row.get_by_role("radio", name=str(points), exact=True))
    press_save(page)
    expect_totals(page, 8, 4)
    ready(page)
    page.context.set_offline(True)
    take_bid(page, "Bob", 2)
    expect(only_points(page)).to_have_attribute("open", "")
    sums(page, 3, 1)
    expect_totals(page, 9, 7)
    page.reload()
    ready(page)
    take_bid(page, "Ann", 3)
    sums(page, 3, 1)
    expect_totals(page, 12, 8)
    take_bid(page, "Ann", 2)
    press(only_points(page).locator("summary"))
    took(page)
    take_bid(page, "Ann", 2)
    expect(only_points(page)).not_to_have_attribute("open", "")
    expect(page.locator("#likely")).to_be_visible()
    page.context.set_offline(False)
    press(page.get_by_role("button", name="Change bid"))
    expect(badge(page)).to_contain_text("Saved.")
    assert ["taken" in each for each in hands_of(page, path)] == [False, False, True, True, True, False]


def test_tricks_and_red_cards_are_entered_again(page: Page, server: Server) -> None:
    """In Some'R'Set, tricks and red cards are sent as they were entered, and asked for again."""
    path = bring_in(page, server, record(preset="somerset-66"))
    page.goto(path)
    ready(page)
    worker_ready(page)
    page.context.set_offline(True)
    parts = page.locator("details.mode[data-mode=parts]")
    for hand in range(2):
        press(page.locator(".bid-pad label:has(input[name=bidder][value='0'])"))
        press(page.locator(".bid-pad button[name=bid][value='9']"))
        if not hand:
            press(parts.locator("summary"))
        expect(parts).to_have_attribute("open", "")
        for pad, number in zip(parts.locator("fieldset").all(), (0, 9), strict=True):
            press(pad.get_by_role("radio", name=str(number), exact=True))
        expect(parts.locator(".preview")).to_have_text("A side with no tricks has no red cards.")
        for number in (0, 7):  # an answered pad opens again on a tap
            press(parts.locator("fieldset").first.get_by_role("radio", name=str(number), exact=True))
        press_save(page)
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    assert [(each["side_tricks"], each["side_red"]) for each in hands_of(page, path)] == [([7, 5], [9, 3])] * 2


def test_house_rules_are_offered_again(pocket: Pocket, air: Wifi, server: Server) -> None:
    """House rules without a name are offered for the next game without a signal, and then for the one after it."""
    page = pocket.open()
    start_game(page, "Setback", ("Ann", "Bob", "Cid", "Dee"))
    page.goto("/games/new")
    press(page.get_by_text("House rules", exact=True))
    unfold(page, "Winning")
    page.get_by_label("Play to", exact=True).fill("31")
    press(page.get_by_role("button", name="Start the game"))
    ready(page)
    expect(page.locator(".pad")).to_contain_text("Played to 31.")
    assert page.evaluate(OFFERED) < 100_000
    air.lead_to("")
    pocket.close()
    page = pocket.open()
    press(page.get_by_role("link", name="New game"))
    last = page.get_by_role("button", name="House rules of your last game")
    expect(last).to_contain_text("Setback. Played to 31.")
    expect(last).to_have_attribute("aria-pressed", "false")
    press(last)
    expect(last).to_have_attribute("aria-pressed", "true")
    press(page.get_by_role("button", name="Start the game"))
    ready(page)
    path = page.evaluate("location.pathname")
    expect(page.locator(".pad")).to_contain_text("Played to 31.")
    page.goto("/games/new")
    expect(last).to_be_visible()
    air.lead_to(server.url)
    page.evaluate(SENT)
    assert record_of(server, path)["ruleset"]["options"] == {"target": 31}
    page.goto("/games/new")
    expect(last).to_contain_text("Setback. Played to 31.")
