"""Count how many taps entering a hand takes, on the real page in a real browser.

Run: python tests/bench/taps.py [HANDS [GAME …]]

Plays HANDS (200) dealt and played hands (`scorekeeper/leagues/transfer/demo_data.py`, the same ones each time) of
every GAME (by default all) on a touch screen of 360 x 640, and prints for each the mean, the most frequent and the
highest number of taps of a complete hand: the bid, all winners, saving. Trump is left open, as the page allows; the tap
that answers a question about an unusual hand is counted separately. The exit status is 1 if a hand took more taps than
`MOST`, or if an element was below the screen in a game of up to five points and five players. No keyboard is used.
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

from scorekeeper.leagues.transfer.demo_data import deals  # noqa: E402
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
    ("smear-4", 4): 6,
    ("smear-5", 4): 7,
    ("smear-6", 6): 8,
    ("five-point", 4): 7,
    ("six-point", 4): 8,
    ("seven-point", 4): 9,
    ("nine-point", 4): 8,
    ("eleven-point", 4): 12,
    ("thirteen-point", 4): 12,
    ("call-partner-pitch", 5): 11,
    ("call-partner-pitch", 6): 11,
    ("pedro-62", 4): 9,
    ("cinch-51", 4): 9,
    ("smudge", 5): 6,
    ("all-fours-14", 4): 6,
    ("all-fours-14", 2): 6,
    ("oklahoma-21", 4): 11,
    ("oklahoma-21", 6): 11,
}
"""Most taps that a hand may take, by (preset, number of players)."""
FITS = 5
"""Most points of a hand, and most players, for which all elements must fit on the screen."""


@dataclass
class Taps:
    """Counts of the taps that were needed to enter the hands of one game."""

    hands: Counter[int] = field(default_factory=Counter)
    """Maps each number of taps to the number of hands that took that many taps."""
    questions: int = 0
    scrolled: Counter[str] = field(default_factory=Counter)
    """Maps the selector of an element to the number of taps for which a person must scroll to the element."""


class Finger:
    """A finger that taps elements of a page. Its taps are counted."""

    def __init__(self, page: Page, taps: Taps) -> None:
        self.page = page
        self.taps = taps
        self.count = 0

    def tap(self, what: str, *, counted: bool = True) -> None:
        """Tap the element with the selector `what`, and count the tap unless `counted` is False.

        If the element was outside the screen, also count the tap in `Taps.scrolled`.
        """
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
    """Enter one hand on the page, from the bid to the saved score."""
    page = finger.page
    pad = f".bid-pad input[name=bidder][value='{hand.get('bidder')}']"
    page.locator(".entry").first.wait_for()
    if not table.rules.has_bids:
        pass
    elif page.locator(pad).count():
        finger.tap(pad)
        finger.tap(f"button[name=bid][value='{hand['bid']}']")
    else:
        finger.tap(f"button[name=call][value='{hand['bidder']}:{hand['bid']}']")
    page.locator("form.took-what").wait_for()
    for choice in chosen(table, hand):
        field_ = page.locator(f".took-what input{choice}").first
        if field_.count() and not field_.is_checked():
            finger.tap(f".took-what input{choice}")
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
    """Return the selectors of all choices that a hand needs, such as who took each point.

    Some of these choices may not be on the page, so the caller must look for each before tapping it.
    """
    if not table.rules.has_bids:
        card = hand["turned_up"][0]
        fields = {key: "none" if side is None else str(side) for key, side in hand["points"].items()}
        fields["jack"] = f"hung-{fields['jack']}" if hand.get("jack_hung") else fields["jack"]
        fields["turned_up"] = card if card in table.rules.turned_up_worth else "other"
        return [f"[name={key}][value='{value}']" for key, value in fields.items()]
    partner = []
    if table.called:
        partner = [f"[name=partner][value='{'alone' if hand['partner'] is None else hand['partner']}']"]
    if "points" in hand:
        owners = {key: "none" if side is None else side for key, side in hand["points"].items()}
        return [*partner, *(f"[name={key}][value='{owner}']" for key, owner in owners.items())]
    ours = 0 if table.called else table.side_of[hand["bidder"]]
    order = sorted(range(len(hand["taken"])), key=lambda side: side != ours)  # as they stand on the page
    return [*partner, *(f"[name=taken-{side}][value='{hand['taken'][side]}']" for side in order)]


def program() -> str:
    """Return the path of Chromium. Raises `SystemExit` if it is not installed."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    return found or sys.exit("no Chromium on this machine; set CHROMIUM to its path")


def measure(url: str, preset: str, players: int, hands: int) -> Taps:
    """Enter `hands` hands of the game `preset` on the server at `url`, and return how many taps they took."""
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
    """Measure all games, or only `games`, and print the figures. Return 1 if a figure is too high, else 0."""
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
