"""Hands wait on the phone while the Wi-Fi, the server, the storage or the clock is at fault."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.imported_games import bring_in, record
from tests.e2e.taps import expect_totals
from tests.e2e.test_offline import SWEEP, THEM, TWO, US, badge, hands_of, ready, score, worker_ready
from tests.e2e.wifi import captive_portal, wifi
from tests.support.server import command, environment, kill_group, start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

    from tests.e2e.wifi import Wifi
    from tests.support.server import Server

pytestmark = pytest.mark.slow

REPOSITORY = Path(__file__).resolve().parents[2]
A_DAY = timedelta(days=1)


@pytest.fixture
def air(server: Server) -> Iterator[Wifi]:
    """Yield a Wi-Fi access point in front of the server."""
    with wifi(server.url) as air:
        yield air


def open_through(page: Page, air: Wifi) -> str:
    """Open a game through the access point `air`, wait until the game works offline, and return its full address.

    The game has two hands.
    """
    url = air.url + bring_in(page, air, record(TWO))
    page.goto(url)
    ready(page)
    worker_ready(page)
    return url


def signal_is_back(page: Page) -> None:
    """Fire the browser's online event, and expect all hands to be saved."""
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(badge(page)).to_contain_text("Saved.", timeout=40_000)


def test_captive_portal(page: Page, server: Server, air: Wifi) -> None:
    """A game with a waiting hand still opens while a Wi-Fi login page answers every request.

    The login page (a captive portal) has status 200. The waiting hand is saved once the phone reaches the server again.
    """
    url = open_through(page, air)
    with captive_portal() as portal:
        air.lead_to(portal)
        score(page, "Ann", 4, SWEEP)
        expect(badge(page)).to_contain_text("1 hand waiting")
        expect(badge(page)).to_contain_text("Open any web page, sign in, then send again")
        page.reload()
        expect_totals(page, 9, 3)
        expect(badge(page)).to_contain_text("The Wi-Fi is asking you to sign in")
        air.lead_to(server.url)
    signal_is_back(page)
    assert len(hands_of(page, url)) == 3


def test_captive_portal_before_any_hand_waits(page: Page, server: Server, air: Wifi) -> None:
    """A captive portal's login page is shown to the player, but it doesn't replace the stored game.

    No hand is waiting when the login page is shown. Later the game still opens without a signal.
    """
    url = open_through(page, air)
    with captive_portal() as portal:
        air.lead_to(portal)
        page.reload()
        expect(page.get_by_role("heading", name="Sign in to use the Wi-Fi")).to_be_visible()
        air.lead_to("")
    page.goto(url)
    ready(page)
    expect_totals(page, 5, 3)
    score(page, "Ann", 4, SWEEP)
    expect(badge(page)).to_contain_text("1 hand waiting")
    air.lead_to(server.url)
    signal_is_back(page)
    assert len(hands_of(page, url)) == 3


def test_changed_secret(page: Page, tmp_path: Path) -> None:
    """A waiting hand is saved even if the server was restarted with another secret key.

    The new key makes the phone's signed cookies invalid.
    """
    first = start(command(tmp_path))
    try:
        with wifi(first.url) as air:
            url = open_through(page, air)
            air.lead_to("")
            score(page, "Ann", 4, SWEEP)
            expect(badge(page)).to_contain_text("1 hand waiting")
            assert first.stop() == 0
            second = start(command(tmp_path), environment(SECRET_KEY="another-secret-of-32-characters!"))
            try:
                air.lead_to(second.url)
                signal_is_back(page)
                expect_totals(page, 9, 3)
                assert len(hands_of(page, url)) == 3
            finally:
                kill_group(second)
    finally:
        kill_group(first)


FILL = """async () => {
  const asked = indexedDB.open("pictures");
  asked.onupgradeneeded = () => asked.result.createObjectStore("all", { autoIncrement: true });
  await new Promise((done) => (asked.onsuccess = done));
  const put = (size) => new Promise((done) => {
    const all = asked.result.transaction("all", "readwrite");
    all.oncomplete = () => done("");
    all.onabort = () => done(all.error.name);
    all.objectStore("all").add(crypto.getRandomValues(new Uint8Array(size)));
  });
  let why;
  for (let size = 65_536; size > 16; size /= 2) while (!(why = await put(size)));
  return why;
}"""


