"""Table cards with the code of the hall's Wi-Fi print four to a page, and nothing of them is cut off."""

from __future__ import annotations

import re
import unicodedata
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.bench.readers import made_at
from tests.e2e.test_print import SIZES, pages
from tests.support import databases
from tests.support.server import command, environment, kill_group, start
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

    from tests.support.server import Server

pytestmark = pytest.mark.slow

NAME = "W" * 32
PASSWORD = "M;" * 31 + "M"
"""The longest password. In the code, a backslash stands before every second character."""
LONG_LEAGUE = "Volunteer Fire Hall of Upper Marlborough"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server whose Wi-Fi has the longest name and password."""
    folder = tmp_path_factory.mktemp("instance")
    env = environment(**databases.variables_for(folder), SCOREKEEPER_WIFI=NAME, SCOREKEEPER_WIFI_PASSWORD=PASSWORD)
    server = start(command(folder), env)
    try:
        yield server
    finally:
        kill_group(server)


@pytest.mark.parametrize(
    ("language", "join"),
    [("en", "First, join the Wi-Fi"), ("es", "Primero, conéctate al wifi"), ("fr", "D’abord, rejoignez le Wi-Fi")],
)
def test_cards_with_the_wifi_print_four_to_a_page(page: Page, server: Server, language: str, join: str) -> None:
    with closing(WirePhone(server.url)) as phone:
        league = made_at(phone, "/leagues", "/leagues", name=LONG_LEAGUE)
        rules = {"of": "setback-21", "preset": "setback-21", "night-rounds": 1}
        season = made_at(phone, f"{league}/seasons", f"{league}/seasons", name="2026/27", **rules)
        night = made_at(phone, season, f"{season}/nights", day="2026-12-01").removesuffix("/desk")
        cookies = [{"name": name, "value": value, "url": server.url} for name, value in phone.cookies.items()]
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    page.set_extra_http_headers({"Accept-Language": language})
    page.goto(f"{night}/cards?tables=8")
    for size in SIZES:
        # The font joins "f" and "i" into one character, which NFKC takes apart.
        printed = [re.sub(r"\s", "", unicodedata.normalize("NFKC", told)) for told in pages(page, size)]
        assert [told.count("/t/") for told in printed] == [4, 4]
        assert [told.count(join.replace(" ", "")) for told in printed] == [4, 4]
        assert [told.count(NAME) for told in printed] == [4, 4]
        assert [told.count(PASSWORD) for told in printed] == [4, 4]
    page.emulate_media(media="print")
    wide = "[...document.querySelectorAll('.cards li')].every((card) => card.scrollWidth <= card.clientWidth)"
    assert page.evaluate(wide)
