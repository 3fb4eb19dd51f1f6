"""Measure how long a league night's director needs to check everyone in, and to enter a round from paper.

Run: python tests/bench/desk.py [TABLES]

Plays two nights of a league with TABLES (20) tables of four on the real pages, in Chromium on a 1366 x 768 screen, and
counts key strokes, taps and page waits. The time of a person is estimated by the Keystroke-Level Model (Card, Moran and
Newell, "The keystroke-level model for user performance time with interactive systems", Communications of the ACM 23(7),
1980), with its figures: see `K` and below. Prints

- check-in on the first night: each person found by typing part of the name, then Enter;
- check-in on the second night: each person by one tap, with people of the last night first;
- a round from paper, sheets in table order: digits, Tab, and one Enter for all of them;
- a round from paper, sheets in any order: the up and down keys move to the table.

Exits with status 1 if check-in takes more than ten minutes or a table more than ten seconds for an average typist, or
if entering paper needed anything but the keyboard.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Locator, Page, expect, sync_playwright  # noqa: E402  the checkout comes first

from tests.bench.taps import program  # noqa: E402
from tests.e2e.browser import OPTIONS  # noqa: E402
from tests.support.server import running  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

TABLES = 20
HEIGHT = 768
"""Height of the screen in pixels; it is 1366 wide."""
K = 0.28
"""Seconds per key stroke or mouse button: an average typist (40 words a minute)."""
K_SLOW = 0.5
"""Seconds per key stroke for random letters, or for a person who looks for each key."""
P = 1.1
"""Seconds to point at something on the screen."""
M = 1.35
"""Seconds of thought before each unit, such as a name heard or a number read."""
DOOR, A_TABLE = 600.0, 10.0
"""Most seconds allowed for checking everyone in, and most seconds for entering one table from paper."""
FIRST = ("Ann", "Bob", "Carmen", "Dee", "Earl", "Fay", "Gus", "Hazel", "Ike", "Josie", "Ken", "Lou")
LAST = ("Adair", "Benedetti", "Burke", "Díaz", "Ferrante", "Haverford", "Jensen", "Kowalski", "Lindqvist", "Mercer")
FOUR = 4


@dataclass
class Watch:
    """Counts a person's key presses, taps and other steps, and holds the seconds that the pages took."""

    keys: int = 0
    taps: int = 0
    thoughts: int = 0
    scrolled: int = 0
    waits: list[float] = field(default_factory=list)

    def seconds(self, key: float) -> float:
        """Return the total time in seconds that the person needs if each key press takes `key` seconds."""
        pointed = self.taps * (P + key) + self.scrolled * P
        return self.keys * key + pointed + self.thoughts * M + sum(self.waits)


class Desk:
    """The director of a league night, whose key presses and taps are counted."""

    def __init__(self, page: Page, watch: Watch) -> None:
        self.page = page
        self.watch = watch

    def press(self, key: str) -> None:
        """Press a key and count it."""
        self.page.keyboard.press(key)
        self.watch.keys += 1

    def write(self, text: str) -> None:
        """Type a text key by key, and count the keys."""
        self.page.keyboard.type(text)
        self.watch.keys += len(text)

    def tap(self, what: Locator) -> None:
        """Tap an element and count the tap.

        If the element is off the screen, also count that the person had to scroll.
        """
        box = what.bounding_box()
        assert box is not None
        self.watch.scrolled += not (box["y"] >= 0 and box["y"] + box["height"] <= HEIGHT)
        what.click()
        self.watch.taps += 1

    def wait(self, what: Locator, says: str) -> None:
        """Wait until an element has the text `says`, and record how long that took."""
        began = time.perf_counter()
        expect(what).to_have_text(says)
        self.watch.waits.append(time.perf_counter() - began)


def names(count: int) -> list[str]:
    """Return `count` different names of people. Many of them are similar."""
    return [f"{first} {last}" for last, first in product(LAST, FIRST)][:count]


def open_league(page: Page, people: Sequence[str]) -> None:
    """Create a league with these people and a season. Nothing is measured."""
    page.goto("/leagues")
    page.get_by_label("League name").fill("Fire Hall")
    page.get_by_role("button", name="Create league").click()
    page.get_by_role("link", name="Add players").click()
    page.get_by_label("Names").fill("\n".join(people))
    page.get_by_role("button", name="Add players").click()
    page.get_by_role("link", name="Fire Hall").click()
    page.get_by_role("link", name="Start a season").click()
    page.get_by_label("Season name").fill("2026/27")
    page.get_by_role("button", name="Start season").click()


def open_night(page: Page, day: str) -> None:
    """Open a night dated `day` from the page of the season."""
    page.get_by_label("Date").fill(day)
    page.get_by_role("button", name="Open a night").click()


def count_of(page: Page) -> Locator:
    """Return the element that shows how many people are checked in."""
    return page.locator("#door h2 small")