def test_storage_full(page: Page, server: Server, air: Wifi) -> None:
    """If the phone's storage fills up during a game, all waiting hands are still sent.

    A hand that no longer fits into the storage is kept on the screen only, and the page says so.
    """
    devtools = page.context.new_cdp_session(page)
    devtools.send("Storage.overrideQuotaForOrigin", {"origin": air.url, "quotaSize": 4_000_000})
    url = open_through(page, air)
    air.lead_to("")
    score(page, "Ann", 4, SWEEP)
    expect(page.locator(".last")).to_contain_text("Saved on this phone.")
    assert page.evaluate(FILL) == "QuotaExceededError"
    score(page, "Bob", 2, (THEM, THEM, "", US))
    expect(badge(page)).to_contain_text("2 hands waiting")
    expect(badge(page)).to_contain_text("storage is full")
    expect(page.locator(".last")).to_contain_text("Only on this screen")
    air.lead_to(server.url)
    signal_is_back(page)
    expect_totals(page, 10, 5)
    assert len(hands_of(page, url)) == 4
    page.reload()
    expect_totals(page, 10, 5)
    expect(badge(page)).to_be_hidden()


@pytest.mark.parametrize("off", [A_DAY, -A_DAY], ids=["ahead", "behind"])
def test_clock_off(page: Page, server: Server, air: Wifi, off: timedelta) -> None:
    """Hands entered offline get the server's time, even if the phone's clock was a day off.

    One hand is entered with the wrong clock, and another one after the clock is corrected. Each hand is saved once.
    """
    page.clock.set_system_time(datetime.now(UTC) + off)
    url = open_through(page, air)
    air.lead_to("")
    score(page, "Ann", 4, SWEEP)
    expect(badge(page)).to_contain_text("1 hand waiting")
    page.clock.set_system_time(datetime.now(UTC))
    score(page, "Bob", 2, (THEM, THEM, "", US))
    page.reload()
    expect(badge(page)).to_contain_text("2 hands waiting")
    air.lead_to(server.url)
    signal_is_back(page)
    assert len(hands_of(page, url)) == 4
    page.goto(f"{url}/log")
    stamps = page.get_by_role("main").locator("time").evaluate_all("all => all.map((each) => each.dateTime)")
    assert stamps
    for stamp in stamps:
        assert abs(datetime.fromisoformat(stamp) - datetime.now(UTC)) < timedelta(hours=1)


