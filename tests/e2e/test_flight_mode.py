"""In flight mode from a cold start, every link and button on every reachable page works or says in place why not."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Error, expect
from playwright.sync_api import TimeoutError as TooLateError

from tests.e2e.imported_games import bring_in, record
from tests.e2e.pocket import PREPARED
from tests.e2e.test_offline import TWO, ready, worker_ready

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.e2e.pocket import Pocket
    from tests.e2e.wifi import Wifi

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CONTROLS = "a[href], button, summary"
PATIENCE = 8_000
"""Milliseconds after which a tap without any effect is a fault."""
SETTLED = 350
"""Milliseconds from the first effect of a tap to the last one."""
SKIPPED = re.compile("Skip to content|Share|Copy")
"""Controls that lead out of the browser, or only move the focus."""
ALIKE = 1
"""Buttons that are tried of those with one form and one name: the bids of all players, the calls."""
SCENES = {
    "/",
    "/games/new",
    "/games/* bids",
    "/games/* points",
    "/games/* auction",
    "/games/* end",
    "/games/*/table",
    "/games/*/table review",
    "/games/*/rules",
    "/games/*/log",
    "/games/*/adjustments",
    "/games/*/adjustments review",
    "/games/*/hands/*/correction",
    "/games/*/hands/*/correction review",
    "/games/*/count",
}
"""Pages that work in flight mode, with the step that they show."""
SAYS_WHY = {"/": ("Leagues", "Our table", "Help", "Privacy", "Lost your phone"), "/games/*/table": ("Phones", "Help")}
"""Words on controls that must say that they need a signal."""
STEP = """() => {
  const steps = { ".outcome.end": "end", ".asks": "asks", ".auction": "auction", "form[data-preview]": "points",
    "form.bids, form.bid-pad": "bids", ".effect": "review" };
  return Object.entries(steps).find(([each]) => document.querySelector(`main ${each}`))?.[1] ?? "";
}"""
NEARBY = """each => {
  const form = each.form?.querySelectorAll("button").length === 1 ? each.form : null;
  return [each, each.closest("a, li, p"), form].map((place) => place?.textContent ?? "").join(" ");
}"""
"""The words at a control: its own, those around it, and of its form if it is the only button there."""
STATE = """() => [
  location.href,
  document.body.innerText,
  ...[...document.querySelectorAll("input, textarea, details, [hidden], [aria-pressed]")].map(
    (each) => [each.checked, each.value, each.open, each.hidden, each.ariaPressed]),
].join()"""
DATABASE = """const asked = indexedDB.open("scorekeeper", 1);
  asked.onupgradeneeded = () => {
    asked.result.createObjectStore("hands", { keyPath: "order", autoIncrement: true }).createIndex("game", "game");
    asked.result.createObjectStore("games", { keyPath: "game" });
    asked.result.createObjectStore("leases", { keyPath: "name" });
  };
  await new Promise((done, failed) => ((asked.onsuccess = done), (asked.onerror = failed)));
  const database = asked.result;
  const both = database.transaction(["hands", "games"], "readwrite");
  const ended = new Promise((done) => (both.oncomplete = done));"""
DUMP = f"""async () => {{
  {DATABASE}
  const all = (name) => new Promise((done) => {{
    both.objectStore(name).getAll().onsuccess = ({{ target }}) => done(target.result);
  }});
  const told = JSON.stringify([await all("hands"), await all("games")]);
  await ended;
  database.close();
  return told;
}}"""
RESTORE = f"""async (told) => {{
  {DATABASE}
  const rows = JSON.parse(told);
  ["hands", "games"].forEach((name, at) => {{
    both.objectStore(name).clear();
    for (const row of rows[at]) both.objectStore(name).put(row);
  }});
  await ended;
  database.close();
}}"""


@dataclass(frozen=True)
class Scene:
    """A page in one of its steps, and what the phone had stored then."""

    kind: str
    address: str
    stored: str


@pytest.mark.skip(reason="not finished: it sometimes sees the home page in place of a board; run by hand")
def test_every_link_and_button_works_or_says_why_not(pocket: Pocket, air: Wifi) -> None:
    """One visit with a running game; then the browser is closed, the signal gone, and the browser opened again."""
    page = pocket.open()
    path = bring_in(page, air, record(TWO))
    page.goto(path)
    ready(page)
    worker_ready(page)
    page.goto("/")
    page.evaluate(PREPARED)
    pocket.close()
    air.lead_to("")
    page = pocket.open()
    page.context.set_offline(True)
    silent: list[str] = []
    crawl = Crawl(page)
    while crawl.todo:
        scene = crawl.todo.pop(0)
        for label, outcome in crawl.visited(scene):
            print(f"{scene.kind}: {label}: {outcome}", flush=True)
            if outcome.startswith("silent"):
                silent.append(f"{scene.kind}: {label}: {outcome}")
            if any(word in label for word in SAYS_WHY.get(scene.kind, ())):
                assert outcome == "says why not", f"{scene.kind}: {label}: {outcome}"
    assert silent == []
    assert crawl.seen >= SCENES, SCENES - crawl.seen


def kind_of(address: str) -> str:
    """Return the address without ids."""
    path = re.sub(r"^https?://[^/]+", "", address).partition("?")[0].partition("#")[0]
    path = re.sub(r"^/games/(?!new\b|again\b)[^/]+", "/games/*", path)
    return re.sub(r"/hands/[^/]+", "/hands/*", path)


class Crawl:
    """Tries each control of each scene once, from what the phone had stored when the scene was first seen."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.seen: set[str] = set()
        self.todo: list[Scene] = []
        page.goto("/")
        self.add()

    def add(self) -> str:
        """Remember what the page shows now as a scene to visit, unless one like it is known; return its kind."""
        kind = f"{kind_of(self.page.url)} {self.page.evaluate(STEP)}".strip()
        if kind not in self.seen:
            self.seen.add(kind)
            self.todo.append(Scene(kind, self.page.url, self.page.evaluate(DUMP)))
        return kind

    def visited(self, scene: Scene) -> list[tuple[str, str]]:
        """Try each control, each on a freshly opened page, and return what it did."""
        self.open(scene)
        labels: dict[str, None] = {}
        often: dict[Any, int] = {}
        for control in self.shown():
            label = label_of(control)
            sort = control.evaluate("each => each.name && each.form ? `${each.form.action} ${each.name}` : ''") or label
            often[sort] = often.get(sort, 0) + 1
            if label and often[sort] <= ALIKE and not SKIPPED.search(label):
                labels[label] = None
        return [(label, self.tried(scene, label)) for label in labels]

    def open(self, scene: Scene) -> None:
        """Open the page as it was, fold everything out, and fill in what is empty."""
        page = self.page
        page.evaluate(RESTORE, scene.stored)
        page.goto(scene.address)
        expect(page.locator("h1").first).to_be_attached()
        if kind_of(page.url).startswith("/games/*"):
            ready(page)
        page.wait_for_timeout(SETTLED)
        if scene.kind.endswith("auction") and "auction" not in page.evaluate(STEP):
            page.get_by_role("link", name="Bid player by player").click()
            expect(page.locator(".auction")).to_be_visible()
        for fold in page.locator("main details:not([open]) > summary").all():
            if fold.is_visible():
                fold.click()
        self.fill()
        if scene.kind.endswith("review"):
            self.review(scene)
        self.settle()

    def settle(self) -> None:
        """Wait until the page stays as it is: the preview of a hand comes later and renames a button."""
        until = time.monotonic() + PATIENCE / 1000
        before = ""
        while (now := self.page.evaluate(STATE)) != before and time.monotonic() < until:
            before = now
            self.page.wait_for_timeout(SETTLED)

    def review(self, scene: Scene) -> None:
        """Go to the second step of a page, which has no address of its own."""
        page = self.page
        button = "End without a winner" if "/table" in scene.kind else "Review"
        page.get_by_role("button", name=button).first.click()
        expect(page.locator(".effect")).to_be_visible()

    def fill(self) -> None:
        """Fill in the empty fields, and choose something where nothing is chosen."""
        page = self.page
        for number, field in enumerate(page.locator("main input:not([type]), main input[type=text]").all()):
            if field.is_visible() and not field.input_value():
                field.fill("2" if field.get_attribute("inputmode") == "numeric" else f"Player {number}")
        page.evaluate(
            """() => {
              for (const radio of document.querySelectorAll("main form input[type=radio]")) {
                const alike = [...radio.form.querySelectorAll(`[name="${CSS.escape(radio.name)}"]`)];
                const seen = radio.closest("fieldset, form").checkVisibility();
                if (seen && !alike.some((each) => each.checked)) radio.click();
              }
            }"""
        )

    def shown(self) -> list[Locator]:
        """Return the controls that can be tapped; others are for the Enter key and for screen readers."""
        all_of_them = self.page.locator(f":is({CONTROLS}):not(.vh, .vh *)").all()
        return [each for each in all_of_them if each.is_visible() and each.is_enabled()]

    def tried(self, scene: Scene, label: str) -> str:
        """Tap one control and return what happened; "silent" if nothing did, or an error page came."""
        if "signal" in label.casefold():
            return "says why not"
        self.open(scene)
        page = self.page
        control = next((each for each in self.shown() if label_of(each) == label), None)
        if control is None:
            return "gone"
        nearby = control.evaluate(NEARBY)
        if "signal" in nearby.casefold():
            return "says why not"
        before = page.evaluate(STATE)
        try:
            control.click(timeout=PATIENCE)
            page.wait_for_function(f"before => ({STATE})() !== before", arg=before, timeout=PATIENCE)
        except TooLateError:
            again = label == "Review" and scene.kind.endswith("review")
            return "shows the same again" if again else "silent: nothing happens"
        except Error as problem:  # the page went away while it was asked
            print(problem.message[:80])
        page.wait_for_timeout(SETTLED)
        page.wait_for_load_state()
        if page.url.startswith("chrome-error") or page.get_by_role("heading", name="No signal").count():
            return "silent: an error page"
        text = page.evaluate("document.querySelector('[data-why]')?.innerText ?? ''")
        if "signal" in text and kind_of(page.url) == kind_of(scene.address):
            return "says why not"
        kind = self.add()
        return "works" if kind == scene.kind else f"leads to {kind}"


def label_of(control: Locator) -> str:
    """Return the text of a control, with its address if it is a link: two links may have one text."""
    text = " ".join((control.inner_text() or control.text_content() or "").split())
    return f"{text} [{kind_of(control.get_attribute('href') or '')}]" if control.get_attribute("href") else text
