"""Take the pictures of the README and of the help pages from the real app: a game and a league desk, on a phone.

Run: python -m tests.support.screenshots
"""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image
from playwright.sync_api import ViewportSize, sync_playwright

from scorekeeper import create_app
from scorekeeper.accounts.devices import COOKIE
from scorekeeper.leagues.nights import tables
from scorekeeper.ops.boot import boot
from tests.conftest import settings_in
from tests.e2e.browser import NAMES, OPTIONS
from tests.support.game import play_all, start
from tests.support.league_night import DIRECTOR, WORD, open_hall
from tests.support.phone import Phone
from tests.support.server_thread import served

if TYPE_CHECKING:
    from flask import Flask

SCREEN: ViewportSize = {"width": 360, "height": 640}
ROOT = Path(__file__).resolve().parents[2]
FIRST_BID = ".entry [name=call]"
HANDS = ((0, 3, "AABA"), (1, 2, "BB-B"), (2, 4, "ABAA"), (3, 3, "BABB"), (0, 2, "AB-A"))
SETTLED = 500
"""Milliseconds after which nothing on a page moves any longer."""
QUALITY = 70
"""Quality of the WebP files, from 0 to 100: text stays sharp, and a picture takes about 40 kB."""


class Scene(NamedTuple):
    """A picture to take: the path of a page, the button to tap first, and the files to write.

    The button is given by its CSS selector; an empty selector means that no button is tapped.
    """

    path: str
    tap: str
    files: tuple[str, ...]


def make_scenes(app: Flask) -> tuple[Scene, ...]:
    """Enter a few hands, open a league night, and return the pictures to take.

    Take the pictures in this order, because taking a picture may change the game.
    """
    phone = Phone(app, use_cookies=True)
    hall = open_hall(app, phone)
    board = play_all(phone, start(phone), HANDS)
    hall.check_in("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")
    hall.draw()
    first = hall.tables()[0]
    with app.app_context():
        tables.tell_result(night=hall.night, table=first.id, totals=(21, 15), device=DIRECTOR)
    return (
        Scene(board.path, "", (".github/game.webp",)),
        Scene(board.path, FIRST_BID, ("static/help/points.webp",)),
        Scene(f"{hall.path}/desk", "", (".github/desk.webp", "static/help/desk.webp")),
    )


def main() -> None:
    """Take all pictures and write their files."""
    program = next(filter(None, map(shutil.which, NAMES)))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        settings = settings_in(Path(folder))
        boot(settings)
        app = create_app(settings)
        scenes = make_scenes(app)
        chromium = playwright.chromium.launch(executable_path=program, args=list(OPTIONS))
        context = chromium.new_context(viewport=SCREEN, device_scale_factor=2, has_touch=True)
        page = context.new_page()
        with served(app) as port:
            url = f"http://127.0.0.1:{port}"
            context.add_cookies([{"name": COOKIE, "value": WORD, "url": url}])
            for path, tap, files in scenes:
                page.goto(url + path, wait_until="load")
                if tap:
                    page.locator(tap).first.tap()
                    page.locator(".took-what").wait_for()
                page.wait_for_timeout(SETTLED)
                picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                for file in files:
                    picture.save(ROOT / file, quality=QUALITY, method=6)
            context.close()
        chromium.close()


if __name__ == "__main__":
    main()
