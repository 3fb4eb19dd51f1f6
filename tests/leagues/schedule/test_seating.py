"""Each person has a seat or a fair bye in each round, partners don't repeat, and a seed gives one seating."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import comb
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorekeeper.leagues.schedule.plan import (
    ByeCredit,
    Met,
    Rotation,
    RoundPlan,
    TablePlan,
    Together,
    Unit,
    byes,
    earlier_meetings,
    figures,
    partners_from,
    repeat_matrix,
)
from scorekeeper.leagues.schedule.seating import draw_rest
from scorekeeper.rules.phrase import RuleViolation
from tests.leagues.schedule.second_calculation import complaints

QUICK = 50
"""Number of steps in the search for a seating, for tests in which the quality of the seating doesn't matter."""
SOME = 20_000
"""Number of steps in the search for a seating, for tests in which a good seating is easy to find."""
ROTATE, ALONE = Rotation(), Rotation("alone", (4, 3, 5))
HOW: tuple[Together, ...] = ("rotate", "fixed", "alone")
BARE = settings(max_examples=15, deadline=None, derandomize=True, database=None)


def couples(people: Sequence[int]) -> tuple[Unit, ...]:
    return tuple((one, other) for one, other in zip(people[::2], people[1::2], strict=False))


def rotation(together: Together, people: Sequence[int]) -> Rotation:
    return {"rotate": ROTATE, "alone": ALONE, "fixed": Rotation("fixed", units=couples(people))}[together]


@st.composite
def nights(draw: st.DrawFn) -> tuple[list[int], list[int], int, int, Together, int]:
    """Draw a night on which some people leave and others arrive after some rounds.

    The result is a tuple of six items: the people before the change, the people after the change, the number of rounds
    before the change, the number of rounds after the change, how partners are chosen, and a random seed.
    """
    first = draw(st.lists(st.integers(1, 200), unique=True, min_size=8, max_size=26))
    leaving = set(draw(st.lists(st.sampled_from(first), max_size=3)))
    late = draw(st.lists(st.integers(201, 300), unique=True, max_size=4))
    rounds = draw(st.integers(0, 5)), draw(st.integers(1, 6))
    together: Together = draw(st.sampled_from(HOW))
    # People who have lost their fixed partner sit out, and a table takes two pairs.
    assume(together != "fixed" or sum(leaving.isdisjoint(couple) for couple in couples(first)) > 1)
    return first, [p for p in first if p not in leaving] + late, *rounds, together, draw(st.integers(0, 9))


@BARE
@given(nights())
def test_each_person_has_one_seat_or_a_bye_in_every_round(
    night: tuple[list[int], list[int], int, int, Together, int],
) -> None:
    first, then, played, left, together, seed = night
    past = draw_rest(first, played, (), rotation(together, first), seed, steps=QUICK)
    rest = draw_rest(then, left, past, rotation(together, first), seed, steps=QUICK)
    assert (len(past), len(rest)) == (played, left)
    sizes = (3, 4, 5) if together == "alone" else (4,)
    for plans, people in ((past, first), (rest, then)):
        assert [complaints(plan, people, sizes) for plan in plans] == [[]] * len(plans)


@BARE
@given(nights())
def test_byes_of_people_here_all_night_differ_by_at_most_one(
    night: tuple[list[int], list[int], int, int, Together, int],
) -> None:
    first, then, played, left, together, seed = night
    if together == "fixed":  # anyone without a partner sits out
        then = [p for p in then if p in first]
        then = [p for couple in couples(first) if set(couple) <= set(then) for p in couple]
        first = [p for couple in couples(first) for p in couple]
    if len(then) < 4:
        return
    past = draw_rest(first, played, (), rotation(together, first), seed, steps=QUICK)
    rest = draw_rest(then, left, past, rotation(together, first), seed, steps=QUICK)
    had = [out for out, there in byes((*past, *rest)).values() if there == played + left]
    assert max(had) - min(had) <= 1


