"""Win probabilities agree with the app's own scoring, with simulated games, and with a published chart."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from math import sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from scorekeeper.insight.model import SIMULATED, Chance, Model, check_table, dealt_by, flat_model, prior_model
from scorekeeper.insight.solver import EndlessError, Numbers, solve
from scorekeeper.insight.win_odds import WinOdds, solved_within, win_odds
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import Hand, Tally, add_hand, dearest_set, new_tally
from scorekeeper.rules.table import Table, dealer_after, set_table
from tests.bench.odds import STATES, distances
from tests.insight.games import Games, two_sided_tables
from tests.rules.strategies import rulesets, tables

SETBACK = set_table(PRESETS["setback-21"], 4)
SMALL = [table for table in two_sided_tables() if table.rules.target <= 21]
LONG = [table for table in two_sided_tables() if table.rules.target > 21]
CLOSE = 1e-8


def tally_of(table: Table, ours: int, theirs: int) -> Tally:
    return new_tally(table)._replace(totals=(ours, theirs))


@pytest.fixture(scope="module")
def setback() -> WinOdds:
    return win_odds(SETBACK, prior_model(SETBACK))


@given(st.data())
@settings(max_examples=12)
def test_each_state_is_the_mean_of_the_states_after_it(data: st.DataObject) -> None:
    _check_a_state(data)


@pytest.mark.slow
@given(st.data())
@settings(max_examples=100)
def test_each_of_many_states_is_the_mean_of_the_states_after_it(data: st.DataObject) -> None:
    _check_a_state(data)


def _check_a_state(data: st.DataObject) -> None:
    """In any ruleset, the win probability before a hand is the weighted mean of those after each possible hand.

    The weights are the probabilities of the hands. The scores after the hands are those of the app's own scoring.
    Likewise, the expected number of remaining hands is 1 more than the weighted mean of those after each possible hand.

    This holds for any score near the start or the target, any number of sets, and any dealer.
    """
    rules = data.draw(rulesets(presets=tuple(table.rules.preset for table in SMALL)))
    assume(rules.target <= 15)
    assume((rules.hands_limit or 0) <= 4 and (rules.max_sets or 0) <= 2)
    table = data.draw(tables(rules=st.just(rules)))
    try:
        check_table(table)
    except RuleViolation:
        reject()
    assume(len(table.sides) == 2)
    legal = flat_model(table).chances
    drawn = data.draw(st.lists(st.tuples(st.sampled_from(legal), st.integers(1, 9)), min_size=4, max_size=12))
    total = sum(weight for _, weight in drawn)
    model = Model(tuple(Chance(each.hand, weight / total) for each, weight in drawn))
    reach = dearest_set(table) + 3
    try:
        odds = solved_within(table, model, 0, table.rules.target, reach)
    except EndlessError:
        reject()
    within = range(odds.low, odds.low + odds.values.shape[-1])
    tally = new_tally(table)
    dealer = data.draw(st.integers(0, table.players - 1))
    for _ in range(data.draw(st.integers(0, 6))):
        hand = dealt_by(table, data.draw(st.sampled_from(model.chances)).hand, dealer)
        after, _ = add_hand(table, tally, hand)
        if after.outcome is not None:
            break
        tally, dealer = after, dealer_after(table, dealer, thrown_in=hand.thrown_in)
    assume(all(total - dearest_set(table) in within and total + table.most_scored in within for total in tally.totals))
    _is_mean_of_states_after(odds, model, tally, dealer)


def _is_mean_of_states_after(odds: WinOdds, model: Model, tally: Tally, dealer: int) -> None:
    """Assert that the odds before a hand are the weighted mean of the odds after each possible hand.

    `tally` is the score before the hand, and `dealer` deals the hand. `model` has the weight of each possible hand.
    """
    table, mean, left = odds.table, np.zeros(2), 1.0
    for each in model.chances:
        hand = dealt_by(table, each.hand, dealer)
        after, _ = add_hand(table, tally, hand)
        deals = dealer_after(table, dealer, thrown_in=hand.thrown_in)
        mean += each.p * np.array(odds.win(after, deals))
        left += each.p * odds.hands_left(after, deals)
    assert odds.win(tally, dealer) == pytest.approx(tuple(mean), abs=1e-7)
    assert odds.hands_left(tally, dealer) == pytest.approx(left, rel=1e-5)


FORM = [(1, 2, (3, 1)), (2, 3, (4, 0)), (0, 2, (1, 3)), (3, 4, (2, 2))]
"""Hands of the models below: seats from the dealer to the bidder, the bid, and the points, the bidder's side first."""


