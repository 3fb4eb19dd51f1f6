"""Make the pictures of the help pages and the README from the real app, in static/help/.

Run: python -m tests.support.help_pictures   (with Chromium, as the tests of tests/e2e need it)
"""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.e2e.conftest import NAMES, OPTIONS
from tests.e2e.imported_games import bring_in, hand, record
from tests.e2e.taps import press, take_bid
from tests.e2e.test_league_night import Night, set_up
from tests.support.server import Server, running

FOLDER = Path(__file__).resolve().parents[2] / "static" / "help"
SIZE = (360, 640)
SCALE = 2
"""Pixels of a picture for each of the page's."""


def save(page: Page, name: str) -> None:
    """Save what the screen of `page` shows as `name`.webp."""
    picture = Image.open(io.BytesIO(page.screenshot()))
    picture.save(FOLDER / f"{name}.webp", quality=80, method=6)


def points_of_a_hand(page: Page, server: Server) -> None:
    """Save the board before a bid as bid.webp, and the points of a hand as points.webp."""
    hands = [hand(0, 3, 0, 0, None, 0), hand(1, 2, 1, 0, 1, 1), hand(2, 4, 0, 1, 1, 0)]
    page.goto(bring_in(page, server, record(hands)))
    save(page, "bid")
    take_bid(page, "Dee", 3)
    save(page, "points")


def desk_of_a_night(page: Page, _server: Server) -> None:
    """Save the desk of a night with a round in play as desk.webp."""
    night = Night(page, [])
    set_up(night)
    press(page.locator("#draw form button"))
    page.locator(".rounds a").first.wait_for()
    page.locator("#round").scroll_into_view_if_needed()
    page.locator("#round").evaluate("part => part.scrollIntoView()")
    save(page, "desk")


def main() -> None:
    """Make them all."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server, sync_playwright() as driver:
        program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)))
        browser = driver.chromium.launch(executable_path=program, args=list(OPTIONS))
        for scene in (points_of_a_hand, desk_of_a_night):
            context = browser.new_context(
                base_url=server.url,
                viewport={"width": SIZE[0], "height": SIZE[1]},
                device_scale_factor=SCALE,
                has_touch=True,
                locale="en-US",
                color_scheme="light",
            )
            scene(context.new_page(), server)
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