@BARE
@given(nights(), st.randoms(use_true_random=False))
def test_the_same_seed_gives_the_same_seating_in_any_input_order(
    night: tuple[list[int], list[int], int, int, Together, int], chance: Random
) -> None:
    first, then, played, left, together, seed = night
    past = draw_rest(first, played, (), rotation(together, first), seed, steps=QUICK)
    how = rotation(together, first)
    credit = {person: (person % 4, 10) for person in then}
    rest = draw_rest(then, left, past, how, seed, credit, steps=QUICK)
    other_way = chance.sample(then, len(then))
    turned = Rotation(how.together, how.sizes, tuple(unit[::-1] for unit in chance.sample(how.units, len(how.units))))
    assert draw_rest(other_way, left, past, turned, seed, dict(reversed(credit.items())), steps=QUICK) == rest


def test_another_seed_gives_another_seating() -> None:
    assert len({draw_rest(range(1, 17), 4, (), ROTATE, seed, steps=QUICK) for seed in range(5)}) == 5


def new_partners(players: int, rounds: int = 8) -> None:
    plans = draw_rest(range(1, players + 1), rounds, (), ROTATE, players)
    assert figures(plans).partners_repeated == 0
    assert figures(plans).byes_most - figures(plans).byes_least <= 1


@pytest.mark.parametrize("players", [12, 15])
def test_nobody_has_a_partner_twice_in_eight_rounds(players: int) -> None:
    new_partners(players)


@pytest.mark.slow
@pytest.mark.parametrize("players", range(12, 81))
def test_nobody_has_a_partner_twice_in_eight_rounds_with_any_number_of_players(players: int) -> None:
    new_partners(players)


@pytest.mark.parametrize(
    ("players", "here", "late"),
    [
        (12, 12, 0),
        pytest.param(14, 11, 2, marks=pytest.mark.slow),
        pytest.param(15, 13, 0, marks=pytest.mark.slow),
        pytest.param(22, 19, 4, marks=pytest.mark.slow),
    ],
)
def test_nobody_has_a_partner_twice_after_the_seating_is_redone(players: int, here: int, late: int) -> None:
    past = draw_rest(range(1, players + 1), 3, (), ROTATE, 1)
    rest = draw_rest([*range(1, here + 1), *range(101, 101 + late)], 5, past, ROTATE, 2)
    assert figures((*past, *rest)).partners_repeated == 0


@pytest.mark.parametrize(
    ("players", "rounds", "partners", "opponents"), [(8, 7, 1, 2), (12, 11, 1, 2), (13, 13, 1, 2), (16, 7, 1, 1)]
)
def test_whist_numbers_give_few_repeats(players: int, rounds: int, partners: int, opponents: int) -> None:
    found = figures(draw_rest(range(1, players + 1), rounds, (), ROTATE, 5, steps=QUICK))
    assert (found.partners_most, found.opponents_most) == (partners, opponents)


BEST_KNOWN = Path(__file__).with_name("best_known.csv")
"""The figures of the best seating known for each size of 8 to 24 players, found by longer searches and by designs."""


def test_no_seating_is_worse_than_the_best_known() -> None:
    """At each of the 267 sizes, a night that starts afresh gets a seating as good as the best known, without a search.

    Nobody sits out twice in a row, and byes differ by at most one.
    """
    with BEST_KNOWN.open(encoding="ascii") as lines:
        best = [{key: int(value) for key, value in line.items()} for line in csv.DictReader(lines)]
    assert len(best) == 267
    worse = []
    for size in best:
        players, rounds = size["players"], size["rounds"]
        plans = draw_rest(range(1, players + 1), rounds, (), ROTATE, players, steps=QUICK)
        found = figures(plans)
        got = {key: getattr(found, key, size[key]) for key in size} | {"cost": _cost(plans)}
        assert all(complaints(plan, range(1, players + 1), (4,)) == [] for plan in plans)
        assert found.byes_most - found.byes_least <= 1
        if players > 9:
            assert not any(set(one.byes) & set(after.byes) for one, after in pairwise(plans)), (players, rounds)
        if any(got[key] > size[key] for key in size):
            worse.append((players, rounds, got, size))
    assert worse == []


def _cost(plans: Sequence[RoundPlan]) -> int:
    """Return the cost of a seating as `search` counts it, from the numbers that anyone can check."""
    return sum(
        240 * comb(met.partners, 2) + 40 * comb(met.opponents, 2) + bool(met.partners and met.opponents)
        for met in repeat_matrix(plans).values()
    )


