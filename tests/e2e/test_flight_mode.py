"""In flight mode after a restart, every link and button on every page works, or the page says why not."""

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
    from collections.abc import Iterator

    from playwright.sync_api import Page, Request

    from tests.e2e.pocket import Pocket
    from tests.e2e.wifi import Wifi

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CONTROLS = "a[href], button, summary"
PATIENCE = 20
"""Seconds after which a tap without any effect is a fault."""
BRIEF = 3
"""Seconds to wait for an effect of a tap if the page already says why the tap does nothing."""
STILL = 0.2
"""Seconds without a change after which a page counts as finished."""
PAUSE = 40
"""Milliseconds between two looks at a page."""
SKIPPED = "Skip to content|Share|Copy"
"""Pattern of the labels of controls that aren't tapped, because a tap doesn't change what the page shows."""
SCENES = {
    "/",
    "/games/new",
    "/games/* bids",
    "/games/* bids waiting",
    "/games/* bids changes",
    "/games/* bids hands",
    "/games/* points",
    "/games/* points only",
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
"""Pages that must work in flight mode.

Each string is a path with "*" in place of ids, followed by the step that the page shows, if it has several. With
"waiting", the phone hasn't sent the game yet. With "changes" or "hands", it hasn't sent some changes or hands of the
game, and only the part of the page that lists them is tested.
"""
SAYS_WHY = {"/": ("Leagues", "Our table", "Help", "Privacy", "Lost your phone"), "/games/*/table": ("Phones", "Help")}
"""By page, words in the labels of controls that must say that they need a signal."""
FLIGHT = "Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false })"
LISTED = """async (path) => {
  const home = async () => (await (await (await caches.open("boards")).match(location.origin + "/")).text());
  while (!(await home()).includes(path)) await new Promise((done) => setTimeout(done, 50));
}"""
"""JavaScript that returns once the stored home page lists the game at `path`."""
STEP = """() => {
  const steps = { ".outcome.end": "end", ".asks": "asks", ".auction": "auction", "form[data-preview]": "points",
    "form.bids, form.bid-pad": "bids", ".effect": "review" };
  const step = Object.entries(steps).find(([each]) => document.querySelector(`main ${each}`))?.[1] ?? "";
  if (step === "points" && document.querySelector("[data-preview] details[open]")) return "points only";
  const waits = document.querySelectorAll(".waiting:not([hidden]) .steps button").length;
  return step === "bids" && waits ? `bids ${waits > 3 ? "hands" : waits > 2 ? "changes" : "waiting"}` : step;
}"""
LOOK = """() => {
  window.crawled ??= { id: Math.random(), leaves: false, old: document.querySelector(".effect") };
  const { id, leaves, old } = window.crawled;
  const { stored, offline } = document.documentElement.dataset;
  const busy = document.querySelector("main[data-fresh], main[data-drawing], [data-busy]");
  const [voice, mark] = [".says", ".needs"].map((each) => document.querySelector(each));
  const made = (!voice || offline) && (stored === undefined || mark);
  const fields = [...document.querySelectorAll("input, textarea, details, [hidden], [aria-pressed]")];
  const told = [...document.querySelectorAll("[data-why], .waiting :is(.saved, [role=status]), [role=alert]")];
  return {
    id, leaves,
    why: told.map((each) => each.innerText).join(),
    ready: document.readyState === "complete" && !busy && Boolean(made),
    again: document.querySelector(".effect") !== old,
    state: [location.href, document.body.innerText,
      ...fields.map((each) => [each.checked, each.value, each.open, each.hidden, each.ariaPressed])].join(),
  };
}"""
"""JavaScript that returns an object about the page, with these keys.

`id`: a random id of the document; `leaves`: whether a tap has begun to load another document; `why`: texts that say why
something doesn't work; `ready`: whether the scripts have drawn their parts of the page; `again`: whether the review has
changed since the tap; `state`: everything that a person sees.
"""
FILLED = """(only) => {
  for (const fold of document.querySelectorAll("main details, .waiting details")) {
    if (only || !fold.matches("[data-preview] details")) fold.open = true;
  }
  for (const radio of document.querySelectorAll("main form input[type=radio]")) {
    const alike = [...radio.form.querySelectorAll(`[name="${CSS.escape(radio.name)}"]`)];
    const seen = radio.closest("fieldset, form").checkVisibility();
    if (seen && !alike.some((each) => each.checked)) radio.click();
  }
}"""
"""JavaScript that expands all sections, and chooses an option in each group that has none chosen.

The form for entering just the total points of each side is left collapsed unless `only` is true. That form is tested
separately.
"""
FOUND = f"""(inside) => {{
  const words = (text) => text.replace(/\\s+/g, " ").trim();
  const path = (each) => new URL(each.href).pathname;
  const seen = new Set();
  const found = [];
  for (const old of document.querySelectorAll("[data-crawl]")) delete old.dataset.crawl;
  for (const each of document.querySelectorAll(":is({CONTROLS}):not(.vh, .vh *)")) {{
    const {{ width, height }} = each.getBoundingClientRect();
    if (!each.closest(inside)) continue;
    if (!each.checkVisibility({{ visibilityProperty: true }}) || !width || !height || each.disabled) continue;
    const text = words(each.innerText || each.textContent || "");
    const label = each.href ? `${{text}} [${{path(each)}}]` : text;
    const sort = [each.localName, each.form?.action, each.form && each.name ? each.name : label].join(" ");
    if (!text || seen.has(sort) || /{SKIPPED}/.test(label)) continue;
    seen.add(sort);
    each.dataset.crawl = found.length;
    const form = each.form?.querySelectorAll("button").length === 1 ? each.form : null;
    const status = each.closest(".waiting")?.querySelector("[role=status]")?.textContent ?? "";
    const near = [each, each.closest("a, li, p"), form].map((place) => place?.textContent ?? "").join(" ");
    const wrong = [...(each.form?.querySelectorAll(".wrong") ?? [])].find((place) => place.checkVisibility());
    const sends = each.matches(".waiting .steps > :first-child");
    const told = (sends && /signal/.test(status)) || Boolean(wrong);
    const fold = each.matches("summary:not([data-preview] *)");
    found.push({{ number: found.length, sort, label, near, fold, link: Boolean(each.href), told }});
  }}
  return found;
}}"""
"""JavaScript that gives a number to each control to tap, and returns an object for each of these controls.

Of several similar controls, such as the bids of all players, only the first is included. Controls for the Enter key and
for screen readers are left out. In each object, `near` is the text of the control and the text around it, with the text
of the whole form if the control is the form's only button. `told` is true if the page already says why a tap changes
nothing.
"""
LISTEN = """() => {
  Object.assign(window.crawled, { leaves: false, old: document.querySelector(".effect") });
  const elsewhere = ({ href }) => href.split("#")[0] !== location.href.split("#")[0] || !href.includes("#");
  const note = (event) => {
    const way = event.type === "submit" ? event.target : event.target.closest?.("a[href]");
    if (way && !event.defaultPrevented && (event.type === "submit" || elsewhere(way))) window.crawled.leaves = true;
  };
  for (const type of ["click", "submit"]) addEventListener(type, note, { once: true });
}"""
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
  sessionStorage.clear();
  ["hands", "games"].forEach((name, at) => {{
    both.objectStore(name).clear();
    for (const row of rows[at]) both.objectStore(name).put(row);
  }});
  await ended;
  database.close();
}}"""


@dataclass(frozen=True)
class Scene:
    """A page of a certain kind, and the content of the phone's database when the page was first seen."""

    kind: str
    address: str
    stored: str


