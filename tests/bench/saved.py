"""Measure how soon a phone shows that a hand was saved.

This is the time from the tap on "Save" to the frame with the new score and its Undo button.

Run: python tests/bench/saved.py [HANDS]

Chromium at 360 x 640, its CPU throttled four times, against a server on this machine. Prints the median and the 95th
percentile over HANDS (40) hands, after three as a warm-up; the exit status is 1 if the median is above 100 ms.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Page, ViewportSize, sync_playwright  # noqa: E402  the checkout comes first

from tests.bench.taps import program  # noqa: E402
from tests.e2e.browser import OPTIONS, SCREEN  # noqa: E402
from tests.e2e.imported_games import bring_in, record  # noqa: E402
from tests.support.server import running  # noqa: E402

HANDS = 40
WARM_UP = 3
MOST = 100.0
"""Longest allowed median, in milliseconds."""
THROTTLE = 4
CLOCK = """
window.spent = [];
let tapped = 0;
document.addEventListener("click", (event) => (tapped = event.timeStamp), true);
const drawn = () => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => spent.push(performance.now() - tapped);
  port2.postMessage(0);
});
const board = new MutationObserver(() => "drawing" in document.querySelector("main").dataset && drawn());
document.addEventListener("DOMContentLoaded", () => {
  board.observe(document.querySelector("main"), { attributeFilter: ["data-drawing"] });
});
"""
"""Script that takes the time when the frame with the new score and its Undo button has been drawn.

When a frame begins, the script sends the page a message. The message arrives once the frame has been drawn.
"""


def main(hands: int) -> int:
    """Measure `hands` hands and print the figures. Return 1 if the median is too long, else 0."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program(), args=list(OPTIONS))
        viewport: ViewportSize = {"width": SCREEN["width"], "height": SCREEN["height"]}
        context = browser.new_context(base_url=server.url, viewport=viewport, has_touch=True, is_mobile=True)
        context.add_init_script(CLOCK)
        page = context.new_page()
        page.goto(bring_in(page, SimpleNamespace(url=server.url), record(ruleset=long_game())))
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
        times = [save_one(page, hand % 4) for hand in range(WARM_UP + hands)][WARM_UP:]
        browser.close()
    median, worst = statistics.median(times), sorted(times)[int(0.95 * len(times))]
    print(f"saved and shown: median {median:.0f} ms, 95th percentile {worst:.0f} ms, of {MOST:.0f} ms ({hands} hands)")
    return 1 if median > MOST else 0


def long_game() -> dict[str, object]:
    """Return a ruleset in the record format, with a target of 500 that the measured hands don't reach."""
    return {"preset": "setback-21", "options": {"target": 500}}


def save_one(page: Page, seat: int) -> float:
    """Enter one hand, and return the milliseconds from the tap on "Save" to the new board.

    The player at `seat` bids 2. The page's guesses of who took High and Low are kept.
    """
    page.locator(f"button[name=call][value='{seat}:2']").tap()
    save = page.locator(".took-what .bar:not(.asks) button.main", has_text="Save").first
    page.locator("main:not([data-fresh])").wait_for()
    for point, side in (("jack", "none"), ("game", seat % 2)):  # the bid says only who likely took high and low
        page.locator(f".pick:has([name={point}][value='{side}'])").tap()
    save.wait_for()
    before = page.evaluate("spent.length")
    box = save.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator(".bids").wait_for()
    page.wait_for_timeout(400)
    spent: list[float] = page.evaluate("spent")
    assert len(spent) == before + 1, "the hand was questioned, or the page was left"
    return spent[-1]


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else HANDS))
