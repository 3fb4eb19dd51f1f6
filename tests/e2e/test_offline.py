"""A game goes on without a signal: no hand is lost or counted twice, and the page says which hands are saved."""

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
    """Import a game with these hands, open the game, wait until it works offline, and return its path."""
    path = bring_in(page, server, record(hands))
    page.goto(path)
    ready(page)
    return path


def ready(page: Page) -> None:
    """Wait until hands can be entered on the page offline."""
    expect(page.locator("html[data-offline=ready]")).to_be_attached()


def worker_ready(page: Page) -> None:
    """Wait until the page can be reloaded offline, because the service worker has stored it."""
    page.evaluate(
        """async () => {
          await navigator.serviceWorker.ready;
          while (!(await caches.match(location.href))) await new Promise((done) => setTimeout(done, 50));
        }"""
    )


def badge(page: Page) -> Locator:
    """Return the element that says which hands are waiting to be sent."""
    return page.locator(".waiting")


def score(page: Page, name: str, bid: int | str, took: tuple[str, str, str, str]) -> None:
    """Play a hand and save it. If the page asks whether the hand is right, confirm it.

    The player `name` makes the bid. `took` lists the winners of High, Low, Jack and Game, in that order.
    """
    take_bid(page, name, bid)
    choose(page, *took)
    press_save(page)


def hands_of(page: Page, path: str) -> list[dict[str, Any]]:
    """Return the hands that the server has saved for the game at `path`."""
    return list(page.request.get(f"{path}/record.json").json()["hands"])


US, THEM = "Ann and Cid", "Bob and Dee"
SWEEP = (US, US, US, US)


@pytest.mark.slow
def test_taps_while_storage_is_read_cause_no_error(page: Page, server: Server) -> None:
    """Taps while a page is still reading its stored hands cause no error."""
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


@pytest.mark.slow
def test_a_board_with_a_signal_leaves_the_code_for_going_on_without_one_to_the_worker(
    page: Page, server: Server
) -> None:
    """While the phone has a signal, the board doesn't load the code for offline play.

    The service worker has stored this code. The first tap without a signal loads the code from the service worker's
    files.
    """
    path = open_game(page, server)
    worker_ready(page)
    page.goto(path)
    ready(page)
    assert not LATER & set(page.evaluate(LOADED))
    page.context.set_offline(True)
    score(page, "Ann", 3, (US, US, US, THEM))
    expect_totals(page, 8, 4)
    assert set(page.evaluate(LOADED)) >= LATER


@pytest.mark.slow
def test_a_board_loads_what_the_worker_lost_while_there_is_a_signal(page: Page, server: Server) -> None:
    """While the phone has a signal, the board loads the code for offline play if the service worker's files are gone.

    A phone that is short of space may delete these files.
    """
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
    """From its third hand on, a game can be played to its end in airplane mode.

    The page is reloaded twice, and closed and opened again once. With a signal again, the server gets every hand.
    """
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
    """If a hand can't be saved, it keeps waiting on the phone, and the page says what is wrong.

    The reason may be a Wi-Fi login page, a refusal by the server, or a server that can't save right now.
    """

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
    """A waiting hand is saved even if the phone's session cookie is gone.

    Another cookie still identifies the phone, so the page can fetch a fresh CSRF token.
    """
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
    """If the phone can't store a hand, the page says that its storage is full, and still sends the hand."""
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
    """A browser without modern features can still store an offline hand and send it later.

    This browser has no service workers, locks, `randomUUID` or channels between tabs. With plain HTTP, newer browsers
    also lack some of these features.
    """
    page.add_init_script(
        """delete Navigator.prototype.serviceWorker; delete Navigator.prototype.locks;
        delete Crypto.prototype.randomUUID; delete window.BroadcastChannel; delete AbortSignal.timeout;
        Object.defineProperty(window, "isSecureContext", { value: false });"""
    )
    path = open_game(page, server)
    page.context.set_offline(True)
    score(page, "Ann", 4, SWEEP)
    expect(badge(page)).to_contain_text("Leave this page open")
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
    """A player can discard waiting hands only after the server has refused them. Discarding takes two taps."""
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
    """The page asks whether an unusual hand is right, even without a signal.

    "Go back" lets the player correct the hand. "Yes, save it" saves the hand.
    """
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
    expect(asked).to_contain_text("Bob bid 4, but only 3 points were out because nobody took Jack. Is that right?")
    press(asked.get_by_role("button", name="Yes, save it"))
    expect_totals(page, 8, -1)
    page.context.set_offline(False)
    expect(badge(page)).to_contain_text("Saved.")
    assert [(each["bidder"], each["bid"]) for each in hands_of(page, path)[2:]] == [(0, 2), (1, 4)]
