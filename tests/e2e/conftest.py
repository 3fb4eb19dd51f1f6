"""Fixtures: a real browser with a phone-sized screen, and a real server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.e2e.browser import OPTIONS, PATIENCE, SCREEN, program
from tests.e2e.pocket import PREPARED, Pocket
from tests.e2e.wifi import wifi
from tests.support.server import running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page, StorageState

    from tests.e2e.wifi import Wifi
    from tests.support.server import Server

EXPECTED = (
    "the server responded with a status of 4",
    "the server responded with a status of 503",
    "frame-ancestors 'none'",
    "net::ERR_INTERNET_DISCONNECTED",
    "net::ERR_CONNECTION_RESET",
    "net::ERR_CONTENT_LENGTH_MISMATCH",
    "net::ERR_CONNECTION_REFUSED",
    "net::ERR_EMPTY_RESPONSE",
    "net::ERR_FAILED",
    "net::ERR_SOCKET_NOT_CONNECTED",
)
"""Parts of console errors that tests cause on purpose, such as by cutting the signal or by a refused request."""


class OpenPhone(Protocol):
    """A function that opens a phone. Each phone has its own browser context and shares nothing with other phones."""

    def __call__(self, *, javascript: bool = True, dark: bool = False, storage: StorageState | None = None) -> Page:
        """Return a blank page on a touch screen of the size `SCREEN`. Relative addresses refer to the test server.

        `storage` is the saved cookies and data of an earlier phone. If given, the page belongs to that phone, as after
        a restart of its browser.
        """


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yield Chromium. If it is not installed, tests that need it are skipped."""
    path = program()
    if path is None:
        pytest.skip("no Chromium on this machine; on Debian: apt-get install chromium; or set CHROMIUM to its path")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(OPTIONS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server with its own database. All browser tests can share it, since a phone sees only its own games."""
    with running(tmp_path_factory.mktemp("instance")) as server:
        yield server


@pytest.fixture
def open_phone(browser: Browser, server: Server) -> Iterator[OpenPhone]:
    """Yield a function that opens phones. The test fails if a phone's console shows an unexpected error."""
    contexts = []
    errors: list[str] = []

    def open_one(*, javascript: bool = True, dark: bool = False, storage: StorageState | None = None) -> Page:
        context = browser.new_context(
            base_url=server.url,
            color_scheme="dark" if dark else "light",
            device_scale_factor=1,
            has_touch=True,
            reduced_motion="reduce",
            is_mobile=True,
            java_script_enabled=javascript,
            storage_state=storage,
            timezone_id="America/New_York",
            viewport={"width": SCREEN["width"], "height": SCREEN["height"]},
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(f"{page.url}: {error}"))
        page.on("console", lambda said: errors.append(f"{page.url}: {said.text}") if said.type == "error" else None)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert [error for error in errors if not any(expected in error for expected in EXPECTED)] == []


@pytest.fixture
def page(open_phone: OpenPhone) -> Page:
    """Return a new phone with JavaScript and the light theme."""
    return open_phone()


@pytest.fixture
def air(server: Server) -> Iterator[Wifi]:
    """Yield the simulated Wi-Fi between the phones and the server."""
    with wifi(server.url) as air:
        yield air


@pytest.fixture
def pocket(browser: Browser, tmp_path: Path, air: Wifi) -> Iterator[Pocket]:
    """Yield a phone that has opened the home page once.

    Its browser is closed, and the test opens the browser again.
    """
    pocket = Pocket(browser, tmp_path / "profile", air)
    pocket.open().evaluate(PREPARED)
    pocket.close()
    yield pocket
    pocket.close()
