"""Without a signal the board shows waiting hands and the end of the game, never the browser's error page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.taps import expect_totals, owner_of, press, start_game
from tests.e2e.test_offline import SWEEP, THEM, US, badge, open_game, ready, score, worker_ready

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.support.server import Server

NO_WORKER = "Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined })"
"""JavaScript that takes the service worker away, as with plain HTTP."""

SECOND = r"2\s*B Bob 4\s+Set\s*High: A, Low: B, Jack: B, Game: B on this phone\s*\+1 4\s*−4 −3"


def rows(page: Page) -> Locator:
    """Return the rows of the score sheet, newest hand first."""
    return page.locator(".sheet tbody tr")


def reason(page: Page) -> Locator:
    """Return the element that says why the game is over."""
    return page.locator(".outcome h2 + p")


@pytest.mark.slow
def test_offline_hands_are_on_the_sheet(page: Page) -> None:
    """The score sheet shows offline hands beside saved ones, also after a reload."""
    start_game(page, "Setback", ("Ann", "Bob", "Cid", "Dee"))
    ready(page)
    worker_ready(page)
    score(page, "Ann", 3, (US, US, US, THEM))
    expect(rows(page)).to_have_count(1)
    page.context.set_offline(True)
    score(page, "Bob", 4, (US, THEM, THEM, THEM))
    for _again in range(2):
        expect(rows(page)).to_have_count(2)
        row = rows(page).first
        expect(row).to_have_text(re.compile(SECOND))
        expect(page.get_by_text("No hands yet.")).to_be_hidden()
        page.reload()
    press(badge(page).locator("summary").first)
    press(badge(page).get_by_role("button", name="Undo hand 2"))
    expect(rows(page)).to_have_count(1)


@pytest.mark.slow
def test_the_first_offline_hand_is_on_the_sheet(page: Page) -> None:
    start_game(page, "Setback", ("Ann", "Bob", "Cid", "Dee"))
    ready(page)
    page.context.set_offline(True)
    score(page, "Ann", 3, (US, US, US, THEM))
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_text("No hands yet.")).to_be_hidden()
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).not_to_contain_text("on this phone")


ENDS: list[Any] = [
    pytest.param(record([hand(0, 4, 0, 0, 0, 0)] * 5), "Ann", "Ann and Cid", id="bid out"),
    pytest.param(
        record(
            [hand(1, 4, 1, 1, 1, 1)] * 2 + [hand(0, 4, 0, 0, 0, 0)] * 2,
            preset="pitch-11",
            players=("Ann", "Bob", "Cid"),
        ),
        "Ann",
        "Ann",
        id="the bidder goes out first",
        marks=pytest.mark.slow,
    ),
    pytest.param(
        record([hand(0, 4, 0, 0, 0, 0)] * 2, preset="bowers-12"),
        "Ann",
        "Ann and Cid",
        id="with bowers",
        marks=pytest.mark.slow,
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("told", "bidder", "side"), ENDS)
def test_a_game_that_ends_offline_says_why(
    page: Page, server: Server, told: dict[str, Any], bidder: str, side: str
) -> None:
    """If a game ends offline, the phone gives the reason in the same sentence as the server."""
    if told["ruleset"]["preset"] == "bowers-12":
        keys = ("high", "low", "right", "left", "game")
        told["hands"] = [{"bidder": 0, "bid": 5, "points": dict.fromkeys(keys, 0)}] * 2
    page.goto(bring_in(page, server, told))
    ready(page)
    page.context.set_offline(True)
    press(page.get_by_role("group", name=bidder, exact=True).get_by_role("button").last)
    for group in page.locator(".points fieldset").all():
        press(group.get_by_role("radio", name=side, exact=True))
    press(page.get_by_role("button", name="Save", exact=True))
    press(page.get_by_role("button", name="Yes, save it"))
    expect(page.locator(".outcome")).to_be_visible()
    expect(reason(page)).to_have_text(re.compile(r"\w+.*\d.*\.$"))
    offline, message = reason(page).text_content(), page.get_by_label("Message").input_value()
    assert "{" not in f"{offline}{message}"
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    expect(page.get_by_text("More", exact=True)).to_be_visible()
    assert reason(page).text_content() == offline
    press(page.get_by_text("More", exact=True))
    expect(page.get_by_label("Message")).to_have_value(message)
    expect(badge(page)).to_be_hidden()  # it moves what is below it
    press(page.get_by_role("button", name="Play again"))
    expect(page.get_by_text("Hand 1", exact=True)).to_be_visible()


WAYS_ON = """() => [...document.querySelectorAll("main .head :is(button, a[href], summary)")]
  .filter((each) => each.checkVisibility()).map((each) => each.innerText.replace(/\\s+/g, " ").trim())"""
"""JavaScript that returns the labels of the buttons and links around the score."""
LATER = {"Swap partners", "Draw for partners", "More"}
"""What a game that ended without a signal offers only once there is a signal, as it says."""
INSTEAD = {"Message"}
"""What it offers in place of these: the score as text, without the picture."""
CONCEDED = ("Concede", "Bob and Dee concede", "End game")
ABANDONED = ("End without a winner", "End without a winner", "End game")
LAST = [hand(0, 4, 0, 0, 0, 0)] * 5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("end", "corrects", "undo"),
    [
        pytest.param((), False, "Undo hand 6", id="by a hand"),
        pytest.param(CONCEDED, False, "Resume the game", id="conceded"),
        pytest.param(CONCEDED, True, "Resume the game", id="conceded, then corrected"),
        pytest.param(ABANDONED, False, "Resume the game", id="abandoned"),
    ],
)
def test_an_offline_end_offers_what_it_offers_with_a_signal(
    page: Page, server: Server, end: tuple[str, ...], corrects: bool, undo: str
) -> None:
    """A game that ended offline has every button that it has online, except for those that it names as coming later."""
    path = open_game(page, server, LAST)
    worker_ready(page)
    page.context.set_offline(True)
    if end:
        press(page.get_by_role("link", name="Menu", exact=True))
        press(page.locator("summary").get_by_text(end[0], exact=True))
        for button in end[1:]:
            press(page.get_by_role("button", name=button))
    else:
        score(page, "Ann", 4, SWEEP)
    expect(page.locator(".outcome")).to_be_visible()
    if corrects:
        press(page.get_by_role("link", name="Correct hand 1", exact=True))
        press(owner_of(page, "Jack", THEM))
        press(page.get_by_role("button", name="Review").and_(page.locator(".main")))
        press(page.locator(".effect").get_by_role("button", name="Save"))
        expect(page.locator(".outcome")).to_be_visible()
    offline = set(page.evaluate(WAYS_ON))
    expect(page.locator(".outcome")).to_contain_text("The rest of this page appears when you're back online.")
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    page.goto(path)
    expect(page.get_by_role("button", name=undo)).to_be_visible()
    online = set(page.evaluate(WAYS_ON))
    assert {undo, "Play again"} <= online & offline
    mine = {"Undo last change"} if corrects else set()
    assert offline - online == INSTEAD | mine
    assert online - offline == LATER | ({"Correct hand 1"} if corrects else set())


@pytest.mark.slow
def test_an_offline_end_is_resumed(page: Page, server: Server) -> None:
    """A game that was conceded with a signal is resumed without one, and the other way round."""
    path = open_game(page, server)
    worker_ready(page)
    page.context.set_offline(True)
    press(page.get_by_role("link", name="Menu", exact=True))
    press(page.locator("summary").get_by_text("Concede", exact=True))
    for button in CONCEDED[1:]:
        press(page.get_by_role("button", name=button))
    press(page.get_by_role("button", name="Resume the game"))
    expect(page.locator(".bids")).to_be_visible()
    expect(badge(page)).to_be_hidden()
    press(page.get_by_role("link", name="Menu", exact=True))
    press(page.locator("summary").get_by_text("Concede", exact=True))
    for button in CONCEDED[1:]:
        press(page.get_by_role("button", name=button))
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    page.context.set_offline(True)
    press(page.get_by_role("button", name="Resume the game"))
    expect(page.locator(".bids")).to_be_visible()
    score(page, "Ann", 4, SWEEP)
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    page.goto(path)
    expect_totals(page, 9, 3)
    expect(page.locator(".bids")).to_be_visible()


@pytest.mark.slow
def test_an_offline_address_leads_to_our_own_page(page: Page, server: Server) -> None:
    path = open_game(page, server)
    worker_ready(page)
    page.context.set_offline(True)
    score(page, "Ann", 4, SWEEP)
    press(page.get_by_role("link", name="Settings", exact=True))
    expect(badge(page)).to_contain_text("That page needs a signal.")
    page.goto("/settings")
    expect(page.get_by_role("heading", name="No signal")).to_be_visible()
    press(page.get_by_role("link", name="Back to the game"))
    expect_totals(page, 9, 3)
    assert page.url.endswith(path)


@pytest.mark.slow
def test_an_offline_page_can_be_tried_again(page: Page, server: Server) -> None:
    open_game(page, server)
    worker_ready(page)
    page.context.set_offline(True)
    page.goto("/settings")
    expect(page.get_by_role("heading", name="No signal")).to_be_visible()
    page.context.set_offline(False)
    press(page.get_by_role("link", name="Try again"))
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()


@pytest.mark.slow
def test_an_address_of_a_game_is_answered_by_its_board(page: Page, server: Server) -> None:
    """Without a signal, the phone shows a game's board in place of any page of the game that needs a signal.

    The board says that the page needs a signal.
    """
    path = open_game(page, server)
    worker_ready(page)
    page.context.set_offline(True)
    score(page, "Ann", 4, SWEEP)
    page.goto(f"{path}/nothing")
    expect(page.locator(".head .notice")).to_have_text("That page needs a signal. You can keep scoring here.")
    expect_totals(page, 9, 3)
    assert page.url.endswith(path)


@pytest.mark.slow
def test_play_again_offline_starts_the_next_game(page: Page, server: Server) -> None:
    path = bring_in(page, server, record([hand(0, 4, 0, 0, 0, 0)] * 6))
    page.goto(path)
    ready(page)
    worker_ready(page)
    page.wait_for_function("caches.match('/games/kits.json').then(Boolean)")  # what a game is started with
    page.context.set_offline(True)
    press(page.get_by_role("button", name="Play again"))
    expect(badge(page)).to_contain_text("New game, not sent yet")
    assert not page.url.endswith(path)
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    expect(page.get_by_text("Hand 1", exact=True)).to_be_visible()


@pytest.mark.slow
def test_without_a_service_worker_play_again_waits_for_an_answer(page: Page, server: Server) -> None:
    page.add_init_script(NO_WORKER)
    page.goto(bring_in(page, server, record([hand(0, 4, 0, 0, 0, 0)] * 6)))
    ready(page)
    page.context.set_offline(True)
    press(page.get_by_role("button", name="Play again"))
    expect(page.locator("[data-why]")).to_contain_text("That page needs a signal.")
    page.context.set_offline(False)
    press(page.get_by_role("button", name="Play again"))
    expect(page.get_by_text("Hand 1", exact=True)).to_be_visible()


@pytest.mark.slow
def test_without_a_service_worker_a_link_waits_for_an_answer(page: Page, server: Server) -> None:
    """If there is neither a signal nor a service worker, a link to a page that works offline still opens that page.

    The board's scripts draw the page, because the browser can't load another document. With plain HTTP, browsers have
    no service workers.
    """
    page.add_init_script(NO_WORKER)
    path = open_game(page, server)
    page.context.set_offline(True)
    press(page.get_by_role("link", name="Menu", exact=True))
    expect(page.get_by_role("heading", name="Game menu")).to_be_visible()
    press(page.get_by_role("link", name="Print score sheet"))
    expect(page.locator("[data-why]")).to_contain_text("That page needs a signal.")
    press(page.get_by_role("link", name="Back to the game"))
    score(page, "Ann", 4, SWEEP)
    press(page.get_by_role("link", name="History", exact=True))
    expect(page.get_by_role("heading", name="Game history")).to_be_visible()
    page.go_back()
    expect_totals(page, 9, 3)
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    press(page.get_by_role("link", name="Menu", exact=True))
    expect(page.get_by_role("heading", name="Game menu")).to_be_visible()
    assert page.url.endswith(f"{path}/table")
