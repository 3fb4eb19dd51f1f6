"""Compare the rules in the phone's script with those of the server, by playing the same random games with both.

Run: python tests/bench/client_rules.py [GAMES [SEED]]

GAMES (100,000) games of every preset and option, from the start or from the middle of an evening, with invalid hands
among the valid ones, are played by `static/js/games/rules.js` in Node, or in Chromium if there is no Node. Prints the
numbers of games and hands, the cases that occurred, and the number of differences. The exit status is 1 at the first
difference, which is printed as a smaller game, and if an option value, a seating or a way to end never occurred.
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
    """Compare the phone's rules with the server's rules in `count` random games, and print the results.

    `seed` chooses the games. Return 1 if the results differ or if an expected case never occurred, else 0.
    """
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
    """Yield a function that plays games with the rules in the phone's script.

    The script runs in Node, or else in Chromium.
    """
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
    """Print how often each case occurred in the games. Within each group, the most frequent case is printed first."""
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
