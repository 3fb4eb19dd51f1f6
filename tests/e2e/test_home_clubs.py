"""The home page lists the clubs of a server that has only a few."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.taps import press
from tests.e2e.test_open_club import make_league, open_club
from tests.support.server import running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.e2e.conftest import OpenPhone
    from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Yield a server without clubs: with the clubs of other tests, the home page would no longer list them all."""
    with running(tmp_path) as server:
        yield server


@pytest.mark.parametrize("javascript", [True, False])
def test_the_home_page_leads_to_last_nights_results_by_links_alone(open_phone: OpenPhone, *, javascript: bool) -> None:
    """Two taps on a new phone are enough: the club's name on the home page, then its latest results."""
    desk = open_phone()
    name = f"Moose Lodge {javascript}"
    open_club(desk, make_league(desk, name), f"moose-{javascript}".lower())
    player = open_phone(javascript=javascript)
    player.goto("/")
    press(player.get_by_role("link", name=name))
    press(player.get_by_role("link", name="Latest results"))
    expect(player.locator(".winners")).to_contain_text("Ann B.")
    expect(player.locator("body")).not_to_contain_text("Baker")
