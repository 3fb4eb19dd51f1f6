"""What a browser really asks for, on every page that can be opened: nothing of another server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.imported_games import bring_in, record
from tests.e2e.test_axe import HANDS, filled_in, pages_of
from tests.e2e.test_league_night import Night, set_up

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_no_page_asks_another_server_for_anything(page: Page, server: Server) -> None:
    """Scripts, styles, pictures and the service worker's requests among it; what the policy stops is an error here."""
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    paths = pages_of(bring_in(page, server, record(HANDS)))
    night = Night(page, [])
    set_up(night)
    own = {"night_id": night.path.rsplit("/", 1)[1], "season_id": _linked(page, f"{night.path}/desk", "/seasons/")}
    own["league_id"] = _linked(page, f"/seasons/{own['season_id']}", "/leagues/")
    own["person_id"] = _linked(page, f"/leagues/{own['league_id']}/people", "/people/")
    values = {"who": "people", "number": "1", "word": "used-up", "secret": "used-up", "table": "1", **own}
    seen = 0
    for path in [*paths, *filled_in(values, lambda endpoint: endpoint.startswith("leagues."))]:
        answer = page.request.get(path)
        if "text/html" in answer.headers["content-type"]:
            page.goto(path)
            seen += 1
    assert seen > 50, seen
    assert {url for url in asked if not url.startswith((f"{server.url}/", "data:", "blob:"))} == set()
    assert len(asked) > 100


def _linked(page: Page, path: str, start: str) -> str:
    """Return the word behind `start` in an address that the page at `path` leads to."""
    page.goto(path)
    link = page.locator(f"a[href^='{start}']").first.get_attribute("href") or ""
    return link.removeprefix(start).split("/")[0].split("?")[0]