def test_every_link_and_button_works_or_says_why_not(pocket: Pocket, air: Wifi) -> None:
    """In flight mode, every link and button works, or the page says why it doesn't.

    First the phone opened a running game with a signal. Then its browser was closed, and opened again in flight mode.
    """
    page = pocket.open()
    path = bring_in(page, air, record(TWO))
    page.goto(path)
    ready(page)
    worker_ready(page)
    page.goto("/")
    page.evaluate(PREPARED)
    page.evaluate(LISTED, path)
    pocket.close()
    air.lead_to("")
    page = pocket.open()
    page.context.add_init_script(FLIGHT)
    crawl = Crawl(page)
    faults: list[str] = []
    while crawl.todo:
        scene = crawl.todo.pop(0)
        for label, outcome in crawl.visited(scene):
            told = f"{scene.kind}: {label}: {outcome}"
            print(told, flush=True)
            must_say = any(word in label for word in SAYS_WHY.get(scene.kind, ()))
            if outcome.startswith("silent") or (must_say and outcome != "says why not"):
                faults.append(told)
    assert faults == []
    assert crawl.seen >= SCENES, SCENES - crawl.seen


def kind_of(address: str) -> str:
    """Return the kind of page at an address: the path without the query, and with "*" in place of ids."""
    return without_ids(re.sub(r"^https?://[^/]+", "", address).partition("?")[0].partition("#")[0])


