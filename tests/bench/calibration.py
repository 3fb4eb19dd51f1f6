"""Compare win probabilities with the games of simulated leagues, and with those of logistic regressions.

Run: python tests/bench/calibration.py [LEAGUES] [PRESET]

Needs numba 0.68.1. Plays LEAGUES (200) leagues of Setback to 21 (or PRESET): twelve nights of twelve games each, with
hands of careful players (`careful.py`). Each league's players are a little bolder or more timid than those of the
built-in model. In every second league, they are much bolder once a side is near the target, which no model knows. The
games of every third night at a time are predicted from all other nights:

- `built-in`: by the built-in model alone.
- `own`: by the built-in model, shifted to the hands of the league's other nights (`model.shifted`).
- `difference` and `root`: by logistic regressions of the league's other nights, on who deals and on the difference of
  the scores, which `root` divides by the square root of the points that the leading side needs.
- `difference, all` and `root, all`: the same, of the other nights of all leagues.

Prints the Brier score and the log loss of each, how much smaller they are for `own`, with the standard error (by
league), and how far off each is in the worst tenth of the probabilities; then the same for the endgame, when a side has
three quarters of the target. At last plays a few leagues' hands by each of the other rules of `insight/what_if.py`,
and prints by how much the Brier score of `own` in the endgame is smaller than the regressions'.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.careful import SEED, dealt_hands, game_at, points  # noqa: E402, I001  before numpy loads its threads
import numpy as np  # noqa: E402

from scorekeeper.insight.model import dealt_by, from_dealer, hand_at, prior_key, prior_model, shifted  # noqa: E402
from scorekeeper.insight.win_odds import WinOdds, win_odds  # noqa: E402
from scorekeeper.insight.what_if import other_rules  # noqa: E402
from scorekeeper.rules.presets import PRESETS  # noqa: E402
from scorekeeper.rules.scoring import Hand, Tally, add_hand, new_tally  # noqa: E402
from scorekeeper.rules.table import Table, dealer_after, table_at  # noqa: E402

LEAGUES, FEW, NIGHTS, GAMES, FOLDS = 200, 20, 12, 12, 3
POOL = 4_000
"""Hands of a league, which its games draw from."""
BOLD, BOLDER = 0.06, 0.15
"""How much bolder leagues are (standard deviation), and every second league near the end of a game."""
METHODS = ("own", "built-in", "difference", "root", "difference, all", "root, all")
GROUPS = ("All scores", "All scores, bold endgames", "Endgames", "Bold endgames")
Numbers = np.ndarray[Any, Any]


class State(NamedTuple):
    """A score before a hand, who deals, and whether side 0 won the game."""

    night: int
    tally: Tally
    dealer: int
    won: float


class League:
    """The pools of hands of a league. With `late`, another one is used near the end of a game."""

    def __init__(self, table: Table, number: int) -> None:
        self.chance = Random(f"{SEED} {number}")
        bold = self.chance.gauss(0.0, BOLD)
        self.usual = _pool(table, bold, number)
        self.late = _pool(table, bold + BOLDER, number) if number % 2 else self.usual

    def play(self, table: Table, nights: int) -> tuple[list[State], list[tuple[int, Hand]]]:
        """Play games at `table`. Return the scores before all hands, and the hands with their nights."""
        states, hands = list[State](), list[tuple[int, Hand]]()
        for number in range(nights * GAMES):
            tally, dealer, night = (
                new_tally(table),
                self.chance.randrange(table.players),
                number // GAMES,
            )
            game = []
            while tally.outcome is None:
                game.append((tally, dealer))
                near = 4 * max(tally.totals) >= 3 * table.rules.target
                hand = dealt_by(table, self.chance.choice(self.late if near else self.usual), dealer)
                hands.append((night, hand))
                tally, _ = add_hand(table, tally, hand)
                dealer = dealer_after(table, dealer, thrown_in=False)
            won = 0.5 if tally.outcome.winner is None else float(tally.outcome.winner == 0)
            states += [State(night, *each, won) for each in game]
        return states, hands


def _pool(table: Table, bold: float, number: int) -> list[Hand]:
    game, hands = game_at(table), list[Hand]()
    for rows in dealt_hands(table, POOL, SEED + 1000 + number, bold):
        taken = np.column_stack([points(game, rows, party) for party in range(2)])
        for (seats, bid), each in zip(rows[:, :2].tolist(), taken.tolist(), strict=True):
            hands.append(
                hand_at(
                    table,
                    seats,
                    table.rules.special_bid if bid == game.special else bid,
                    each,
                )
            )
    return hands


def told(states: Sequence[State], table: Table, *, root: bool) -> Numbers:
    """Return what a regression knows about each score: who deals, and the difference."""
    totals = np.array([state.tally.totals for state in states], float)
    deals = np.array([1.0 - 2 * table.side_of[state.dealer] for state in states])
    difference = totals[:, 0] - totals[:, 1]
    if root:
        difference /= np.sqrt(np.maximum(table.rules.target - totals.max(axis=1), 1))
    return np.column_stack((deals, difference))


def fitted(known: Numbers, won: Numbers) -> Numbers:
    """Return the weights of a logistic regression, by Newton's method."""
    weights = np.zeros(known.shape[1])
    for _ in range(12):
        p = 1 / (1 + np.exp(-known @ weights))
        slope = (known * (p * (1 - p))[:, None]).T @ known + 1e-6 * np.eye(len(weights))
        weights = weights + np.linalg.solve(slope, known.T @ (won - p))
    return weights


def by_odds(odds: WinOdds, states: Sequence[State]) -> Numbers:
    """Return the exact win probabilities of side 0."""
    return np.array([odds.win(state.tally, state.dealer)[0] for state in states])