def test_who_is_due_to_sit_out_does_so_in_a_known_seating() -> None:
    """With the best schedule known, those who had the fewest byes this season get one more than the others tonight."""
    credit = {person: (2 if person > 4 else 0, 20) for person in range(1, 15)}
    plans = draw_rest(range(1, 15), 9, (), ROTATE, 3, credit)
    out = Counter(person for plan in plans for person in plan.byes)
    assert {out[person] for person in range(1, 5)} == {2}
    assert figures(plans).opponents_repeated == 17


def test_a_known_seating_still_avoids_the_partners_of_earlier_nights() -> None:
    first = draw_rest(range(1, 16), 4, (), ROTATE, 1)
    second = draw_rest(range(1, 16), 4, (), ROTATE, 2, earlier=earlier_meetings([first]))
    assert partners_from(second, earlier_meetings([first])) == 0


@pytest.mark.parametrize(("pairs", "rounds"), [(4, 3), (5, 5), (7, 6), (10, 9), (13, 12), (40, 12)])
def test_fixed_partners_stay_together_and_meet_no_pair_twice(pairs: int, rounds: int) -> None:
    units = couples(range(1, 2 * pairs + 1))
    plans = draw_rest(range(1, 2 * pairs + 1), rounds, (), Rotation("fixed", units=units), 3)
    assert {side for plan in plans for table in plan.tables for side in map(sorted_unit, table.sides)} == set(units)
    assert figures(plans).opponents_most == 1
    assert figures(plans).byes_most - figures(plans).byes_least <= 1


def sorted_unit(side: Sequence[int]) -> Unit:
    return tuple(sorted(side))


def test_fixed_partners_meet_no_pair_twice_after_a_change() -> None:
    units = couples(range(1, 25))
    past = draw_rest(range(1, 25), 3, (), Rotation("fixed", units=units), 3)
    rest = draw_rest(range(1, 21), 4, past, Rotation("fixed", units=units), 3)
    assert figures((*past, *rest)).opponents_most == 1


def test_people_without_their_partner_sit_out() -> None:
    units = couples(range(1, 13))
    rest = draw_rest([1, 2, 3, 5, 7, 8, 9, 10, 11, 12, 99], 3, (), Rotation("fixed", units=units), 4)
    sides = {sorted_unit(side) for plan in rest for table in plan.tables for side in table.sides}
    assert sides == {(1, 2), (7, 8), (9, 10), (11, 12)}
    assert all({3, 5, 99} == {*plan.byes} for plan in rest)


def test_tables_of_three_four_and_five_leave_nobody_out() -> None:
    for players in range(8, 24):
        plans = draw_rest(range(1, players + 1), 2, (), ALONE, 1, steps=QUICK)
        assert [plan.byes for plan in plans] == [(), ()]
        assert all(table.kind == "alone" for plan in plans for table in plan.tables)


def test_in_singles_nobody_meets_twice_if_there_are_enough_players() -> None:
    assert figures(draw_rest(range(1, 29), 5, (), Rotation("alone"), 1, steps=SOME)).opponents_most == 1


def test_partners_of_three_at_tables_of_six() -> None:
    plans = draw_rest(range(1, 25), 3, (), Rotation("rotate", (6,)), 1, steps=SOME)
    assert {len(side) for plan in plans for table in plan.tables for side in table.sides} == {3}
    assert figures(plans).partners_repeated == 0


def season(players: int, nights: int, rounds: int) -> Counter[int]:
    """Return each person's number of byes in a season in which the same people attend every night."""
    had: Counter[int] = Counter()
    for night in range(nights):
        credit = {person: (had[person], night * rounds) for person in range(1, players + 1)}
        for plan in draw_rest(range(1, players + 1), rounds, (), ROTATE, night, credit, steps=10):
            had.update(plan.byes)
    return had


@pytest.mark.parametrize(("players", "rounds"), [(13, 4), (14, 5), (15, 3), (22, 4)])
def test_byes_of_a_whole_season_differ_by_at_most_one(players: int, rounds: int) -> None:
    had = season(players, 12, rounds)
    counts = [had[person] for person in range(1, players + 1)]
    assert max(counts) - min(counts) <= 1


def test_a_high_share_of_byes_this_season_protects_from_another() -> None:
    # 1 sat out once in 4 rounds, the others once in 12, newcomer 13 not at all: 1 is spared.
    credit = {1: (1, 4)} | dict.fromkeys(range(2, 13), (1, 12))
    plans = draw_rest(range(1, 14), 1, (), ROTATE, 0, credit, steps=QUICK)
    assert plans[0].byes[0] not in (1, 13)


