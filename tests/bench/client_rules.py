"""Compare the rules in the phone's script with those of the server, by playing the same random games with both.

Run: python tests/bench/client_rules.py [GAMES [SEED]]

GAMES (100,000) games of every preset and option, from the start or from the middle of an evening, with invalid hands
among the valid ones, are played by `static/js/games/rules.js` in QuickJS. Prints the numbers of games and hands, the
cases that occurred, and the number of differences. The exit status is 1 at the first difference, which is printed as a
smaller game, and if an option value, a seating or a way to end never occurred.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.rules.client import RULES_JS, Met, differences, in_quickjs, report, shrunk  # noqa: E402  the checkout comes first
from tests.rules.client_games import games  # noqa: E402

GAMES = 100_000


def main(count: int, seed: int) -> int:
    """Compare the phone's rules with the server's rules in `count` random games, and print the results.

    `seed` chooses the games. Return 1 if the results differ or if an expected case never occurred, else 0.
    """
    met = Met()
    play = in_quickjs(RULES_JS.read_text())
    differing = next(differences(play, games(count, seed), met), None)
    if differing is not None:
        print(report(play, shrunk(play, differing)))
    show(met)
    print(f"{met.games:,} games, {met.hands:,} hands, {0 if differing is None else 1} differences")
    return 1 if differing is not None or met.never() else 0


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
