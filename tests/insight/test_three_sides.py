"""Exact win probabilities of three sides agree with a recursion of its own, with the rules, and with played games."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import permutations, product
from math import sqrt
from random import Random
from time import thread_time

import pytest

from scorekeeper.insight.model import FORMAT, dealt_by, prior_model, read_model
from scorekeeper.insight.odds import SimulatedOdds, odds_for
from scorekeeper.insight.win_odds import WinOdds, near_odds, win_odds
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import add_hand, new_tally
from scorekeeper.rules.table import Table, dealer_after, set_table, table_at

Outcome = tuple[int, int, tuple[int, ...], float]
"""How many seats from the dealer the bidder sits, the bid, the points from the bidder on, and the probability."""
EVEN: tuple[Outcome, ...] = (
    (1, 2, (3, 1, 0), 0.5),
    (0, 2, (2, 0, 2), 0.28),
    (2, 3, (4, 0, 0), 0.2),
    (0, 2, (1, 2, 1), 0.02),
)
BOLD: tuple[Outcome, ...] = (
    (1, 4, (4, 0, 0), 0.36),
    (1, 2, (0, 2, 2), 0.1),
    (0, 2, (3, 0, 1), 0.4),
    (2, 3, (2, 2, 0), 0.14),
)
LOWEST = -20
"""No side of the recursion gets lower than this. It would hardly ever."""
THREE = [
    table
    for rules in PRESETS.values()
    for table in (table_at(rules, seating) for seating in rules.seatings)
    if rules.has_bids and not table.called and len(table.sides) == 3 and rules.target <= 11
]


QUICK = {"setback-7 3", "smear-5 6"}
"""Names of the tables that every run of the tests solves."""


def name(table: Table) -> str:
    return f"{table.rules.preset} {table.players}"


every = pytest.mark.parametrize(
    "table",
    [pytest.param(each, marks=() if name(each) in QUICK else pytest.mark.slow) for each in THREE],
    ids=map(name, THREE),
)


@cache
def solved(table: Table) -> WinOdds:
    found = odds_for(table, prior_model(table), 0, table.rules.target)
    assert isinstance(found, WinOdds)
    return found


def recursion(outcomes: tuple[Outcome, ...], target: int) -> dict[tuple[int, ...], tuple[float, ...]]:
    """Return the chances of each side from every score that can come up, the next dealer's side first.

    The scoring is that of Setback to 7, written down once more: the bidder takes its points, or loses the bid; a bidder
    who made the bid and has the target wins, or else the only one who has the most of those with the target.
    """

    def after(totals: tuple[int, ...], outcome: Outcome) -> tuple[tuple[int, ...], int | None]:
        seats, bid, points, _p = outcome
        added = {(seats + place) % 3: taken for place, taken in enumerate(points)}
        made = added[seats] >= bid
        if not made:
            added[seats] = -bid
        new = tuple(max(totals[side] + added[side], LOWEST) for side in range(3))
        if made and new[seats] >= target:
            return new, seats
        best = [side for side in range(3) if new[side] == max(new)]
        return new, best[0] if max(new) >= target and len(best) == 1 else None

    steps: dict[tuple[int, ...], list[tuple[float, tuple[int, ...], int | None]]] = {}
    waiting = [(0, 0, 0), *permutations((6, 1, -3)), (5, 5, 5)]
    while waiting:
        totals = waiting.pop()
        if totals not in steps:
            steps[totals] = [(outcome[3], *after(totals, outcome)) for outcome in outcomes]
            # The next side deals then, so it comes first.
            waiting += [(*new[1:], new[0]) for _p, new, winner in steps[totals] if winner is None]
    chances: dict[tuple[int, ...], tuple[float, ...]] = dict.fromkeys(steps, (0.0, 0.0, 0.0))
    order, changed = sorted(steps, key=sum, reverse=True), 1.0
    while changed > 1e-11:
        changed = 0.0
        for totals in order:
            sums = [0.0, 0.0, 0.0]
            for p, new, winner in steps[totals]:
                then = chances[*new[1:], new[0]] if winner is None else ()
                for side in range(3):
                    sums[side] += p * (then[side - 1] if then else side == winner)
            changed = max(changed, *(abs(new - old) for new, old in zip(sums, chances[totals], strict=True)))
            chances[totals] = tuple(sums)
    return chances


@pytest.mark.parametrize(("outcomes", "target"), [(BOLD, 7), (EVEN, 11)])
def test_a_plain_recursion_gives_the_same(outcomes: tuple[Outcome, ...], target: int) -> None:
    table = set_table(with_options(PRESETS["setback-7"], {"target": target}), 3)
    listed = [{"from_dealer": seats, "bid": bid, "taken": taken, "p": p} for seats, bid, taken, p in _lists(outcomes)]
    odds = odds_for(table, read_model(table, {"format": FORMAT, "outcomes": listed}), 0, target)
    assert isinstance(odds, WinOdds)
    for totals, chances in recursion(outcomes, target).items():
        if min(totals) >= 0 and max(totals) < target:
            for dealer in range(3):
                turned = tuple(totals[(seat - dealer) % 3] for seat in range(3))
                expected = [chances[(seat - dealer) % 3] for seat in range(3)]
                assert odds.win(new_tally(table)._replace(totals=turned), dealer) == pytest.approx(expected, abs=1e-9)


def _lists(outcomes: tuple[Outcome, ...]) -> list[tuple[int, int, list[int], float]]:
    return [(seats, bid, list(taken), p) for seats, bid, taken, p in outcomes]


@every
def test_each_state_is_the_mean_of_those_after_it(table: Table) -> None:
    """By the app's own scoring; and the three chances add up to 1."""
    odds, model, chance = solved(table), prior_model(table), Random(name(table))
    for _ in range(5):
        totals = tuple(chance.randint(0, table.rules.target - 1) for _ in range(3))
        tally, dealer = new_tally(table)._replace(totals=totals), chance.randrange(table.players)
        mean, left = [0.0] * 3, 1.0
        for each in model.chances:
            hand = dealt_by(table, each.hand, dealer)
            after, _ = add_hand(table, tally, hand)
            deals = dealer_after(table, dealer, thrown_in=hand.thrown_in)
            mean = [old + each.p * new for old, new in zip(mean, odds.win(after, deals), strict=True)]
            left += each.p * odds.hands_left(after, deals)
        assert odds.win(tally, dealer) == pytest.approx(mean, abs=1e-8)
        assert sum(odds.win(tally, dealer)) == pytest.approx(1, abs=1e-12)
        assert odds.hands_left(tally, dealer) == pytest.approx(left, abs=1e-5)


