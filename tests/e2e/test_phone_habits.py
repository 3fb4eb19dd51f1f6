"""People lock their phones at a table, tap twice, go back, and return the next evening."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.taps import bid_of, choose, expect_totals, owner_of, press, save, start_game, take_bid, unfold_games

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.conftest import OpenPhone
    from tests.e2e.wifi import Wifi
    from tests.support.server import Server

pytestmark = pytest.mark.browser

A, B = "Ann and Cid", "Bob and Dee"
NAMES = ("Ann", "Bob", "Cid", "Dee")


@pytest.mark.slow
def test_a_locked_phone_stays_where_it_was(open_phone: OpenPhone, page: Page) -> None:
    start_game(page, "Setback", NAMES)
    press(page.get_by_role("group", name="Trump").get_by_role("radio", name="hearts"))
    take_bid(page, "Bob", 3)
    page.reload()
    at_the_points(page)
    again = open_phone(storage=page.context.storage_state())
    again.goto(page.url)
    at_the_points(again)
    choose(again, B, B, B, A)
    expect(again.get_by_role("button", name="Save", exact=True)).to_be_visible()


def test_taps_survive_a_reload(page: Page) -> None:
    """After a reload, the page still has the player's choices for the current hand.

    The next hand starts without choices.
    """
    start_game(page, "Setback", NAMES)
    take_bid(page, "Bob", 3)
    press(owner_of(page, "High", B))
    press(owner_of(page, "Jack", ""))
    page.reload()
    for point, side in {"High": B, "Jack": ""}.items():
        expect(owner_of(page, point, side)).to_be_checked()
    press(owner_of(page, "Low", B))
    press(owner_of(page, "Game", B))
    save(page, f"Made it! {B} score 3, from 0 to 3.")
    take_bid(page, "Bob", 3)
    page.reload()
    expect(page.locator("[data-mode] .pick:not(.likely) :checked")).to_have_count(0)


def test_enter_goes_to_the_next_seat(page: Page) -> None:
    page.goto("/games/new")
    seat = page.locator(".seat-name input")
    seat.nth(0).press("Enter")
    expect(seat.nth(1)).to_be_focused()
    for place, name in enumerate(NAMES):
        seat.nth(place).fill(name)
    seat.nth(3).press("Enter")
    expect(page.get_by_role("radio", name="Seat 1 Dealer")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Seat 2 Dealer")).to_be_checked()
    press(page.get_by_role("button", name="Start the game"))
    expect(page.get_by_role("heading", name="Winning bid")).to_be_attached()


@pytest.mark.parametrize(
    ("javascript", "lag"), [(True, 0), (False, 0), (True, 0.05)], ids=["script", "no script", "slow line"]
)
def test_a_missing_name_is_in_view(open_phone: OpenPhone, air: Wifi, javascript: bool, lag: float) -> None:
    page = open_phone(javascript=javascript)
    page.goto(f"{air.url}/games/new")
    air.lag = lag
    seat = page.locator(".seat-name input")
    seat.nth(0).fill("Ann")
    press(page.get_by_role("button", name="Start the game"))
    expect(seat.nth(1)).to_be_focused()
    expect(seat.nth(1)).to_be_in_viewport(ratio=1)
    said = page.get_by_text("Every seat needs a name.")
    expect(said).to_have_count(1)
    expect(said).to_be_in_viewport(ratio=1)
    below = page.locator(".bar").bounding_box()
    place = said.bounding_box()
    assert below is not None
    assert place is not None
    assert place["y"] + place["height"] <= below["y"], "it stands under the button"


def at_the_points(page: Page) -> None:
    """Check that the page shows the points step and Bob's bid of 3 in hearts."""
    expect(page.get_by_text("Bob bid 3 ♥")).to_be_visible()
    for point in ("High", "Low", "Jack", "Game"):
        expect(page.get_by_role("group", name=point, exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Winning bid")).not_to_be_attached()


@pytest.mark.slow
def test_another_phone_can_only_watch(open_phone: OpenPhone, page: Page) -> None:
    start_game(page, "Setback", NAMES)
    take_bid(page, "Bob", 3)
    watcher = open_phone()
    watcher.goto(page.url)
    expect(watcher.get_by_text("Bob bid 3")).to_be_visible()
    expect(watcher.get_by_role("radio")).to_have_count(0)
    expect(watcher.get_by_role("button")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("javascript", [True, False])
def test_a_double_tap_counts_once(open_phone: OpenPhone, javascript: bool) -> None:
    page = open_phone(javascript=javascript)
    start_game(page, "Setback", NAMES)
    bid_of(page, "Ann", 2).dblclick()
    expect(page.get_by_role("heading", name="Who took what")).to_be_attached()
    choose(page, A, B, "", A)
    if not javascript:
        press(page.get_by_role("button", name="Review", exact=True).filter(visible=True))
    page.get_by_role("button", name="Save", exact=True).dblclick()
    expect(page.get_by_role("button", name="Undo hand 1")).to_be_visible()
    page.reload()
    expect_totals(page, 2, 1)
    expect(page.get_by_text("Hand 2", exact=True)).to_be_visible()
    page.get_by_role("button", name="Undo hand 1").dblclick()
    expect(page.get_by_role("button", name="Redo hand 1")).to_be_visible()
    page.get_by_role("link", name="History").click()
    expect(page.locator(".log li")).to_have_count(3)  # started, scored, undone


def test_the_second_half_of_a_double_tap_hits_nothing(page: Page) -> None:
    """A button ignores taps for a moment after it appears.

    Otherwise the second half of a double tap could save a hand.
    """
    page.add_init_script(
        """addEventListener("DOMContentLoaded", () => new MutationObserver(([{ target }]) => {
          if ("fresh" in target.dataset) window.guarded = true;
        }).observe(document.querySelector("main"), { attributeFilter: ["data-fresh"] }));"""
    )
    start_game(page, "Setback", NAMES)
    take_bid(page, "Ann", 3)
    button = page.get_by_role("button", name="Save", exact=True)
    expect(button).to_be_visible()
    assert page.evaluate("window.guarded"), "nothing guarded the points step when it appeared"
    expect(page.locator("main[data-fresh]")).to_have_count(0)
    page.evaluate("document.querySelector('main').dataset.fresh = ''")
    box = button.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + 20, box["y"] + 20)
    page.evaluate("delete document.querySelector('main').dataset.fresh")
    expect(button).to_be_visible()
    page.touchscreen.tap(box["x"] + 20, box["y"] + 20)
    expect_totals(page, 3, 0)


@pytest.mark.slow
def test_two_answers_in_one_frame_leave_one_complete_board(page: Page) -> None:
    """If a page gets two new boards within one animation frame, it ends up with one complete board.

    The page draws a board's lower part one frame after the score, so parts of two boards could get mixed up.
    """
    start_game(page, "Setback", NAMES)
    page.evaluate(
        """async () => {
          const { show } = await import(document.querySelector('script[src*="/board.js"]').src);
          const text = await (await fetch(location.pathname, { headers: { "X-Part": "main" } })).text();
          show(text);
          show(text);
          await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)));
        }"""
    )
    expect_totals(page, 0, 0)
    take_bid(page, "Ann", 2)


@pytest.mark.slow
@pytest.mark.parametrize("back", [True, False], ids=["signal", "no signal"])
def test_an_answer_cut_off_below_the_score_is_completed(page: Page, back: bool) -> None:
    """If a new board is cut off below the score because the connection breaks, the page requests the board again.

    Without a signal, the page draws the missing part itself.
    """
    start_game(page, "Setback", NAMES)
    take_bid(page, "Ann", 2)
    choose(page, A, B, "", A)
    expect(page.locator("html[data-offline=ready]")).to_be_attached()
    page.evaluate(
        """() => {
          const real = window.fetch;
          window.fetch = async (...asked) => {
            const reply = await real(...asked);
            if (!String(asked[0]).endsWith("/hands")) return reply;
            const text = await reply.text();
            const body = new ReadableStream({
              start(to) {
                to.enqueue(new TextEncoder().encode(text.slice(0, text.indexOf("<!--rest-->") + 40)));
                setTimeout(() => to.error(new TypeError("cut off")), 50);
              },
            });
            return new Response(body, { headers: reply.headers });
          };
        }"""
    )
    if not back:
        page.route(lambda url: re.search(r"/games/\w+$", url) is not None, lambda route: route.abort())
    press(page.get_by_role("button", name="Save", exact=True))
    expect_totals(page, 2, 1)
    take_bid(page, "Bob", 2) if back else expect(bid_of(page, "Bob", 2)).to_be_visible()
    expect_totals(page, 2, 1)
    expect(page.locator("main[data-drawing]")).to_have_count(0)


@pytest.mark.slow
def test_a_tap_without_an_answer_shows_an_error_and_loses_nothing(page: Page) -> None:
    """On a page that can't work offline, saving without a signal shows an error and keeps all choices.

    With a signal again, the hand is saved once.
    """
    page.route("**/kit.json", lambda route: route.fulfill(status=404))
    start_game(page, "Setback", NAMES)
    take_bid(page, "Ann", 2)
    choose(page, A, B, "", A)
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_visible()
    page.context.set_offline(True)
    press(page.get_by_role("button", name="Save", exact=True))
    expect(page.get_by_role("main").get_by_text("nothing is lost")).to_be_visible()
    expect(owner_of(page, "Low", B)).to_be_checked()
    page.context.set_offline(False)
    press(page.get_by_role("button", name="Save", exact=True))
    expect_totals(page, 2, 1)


@pytest.mark.slow
@pytest.mark.parametrize("javascript", [True, False])
def test_back_and_save_again_adds_nothing(open_phone: OpenPhone, javascript: bool) -> None:
    page = open_phone(javascript=javascript)
    start_game(page, "Setback", NAMES)
    take_bid(page, "Ann", 2)
    board = page.url
    other_tab = page.context.new_page()
    other_tab.goto(board)
    for tab in (page, other_tab):
        choose(tab, A, B, "", A)
        if not javascript:
            press(tab.get_by_role("button", name="Review", exact=True).filter(visible=True))
        expect(tab.get_by_role("button", name="Save", exact=True)).to_be_visible()
    press(page.get_by_role("button", name="Save", exact=True))
    expect_totals(page, 2, 1)

    if not javascript:  # with JavaScript the page stays, so there is no earlier one to go back to
        page.go_back()
        save_again = page.get_by_role("button", name="Save", exact=True).or_(page.get_by_role("button", name="Review"))
        if save_again.filter(visible=True).count():
            press(save_again.filter(visible=True))
    press(other_tab.get_by_role("button", name="Save", exact=True))
    expect(other_tab.get_by_role("heading", name="Winning bid")).to_be_attached()
    for tab in (page, other_tab):
        tab.goto(board)
        expect_totals(tab, 2, 1)
        expect(tab.get_by_text("Hand 2", exact=True)).to_be_visible()


@pytest.mark.slow
def test_the_same_players_the_next_evening(open_phone: OpenPhone, page: Page, server: Server) -> None:
    ended = [hand(0, 4, 0, 0, 0, 0)] * 6
    bring_in(page, server, record(ended))
    page = open_phone(storage=page.context.storage_state())

    # One tap: the same seats, and the next dealer.
    page.goto("/")
    press(page.get_by_role("button", name="Same players again"))
    expect(bid_of(page, "Ann", 2)).to_be_visible()
    expect(page.get_by_text("Bob deals")).to_be_visible()

    # Another game and dealer with the same names.
    page.goto("/")
    press(page.get_by_role("link", name="New game"))
    unfold_games(page)
    press(page.get_by_role("button").filter(has=page.get_by_text("Pitch", exact=True)))
    press(page.get_by_role("radio", name="Seat 3 Dealer"))
    press(page.get_by_role("button", name="Start the game"))
    expect(bid_of(page, "Dee", 2)).to_be_visible()
    expect(page.get_by_text("Cid deals")).to_be_visible()
    expect(page.locator(".total .side")).to_have_text([f"A {A}", f"B {B}"])

    page.goto("/games/new")
    offered = page.locator("datalist option").evaluate_all("options => options.map(option => option.value)")
    assert sorted(offered) == sorted(NAMES)


def test_a_hand_with_the_keyboard_alone(page: Page) -> None:
    start_game(page, "Setback", NAMES)
    tab_to(page, "button", "Ann bids 3")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Who took what")).to_be_attached()
    keys = {"High": "Space", "Low": "ArrowRight", "Jack": "ArrowRight", "Game": "ArrowLeft"}
    for point, key in keys.items():
        tab_to(page, "radio", "not out" if point == "Jack" else A, point)
        page.keyboard.press(key)
    chosen = {"High": A, "Low": B, "Jack": A, "Game": ""}
    for point, side in chosen.items():
        expect(owner_of(page, point, side)).to_be_checked()
    expect(page.get_by_role("status").filter(visible=True)).to_have_text(
        f"Set! {A} lose 3, from 0 to −3. {B} score 1, from 0 to 1."
    )
    tab_to(page, "button", "Save")
    page.keyboard.press("Enter")
    expect_totals(page, -3, 1)
    tab_to(page, "button", "Undo hand 1")
    page.keyboard.press("Space")
    expect_totals(page, 0, 0)


def tab_to(page: Page, role: str, name: str, group: str = "") -> None:
    """Press Tab until the control with this role and name has the focus, and check that the focus is visible.

    `group` is the name of the group that contains the control, or "" to look on the whole page.
    """
    within = page.get_by_role("group", name=group, exact=True) if group else page
    wanted = within.get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]
    for _ in range(60):
        page.keyboard.press("Tab")
        if wanted.evaluate("element => element === document.activeElement"):
            break
    expect(wanted).to_be_focused()
    ring = "element => getComputedStyle(element.type === 'radio' ? element.nextElementSibling : element).outlineStyle"
    assert wanted.evaluate(ring) == "solid"


@pytest.mark.slow
def test_a_screen_reader_announces_the_preview(page: Page) -> None:
    start_game(page, "Setback", NAMES)
    for name in NAMES:
        row = page.get_by_role("group", name=name, exact=True)
        expect(row.get_by_role("button")).to_have_count(3)
    take_bid(page, "Ann", 3)
    says = page.get_by_role("status").filter(visible=True)
    expect(says).to_have_text(f"Made it! {A} score 3, from 0 to 3.")
    for point in ("High", "Low", "Jack", "Game"):
        row = page.get_by_role("group", name=point, exact=True)
        expect(row).to_have_accessible_description("Dashed = our guess. Tap to change.")
    assert says.evaluate("element => element.tagName") == "OUTPUT"  # a polite live region by itself
    for point in ("High", "Low"):
        expect(page.get_by_role("group", name=point, exact=True).get_by_role("radio")).to_have_count(2)
    for point in ("Jack", "Game"):
        expect(page.get_by_role("group", name=point, exact=True).get_by_role("radio")).to_have_count(3)
    choose(page, A, A, A, B)
    expect(says).to_have_text(f"Made it! {A} score 3, from 0 to 3. {B} score 1, from 0 to 1.")
    expect(page.get_by_role("region", name="Score")).to_be_visible()
    press(page.get_by_role("button", name="Save", exact=True))
    expect(page.get_by_role("region", name="Hands").get_by_role("row")).to_have_count(2)
    expect(page).to_have_title(f"{A} 3, {B} 1 – Setback")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{A} 3, {B} 1")
