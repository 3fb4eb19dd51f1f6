"""Holds the phone's rules against the server's: the same random games on both, compared hand by hand.

Run: python tests/bench/client_rules.py [GAMES [SEED]]

GAMES (100,000) of every preset and option, from the start or from the middle of an evening, with wrong hands among the
right ones, are played by `static/js/games/rules.js` in Node, or in Chromium where there is no Node. Prints how many
games and hands there were, what they met, and how many differ; ends with status 1 at the first difference, which it
shows shrunk, and where an option value, a seating or a way to end was never met.
"""

from __future__ import annotations

import shutil
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.rules.client import Met, Play, differences, report, shrunk  # noqa: E402  the checkout comes first
from tests.rules.client_engines import in_node, in_page  # noqa: E402
from tests.rules.client_games import games  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

GAMES = 100_000


def main(count: int, seed: int) -> int:
    """Print what was found; return 1 where the phone differs or something was never met."""
    met = Met()
    with engine() as play:
        differing = next(differences(play, games(count, seed), met), None)
        if differing is not None:
            print(report(play, shrunk(play, differing)))
    show(met)
    print(f"{met.games:,} games, {met.hands:,} hands, {0 if differing is None else 1} differences")
    return 1 if differing is not None or met.never() else 0


@contextmanager
def engine() -> Iterator[Play]:
    """Yield Node where it is, else Chromium."""
    if node := shutil.which("node"):
        with in_node(node) as play:
            yield play
        return
    from playwright.sync_api import sync_playwright

    from tests.bench.taps import program
    from tests.e2e.browser import OPTIONS

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=list(OPTIONS))
        yield in_page(browser.new_page())
        browser.close()


def show(met: Met) -> None:
    """Print what the games met, the rarest of each sort last."""
    values: dict[str, list[str]] = {}
    for (key, value), times in met.options.most_common():
        if type(value) is not int:
            values.setdefault(key, []).append(f"{value} {times:,}")
    for key in dict.fromkeys(key for key, _ in met.options):
        numbers = met.numbers(key) if not any(value.startswith("True") for value in values.get(key, [])) else set()
        told = [f"{len(numbers)} numbers"] if any(type(number) is int for number in numbers) else []
        print(f"  {key}: {', '.join(values.get(key, []) + told)}")
    for title, counted in (
        ("ended by", met.endings),
        ("refused", met.refusals),
        ("odd", met.odd),
        ("did", met.effects),
        ("changed", met.kinds),
    ):
        print(f"{title}: {', '.join(f'{key} {times:,}' for key, times in counted.most_common())}")
    print(f"{len(met.tables)} seatings")
    for missing in met.never():
        print(f"never met: {missing}")


if __name__ == "__main__":
    arguments = [int(text.replace(",", "")) for text in sys.argv[1:]]
    sys.exit(main(*(*arguments, *(GAMES, 0)[len(arguments) :])))
