"""A phone whose browser can be closed and opened again, with helpers that start and play games on it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

from playwright.sync_api import expect

from tests.e2e.browser import OPTIONS, PATIENCE, SCREEN, program
from tests.e2e.taps import choose, press, press_save, take_bid, unfold_games
from tests.e2e.test_offline import ready

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.e2e.wifi import Wifi
    from tests.support.server import Server

PREPARED = """async () => {
  const has = async (cache, path) => (await caches.open(cache)).match(location.origin + path);
  const pause = () => new Promise((go) => setTimeout(go, 1000));
  /* The server makes one phone's at a time, and asks the others to come again. */
  const { active } = await navigator.serviceWorker.ready;
  for (const until = Date.now() + 60_000; Date.now() < until; await pause()) {
    if ((await has("kits", "/games/kits.json")) && (await has("boards", "/"))) return;
    active.postMessage("prepare");
  }
  throw new Error("the phone has not got what starts games");
}"""
SENT = """async () => {
  const asked = indexedDB.open("scorekeeper");
  await new Promise((done) => (asked.onsuccess = done));
  const all = (name) => new Promise((done) => {
    const found = asked.result.transaction(name).objectStore(name).getAll();
    found.onsuccess = () => done(found.result);
  });
  const pause = () => new Promise((go) => setTimeout(go, 100));
  let left;
  for (const until = Date.now() + 90_000; Date.now() < until; await pause()) {
    left = [...(await all("hands")), ...(await all("games")).filter(({ start }) => start)];
    if (!left.length) return asked.result.close();
  }
  throw new Error(`not sent: ${JSON.stringify(left).slice(0, 2000)}`);
}"""


class Pocket:
    """A phone whose browser can be closed and opened again. The phone reaches the server through the Wi-Fi `air`."""

    def __init__(self, browser: Browser, folder: Path, air: Wifi) -> None:
        self.kind, self.folder, self.air = browser.browser_type, folder, air
        self.context: BrowserContext | None = None

    def open(self, path: str = "/") -> Page:
        """Start the browser, open the page at `path`, and return it."""
        self.context = self.kind.launch_persistent_context(
            self.folder,
            executable_path=program(),
            args=list(OPTIONS),
            base_url=self.air.url,
            has_touch=True,
            is_mobile=True,
            reduced_motion="reduce",
            viewport={"width": SCREEN["width"], "height": SCREEN["height"]},
        )
        self.context.set_default_timeout(PATIENCE)
        page = self.context.pages[0]
        page.goto(path)
        return page

    def close(self) -> None:
        """Close the browser if it is open."""
        if self.context is not None:
            self.context.close()
        self.context = None


def start(page: Page, game: str, names: Sequence[str]) -> str:
    """Start a game from the home page, and return the game's path.

    `game` is the name of the kind of game, such as "Setback". `names` are the players in seat order.
    """
    press(page.get_by_role("link", name="New game"))
    expect(page.get_by_role("heading", name="New game")).to_be_visible()
    unfold_games(page)
    press(page.get_by_role("button").filter(has=page.get_by_text(game, exact=True)))
    expect(page.locator("details.picked > summary b")).to_have_text(game)
    for seat, name in enumerate(names):
        page.get_by_role("combobox", name=re.compile(f"^Seat {seat + 1}\\b")).fill(name)
    press(page.get_by_role("button", name="Start the game"))
    ready(page)
    return re.sub(r"^https?://[^/]+", "", page.url)


def sweep(page: Page, name: str) -> None:
    """Enter a hand in which `name` bids 4 and takes every point."""
    take_bid(page, name, 4)
    choose(page, name, name, name, name)
    press_save(page)


def record(server: Server, path: str) -> dict[str, Any]:
    """Download the record of the game at `path` from the server, and return it."""
    with urlopen(f"{server.url}{path}/record.json") as answer:
        return dict(json.load(answer))


def bids(told: dict[str, Any]) -> list[tuple[int, int]]:
    """Return (bidder's seat, bid) for each hand in the game record `told`."""
    return [(hand["bidder"], hand["bid"]) for hand in told["hands"]]