@pytest.mark.parametrize("finish", ["bid_out", "bidder_first", "highest"])
@pytest.mark.parametrize("shares", [(0.4, 0.3, 0.2, 0.1), (0.25, 0.25, 0.25, 0.25), (0.23, 0.07, 0.64, 0.06)])
def test_an_independent_recursion_agrees(finish: str, shares: tuple[float, ...]) -> None:
    """A second calculation, with rules of its own for Setback to 7, gives the same chances at every score."""
    win_by = 2 if finish == "bid_out" else 1
    table = set_table(with_options(PRESETS["setback-21"], {"target": 7, "finish": finish, "win_by": win_by}), 4)
    hands = [
        Chance(Hand(0, bidder, bid, taken if bidder % 2 == 0 else taken[::-1]), p)
        for (bidder, bid, taken), p in zip(FORM, shares, strict=True)
    ]
    found = win_odds(table, Model(tuple(hands)))
    low, high = -100, 80
    here = np.arange(low, high + 1)
    ours, theirs = np.meshgrid(here, here, indexing="ij")
    wins = np.zeros((2, *ours.shape))
    """The chance that side 0 wins, by the side that deals, its total and that of the other side."""
    steps = []
    for dealer, ((bidder, bid, taken), p) in product((0, 1), zip(FORM, shares, strict=True)):
        side = (dealer + bidder) % 2
        made = taken[0] >= bid
        points = (taken[0] if made else -bid, taken[1])
        after = (ours + points[side], theirs + points[1 - side])
        bidders, others = after[side], after[1 - side]
        if finish == "bid_out":
            over = made & (bidders >= 7) & (bidders - others >= 2)
            won = np.full_like(over, side == 0)
        else:
            first = finish == "bidder_first" and made
            out = first & (bidders >= 7)
            over = out | ((np.maximum(bidders, others) >= 7) & (bidders != others))
            won = np.where(out, side == 0, after[0] > after[1])
        rows, columns = (np.clip(each - low, 0, len(here) - 1) for each in after)
        steps.append((dealer, p, over, won, rows, columns))
    changed = 1.0
    while changed > 1e-13:
        new = np.zeros_like(wins)
        for dealer, p, over, won, rows, columns in steps:
            new[dealer] += p * np.where(over, won, wins[1 - dealer][rows, columns])
        changed, wins = np.abs(new - wins)[:, -low - 3 : -low + 7, -low - 3 : -low + 7].max(), new
    for dealer, mine, yours in product((0, 1), range(7), range(7)):
        expected = wins[dealer, mine - low, yours - low]
        assert found.win(tally_of(table, mine, yours), dealer)[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("preset", ["setback-7-pitch", "smudge"])
def test_a_pitch_by_a_side_below_zero_does_not_win(preset: str) -> None:
    """The win probabilities take into account that a side with a negative score can't win the game by a pitch.

    A pitch is a bid that wins the game if it is made. A side with a negative score only gets points for it.
    """
    table = set_table(PRESETS[preset], 2)
    model = flat_model(table)
    odds = solved_within(table, model, 0, table.rules.target, 24)
    for totals, dealer in product([(-1, 2), (2, -1), (-3, -2), (0, -1)], range(2)):
        _is_mean_of_states_after(odds, model, tally_of(table, *totals), dealer)


def test_a_tie_is_settled_by_the_next_hand() -> None:
    """After a tie at the target, one more hand decides, and a lead of one point is enough.

    Without a tie, these rules require a lead of two points (`win_by=2`).
    """
    rules = replace(
        PRESETS["smear-5"], target=7, finish="highest", win_by=2, tie="one_more_hand", tie_break_round="decides"
    )
    table = set_table(rules, 2)
    model = flat_model(table)
    odds = solved_within(table, model, 0, table.rules.target, 24)
    for totals, dealer in product([(7, 6), (6, 6), (5, 7)], range(2)):
        tally = tally_of(table, *totals)
        after = (add_hand(table, tally, dealt_by(table, each.hand, dealer))[0] for each in model.chances)
        level = next(each for each in after if each.level)
        _is_mean_of_states_after(odds, model, tally, dealer)
        _is_mean_of_states_after(odds, model, level, dealer)


def test_after_each_of_a_number_of_hands_fewer_are_left() -> None:
    table = set_table(replace(PRESETS["setback-7"], finish="fixed_hands", hands_limit=3), 2)
    model = flat_model(table)
    odds = win_odds(table, model)
    for totals, hands, dealer in product([(0, 0), (2, 5)], range(3), range(2)):
        tally = tally_of(table, *totals)._replace(hands=hands)
        _is_mean_of_states_after(odds, model, tally, dealer)


@pytest.mark.parametrize("table", SMALL, ids=lambda table: table.rules.preset)
def test_games_played_out_are_won_as_often_as_said(table: Table) -> None:
    _agrees_with_games(table, states=3, games=400)


@pytest.mark.slow
@pytest.mark.parametrize("table", list(two_sided_tables()), ids=lambda table: table.rules.preset)
def test_thousands_of_games_are_won_as_often_as_said(table: Table) -> None:
    _agrees_with_games(table, states=6, games=1_500)


@pytest.mark.slow
@pytest.mark.parametrize("table", SMALL, ids=lambda table: table.rules.preset)
def test_fifty_scores_together_are_won_as_often_as_said(table: Table) -> None:
    """The chi-square of 50 scores is within 4.5 standard errors of what chance alone makes it."""
    off = distances(win_odds(table, prior_model(table)), STATES, games=400)
    assert abs(sum(each**2 for each in off) - STATES) <= 4.5 * sqrt(2 * STATES)
    assert max(map(abs, off)) <= 4.5


def _agrees_with_games(table: Table, states: int, games: int) -> None:
    """Play games from random scores, and compare the numbers of wins and hands with the calculated ones.

    The number of wins may differ by about 4.5 standard errors. `states` is the number of scores, and `games` is the
    number of games from each.
    """
    chance, draws = Random(table.rules.preset), np.random.default_rng([*table.rules.preset.encode()])
    model = prior_model(table)
    assert model.prior == SIMULATED
    odds, simulated = win_odds(table, model), Games(table, model)
    for _ in range(states):
        tally = tally_of(table, *(chance.randint(-3, table.rules.target - 1) for _ in range(2)))
        dealer = chance.randrange(table.players)
        won, played = simulated.play(tally, dealer, games, draws)
        p, left = odds.win(tally, dealer)[0], odds.hands_left(tally, dealer)
        assert abs(won - p * games) <= 4.5 * sqrt(games * p * (1 - p)) + 1, (tally, dealer)
        assert played / games == pytest.approx(left, rel=9 / sqrt(games)), (tally, dealer)


@pytest.mark.parametrize("table", SMALL, ids=lambda table: table.rules.preset)
def test_the_sides_have_the_same_chances_and_a_point_more_is_never_worse(table: Table) -> None:
    _check_sides(table)


@pytest.mark.slow
@pytest.mark.parametrize("table", LONG, ids=lambda table: table.rules.preset)
def test_the_same_is_true_of_long_games(table: Table) -> None:
    _check_sides(table)


def _check_sides(table: Table) -> None:
    """Check that the chances of both sides add up to 1, don't depend on their order, and grow with their points."""
    odds, target = win_odds(table, prior_model(table)), table.rules.target
    some = range(-8, target, max(1, (target + 8) // 28))
    for ours, theirs in product(some, repeat=2):
        one, other = tally_of(table, ours, theirs), tally_of(table, theirs, ours)
        assert odds.win(one, 0)[0] == pytest.approx(odds.win(other, 1)[1], abs=CLOSE)
        assert sum(odds.win(one, 0)) == 1
        for dealer in range(2):
            more = odds.win(tally_of(table, ours + 1, theirs), dealer)[0]
            assert more >= odds.win(one, dealer)[0] - CLOSE, (ours, theirs, dealer)


def test_a_wider_range_of_totals_changes_nothing(setback: WinOdds) -> None:
    wider = solved_within(SETBACK, prior_model(SETBACK), 0, 21, 2 * (-setback.low))
    for ours, theirs, dealer in product(range(-5, 21, 2), range(-5, 21, 2), range(2)):
        tally = tally_of(SETBACK, ours, theirs)
        assert setback.win(tally, dealer)[0] == pytest.approx(wider.win(tally, dealer)[0], abs=1e-6)


def test_a_game_that_never_ends_is_refused() -> None:
    table = set_table(PRESETS["pitch-11"], 4)
    passed = next(each for each in two_sided_tables() if each.rules.preset == "pitch-11")
    hand = flat_model(table).chances[0].hand._replace(bidder=None, bid=None, taken=())
    assert passed.rules.target == table.rules.target
    with pytest.raises(RuleViolation, match="never ends"):
        win_odds(table, Model((Chance(hand, 1.0),)))


EUCHRE = (0.45, 0.17, 0.16, 0.12, 0.05, 0.05)
"""Shares of the six possible results of a hand of euchre, as Fred Benjamin published them in 2006."""
CHART = {(0, 0, True): 51, (8, 8, True): 54, (2, 8, True): 8, (2, 8, False): 7, (9, 6, False): 82, (9, 8, True): 72}
"""Percentages from Fred Benjamin's chart of win probabilities in euchre.

The keys are (our score, the opponents' score, whether we deal), and the values are our chances in percent.
"""


def _euchre(results: tuple[float, ...]) -> Numbers:
    """Return the win probabilities of the dealer's side in a game to 10, by its score and the other side's score.

    `results` are the probabilities that the dealer's side gets 1, 2 and 4 points in a hand, and then the probabilities
    that the other side gets 1, 2 and 4 points.
    """

    def step(
        values: Numbers,
    ) -> Numbers:
        new = np.zeros_like(values)
        for (ours, theirs), _ in np.ndenumerate(values):
            for place, p in enumerate(results):
                points = (1, 2, 4)[place % 3]
                if place < 3:
                    new[ours, theirs] += p * (1.0 if ours + points >= 10 else 1 - values[theirs, ours + points])
                else:
                    new[ours, theirs] += p * (0.0 if theirs + points >= 10 else 1 - values[theirs + points, ours])
        return new

    return solve(step, np.full((10, 10), 0.5))


def test_a_published_chart_of_euchre_is_reproduced() -> None:
    """The win probabilities that are calculated from the published shares are those of the published chart.

    The test assigns the six shares to the six results of a hand in each order that starts with the largest share. For
    one of these orders, no calculated percentage may differ from the published one by more than 1.
    """
    nearest = min(_off(_euchre(results)) for results in sorted({*permutations(EUCHRE)}) if results[0] == max(EUCHRE))
    assert nearest <= 1.0


def _off(wins: Numbers) -> float:
    """Return the largest difference between the win probabilities `wins` and `CHART`, in percentage points."""
    return max(
        abs(100 * float(wins[ours, theirs] if deals else 1 - wins[theirs, ours]) - published)
        for (ours, theirs, deals), published in CHART.items()
    )


def test_without_an_end_there_is_no_solution() -> None:
    with pytest.raises(EndlessError):
        solve(lambda values: values + 1, np.zeros(3))
