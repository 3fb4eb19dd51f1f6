"""How many taps a hand takes, on the real page in a real browser.

Run: python tests/bench/taps.py [HANDS [GAME …]]

Plays HANDS (200) dealt and played-out hands (`scorekeeper/leagues/transfer/demo_deals.py`, the same ones each time) of
every GAME (all) on a touch screen of 360 x 640, and prints for each the mean, the commonest and the highest number of
taps of a complete hand: the bid, all winners, saved. Trump is left open, as the page allows; the tap that answers a
question about an odd hand counts apart. Ends with status 1 where a hand took more taps than its game may take, a tap
had to be scrolled for in a game of up to five points and five players, or a keyboard was needed (none is ever used).
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Locator, Page, sync_playwright  # noqa: E402  the checkout comes first

from scorekeeper.leagues.transfer.demo_deals import deals  # noqa: E402
from scorekeeper.rules.presets import PRESETS  # noqa: E402
from scorekeeper.rules.table import Table, set_table  # noqa: E402
from tests.e2e.browser import NAMES, OPTIONS, SCREEN  # noqa: E402
from tests.e2e.imported_games import bring_in, record  # noqa: E402
from tests.support.server import running  # noqa: E402

HANDS = 200
PLAYERS = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")
MOST = {
    ("setback-21", 4): 6,
    ("setback-21", 5): 6,
    ("bowers-12", 4): 7,
    ("setback-7", 2): 6,
    ("setback-7", 4): 6,
    ("setback-7-pitch", 5): 6,
    ("pitch-11", 3): 6,
    ("auction-pitch-7", 5): 6,
    ("somerset-66", 3): 5,
    ("somerset-66", 4): 5,
    ("somerset-66", 5): 5,
    ("horsley-66", 6): 5,
    ("ten-point-52", 4): 11,
    ("smear-52", 4): 11,
}
"""The most taps that a hand may take, by game and players."""
FITS = 5
"""Points of a hand up to which everything stands on the screen at once."""


@dataclass
class Taps:
    """What entering hands of one game took."""

    hands: Counter[int] = field(default_factory=Counter)
    """Taps to hands."""
    questions: int = 0
    scrolled: Counter[str] = field(default_factory=Counter)
    """What was tapped below the screen, to how often."""


class Finger:
    """Taps, and keeps count."""

    def __init__(self, page: Page, taps: Taps) -> None:
        self.page = page
        self.taps = taps
        self.count = 0

    def tap(self, what: str, *, counted: bool = True) -> None:
        """Tap the element that the selector names, and see if it stood on the screen."""
        target: Locator = self.page.locator(what).first
        target.wait_for(state="attached")
        # The moment in which a new page takes no taps is for fingers that tap twice, not for this one.
        self.page.evaluate("delete document.querySelector('main').dataset.fresh")
        box = target.bounding_box()
        assert box is not None, what
        seen = box["y"] >= 0 and box["y"] + box["height"] <= SCREEN["height"]
        self.taps.scrolled[what] += not seen
        target.tap()
        self.count += counted


def play(finger: Finger, table: Table, hand: dict[str, Any]) -> None:
    """Enter one hand, from the bid to the saved score."""
    page = finger.page
    pad = f".bid-pad input[name=bidder][value='{hand['bidder']}']"
    page.locator(".entry").first.wait_for()
    if page.locator(pad).count():
        finger.tap(pad)
        finger.tap(f"button[name=bid][value='{hand['bid']}']")
    else:
        finger.tap(f"button[name=call][value='{hand['bidder']}:{hand['bid']}']")
    page.locator("form.took-what").wait_for()
    for choice in chosen(table, hand):
        field_ = page.locator(f".took-what .mode input{choice}").first
        if field_.count() and not field_.is_checked():
            finger.tap(f".took-what .mode input{choice}")
    save = ".took-what .bar:not(.asks) button.main"
    page.locator(save, has_text="Save").first.wait_for()
    version = page.locator(".says").get_attribute("data-version")
    finger.tap(save)
    page.locator(f".says:not([data-version='{version}']), .asks").first.wait_for(state="attached")
    if page.locator(".asks").count():
        finger.tap("button[name=sure]", counted=False)
        finger.taps.questions += 1
        page.locator(f".says:not([data-version='{version}'])").wait_for(state="attached")


def chosen(table: Table, hand: dict[str, Any]) -> list[str]:
    """Return a selector for each choice that tells who took what; a side that follows is not on the page."""
    if "points" in hand:
        return [f"[name={key}][value='{'none' if side is None else side}']" for key, side in hand["points"].items()]
    partner = []
    if table.called:
        partner = [f"[name=partner][value='{'alone' if hand['partner'] is None else hand['partner']}']"]
    ours = 0 if table.called else table.side_of[hand["bidder"]]
    order = sorted(range(len(hand["taken"])), key=lambda side: side != ours)  # as they stand on the page
    return [*partner, *(f"[name=taken-{side}][value='{hand['taken'][side]}']" for side in order)]


def program() -> str:
    """Return the path of Chromium; raises `SystemExit` where there is none."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    return found or sys.exit("no Chromium on this machine; set CHROMIUM to its path")


def measure(url: str, preset: str, players: int, hands: int) -> Taps:
    """Return what `hands` hands of a game took."""
    table = set_table(PRESETS[preset], players)
    taps = Taps()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=list(OPTIONS))
        context = browser.new_context(
            base_url=url,
            viewport={"width": SCREEN["width"], "height": SCREEN["height"]},
            has_touch=True,
            is_mobile=True,
        )
        page = context.new_page()
        start = record(preset=preset, players=PLAYERS[:players], sides=table.sides)
        page.goto(bring_in(page, SimpleNamespace(url=url), start))
        for hand in islice(deals(table, Random(preset)), hands):
            if page.locator(".outcome").count():
                page.get_by_role("button", name="Play again").tap()
            finger = Finger(page, taps)
            play(finger, table, hand)
            taps.hands[finger.count] += 1
        browser.close()
    return taps


def main(hands: int, *games: str) -> int:
    """Print the figures of every game; return 1 where one is too high."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server, ProcessPoolExecutor(2) as pool:
        jobs = {key: pool.submit(measure, server.url, *key, hands) for key in MOST if key[0] in (games or PRESETS)}
        print(f"{'game':18} players  mean  usual  most  allowed  questions  scrolled")
        for (preset, players), job in jobs.items():
            taps = job.result()
            mean = sum(n * times for n, times in taps.hands.items()) / hands
            most, allowed = max(taps.hands), MOST[preset, players]
            usual = taps.hands.most_common(1)[0][0]
            told = f"{mean:4.2f}  {usual:5}  {most:4}  {allowed:7}  {taps.questions:9}  {taps.scrolled.total():8}"
            print(
                f"{preset:18} {players:7}  {told}", *(what for what, times in taps.scrolled.items() if times), sep="  "
            )
            small = len(PRESETS[preset].categories) <= FITS and players <= FITS
            wrong += most > allowed or (small and taps.scrolled.total() > 0)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else HANDS, *sys.argv[2:]))