class Figures:
    """What was predicted, and what happened, in some states of some leagues."""

    def __init__(self) -> None:
        self.p: dict[str, list[Numbers]] = defaultdict(list)
        self.won: list[Numbers] = []

    def show(self, name: str) -> None:
        """Print all figures."""
        won = np.concatenate(self.won)
        print(f"\n{name}: {len(won):,} scores")
        print(f"{'':16} {'Brier':>8} {'log loss':>9}   {'by how much own is better':36} worst tenth, points")
        for method in METHODS:
            p = np.concatenate(self.p[method])
            losses = [self.losses(method), self.losses("own")]
            gains = (losses[0] - losses[1]).mean(axis=1)
            errors = (losses[0] - losses[1]).std(axis=1) / len(self.won) ** 0.5
            tenths = np.minimum((10 * p).astype(int), 9)
            off = [100 * (p[tenths == each] - won[tenths == each]).mean() for each in sorted(set(tenths.tolist()))]
            gained = " ".join(f"{gain:.5f} ± {error:.5f}" for gain, error in zip(gains, errors, strict=True))
            brier, log = losses[0].mean(axis=1)
            print(f"{method:16} {brier:8.5f} {log:9.5f}   {gained:36} {max(off, key=abs):+.2f}")
            if method in METHODS[:2]:
                print(
                    f"{'':16} by tenth: {' '.join(f'{each:+.2f}' for each in off)}",
                    flush=True,
                )

    def losses(self, method: str) -> Numbers:
        """Return the Brier score and the log loss of each league."""
        found = []
        for p, won in zip(self.p[method], self.won, strict=True):
            near = np.clip(p, 1e-6, 1 - 1e-6)
            log = -(won * np.log(near) + (1 - won) * np.log(1 - near)).mean()
            found.append((((p - won) ** 2).mean(), log))
        return np.array(found).T


def main(leagues: int, preset: str) -> None:
    """Print the figures of all leagues."""
    rules = PRESETS[preset]
    table = next(each for each in (table_at(rules, seating) for seating in rules.seatings) if len(each.sides) == 2)
    print(f"{prior_key(table)}, {leagues} leagues of {NIGHTS * GAMES} games")
    prior = prior_model(table)
    plain = win_odds(table, prior)
    played = [(league := League(table, number), *league.play(table, NIGHTS)) for number in range(leagues)]
    figures = [Figures() for _name in GROUPS]
    for fold in range(FOLDS):
        others = [state for _, states, _ in played for state in states if state.night % FOLDS != fold]
        of_all = {root: _fit(others, table, root=root) for root in (False, True)}
        for number, (_league, states, hands) in enumerate(played):
            held = [state for state in states if state.night % FOLDS == fold]
            rest = [state for state in states if state.night % FOLDS != fold]
            model = shifted(
                table, prior, Counter(from_dealer(table, hand) for night, hand in hands if night % FOLDS != fold)
            )
            p = {
                "own": by_odds(win_odds(table, model), held),
                "built-in": by_odds(plain, held),
            }
            p |= _regressions(
                held,
                table,
                {root: _fit(rest, table, root=root) for root in of_all},
                of_all,
            )
            _add(figures[number % 2], held, p, np.ones(len(held), bool))
            _add(figures[2 + number % 2], held, p, _near(held, table))
    for each, name in zip(figures, GROUPS, strict=True):
        each.show(name)
    print("\nBrier score in the endgame by rules that no regression has seen; own is better by:")
    of_all = {root: _fit([state for _, states, _ in played for state in states], table, root=root) for root in of_all}
    for rule in other_rules(table):
        found = Figures()
        for league, states, hands in played[: 2 * FEW : 2]:
            new, _hands = league.play(rule.table, 6)
            own = {root: _fit(states, table, root=root) for root in of_all}
            p = {
                "own": by_odds(
                    win_odds(rule.table, shifted(table, prior, Counter(from_dealer(table, hand) for _, hand in hands))),
                    new,
                )
            }
            p |= _regressions(new, rule.table, own, of_all)
            _add(found, new, p, _near(new, rule.table))
        ours = found.losses("own").mean(axis=1)[0]
        gains = (f"{each}: {1 - ours / found.losses(each).mean(axis=1)[0]:+.1%}" for each in METHODS[2:])
        print(f"{rule.option} {rule.value}: {ours:.5f}; {'; '.join(gains)}", flush=True)


def _fit(states: Sequence[State], table: Table, *, root: bool) -> Numbers:
    return fitted(told(states, table, root=root), np.array([state.won for state in states]))


def _regressions(
    states: Sequence[State],
    table: Table,
    own: dict[bool, Numbers],
    of_all: dict[bool, Numbers],
) -> dict[str, Numbers]:
    found = {}
    for weights, more in ((own, ""), (of_all, ", all")):
        for root, name in ((False, "difference"), (True, "root")):
            found[name + more] = 1 / (1 + np.exp(-told(states, table, root=root) @ weights[root]))
    return found


def _near(states: Sequence[State], table: Table) -> Numbers:
    return np.array([4 * max(state.tally.totals) >= 3 * table.rules.target for state in states])


def _add(figures: Figures, states: Sequence[State], p: dict[str, Numbers], chosen: Numbers) -> None:
    figures.won.append(np.array([state.won for state in states])[chosen])
    for method, each in p.items():
        figures.p[method].append(each[chosen])


if __name__ == "__main__":
    numbers = [int(each) for each in sys.argv[1:] if each.isdigit()]
    names = [each for each in sys.argv[1:] if each in PRESETS]
    main(numbers[0] if numbers else LEAGUES, names[0] if names else "setback-21")
