"""A phone gets the certificate over plain http and keeps score over HTTPS."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.taps import start_game
from tests.e2e.test_offline import badge, ready, score
from tests.support.server import running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[Server]:
    """Yield a server with HTTPS."""
    with running(tmp_path, "--tls", "--tls-port", "0") as server:
        yield server


@pytest.fixture
def page(browser: Browser, secure: Server) -> Iterator[Page]:
    """Yield a page in a browser that ignores certificate warnings.

    With such a browser, the server's certificate need not be installed on this machine.
    """
    context = browser.new_context(
        base_url=secure.url,
        has_touch=True,
        ignore_https_errors=True,
        is_mobile=True,
        viewport={"width": 360, "height": 640},
    )
    yield context.new_page()
    context.close()


def test_a_phone_gets_from_plain_http_to_a_game_over_https(secure: Server, page: Page) -> None:
    door = re.search(r"http://\S+/", next(line for line in secure.said if "The first time, open" in line))
    assert door is not None
    page.goto(door[0])
    assert urlsplit(page.url).path == "/trust"
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download certificate").click()
    assert download.value.suggested_filename == "scorekeeper.crt"
    page.get_by_role("link", name="Open Scorekeeper").click()
    expect(page).to_have_url(f"{secure.url}/")
    assert page.evaluate("isSecureContext")
    start_game(page, "Setback", ["Ann", "Bob", "Cid", "Dee"])
    expect(page).to_have_url(re.compile(rf"{re.escape(secure.url)}/games/\w+"))
    cookies = page.context.cookies()
    assert cookies
    assert all(cookie["secure"] for cookie in cookies)
    page.goto(door[0] + urlsplit(page.url).path.lstrip("/"))
    assert page.url.startswith(f"{secure.url}/games/")


def test_a_phone_that_skipped_the_warning_is_told_to_leave_the_page_open(page: Page) -> None:
    """It has HTTPS, but the browser refuses it a service worker; without one, no page opens without a signal."""
    page.goto("/")
    start_game(page, "Setback", ["Ann", "Bob", "Cid", "Dee"])
    ready(page)
    assert page.evaluate("isSecureContext && !navigator.serviceWorker.controller")
    page.context.set_offline(True)
    score(page, "Ann", 4, ("Ann and Cid",) * 4)
    expect(badge(page)).to_contain_text("Leave this page open.")


def test_the_settings_say_where_the_screen_cannot_be_kept_on(page: Page) -> None:
    note = page.get_by_text("The screen can't be kept on here.")
    page.goto("/settings")
    expect(page.get_by_role("button", name="Done")).to_be_visible()
    expect(note).to_be_hidden()
    page.add_init_script("delete Navigator.prototype.wakeLock")
    page.reload()
    expect(note).to_be_visible()
