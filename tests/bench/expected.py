"""Measure check-in on a night to which most people had promised to come, and on a night without such answers.

Run: python tests/bench/expected.py [PEOPLE] [ANSWERED]

PEOPLE (80) come to each of two nights on the real pages, in Chromium on a 1366 x 768 screen. On the first night, nobody
answered before. On the second, ANSWERED (60) people said yes, so one tap checks all of them in, and the others are
tapped one by one. Prints keys, taps, page waits and seconds as `desk.py` does, and the number of requests that changed
something. People are tapped in random order, as they come.
"""

from __future__ import annotations

import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Page, Request, expect, sync_playwright  # noqa: E402  the checkout comes first

from tests.bench.desk import HEIGHT, Desk, Watch, count_of, names, open_league, open_night, told  # noqa: E402
from tests.bench.taps import program  # noqa: E402
from tests.e2e.browser import OPTIONS  # noqa: E402
from tests.support.server import running  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

PEOPLE, ANSWERED = 80, 60


def one_by_one(desk: Desk, people: Sequence[str], here: int) -> None:
    """Check in each of these people with a tap. `here` is the number of people who are already checked in."""
    for number, name in enumerate(people, here + 1):
        desk.watch.thoughts += 2
        desk.tap(desk.page.locator("#door").get_by_role("button", name=name, exact=True))
        desk.wait(count_of(desk.page), f"{number} here")


def plan(page: Page, season: str, people: Sequence[str]) -> None:
    """Plan a night of the season, and enter that these people will be there. Nothing is measured.

    `season` is the address of the season's page.
    """
    page.goto(f"{season}/schedule")
    page.get_by_label("Date", exact=True).fill((datetime.now(UTC).date() + timedelta(days=7)).isoformat())
    page.get_by_label("Starts at").fill("19:00")
    page.get_by_role("button", name="Plan nights").click()
    page.locator(".nights-list a").first.click()
    for name in people:
        page.get_by_text("Someone called?").click()
        page.get_by_label("Player").select_option(name)
        page.get_by_role("button", name="Yes", exact=True).click()
        page.locator("#answers:not(:has([open] select))").wait_for()


def main(count: int, answered: int) -> None:
    """Measure a night with each kind of check-in for `count` people, and print the figures.

    Before the second night, `answered` of these people say that they will be there.
    """
    people, random = names(count), Random("expected")
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=list(OPTIONS))
        page = browser.new_context(base_url=server.url, viewport={"width": 1366, "height": HEIGHT}).new_page()
        expect.set_options(timeout=15_000)
        open_league(page, people)
        season = page.url
        posts: list[str] = []

        def note(request: Request) -> None:
            posts.extend([request.url] * (request.method == "POST"))

        page.on("request", note)
        print(f"{'':34} {'keys':>5} {'taps':>5} {'thoughts':>9} {'scrolled':>9} {'waits':>6}", end="")
        print(f" {'mean s':>7} {'longest':>8} {'all of it':>9} {'each':>8} {'slow':>8}")
        open_night(page, "2026-09-01")
        posts.clear()
        before = Desk(page, Watch())
        one_by_one(before, random.sample(people, count), 0)
        told("nobody answered, one tap each", before.watch, count, "person")
        print(f"  {len(posts)} posts, {sum(before.watch.waits):.1f} s of waiting")
        page.get_by_role("button", name="Close night").click()
        page.get_by_text("This night is closed").wait_for()
        plan(page, season, people[:answered])
        page.goto(season)
        page.get_by_role("button", name="Open this night").click()
        posts.clear()
        after = Desk(page, Watch(thoughts=1))
        after.tap(page.get_by_role("button", name=f"Check in the {answered} who said yes"))
        after.wait(count_of(page), f"{answered} here")
        one_by_one(after, random.sample(people[answered:], count - answered), answered)
        told(f"{answered} said yes before", after.watch, count, "person")
        print(f"  {len(posts)} posts, {sum(after.watch.waits):.1f} s of waiting")
        browser.close()


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:3]) if len(sys.argv) > 2 else (PEOPLE, ANSWERED))
