"""The home page, the new-game page and the page for an unknown address are no wider than a phone's screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.e2e.conftest import OpenPhone

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGES = ("/", "/games/new", "/nowhere")


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("javascript", [True, False])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_the_phone(open_phone: OpenPhone, path: str, javascript: bool, dark: bool) -> None:
    page = open_phone(javascript=javascript, dark=dark)
    page.goto(path)
    assert page.locator("h1").is_visible()
    box = page.locator("body").bounding_box()
    assert box is not None
    assert box["width"] <= 360