def test_nobody_sits_out_twice_in_a_row_if_another_can() -> None:
    # By rounds attended, 1 would be the last of five to sit out and then the first of the next five.
    plans = draw_rest(range(1, 6), 10, (), ROTATE, 2, {1: (10, 90)}, steps=QUICK)
    assert [plan.byes for plan in plans].index((1,)) == 4
    assert all(one.byes != after.byes for one, after in pairwise(plans))


@pytest.mark.parametrize(
    ("rounds", "past", "credit"),
    [
        (15, (), {1: (10, 185)}),  # the second time, they sit out in another order
        (
            13,
            (RoundPlan((TablePlan(1, (1, 50, 51, 52)),), (13,)),),
            {13: (9, 9)},
        ),  # one person already had a bye, so others come first
    ],
)
def test_byes_are_fair_where_they_do_not_follow_the_design(
    rounds: int, past: tuple[RoundPlan, ...], credit: ByeCredit
) -> None:
    people = range(1, 14)
    plans = draw_rest(people, rounds, past, ROTATE, 1, credit, steps=QUICK)
    assert [complaints(plan, people, (4,)) for plan in plans] == [[]] * rounds
    out = Counter(person for plan in (*past, *plans) for person in plan.byes)
    assert set(out.values()) == {1, 2}


def test_latecomers_do_not_catch_up_on_byes() -> None:
    past = draw_rest(range(1, 6), 10, (), ROTATE, 1, steps=QUICK)  # two byes each
    rest = draw_rest(range(1, 7), 3, past, ROTATE, 1, steps=QUICK)
    assert Counter(person for plan in rest for person in plan.byes) == dict.fromkeys(range(1, 7), 1)


def test_past_rounds_are_not_seated_again() -> None:
    past = draw_rest(range(1, 17), 3, (), ROTATE, 1)
    before = tuple(past)
    rest = draw_rest(range(1, 16), 3, past, ROTATE, 1, steps=QUICK)
    assert past == before
    assert not set(rest) & set(past)
    assert draw_rest(range(1, 16), 0, past, ROTATE, 1) == ()


@pytest.mark.parametrize(
    ("people", "how", "code"),
    [
        ([1, 2, 3], ROTATE, "too_few"),
        ([], ROTATE, "too_few"),
        ([1, 2, 3, 4, 4], ROTATE, "people"),
        ([1, 2], ALONE, "too_few"),
    ],
)
def test_an_impossible_seating_is_refused(people: list[int], how: Rotation, code: str) -> None:
    with pytest.raises(RuleViolation) as caught:
        draw_rest(people, 1, (), how, 0)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("together", "sizes", "units"),
    [
        ("rotate", (), ()),
        ("rotate", (5,), ()),
        ("alone", (1,), ()),
        ("alone", (4, 4), ()),
        ("fixed", (4, 6), ()),
        ("fixed", (4,), ((1, 2, 3),)),
        ("fixed", (4,), ((1, 2), (2, 3))),
    ],
)
def test_an_invalid_rotation_is_refused(together: Together, sizes: tuple[int, ...], units: tuple[Unit, ...]) -> None:
    with pytest.raises(RuleViolation):
        Rotation(together, sizes, units)


def test_a_seating_avoids_the_partners_of_earlier_nights() -> None:
    """With fourteen people and four rounds, nobody has the same partner twice, or a partner of the week before."""
    first = draw_rest(range(1, 15), 4, (), ROTATE, 1)
    second = draw_rest(range(1, 15), 4, (), ROTATE, 2, earlier=earlier_meetings([first]))
    assert partners_from(second, earlier_meetings([first])) == 0
    assert figures(second).partners_most == 1


def test_without_earlier_nights_nothing_changes() -> None:
    """If the people of earlier nights aren't here tonight, those nights don't change the seating."""
    elsewhere = {(91, 92): Met(3, 4)}
    fresh = draw_rest(range(1, 14), 4, (), ROTATE, 1)
    assert draw_rest(range(1, 14), 4, (), ROTATE, 1, earlier=elsewhere) == fresh


