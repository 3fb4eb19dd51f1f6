"""The matrix of partners and opponents, checked by a second calculation, and the stored designs of seatings."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.leagues.schedule.plan import (
    Figures,
    Met,
    RoundPlan,
    TablePlan,
    TableResult,
    byes,
    figures,
    repeat_matrix,
    table_sizes,
)
from scorekeeper.leagues.schedule.seating import FIRST_ROUNDS, circle_rounds, sitting_out, whist_rounds
from scorekeeper.rules.parts import SeatingKind
from scorekeeper.rules.phrase import RuleViolation
from tests.leagues.schedule import second_calculation
from tests.support.each import for_each

TABLES: tuple[tuple[int, SeatingKind], ...] = ((4, "partners"), (6, "partners"), (3, "alone"), (5, "called"))
BARE = settings(max_examples=40, deadline=None, derandomize=True, database=None)


@st.composite
def any_rounds(draw: st.DrawFn) -> tuple[RoundPlan, ...]:
    """Draw random rounds, in which any people may sit at any tables."""
    rounds = []
    for _ in range(draw(st.integers(0, 6))):
        people = draw(st.permutations(range(1, 14)))
        tables: list[TablePlan] = []
        while len(people) > 5 and draw(st.booleans()):
            size, kind = draw(st.sampled_from(TABLES))
            tables.append(TablePlan(len(tables) + 1, tuple(people[:size]), kind))
            people = people[size:]
        rounds.append(RoundPlan(tuple(tables), tuple(sorted(people[: draw(st.integers(0, 2))]))))
    return tuple(rounds)


@BARE
@given(any_rounds())
def test_the_matrix_matches_a_second_calculation(rounds: tuple[RoundPlan, ...]) -> None:
    matrix = repeat_matrix(rounds)
    slow = {pair: second_calculation.met(rounds, *pair) for pair in combinations(range(1, 14), 2)}
    assert {pair: (met.partners, met.opponents) for pair, met in matrix.items()} == {
        pair: times for pair, times in slow.items() if times != (0, 0)
    }
    found = figures(rounds)
    assert found.partners_repeated == sum(max(0, partners - 1) for partners, _ in slow.values())
    assert found.partners_most == max(partners for partners, _ in slow.values())
    assert found.opponents_most == max(opponents for _, opponents in slow.values())


def test_who_came_late_sits_out_before_those_who_have_sat_out() -> None:
    """A latecomer counts as if they had sat out as often as the luckiest of those who were there all along."""
    past = (RoundPlan((TablePlan(1, (1, 2, 3, 4)),), (5,)), RoundPlan((TablePlan(1, (1, 2, 3, 5)),), (4,)))
    units = [(person,) for person in range(1, 7)]
    assert sitting_out(units, 4, 1, past, {}) == [frozenset({0, 1, 2, 5})]


def test_the_figures_of_two_rounds() -> None:
    rounds = (
        RoundPlan((TablePlan(1, (1, 2, 3, 4)),), (5,)),
        RoundPlan((TablePlan(1, (1, 2, 3, 6)),)),
    )
    matrix = repeat_matrix(rounds)
    assert matrix[1, 3] == Met(2, 0)
    assert matrix[1, 2] == matrix[2, 3] == Met(0, 2)
    assert matrix[2, 4] == Met(1, 0)
    assert (4, 5) not in matrix
    # 5 missed the second round, so only people who attended every round count for byes.
    assert figures(rounds) == Figures(2, 1, 2, 2, 0, 0)
    assert byes(rounds) == {1: (0, 2), 2: (0, 2), 3: (0, 2), 4: (0, 1), 5: (1, 1), 6: (0, 1)}
    assert figures(()) == Figures(0, 0, 0, 0, 0, 0)


def test_sides_match_the_rules() -> None:
    assert TablePlan(1, (7, 8, 9, 10)).sides == ((7, 9), (8, 10))
    assert TablePlan(1, (1, 2, 3, 4, 5, 6)).sides == ((1, 3, 5), (2, 4, 6))
    assert TablePlan(1, (7, 8, 9), "alone").sides == ((7,), (8,), (9,))
    assert TableResult(1, (7, 8, 9, 10), (21, 14), 0).sides == ((7, 9), (8, 10))
    assert TableResult(1, (7, 8, 9), (7, 2, -1), 0).sides == ((7,), (8,), (9,))


@pytest.mark.parametrize("people", FIRST_ROUNDS)
def test_every_stored_design_is_a_whist_tournament(people: int) -> None:
    """Over all rounds of a stored design, any two people are partners once and opponents twice.

    If one person sits out in each round, everybody sits out once. A night with more rounds starts again with the first
    round.
    """
    rounds = people - 1 if people % 4 == 0 else people
    seatings = whist_rounds(people, rounds + 1)
    assert seatings is not None
    assert seatings[-1] == seatings[0]
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    for r, seating in enumerate(seatings[:-1]):
        out = set(range(people)) - set(seating)
        assert out == (set() if people % 4 == 0 else {r})
        assert len(set(seating)) == len(seating)
        for a, b, c, d in zip(*(iter(seating),) * 4, strict=True):
            partners.update((frozenset((a, c)), frozenset((b, d))))
            opponents.update(frozenset(pair) for pair in ((a, b), (a, d), (c, b), (c, d)))
    pairs = [frozenset(pair) for pair in combinations(range(people), 2)]
    assert {partners[pair] for pair in pairs} == {1}
    assert {opponents[pair] for pair in pairs} == {2}


@for_each("units", range(2, 41))
def test_the_circle_method_lets_each_two_meet_once(units: int) -> None:
    rounds = units - 1 if units % 2 == 0 else units
    seatings = circle_rounds(units, rounds)
    met = Counter(frozenset(pair) for seating in seatings for pair in zip(seating[::2], seating[1::2], strict=True))
    assert set(met.values()) == {1}
    assert len(met) == units * (units - 1) // 2
    if units % 2:
        assert [set(range(units)) - set(seating) for seating in seatings] == [{r} for r in range(units)]


def test_tables_have_the_preferred_size() -> None:
    assert table_sizes(20, (4,)) == (4,) * 5
    assert table_sizes(22, (4,)) == (4,) * 5
    assert table_sizes(11, (4, 3)) == (4, 4, 3)
    assert table_sizes(9, (4, 3, 5)) == (5, 4)
    assert table_sizes(9, (3, 4, 5)) == (3, 3, 3)
    assert table_sizes(6, (4, 5)) == (5,)
    assert table_sizes(10, (4, 6)) == (6, 4)
    with pytest.raises(RuleViolation, match="Not enough players: 2 here, and a table needs 3"):
        table_sizes(2, (4, 3))
