"""The honors of a night: best partners, most points in a game, and the biggest set."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.leagues.results.honors import NOBODY, SetHand, best_partners, biggest_set, most_points
from tests.leagues.standings.games import ANN, BOB, CID, DEE, EVE, FAY, bye, game


def test_partners_need_half_as_many_games_as_others() -> None:
    """Only a pair with at least half as many games as the pair with the most games can be the best partners.

    So a pair can't win with one lucky game, but a pair that missed a game because of a bye can win.
    """
    steady = [one for number in (1, 2, 3, 4) for one in game(1, number, (ANN, BOB), (CID, DEE), (12, 10))]
    lucky = game(1, 5, (EVE, FAY), (CID, DEE), (30, 0))
    assert best_partners([*steady, *lucky], 6).units == ((ANN, BOB),)
    assert best_partners([*steady, *lucky], 1).units == ((EVE, FAY),)
    again = game(1, 6, (EVE, FAY), (CID, DEE), (2, 1))
    assert best_partners([*steady, *lucky, *again], 2) == (Fraction(16), ((EVE, FAY),), ())


def test_point_difference_decides_between_partners_and_byes_do_not_count() -> None:
    played = [*game(1, 1, (ANN, BOB), (CID, DEE), (21, 10)), *game(1, 2, (EVE, FAY), (CID, DEE), (21, 9))]
    assert best_partners([*played, bye(1, 3, ANN, BOB)], 0).units == ((EVE, FAY),)


def test_a_pair_with_a_substitute_is_one_pair_for_anyone_it_plays_for() -> None:
    first = game(1, 1, (ANN, BOB), (CID, DEE), (21, 10), subs={BOB: 8})
    second = game(1, 2, (ANN, BOB), (CID, DEE), (11, 10))
    assert best_partners([*first, *second], 2) == (Fraction(16), ((ANN, BOB),), ())


def test_nobody_is_best_without_games() -> None:
    assert best_partners([bye(1, 1, ANN, BOB)], 0) == NOBODY
    assert best_partners(game(1, 1, (ANN,), (BOB,), (9, 3)), 0) == NOBODY
    assert most_points(game(1, 1, (ANN,), (BOB,), (0, -3))) == NOBODY
    assert biggest_set([SetHand(1, 1, 1, ANN, 0)]) == NOBODY


HANDS = st.lists(st.builds(SetHand, *[st.integers(1, 4)] * 3, st.integers(1, 9), st.integers(-1, 8)), max_size=12)


@given(HANDS)
def test_the_biggest_set_costs_as_much_as_any(hands: list[SetHand]) -> None:
    best = biggest_set(hands)
    assert not any(hand.cost > -best.number for hand in hands if hand.cost > 0)
    assert len(best.units) == len(best.at) == sum(hand.cost == -best.number for hand in hands if hand.cost > 0)
    assert best == biggest_set(reversed(hands))


SCORES = st.lists(st.tuples(st.integers(-5, 30), st.integers(-5, 30)), min_size=1, max_size=8)


@given(SCORES)
def test_most_points_names_every_side_that_scored_them(scores: list[tuple[int, int]]) -> None:
    played = [one for number, score in enumerate(scores) for one in game(1, number, (ANN, BOB), (CID, DEE), score)]
    best = most_points(played)
    top = max(max(score) for score in scores)
    assert best.number == max(top, 0)
    assert len(best.units) == (sum(score.count(top) for score in scores) if top > 0 else 0)