def by_name(desk: Desk, people: Sequence[str]) -> None:
    """Check everyone in by typing: for each person, type the name until only one match is left, then press Enter."""
    page = desk.page
    page.get_by_label("Find a name").focus()
    left = page.locator(".door [data-name]:not([hidden])")
    for number, name in enumerate(people, 1):
        desk.watch.thoughts += 1
        first, last = name.split()
        for letter in f"{first} {last}":
            desk.write(letter)
            if left.count() == 1:
                break
        desk.press("Enter")
        desk.wait(count_of(page), f"{number} here")


def by_tap(desk: Desk, people: Sequence[str]) -> None:
    """Check everyone in by finding and tapping each person's name."""
    page = desk.page
    for number, name in enumerate(people, 1):
        desk.watch.thoughts += 2
        desk.tap(page.locator("#door").get_by_role("button", name=name, exact=True))
        desk.wait(count_of(page), f"{number} here")


def from_paper(desk: Desk, order: Sequence[int], random: Random) -> None:
    """Enter the results of a round with the keyboard. The page from which the night is directed must be open.

    `order` holds the indexes of the tables in the order in which the paper sheets arrive. `random` chooses the points.
    """
    page = desk.page
    lines = page.locator(".grid .line")
    # Use the link that skips to the scores, then go to the first field.
    while not page.locator(".grid .pair input:focus").count():
        at_skip = page.locator("main .skip:focus").count()
        desk.press("Enter" if at_skip else "Tab")
    now, wanted = 0, {}
    for table in order:
        desk.watch.thoughts += 1
        for _step in range(abs(table - now)):
            desk.press("ArrowDown" if table > now else "ArrowUp")
        for side, points in enumerate(random.sample((21, random.randrange(20)), 2)):
            desk.watch.thoughts += 1
            desk.write(str(points))
            desk.press("Tab")
            wanted[table, side] = str(points)
        now = table + 1
        if now == len(order):
            # After the last table comes the reason field, so go back to the grid.
            now = table
            desk.press("Shift+Tab")
            desk.press("Shift+Tab")
    desk.press("Enter")
    desk.wait(page.locator("#round h2 small"), "all done")
    for (table, side), typed in wanted.items():
        assert lines.nth(table).locator(".pair input").nth(side).input_value() == typed


def told(what: str, watch: Watch, count: int, each: str) -> float:
    """Print a line with the figures in `watch`, and return the person's total time in seconds.

    `what` is the heading of the line. `count` is the number of people or tables, and the line also shows the time for
    one of them. `each` is "person" or "table".
    """
    all_in, slow = watch.seconds(K), watch.seconds(K_SLOW)
    longest = max(watch.waits)
    print(
        f"{what:34} {watch.keys:5} {watch.taps:5} {watch.thoughts:9} {watch.scrolled:9} {len(watch.waits):6}"
        f" {sum(watch.waits) / len(watch.waits):7.2f} {longest:8.2f} {all_in:7.0f} s {all_in / count:6.1f} s"
        f" {slow / count:6.1f} s  a {each}"
    )
    return all_in


def main(tables: int) -> int:
    """Measure a night with this number of tables and print the figures. Return 1 if a figure is too high, else 0."""
    people = names(tables * FOUR)
    random = Random("paper")
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=list(OPTIONS))
        page = browser.new_context(base_url=server.url, viewport={"width": 1366, "height": HEIGHT}).new_page()
        expect.set_options(timeout=15_000)
        open_league(page, people)
        season = page.url
        print(f"{len(people)} people, {tables} tables; a key {K} s ({K_SLOW} s for the last column), to point {P} s, a")
        print(f"thought {M} s; the waits were measured.\n")
        print(f"{'':34} {'keys':>5} {'taps':>5} {'thoughts':>9} {'scrolled':>9} {'waits':>6}", end="")
        print(f" {'mean s':>7} {'longest':>8} {'all of it':>9} {'each':>8} {'slow':>8}")
        open_night(page, "2026-09-01")
        door = Desk(page, Watch())
        by_name(door, random.sample(people, len(people)))
        wrong = told("door, by a part of the name", door.watch, len(people), "person") > DOOR
        for first, last in (("Make the seating", "paper, in the order of the tables"), ("", "paper, in any order")):
            if first:
                page.get_by_role("button", name=first).click()
                page.locator(".rounds a").first.wait_for()
            desk_url = page.url.split("?")[0].split("#")[0]
            page.goto(desk_url)
            order = list(range(tables)) if first else random.sample(range(tables), tables)
            paper = Desk(page, Watch())
            from_paper(paper, order, random)
            took = told(last, paper.watch, tables, "table")
            wrong |= took / tables > A_TABLE or paper.watch.taps > 0
        page.get_by_role("button", name="Close night anyway").click()
        page.get_by_text("This night is closed").wait_for()
        page.goto(season)
        open_night(page, "2026-09-08")
        door = Desk(page, Watch())
        by_tap(door, random.sample(people, len(people)))
        wrong |= told("door, one tap each", door.watch, len(people), "person") > DOOR
        browser.close()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else TABLES))