@every
def test_who_sits_where_changes_nothing(table: Table) -> None:
    """Turned by a seat, with the deal, the chances turn as well. One more point is never worse."""
    odds = solved(table)
    some = range(-4, table.rules.target, 4)
    for totals in product(some, repeat=3):
        won = odds.win(new_tally(table)._replace(totals=totals), 0)
        turned = odds.win(new_tally(table)._replace(totals=(totals[2], *totals[:2])), 1)
        assert turned == pytest.approx((won[2], *won[:2]), abs=1e-9)
        more = odds.win(new_tally(table)._replace(totals=(totals[0] + 1, *totals[1:])), 0)
        assert more[0] >= won[0] - 1e-9


def test_played_games_are_won_as_often() -> None:
    table = set_table(PRESETS["setback-7"], 3)
    odds, simulated = solved(table), SimulatedOdds(table, prior_model(table))
    tally, games = new_tally(table)._replace(totals=(4, -2, 5)), 3_000
    chance = Random(1)
    won = Counter(simulated._play(tally, 1, chance)[0] for _ in range(games))
    for side, p in enumerate(odds.win(tally, 1)):
        assert abs(won[side] - p * games) <= 4.5 * sqrt(games * p * (1 - p))


@every
def test_a_game_of_three_is_solved_in_under_five_seconds(table: Table) -> None:
    started = thread_time()
    win_odds(table, prior_model(table))
    assert thread_time() - started < 5


def test_a_long_game_of_three_is_estimated() -> None:
    """So is one in which adjustments put somebody far behind."""
    long, short = (set_table(PRESETS[preset], 3) for preset in ("setback-21", "pitch-11"))
    assert isinstance(odds_for(long, prior_model(long), 0, 21), SimulatedOdds)
    assert isinstance(odds_for(short, prior_model(short), -300, 11), SimulatedOdds)


@every
def test_a_page_gets_nearly_the_same(table: Table) -> None:
    odds, near = solved(table), near_odds(table, prior_model(table))
    for totals in product(range(0, table.rules.target, 3), repeat=3):
        tally = new_tally(table)._replace(totals=totals)
        assert near.win(tally, 1) == pytest.approx(odds.win(tally, 1), abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["setback-21", "oklahoma-21"])
def test_a_page_of_a_long_game_agrees_with_played_games(preset: str) -> None:
    rules, games, chance = PRESETS[preset], 4_000, Random(preset)
    table = next(each for each in (table_at(rules, seating) for seating in rules.seatings) if len(each.sides) == 3)
    near, simulated = near_odds(table, prior_model(table)), SimulatedOdds(table, prior_model(table))
    for totals in ((0, 0, 0), (18, 11, 20), (-7, 15, 9)):
        tally = new_tally(table)._replace(totals=totals)
        won = Counter(simulated._play(tally, 2, chance)[0] for _ in range(games))
        for side, p in enumerate(near.win(tally, 2)):
            assert abs(won[side] - p * games) <= 4.5 * sqrt(games * p * (1 - p))
