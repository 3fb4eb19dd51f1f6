"""Check win probabilities of every game of two sides against simulated games, and measure how long they take.

Run: python tests/bench/odds.py [GAMES] [PRESET …]

For each preset, calculates the win probabilities (`scorekeeper/insight`), and plays GAMES (1,000,000) games from each
of 50 random scores, with the preset's name as the seed. Prints the time of the calculation and of one lookup, how far
the farthest score is from the simulation, in standard errors, and the chi-square of all 50 scores with its distance
from the expected 50, also in standard errors. Both should be below 4.5. At last prints how long it takes to score
35,000 hands of Setback to 21 with each of the other rules (`what_if.compare`), as for the games of a large season.
"""

from __future__ import annotations

import sys
from math import sqrt
from pathlib import Path
from random import Random
from time import perf_counter, thread_time

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from scorekeeper.insight.model import dealt_by, prior_model  # noqa: E402  the checkout comes first
from scorekeeper.insight.what_if import PlayedHands, compare  # noqa: E402
from scorekeeper.insight.win_odds import WinOdds, win_odds  # noqa: E402
from scorekeeper.rules.presets import PRESETS  # noqa: E402
from scorekeeper.rules.scoring import Tally, add_hand, new_tally  # noqa: E402
from scorekeeper.rules.table import Table, dealer_after, set_table  # noqa: E402
from tests.insight.games import Games, two_sided_tables  # noqa: E402

STATES, GAMES, LOOKUPS, SEASON = 50, 1_000_000, 20_000, 35_000


def random_state(table: Table, chance: Random) -> tuple[Tally, int]:
    """Return a random score at which a hand can begin, and the seat of its dealer."""
    totals = tuple(chance.randint(-3, table.rules.target - 1) for _ in range(2))
    return new_tally(table)._replace(totals=totals), chance.randrange(table.players)


def distances(odds: WinOdds, states: int, games: int) -> list[float]:
    """Return how far the win probability of each of `states` random scores is from a simulation, in standard errors.

    `games` is the number of games from each score. Scores at which a side hardly ever wins are left out, because
    a normal distribution doesn't describe so few games.
    """
    table, chance = odds.table, Random(odds.table.rules.preset)
    simulated, draws = Games(table, prior_model(table)), np.random.default_rng([*table.rules.preset.encode()])
    found = list[float]()
    while len(found) < states:
        tally, dealer = random_state(table, chance)
        p = odds.win(tally, dealer)[0]
        if 20 < p * games < games - 20:
            won, _played = simulated.play(tally, dealer, games, draws)
            found.append((won - p * games) / sqrt(games * p * (1 - p)))
    return found


def season(table: Table, hands: int) -> list[tuple[Table, PlayedHands]]:
    """Return random games by the built-in model, of at least `hands` hands in all."""
    chance, model, games = Random(1), prior_model(table), list[tuple[Table, PlayedHands]]()
    weights = [each.p for each in model.chances]
    while hands > 0:
        tally, dealer, played = new_tally(table), chance.randrange(table.players), []
        while tally.outcome is None:
            hand = dealt_by(table, chance.choices(model.chances, weights)[0].hand, dealer)
            played.append((hand, None))
            tally, _ = add_hand(table, tally, hand)
            dealer = dealer_after(table, dealer, thrown_in=False)
        games.append((table, PlayedHands((0,) * len(table.sides), tuple(played))))
        hands -= len(played)
    return games


def main(games: int, presets: set[str]) -> None:
    """Print a line for each preset."""
    print(f"{'preset':18} {'solved s':>9} {'processor':>9} {'lookup µs':>9} {'farthest':>9} {'chi²':>7} {'off by':>7}")
    for table in two_sided_tables():
        if presets and table.rules.preset not in presets:
            continue
        wall, processor = perf_counter(), thread_time()
        odds = win_odds(table, prior_model(table))
        wall, processor = perf_counter() - wall, thread_time() - processor
        tally = new_tally(table)
        started = thread_time()
        for _ in range(LOOKUPS):
            odds.win(tally, 0)
        lookup = (thread_time() - started) / LOOKUPS * 1e6
        off = distances(odds, STATES, games)
        chi = sum(each**2 for each in off)
        print(
            f"{table.rules.preset:18} {wall:9.2f} {processor:9.2f} {lookup:9.2f} {max(map(abs, off)):9.2f} {chi:7.1f}"
            f" {(chi - STATES) / sqrt(2 * STATES):7.2f}",
            flush=True,
        )
    played = season(set_table(PRESETS["setback-21"], 4), SEASON)
    started = thread_time()
    told = compare(played)
    print(f"{len(played)} games with {len(told)} rules each: {thread_time() - started:.2f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES, set(sys.argv[2:]))
