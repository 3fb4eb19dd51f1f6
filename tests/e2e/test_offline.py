"""A game goes on without a signal: no hand is lost or counted twice, and the page says where each hand is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.taps import choose, expect_totals, press, press_save, take_bid

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

    from tests.support.server import Server

TWO = [hand(0, 3, 0, 0, 0, 1), hand(1, 2, 0, 1, 1, 0)]
LOGIN = "<!doctype html><title>Welcome to the hall</title><p>Sign in to use the Wi-Fi."


def open_game(page: Page, server: Server, hands: list[dict[str, Any]] = TWO) -> str:
    """Open a game, wait until it works offline, and return its path."""
    path = bring_in(page, server, record(hands))
    page.goto(path)
    ready(page)
    return path


def ready(page: Page) -> None:
    """Wait until the page works offline."""
    expect(page.locator("html[data-offline=ready]")).to_be_attached()


def worker_ready(page: Page) -> None:
    """Wait until the page can be reloaded offline."""
    page.evaluate(
        """async () => {
          await navigator.serviceWorker.ready;
          while (!(await caches.match(location.href))) await new Promise((done) => setTimeout(done, 50));
        }"""
    )


def badge(page: Page) -> Locator:
    """Return the box about waiting hands."""
    return page.locator(".waiting")


def score(page: Page, name: str, bid: int | str, took: tuple[str, str, str, str]) -> None:
    """Play a hand: tap the bid and the points, and save; answer yes to a question about it."""
    take_bid(page, name, bid)
    choose(page, *took)
    press_save(page)


def hands_of(page: Page, path: str) -> list[dict[str, Any]]:
    """Return the hands that the server has."""
    return list(page.request.get(f"{path}/record.json").json()["hands"])


US, THEM = "Ann and Cid", "Bob and Dee"
SWEEP = (US, US, US, US)


def test_taps_while_storage_is_read_cause_no_error(page: Page, server: Server) -> None:
    """Taps from the first moment without a pause: the state and the waiting hands always belong together."""
    page.add_init_script(
        """const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          const detail = { form: null, url: "/", body: null, lost: false };
          document.dispatchEvent(new CustomEvent("board-submit", { cancelable: true, detail }));
          if (document.documentElement?.dataset.offline !== "ready") port2.postMessage(0);
        };
        port2.postMessage(0);"""
    )
    path = open_game(page, server, TWO)
    page.goto(path)  # now the storage holds a game
    ready(page)


LOADED = """() => performance.getEntriesByType("resource").map(({ name }) => name.split("/").at(-1))"""
LATER = {"rules.js", "offline-board.js", "outbox-badge.js", "outbox-sender.js"}


def test_a_board_with_a_signal_leaves_the_code_for_going_on_without_one_to_the_worker(
    page: Page, server: Server
) -> None:
    """The worker has it, and the first tap without a signal loads it from there."""
    path = open_game(page, server)
    worker_ready(page)
    page.goto(path)
    ready(page)
    assert not LATER & set(page.evaluate(LOADED))
    page.context.set_offline(True)
    score(page, "Ann", 3, (US, US, US, THEM))
    expect_totals(page, 8, 4)
    assert set(page.evaluate(LOADED)) >= LATER


def test_a_board_loads_what_the_worker_lost_while_there_is_a_signal(page: Page, server: Server) -> None:
    """A phone short of room may drop the files of the worker; the page then loads the code while it can."""
    path = open_game(page, server)
    worker_ready(page)
    page.evaluate("async () => { for (const name of await caches.keys()) await caches.delete(name) }")
    page.goto(path)
    ready(page)
    assert set(page.evaluate(LOADED)) >= LATER
    page.context.set_offline(True)
    score(page, "Ann", 3, (US, US, US, THEM))
    expect_totals(page, 8, 4)


@pytest.mark.slow
def test_a_game_is_played_to_its_end_in_airplane_mode(page: Page, server: Server) -> None:
    """From the third hand on, with two reloads and a restart in between; then the server has each hand."""
    path = open_game(page, server)
    worker_ready(page)
    page.context.set_offline(True)
    score(page, "Ann", 3, (US, US, US, THEM))
    expect_totals(page, 8, 4)
    expect(badge(page)).to_contain_text("1 hand waiting")
    expect(page.locator(".last")).to_contain_text("Saved on this phone.")
    page.reload()
    expect_totals(page, 8, 4)
    expect(badge(page)).to_contain_text("1 hand waiting")
    take_bid(page, "Bob", 4)
    page.reload()
    expect(page.locator(".in-play")).to_contain_text("Bob bid 4")
    choose(page, US, THEM, THEM, THEM)
    expect(page.locator(".preview").filter(visible=True)).to_contain_text("Set!")
    press(page.get_by_role("button", name="Save", exact=True))
    expect_totals(page, 9, 0)
    context = page.context
    page.close()
    page = context.new_page()
    page.goto("/?last")
    assert page.url.endswith(path), "the way back leads to the game that was open"
    expect_totals(page, 9, 0)
    ready(page)
    for name in ("Cid", "Dee", "Ann"):
        who = SWEEP if name != "Dee" else (THEM, US, "", THEM)
        score(page, name, 4 if name != "Dee" else 2, who)
    expect_totals(page, 18, 2)
    score(page, "Ann", 4, SWEEP)
    expect(page.locator(".outcome")).to_contain_text("Ann and Cid win")
    expect(badge(page)).to_contain_text("6 hands waiting")
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    expect(page.locator(".outcome")).to_contain_text("made their bid of 4")
    expect_totals(page, 22, 2)
    saved = hands_of(page, path)
    assert [(each["bidder"], each["bid"]) for each in saved] == [
        (0, 3), (1, 2), (0, 3), (1, 4), (2, 4), (3, 2), (0, 4), (0, 4)
    ]  # fmt: skip


@pytest.mark.slow
def test_two_tabs_of_one_phone_send_each_hand_once(page: Page, server: Server) -> None:
    path = open_game(page, server)
    tab = page.context.new_page()
    tab.goto(path)
    ready(tab)
    page.context.set_offline(True)
    score(page, "Ann", 4, SWEEP)
    expect(badge(tab)).to_contain_text("1 hand waiting")
    score(tab, "Bob", 2, (THEM, THEM, "", US))
    expect(badge(page)).to_contain_text("2 hands waiting")
    expect_totals(page, 10, 5)
    page.context.set_offline(False)
    for each in (page, tab):
        expect(badge(each)).not_to_contain_text("waiting")
        expect_totals(each, 10, 5)
    assert len(hands_of(page, path)) == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("status", "kind", "body", "says"),
    [
        (200, "text/html", LOGIN, "The Wi-Fi is asking you to sign in"),
        (401, "text/html", LOGIN, "The Wi-Fi is asking you to sign in"),
        (400, "text/html", LOGIN, "The Wi-Fi is asking you to sign in"),
        (403, "application/json", '{"trouble": "watching"}', "can no longer score this game"),
        (404, "application/json", '{"trouble": "gone"}', "no longer on the server"),
        (409, "application/json", '{"trouble": "moved", "number": 3}', "Nothing was overwritten"),
        (422, "application/json", '{"trouble": "refused", "number": 3, "why": "No."}', "can't accept hand 3: No."),
        (422, "application/json", '{"trouble": "unread", "why": "Cannot read these."}', "Cannot read these."),
        (503, "text/html", LOGIN, "can't save right now"),
    ],
)
def test_any_answer_leaves_the_hand_waiting(
    page: Page, server: Server, status: int, kind: str, body: str, says: str
) -> None:
    """For a Wi-Fi login page with any status, a refusal or a full disk, the page says what to do."""

    def answer(route: Route) -> None:
        if route.request.method == "POST" or (body == LOGIN and route.request.url.endswith("/waiting")):
            route.fulfill(status=status, content_type=kind, body=body)
        else:
            route.continue_()

    path = open_game(page, server)
    page.evaluate("() => delete ServiceWorkerRegistration.prototype.sync")  # otherwise its worker would send the hand
    page.route("**/games/**", answer)
    score(page, "Ann", 4, SWEEP)
    expect(badge(page)).to_contain_text("1 hand waiting")
    expect(badge(page)).to_contain_text(says)
    expect_totals(page, 9, 3)
    page.unroute("**/games/**", answer)
    press(badge(page).locator("summary").first)
    press(badge(page).get_by_role("button", name="Send now"))
    expect(badge(page)).to_contain_text("Saved.")
    assert len(hands_of(page, path)) == 3


@pytest.mark.slow
def test_an_expired_session_is_renewed(page: Page, server: Server) -> None:
    """The CSRF token is old, but another cookie still identifies the phone, so it fetches a fresh token."""
    path = open_game(page, server)
    page.context.set_offline(True)
    score(page, "Ann", 4, SWEEP)
    page.context.clear_cookies(name="session")
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    assert len(hands_of(page, path)) == 3


@pytest.mark.slow
def test_an_unknown_phone_does_not_lose_its_hands(page: Page, server: Server) -> None:
    open_game(page, server)
    page.context.set_offline(True)
    score(page, "Ann", 4, SWEEP)
    page.context.clear_cookies()
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("can no longer score this game")
    press(badge(page).locator("summary").first)
    assert "Hand 3: Ann bid 4." in badge(page).get_by_role("textbox").input_value()


@pytest.mark.slow
def test_without_storage_the_hand_stays_on_the_screen(page: Page, server: Server) -> None:
    """If storage is full or missing, the page says so, and still sends the hand."""
    page.add_init_script(
        """IDBObjectStore.prototype.put = IDBObjectStore.prototype.add = function () {
          throw new DOMException("full", "QuotaExceededError");
        };"""
    )
    path = open_game(page, server)
    page.context.set_offline(True)
    score(page, "Ann", 4, SWEEP)
    expect(badge(page)).to_contain_text("storage is full")
    expect(page.locator(".last")).to_contain_text("Only on this screen")
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    assert len(hands_of(page, path)) == 3


@pytest.mark.slow
def test_an_old_browser_stores_and_sends_too(page: Page, server: Server) -> None:
    """As with plain HTTP or an old iPhone: no service worker, locks, randomUUID or channel between tabs."""
    page.add_init_script(
        """delete Navigator.prototype.serviceWorker; delete Navigator.prototype.locks;
        delete Crypto.prototype.randomUUID; delete window.BroadcastChannel; delete AbortSignal.timeout;
        Object.defineProperty(window, "isSecureContext", { value: false });"""
    )
    path = open_game(page, server)
    page.context.set_offline(True)
    score(page, "Ann", 4, SWEEP)
    expect(badge(page)).to_contain_text("Without HTTPS it can't be reloaded")
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    assert len(hands_of(page, path)) == 3


@pytest.mark.slow
def test_a_waiting_hand_can_be_undone(page: Page, server: Server) -> None:
    open_game(page, server)
    page.context.set_offline(True)
    score(page, "Ann", 4, SWEEP)
    press(badge(page).locator("summary").first)
    press(badge(page).get_by_role("button", name="Undo hand 3"))
    expect(badge(page)).to_be_hidden()
    expect_totals(page, 5, 3)
    score(page, "Cid", 4, SWEEP)
    expect(badge(page)).to_contain_text("1 hand waiting")


@pytest.mark.slow
def test_refused_hands_are_discarded_in_two_taps(page: Page, server: Server) -> None:
    """As long as the server may still accept them, only the last hand can be undone."""
    open_game(page, server)
    page.context.set_offline(True)
    score(page, "Ann", 4, SWEEP)
    press(badge(page).locator("summary").first)
    expect(badge(page).get_by_text("Discard unsent hands")).not_to_be_attached()
    page.context.clear_cookies()
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("can no longer score this game")
    press(badge(page).get_by_text("Discard unsent hands"))
    press(badge(page).get_by_role("button", name="Yes, discard"))
    expect(badge(page)).to_be_hidden()


@pytest.mark.slow
def test_offline_asks_about_an_odd_hand_too(page: Page, server: Server) -> None:
    """Go back corrects a mistake; a second tap saves the hand; a changed hand is asked about again."""
    path = open_game(page, server)
    page.context.set_offline(True)
    take_bid(page, "Ann", 2)
    choose(page, THEM, THEM, THEM, THEM)
    press(page.get_by_role("button", name="Save", exact=True))
    asked = page.get_by_role("main").locator(".asks")
    expect(asked).to_contain_text("Ann bid 2 and took no points?")
    press(asked.get_by_role("button", name="Go back"))
    expect(asked).not_to_be_attached()
    choose(page, US, US, "", US)
    press(page.get_by_role("button", name="Save", exact=True))
    expect_totals(page, 8, 3)
    take_bid(page, "Bob", 4)
    choose(page, THEM, THEM, "", THEM)
    press(page.get_by_role("button", name="Save", exact=True))
    expect(asked).to_contain_text("Bob bid 4, but only 3 points were out. Did nobody take Jack?")
    press(asked.get_by_role("button", name="Yes, save it"))
    expect_totals(page, 8, -1)
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    assert [(each["bidder"], each["bid"]) for each in hands_of(page, path)[2:]] == [(0, 2), (1, 4)]
