"""Games are started, played and played again without signal, after one visit; each is on the server once."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OPTIONS, PATIENCE, SCREEN, program
from tests.e2e.taps import choose, expect_totals, press, press_save, take_bid, unfold_games
from tests.e2e.test_offline import badge, ready
from tests.e2e.wifi import Wifi, wifi

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PREPARED = """async () => {
  await navigator.serviceWorker.ready;
  const has = async (cache, path) => (await caches.open(cache)).match(location.origin + path);
  const pause = () => new Promise((go) => setTimeout(go, 50));
  while (!(await has("kits", "/games/kits.json")) || !(await has("boards", "/"))) await pause();
}"""
SENT = """async () => {
  const asked = indexedDB.open("scorekeeper");
  await new Promise((done) => (asked.onsuccess = done));
  const all = (name) => new Promise((done) => {
    const found = asked.result.transaction(name).objectStore(name).getAll();
    found.onsuccess = () => done(found.result);
  });
  const pause = () => new Promise((go) => setTimeout(go, 100));
  while ((await all("hands")).length || (await all("games")).some(({ start }) => start)) await pause();
  asked.result.close();
}"""


class Pocket:
    """A phone whose browser can be closed and opened again; it reaches the server through `air`."""

    def __init__(self, browser: Browser, folder: Path, air: Wifi) -> None:
        self.kind, self.folder, self.air = browser.browser_type, folder, air
        self.context: BrowserContext | None = None

    def open(self, path: str = "/") -> Page:
        """Start the browser and open a page."""
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
        """End the browser."""
        if self.context is not None:
            self.context.close()
        self.context = None


@pytest.fixture
def air(server: Server) -> Iterator[Wifi]:
    """Yield the Wi-Fi in front of the server."""
    with wifi(server.url) as air:
        yield air


@pytest.fixture
def pocket(browser: Browser, tmp_path: Path, air: Wifi) -> Iterator[Pocket]:
    """Yield a phone that visited the home page once, and is closed again."""
    pocket = Pocket(browser, tmp_path / "profile", air)
    pocket.open().evaluate(PREPARED)
    pocket.close()
    yield pocket
    pocket.close()


def start(page: Page, game: str, names: Sequence[str]) -> str:
    """Start a game on the new-game page, and return its path."""
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
    """Play a hand in which `name` bids 4 and takes everything."""
    take_bid(page, name, 4)
    choose(page, name, name, name, name)
    press_save(page)


def record(server: Server, path: str) -> dict[str, Any]:
    """Return the game as the server has it."""
    with urlopen(f"{server.url}{path}/record.json") as answer:
        return dict(json.load(answer))


def bids(told: dict[str, Any]) -> list[tuple[int, int]]:
    """Return bidder and bid of each hand."""
    return [(hand["bidder"], hand["bid"]) for hand in told["hands"]]


def paths(page: Page) -> list[str]:
    """Return the addresses of the games on the home page."""
    return [link.get_attribute("href") or "" for link in page.locator("a.game").all()]


def test_an_evening_from_a_cold_start(pocket: Pocket, air: Wifi, server: Server) -> None:
    """Two games in a row and a third one, reloads and a restart; then the records are what was tapped."""
    air.lead_to("")
    page = pocket.open()
    expect(page.get_by_role("link", name="Leagues")).to_contain_text("needs a signal")
    first = start(page, "Pitch", ("Zoë", "O'Bob <b>", "Cid"))
    expect(badge(page)).to_contain_text("Game waiting")
    for _hand in range(3):
        sweep(page, "Zoë")
    expect(page.locator(".outcome")).to_contain_text("Zoë wins")
    expect(page.locator(".outcome h2 + p")).to_have_text("Zoë made the bid and reached 12.")
    press(page.get_by_role("button", name="Play again"))
    expect(page).not_to_have_url(re.compile(first))
    ready(page)
    second = re.sub(r"^https?://[^/]+", "", page.url)
    expect(page.get_by_text("Zoë deals")).to_be_visible()
    sweep(page, "Cid")
    sweep(page, "O'Bob <b>")
    press(badge(page).locator("summary").first)
    press(badge(page).get_by_role("button", name="Undo hand 2"))
    expect_totals(page, 0, 0, 4)
    page.reload()
    expect_totals(page, 0, 0, 4)
    page.goto("/")
    third = start(page, "Setback", ("Ann", "Bob", "Cid", "Dee"))
    pocket.close()
    page = pocket.open()
    expect(page.locator("a.game")).to_have_count(3)
    assert paths(page) == [third, second, first]
    expect(page.locator("a.game").nth(1)).to_contain_text("1 hand waiting")
    air.lead_to(server.url)
    page.evaluate(SENT)
    page.goto("/")
    assert sorted(paths(page)) == sorted([third, second, first])
    told = record(server, first)
    assert (told["players"], told["ruleset"]["preset"]) == (["Zoë", "O'Bob <b>", "Cid"], "pitch-11")
    assert bids(told) == [(0, 4)] * 3
    assert bids(record(server, second)) == [(2, 4)]
    assert record(server, third)["hands"] == []
    page.goto(first)
    expect(page.locator(".outcome")).to_contain_text("Zoë wins")


def test_a_lost_answer_starts_one_game(pocket: Pocket, air: Wifi, server: Server) -> None:
    """The server gets the form, the phone no answer, and plays on by itself; two tabs then send at once."""
    page = pocket.open()
    press(page.get_by_role("link", name="New game"))
    for seat, name in enumerate(("Ann", "Bob", "Cid", "Dee")):
        page.get_by_role("combobox", name=re.compile(f"^Seat {seat + 1}\\b")).fill(name)
    air.loses_answers = True
    press(page.get_by_role("button", name="Start the game"))
    ready(page)
    path = re.sub(r"^https?://[^/]+", "", page.url)
    assert record(server, path)["players"] == ["Ann", "Bob", "Cid", "Dee"]
    side = "Ann and Cid"
    take_bid(page, "Ann", 4)
    choose(page, side, side, side, side)
    press_save(page)
    tab = page.context.new_page()
    tab.goto(path)
    ready(tab)
    air.loses_answers = False
    air.lead_to(server.url)
    page.evaluate(SENT)
    assert bids(record(server, path)) == [(0, 4)]
    for each in (page, tab):
        expect(badge(each)).not_to_contain_text("waiting")
        expect_totals(each, 4, 0)
    page.goto("/")
    assert paths(page) == [path]


def test_a_full_phone_starts_nothing_and_says_so(pocket: Pocket, air: Wifi) -> None:
    air.lead_to("")
    page = pocket.open()
    client = page.context.new_cdp_session(page)
    client.send("Storage.overrideQuotaForOrigin", {"origin": air.url, "quotaSize": 1})
    press(page.get_by_role("link", name="New game"))
    for seat, name in enumerate(("Ann", "Bob", "Cid", "Dee")):
        page.get_by_role("combobox", name=re.compile(f"^Seat {seat + 1}\\b")).fill(name)
    press(page.get_by_role("button", name="Start the game"))
    expect(page.locator(".error")).to_contain_text("storage is full")
    expect(page.get_by_role("combobox", name=re.compile("^Seat 1"))).to_have_value("Ann")
    client.send("Storage.overrideQuotaForOrigin", {"origin": air.url})
    press(page.get_by_role("button", name="Start the game"))
    ready(page)
    expect_totals(page, 0, 0)
