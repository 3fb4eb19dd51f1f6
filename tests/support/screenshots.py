"""Take the README's two screenshots: a game and a league desk, on a phone, from the real app.

Run: python -m tests.support.screenshots
"""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from playwright.sync_api import ViewportSize, sync_playwright

from scorekeeper import create_app
from scorekeeper.accounts.devices import COOKIE
from scorekeeper.leagues.nights import tables
from scorekeeper.ops.boot import boot
from tests.conftest import settings_in
from tests.e2e.conftest import NAMES, OPTIONS
from tests.support.game import play_all, start
from tests.support.league_night import DIRECTOR, WORD, open_hall
from tests.support.phone import Phone
from tests.support.server_thread import served

if TYPE_CHECKING:
    from flask import Flask

SCREEN: ViewportSize = {"width": 360, "height": 640}
TARGET = Path(__file__).resolve().parents[2] / ".github"
HANDS = ((0, 3, "AABA"), (1, 2, "BB-B"), (2, 4, "ABAA"), (3, 3, "BABB"), (0, 2, "AB-A"))
QUALITY = 70
"""Of WebP, from 0 to 100: text stays sharp, and a picture takes about 40 kB."""


def make_pages(app: Flask) -> dict[str, str]:
    """Play a few hands and open a league night; return the path to show for each file name."""
    phone = Phone(app, use_cookies=True)
    hall = open_hall(app, phone)
    board = play_all(phone, start(phone), HANDS)
    hall.check_in("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")
    hall.draw()
    first = hall.tables()[0]
    with app.app_context():
        tables.tell_result(night=hall.night, table=first.id, totals=(21, 15), device=DIRECTOR)
    return {"game.webp": board.path, "desk.webp": f"{hall.path}/desk"}


def main() -> None:
    """Write both pictures."""
    program = next(filter(None, map(shutil.which, NAMES)))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        settings = settings_in(Path(folder))
        boot(settings)
        app = create_app(settings)
        pages = make_pages(app)
        chromium = playwright.chromium.launch(executable_path=program, args=list(OPTIONS))
        context = chromium.new_context(viewport=SCREEN, device_scale_factor=2, has_touch=True)
        page = context.new_page()
        with served(app) as port:
            url = f"http://127.0.0.1:{port}"
            context.add_cookies([{"name": COOKIE, "value": WORD, "url": url}])
            for name, path in pages.items():
                page.goto(url + path, wait_until="networkidle" if name == "game.webp" else "load")
                picture = Image.open(io.BytesIO(page.screenshot()))
                picture.convert("RGB").save(TARGET / name, quality=QUALITY, method=6)
            context.close()
        chromium.close()


if __name__ == "__main__":
    main()
