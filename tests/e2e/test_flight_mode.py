"""In flight mode from a cold start, every link and button on every reachable page works or says in place why not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Error, expect

from tests.e2e.test_offline import TWO, open_game, score, worker_ready

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.support.server import Server

pytestmark = pytest.mark.slow

SWEEP = ("Ann and Cid",) * 4
CONTROLS = "a[href], button, summary"
SETTLED = 900
"""Milliseconds after which a tap has had its effect: loading a page from the phone takes half of it."""
SKIPPED = re.compile("Skip to content|Share|Copy")
"""Controls that lead out of the browser, or only move the focus."""
DEEPEST = 14
"""Pages that are visited, one of each kind."""


def test_every_link_and_button_works_or_says_why_not(page: Page, server: Server) -> None:
    path = open_game(page, server, TWO)
    worker_ready(page)
    page.wait_for_function("caches.match('/').then(Boolean)")
    page.context.set_offline(True)
    score(page, "Ann", 4, SWEEP)
    context = page.context
    page.close()
    page = context.new_page()
    silent: list[str] = []
    todo, seen = ["/", path], set[str]()
    while todo and len(seen) < DEEPEST:
        address = todo.pop(0)
        kind = kind_of(address)
        if kind in seen:
            continue
        seen.add(kind)
        for label, outcome in visited(page, address, todo):
            print(f"{kind}: {label}: {outcome}")
            if outcome.startswith("silent"):
                silent.append(f"{kind}: {label}: {outcome}")
    assert silent == []
    assert {"/", "/games/*", "/games/*/table", "/games/*/rules", "/games/*/log"} <= seen


def kind_of(address: str) -> str:
    """Return the address without ids."""
    path = re.sub(r"^https?://[^/]+", "", address).partition("?")[0]
    path = re.sub(r"^/games/(?!new\b|again\b)[^/]+", "/games/*", path)
    return re.sub(r"/hands/[^/]+", "/hands/*", path)


def visited(page: Page, address: str, todo: list[str]) -> list[tuple[str, str]]:
    """Try each control of the page once, each on a freshly opened page, and return what it did."""
    opened(page, address)
    labels = dict.fromkeys(label_of(control) for control in shown(page))
    return [(label, tried(page, address, label, todo)) for label in labels if label and not SKIPPED.search(label)]


def opened(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("h1").first).to_be_attached()
    page.wait_for_timeout(SETTLED)
    for fold in page.locator("main details:not([open]) > summary").all():
        if fold.is_visible():
            fold.click()


def shown(page: Page) -> list[Locator]:
    return [control for control in page.locator(CONTROLS).all() if control.is_visible() and control.is_enabled()]


def label_of(control: Locator) -> str:
    """Return the text of a control, with its address if it is a link: two links may have one text."""
    text = " ".join((control.inner_text() or control.text_content() or "").split())
    return f"{text} [{kind_of(control.get_attribute('href') or '')}]" if control.get_attribute("href") else text


def tried(page: Page, address: str, label: str, todo: list[str]) -> str:
    """Tap one control and return what happened; "silent" if nothing did, or an error page came."""
    if "signal" in label.casefold():
        return "says why not"
    opened(page, address)
    control = next((each for each in shown(page) if label_of(each) == label), None)
    if control is None:
        return "gone"
    before, text = page.url, state_of(page)
    nearby = control.evaluate("each => each.closest('form, a, li, p')?.textContent ?? ''")
    if "signal" in nearby.casefold():
        return "says why not"
    try:
        control.click()
    except Error as problem:
        return f"silent: cannot be tapped: {problem.message[:80]}"
    page.wait_for_timeout(SETTLED)
    if page.url.startswith("chrome-error") or page.get_by_role("heading", name="No signal").count():
        return "silent: an error page"
    if page.url != before:
        todo.append(page.url)
        return f"opens {kind_of(page.url)}"
    now = state_of(page)
    if "signal" in now.casefold() and "signal" not in text.casefold():
        return "says why not"
    return "works" if now != text else "silent: nothing happens"


def state_of(page: Page) -> str:
    """Return what is on the page, with what is chosen and unfolded."""
    return str(
        page.evaluate(
            """() => [
              document.body.innerHTML,
              ...[...document.querySelectorAll("input, details")].map((each) => [each.checked, each.value, each.open]),
              document.activeElement?.outerHTML,
              scrollY,
            ].join()"""
        )
    )