def make_another_version(folder: Path) -> None:
    """Copy the program into `folder` with a changed script and style sheet."""
    for name in ("scorekeeper", "static", "templates"):
        shutil.copytree(REPOSITORY / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name, more in {"js/games/offline-board.js": "\n/* Newer. */\n", "css/app.css": "\n.newer { top: 0 }\n"}.items():
        with (folder / "static" / name).open("a") as file:
            file.write(more)


KEPT = "async () => (await caches.keys()).filter((name) => name.startsWith('files-'))"
SHOWN = "() => 'files-' + document.querySelector('script[src*=board]').getAttribute('src').split('/')[2]"
ONLY = """async (name) => {
  const older = (each) => each.startsWith("files-") && each !== name;
  for (let tries = 0; tries < 100; tries += 1) {
    if (!(await caches.keys()).some(older)) return true;
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
}"""
UPDATE = """async () => {
  const worker = await navigator.serviceWorker.ready;
  await worker.update().catch(() => {});
  for (let tries = 0; worker.installing; tries += 1) {
    if (tries > 2400) throw new Error("The new worker has been installing for two minutes.");
    await new Promise((done) => setTimeout(done, 50));
  }
  return Boolean(worker.waiting);
}"""


def opened_after_the_last_was_closed(page: Page, url: str) -> Page:
    """Close the phone's only page, and return a new page on the same phone with the game at `url`."""
    context = page.context
    page.close()
    page = context.new_page()
    page.goto(url)
    ready(page)
    return page


def test_update_with_a_full_outbox(page: Page, tmp_path: Path) -> None:
    """The phone keeps running the old version of the app while a hand waits, even if the server has a newer one.

    After the hand is saved, the newer version takes over.
    """
    (tmp_path / "newer").mkdir()
    data = tmp_path / "data"
    first = start(command(data))
    try:
        with wifi(first.url) as air:
            url = open_through(page, air)
            old = page.evaluate(SHOWN)
            assert page.evaluate(KEPT) == [old]
            air.lead_to("")
            score(page, "Ann", 4, SWEEP)
            expect(badge(page)).to_contain_text("1 hand waiting")
            assert first.stop() == 0
            make_another_version(tmp_path / "newer")
            second = start(command(data), cwd=tmp_path / "newer")
            try:
                # Answers are still lost, so that the hand goes on waiting.
                page.evaluate("() => delete ServiceWorkerRegistration.prototype.sync")
                page.add_init_script("ServiceWorker.prototype.postMessage = () => {}")
                page.route("**/waiting", lambda route: route.abort())
                air.lead_to(second.url)
                assert page.evaluate(UPDATE) is False, "the newer worker does not even get ready"
                page.reload()
                expect(badge(page)).to_contain_text("1 hand waiting")
                expect_totals(page, 9, 3)
                assert (page.evaluate(SHOWN), page.evaluate(KEPT)) == (old, [old])
                page.unroute_all()
                signal_is_back(page)
                assert len(hands_of(page, url)) == 3
                assert page.evaluate(UPDATE) is True
                page = opened_after_the_last_was_closed(page, url)
                new = page.evaluate(SHOWN)
                assert new != old
                # A page that opens before the browser has taken note that the last one closed keeps the old worker.
                for _again in range(10):
                    if page.evaluate(ONLY, new):
                        break
                    page = opened_after_the_last_was_closed(page, url)
                assert page.evaluate(KEPT) == [new]
                expect_totals(page, 9, 3)
            finally:
                kill_group(second)
    finally:
        kill_group(first)


class Worker:
    """A phone's service worker that a test can wake, as the browser does when the signal returns."""

    def __init__(self, page: Page, origin: str) -> None:
        self.origin = origin
        self.devtools = page.context.new_cdp_session(page)
        self.registrations: list[str] = []
        self.devtools.on("ServiceWorker.workerRegistrationUpdated", self._note)
        self.devtools.send("ServiceWorker.enable")
        page.wait_for_timeout(300)

    def _note(self, told: dict[str, list[dict[str, str]]]) -> None:
        self.registrations += [one["registrationId"] for one in told["registrations"] if self.origin in one["scopeURL"]]

    def wake(self) -> None:
        """Make the service worker send the hands that wait for a signal."""
        where = {"origin": self.origin, "registrationId": self.registrations[-1]}
        self.devtools.send("ServiceWorker.dispatchSyncEvent", {**where, "tag": "hands", "lastChance": True})


def test_page_and_service_worker_sending_together(page: Page, server: Server, air: Wifi) -> None:
    """Two waiting hands are each saved once, although the page and the service worker send them at the same moment."""
    url = open_through(page, air)
    worker = Worker(page, air.url)
    air.lead_to("")
    score(page, "Ann", 4, SWEEP)
    score(page, "Bob", 2, (THEM, THEM, "", US))
    expect(badge(page)).to_contain_text("2 hands waiting")
    air.lead_to(server.url)
    page.evaluate("() => setTimeout(() => dispatchEvent(new Event('online')), 20)")
    worker.wake()
    expect(badge(page)).not_to_contain_text("waiting")
    expect_totals(page, 10, 5)
    assert len(hands_of(page, url)) == 4
    page.goto(f"{url}/log")
    expect(page.get_by_role("main").get_by_text("bid 4")).to_have_count(1)


def test_service_worker_sends_with_the_page_closed(page: Page, server: Server, air: Wifi) -> None:
    """The service worker sends a waiting hand while the game isn't open in any tab.

    When the game is opened again, its board shows the saved hand.
    """
    url = open_through(page, air)
    air.lead_to("")
    score(page, "Ann", 4, SWEEP)
    expect(badge(page)).to_contain_text("1 hand waiting")
    other = page.context.new_page()
    page.close()
    air.lead_to(server.url)
    other.goto(f"{air.url}/settings")
    Worker(other, air.url).wake()
    for _ in range(100):
        if len(hands_of(other, url)) == 3:
            break
        other.wait_for_timeout(100)
    assert len(hands_of(other, url)) == 3
    other.goto(url)
    expect_totals(other, 9, 3)
    # If opened before the worker gets its answer, the page shows the hand as waiting and lets the worker send it.
    expect(badge(other)).not_to_be_visible(timeout=40_000)