def without_ids(path: str) -> str:
    """Replace the ids of games and hands in a path with "*"; the path may be part of a longer text."""
    return re.sub(r"/(games(?!/new\b|/again\b)|hands|watch)/[^/\]]+", r"/\1/*", path)


def group_of(kind: str) -> str:
    """Return the name of the group to which a kind of page belongs.

    Links with the same label work the same on all pages of a group, so they need to be tried only once.
    """
    path, _, step = kind.partition(" ")
    return "board drawn here" if path == "/games/*" and step != "bids" else "page" if "/*/" in path else kind


class Crawl:
    """A crawler that tries each control on each kind of page once.

    Before each try, it restores what the phone had stored when the page was first seen.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sheet = page.locator("link[rel=stylesheet]").first.evaluate("sheet => sheet.href")
        self.seen: set[str] = set()
        self.todo: list[Scene] = []
        self.tried_at: dict[tuple[str, str], str] = {}
        self.flying: set[Request] = set()
        page.on("request", self.asks)
        for end in ("requestfinished", "requestfailed"):
            page.on(end, self.has_asked)
        page.goto("/")
        self.settled()
        self.add()

    def asks(self, request: Request) -> None:
        """Add a request to the set of unfinished requests, because its response may change the page."""
        self.flying.add(request)

    def has_asked(self, request: Request) -> None:
        """Remove a finished request from the set of unfinished requests."""
        self.flying.discard(request)

    def look(self) -> dict[str, Any]:
        """Return the state of the page as the script `LOOK` reports it, or `{}` while another page is loading."""
        try:
            return dict(self.page.evaluate(LOOK))
        except Error:
            return {}

    def settled(self, still: float = STILL) -> dict[str, Any]:
        """Wait until the page hasn't changed for `still` seconds, and return its state as `look` does.

        Fail if the page is still changing after `PATIENCE` seconds.
        """
        until = time.monotonic() + PATIENCE
        since, before = time.monotonic(), self.look()
        while time.monotonic() < until:
            self.page.wait_for_timeout(PAUSE)
            now = self.look()
            if now != before or not now.get("ready") or self.flying:
                since, before = time.monotonic(), now
            elif time.monotonic() - since >= still:
                return now
        pytest.fail(f"{self.page.url} never stays as it is: {before}, {[each.url for each in self.flying]}")

    def add(self) -> str:
        """Return the kind of the current page. If the kind is new, remember to visit the page."""
        kind = f"{kind_of(self.page.url)} {self.page.evaluate(STEP)}".strip()
        if kind not in self.seen:
            self.seen.add(kind)
            self.todo.append(Scene(kind, self.page.url, self.page.evaluate(DUMP)))
        return kind

    def visited(self, scene: Scene) -> Iterator[tuple[str, str]]:
        """Try each control of a scene, and yield (label, outcome) for each.

        The page is opened anew before each try that needs it.
        """
        before = self.open(scene)
        fresh = True
        inside = ".waiting" if scene.kind.endswith(("changes", "hands")) else "body"
        for known in self.found(inside):
            label = without_ids(known["label"])
            if "signal" in known["near"].casefold():
                yield label, "says why not"
                continue
            if known["link"] and self.tried_at.setdefault((group_of(scene.kind), label), scene.kind) != scene.kind:
                yield label, f"as on {self.tried_at[group_of(scene.kind), label]}"
                continue
            if not fresh:
                before = self.open(scene)
            control = next((each for each in self.found(inside) if each["sort"] == known["sort"]), None)
            fresh = known["fold"]
            if control is None:
                fresh, outcome = True, "silent: gone when the page was opened again"
            elif fresh:
                outcome = self.folded(control, before)
            else:
                outcome = self.tried(scene, control, before)
            yield label, outcome

    def found(self, inside: str) -> list[dict[str, Any]]:
        """Give a number to each control in the part of the page that the selector `inside` matches.

        Of several controls of the same sort, only the first gets a number. Return a list with a dictionary for each
        numbered control, in page order. Among the keys of each dictionary are "number", "label" and "sort".
        """
        return list(self.page.evaluate(FOUND, inside))

    def open(self, scene: Scene) -> dict[str, Any]:
        """Open a scene's page with the data that the phone had stored, and return the page's state as `look` does.

        All sections of the page are expanded first, and empty fields are filled in.
        """
        page = self.page
        # A style sheet runs no script: nothing writes while storage is restored from there.
        page.goto(self.sheet)
        self.flying.clear()
        page.evaluate(RESTORE, scene.stored)
        page.goto(scene.address, wait_until="commit")
        self.settled(0)
        if scene.kind.endswith("auction") and "auction" not in page.evaluate(STEP):
            page.get_by_role("link", name="Bid player by player").click()
            expect(page.locator(".auction")).to_be_visible()
        page.evaluate(FILLED, scene.kind.endswith("only"))
        for number, field in enumerate(page.locator("main input:is(:not([type]), [type=text], [type=number])").all()):
            if field.is_visible() and not field.input_value():
                field.fill("2" if field.get_attribute("inputmode") == "numeric" else f"Player {number}")
        if scene.kind.endswith("review"):
            button = "End without a winner" if "/table" in scene.kind else "Review"
            page.get_by_role("button", name=button).first.click()
            expect(page.locator(".effect")).to_be_visible()
        now = self.settled()
        assert page.url == scene.address
        return now

    def tap(self, control: dict[str, Any]) -> str:
        """Tap a control. Return "" on success, or a message that starts with "silent" if the tap fails."""
        self.page.evaluate(LISTEN)
        try:
            self.page.locator(f"[data-crawl='{control['number']}']").click(timeout=PATIENCE * 1000)
        except TooLateError as problem:
            return f"silent: cannot be tapped: {problem.message[-300:]}"
        return ""

    def folded(self, control: dict[str, Any], before: dict[str, Any]) -> str:
        """Tap the heading of a collapsed section twice, to expand and collapse the section.

        Return "works" if the section expands and collapses. Otherwise return a message that starts with "silent".
        `before` is the state of the page before the taps, as `look` returns it.
        """
        for expected in (False, True):
            wrong = self.tap(control)
            if wrong:
                return wrong
            if (self.settled()["state"] == before["state"]) is not expected:
                return "silent: does not fold"
        return "works"

    def tried(self, scene: Scene, control: dict[str, Any], before: dict[str, Any]) -> str:
        """Tap a control, and return a description of what happened.

        The description starts with "silent" if nothing happens or if an error page appears. `before` is the state of
        the page before the tap, as `look` returns it.
        """
        wrong = self.tap(control)
        if wrong:
            return wrong
        until = time.monotonic() + (BRIEF if control["told"] else PATIENCE)
        while not self.is_answered(before, now := self.look()):
            if time.monotonic() > until:
                return (
                    "says why not" if control["told"] else f"silent: nothing happens{' yet' * bool(now.get('leaves'))}"
                )
            self.page.wait_for_timeout(PAUSE)
        after = self.settled()
        page = self.page
        if page.url.startswith("chrome-error") or page.get_by_role("heading", name="No signal").count():
            return "silent: an error page"
        kind = self.add()
        if kind != scene.kind:
            return f"leads to {kind}"
        stays = after["id"] == before["id"]
        if stays and "signal" in after["why"] and after["why"] != before["why"]:
            return "says why not"
        return "silent: leads nowhere" if stays and control["link"] and page.url == scene.address else "works"

    def is_answered(self, before: dict[str, Any], now: dict[str, Any]) -> bool:
        """Return True if a tap has had a visible effect.

        If the tap loads another page, the effect is that page. Otherwise any visible change is an effect. `before` and
        `now` are the states before and after the tap, as `look` returns them.
        """
        if not now or now["id"] != before["id"]:
            return bool(now)
        return not now["leaves"] and (now["state"] != before["state"] or now["again"])