def test_the_last_night_counts_double() -> None:
    one, two = (draw_rest(range(1, 9), 1, (), ROTATE, seed, steps=QUICK) for seed in (1, 2))
    met = earlier_meetings([one, two])
    again = repeat_matrix([*one, *two, *two])
    assert met == again


@BARE
@given(nights(), st.integers(0, 3))
def test_someone_who_keeps_a_table_always_sits_there(
    night: tuple[list[int], list[int], int, int, Together, int], count: int
) -> None:
    """A person who keeps a table sits at that table in every round, except in rounds in which they sit out.

    This is true for rotating partners and for single players.
    """
    people, _then, _played, rounds, _together, seed = night
    for together in ("rotate", "alone"):
        how = rotation(together, people)
        tables = len(draw_rest(people, 1, (), how, seed, steps=QUICK)[0].tables)
        kept = dict(zip(sorted(people), range(tables, 0, -1), strict=False))
        kept = dict(list(kept.items())[:count])
        plans = draw_rest(people, rounds, (), replace(how, tables=kept), seed, steps=QUICK)
        sizes = (3, 4, 5) if together == "alone" else (4,)
        assert [complaints(plan, people, sizes) for plan in plans] == [[]] * len(plans)
        for plan in plans:
            at = {person: table.number for table in plan.tables for person in table.seats}
            assert all(at.get(person, number) == number for person, number in kept.items())


def test_kept_tables_hardly_cost_repeats() -> None:
    """Although two people keep tables, twenty people can play five rounds without the same partner twice."""
    plans = draw_rest(range(1, 21), 5, (), Rotation(tables={3: 1, 8: 4}), 1)
    assert figures(plans).partners_most == 1


@pytest.mark.parametrize("kept", [{1: 4}, {1: 2, 2: 2}, {1: 0}])
def test_a_table_that_cannot_be_kept_is_refused(kept: dict[int, int]) -> None:
    """A seating is refused if a kept table doesn't exist, or if two people keep the same table."""
    with pytest.raises(RuleViolation) as refused:
        draw_rest(range(1, 13), 2, (), Rotation(tables=kept, names={1: "Ann"}), 1, steps=QUICK)
    assert refused.value.code == "table_kept"


def test_teams_of_two_at_tables_of_six_and_eight() -> None:
    """When three or four teams of two play at each table, nobody has the same partner twice in three rounds."""
    for size, people in ((6, 24), (8, 24)):
        plans = draw_rest(range(1, people + 1), 3, (), Rotation("rotate", (size,), pairs=True), 1, steps=SOME)
        assert {table.kind for plan in plans for table in plan.tables} == {f"partners{size // 2}"}
        assert {len(side) for plan in plans for table in plan.tables for side in table.sides} == {2}
        assert all(complaints(plan, range(1, people + 1), (size,)) == [] for plan in plans)
        assert figures(plans).partners_repeated == 0


def test_fixed_teams_of_two_at_tables_of_six() -> None:
    """Nine fixed pairs, three at each table, can play three rounds without meeting the same pair twice.

    With ten fixed pairs, one pair sits out in each round.
    """
    units = couples(range(1, 21))
    how = Rotation("fixed", (6,), units, pairs=True)
    plans = draw_rest(range(1, 19), 3, (), how, 3, steps=SOME)
    assert {table.kind for plan in plans for table in plan.tables} == {"partners3"}
    sides = [sorted_unit(side) for plan in plans for table in plan.tables for side in table.sides]
    assert set(sides) == set(units[:9])
    assert figures(plans).opponents_most == 1
    assert [len(plan.byes) for plan in draw_rest(range(1, 21), 3, (), how, 3, steps=SOME)] == [2, 2, 2]


def test_a_called_partner_is_nobody_before_the_hand() -> None:
    plans = draw_rest(range(1, 11), 2, (), Rotation("called", (5,)), 1, steps=SOME)
    assert {(table.kind, len(table.seats), len(table.sides)) for plan in plans for table in plan.tables} == {
        ("called", 5, 5)
    }
    assert figures(plans).partners_most == 0


def test_two_teams_and_teams_of_two_are_the_same_at_tables_of_four() -> None:
    how = Rotation("rotate", (4,), pairs=True)
    assert draw_rest(range(1, 13), 3, (), how, 1, steps=QUICK) == draw_rest(range(1, 13), 3, (), ROTATE, 1, steps=QUICK)
