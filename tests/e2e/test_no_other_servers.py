"""Check on every page that the browser requests nothing from another server."""

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


def test_no_page_requests_anything_from_another_server(page: Page, server: Server) -> None:
    """No page requests a script, style, picture or anything else from another server."""
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    paths = pages_of(page, bring_in(page, server, record(HANDS)))
    night = Night(page, [])
    set_up(night)
    own = {"night_id": night.path.rsplit("/", 1)[1], "season_id": _linked(page, f"{night.path}/desk", "/seasons/")}
    own["league_id"] = _linked(page, f"/seasons/{own['season_id']}", "/leagues/")
    own["person_id"] = _linked(page, f"/leagues/{own['league_id']}/people", "/people/")
    unknown = ("word", "secret", "token", "planned_id", "squad_id", "file_id", "import_id", "code", "club")
    values = {"who": "people", "part": "people", **dict.fromkeys(unknown, "used-up")}
    values |= {"number": "1", "table": "1", "season": "1", "night": "1", **own}
    seen = 0
    for path in [*paths, *filled_in(values, lambda endpoint: endpoint.startswith("leagues."))]:
        answer = page.request.get(path)
        if answer.status != 204 and "text/html" in answer.headers["content-type"]:
            page.goto(path)
            seen += 1
    assert seen > 50, seen
    assert {url for url in asked if not url.startswith((f"{server.url}/", "data:", "blob:"))} == set()
    assert len(asked) > 100


def _linked(page: Page, path: str, start: str) -> str:
    """Return the id in the first link on the page at `path` whose address begins with `start`.

    The id is the part of the address after `start`.
    """
    page.goto(path)
    link = page.locator(f"a[href^='{start}']").first.get_attribute("href") or ""
    return link.removeprefix(start).split("/")[0].split("?")[0]
