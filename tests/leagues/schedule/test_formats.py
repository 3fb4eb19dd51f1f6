"""The rounds of each format, checked against second calculations and worked examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.knockout import Pairing, bracket, champion, pairings, placed, standing
from scorekeeper.leagues.schedule.formats.night import Night
from scorekeeper.leagues.schedule.plan import RoundPlan, RoundResults, TablePlan, TableResult, Unit, byes, figures
from scorekeeper.leagues.schedule.seating import draw_rest
from scorekeeper.rules.phrase import RuleViolation
from tests.leagues.schedule.second_calculation import complaints
from tests.support.each import for_each

BARE = settings(max_examples=40, deadline=None, derandomize=True, database=None)
PROGRESSIVE, ROUND_ROBIN, KNOCKOUT = FORMATS["progressive"], FORMATS["round_robin"], FORMATS["knockout"]


def results(plan: RoundPlan, winners: Sequence[int | None]) -> RoundResults:
    return tuple(
        TableResult(table.number, table.seats, (20 - bool(winner), 20 - (not winner)), winner)
        for table, winner in zip(plan.tables, winners, strict=True)
    )


def played(night: Night, plan: RoundPlan, winners: Sequence[int | None]) -> Night:
    return structs.replace(night, past=(*night.past, plan), results=(*night.results, results(plan, winners)))


def tables(*seats: tuple[int, ...]) -> tuple[TablePlan, ...]:
    return tuple(TablePlan(number, people) for number, people in enumerate(seats, start=1))


@pytest.mark.parametrize("key", ["to_target", "fixed_hands", "timed"])
def test_rounds_seated_ahead_come_from_draw_rest(key: str) -> None:
    night = Night(people=tuple(range(1, 10)), rounds=1, seed=8, bye_credit={1: (0, 9)})
    plans = FORMATS[key].next_rounds(night)
    assert plans == draw_rest(range(1, 10), 1, (), night.rotation, 8, {1: (0, 9)})
    assert FORMATS[key].next_rounds(structs.replace(night, past=plans)) == ()


# Progressive


def test_winners_move_up_and_losers_at_the_head_table_go_to_the_last() -> None:
    first = RoundPlan(tables((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12)))
    night = played(Night(people=tuple(range(1, 13)), rounds=2, seed=1), first, (0, 1, 0))
    (plan,) = PROGRESSIVE.next_rounds(night)
    assert [set(table.seats) for table in plan.tables] == [{1, 3, 6, 8}, {5, 7, 9, 11}, {2, 4, 10, 12}]
    assert figures((first, plan)).partners_most == 1
    assert PROGRESSIVE.next_rounds(played(night, plan, (0, 0, 0))) == ()


def test_two_tables_and_one() -> None:
    night = Night(people=tuple(range(1, 9)), rounds=2)
    (plan,) = PROGRESSIVE.next_rounds(played(night, RoundPlan(tables((1, 2, 3, 4), (5, 6, 7, 8))), (0, 0)))
    assert [set(table.seats) for table in plan.tables] == [{1, 3, 5, 7}, {2, 4, 6, 8}]
    night = Night(people=(1, 2, 3, 4), rounds=3)
    first = RoundPlan(tables((1, 2, 3, 4)))
    night = played(night, first, (0,))
    (second,) = PROGRESSIVE.next_rounds(night)
    (third,) = PROGRESSIVE.next_rounds(played(night, second, (1,)))
    assert figures((first, second, third)).partners_most == 1


def test_gaps_close_from_below_and_people_who_sat_out_come_in_last() -> None:
    first = RoundPlan(tables((1, 2, 3, 4), (5, 6, 7, 8)), (9,))
    night = played(Night(people=tuple(range(1, 10)), rounds=2, seed=3), first, (0, 0))
    (plan,) = PROGRESSIVE.next_rounds(night)
    (out,) = plan.byes
    ladder = [5, 7, 1, 3, 2, 4, 6, 8, 9]
    ladder.remove(out)
    assert out != 9
    assert [set(table.seats) for table in plan.tables] == [set(ladder[:4]), set(ladder[4:])]


def test_leavers_make_room_and_latecomers_start_at_the_last_table() -> None:
    first = RoundPlan(tables((1, 2, 3, 4), (5, 6, 7, 8)))
    night = played(Night(people=(1, 2, 4, 5, 6, 7, 8, 20), rounds=2), first, (0, 0))
    (plan,) = PROGRESSIVE.next_rounds(night)  # 3 left the head table
    assert [set(table.seats) for table in plan.tables] == [{5, 7, 1, 2}, {4, 6, 8, 20}]


def test_the_person_who_played_moves_not_the_one_first_seated() -> None:
    first = RoundPlan(tables((1, 2, 3, 4), (5, 6, 7, 8)))
    sat = (TableResult(1, (1, 2, 3, 4), (21, 3), 0), TableResult(2, (50, 6, 7, 8), (21, 3), 0))
    night = Night(people=(1, 2, 3, 4, 50, 6, 7, 8), rounds=2, past=(first,), results=(sat,))
    (plan,) = PROGRESSIVE.next_rounds(night)
    assert set(plan.tables[0].seats) == {1, 3, 50, 7}


def test_the_next_round_waits_for_a_table_without_a_winner() -> None:
    first = RoundPlan(tables((1, 2, 3, 4), (5, 6, 7, 8)))
    night = played(Night(people=tuple(range(1, 9)), rounds=2), first, (0, None))
    with pytest.raises(RuleViolation, match="Table 2 has no winner yet"):
        PROGRESSIVE.next_rounds(night)


@pytest.mark.parametrize("given_results", [(), ((TableResult(1, (1, 2, 3, 4), (21, 3), 0),),)])
def test_the_next_round_waits_for_a_missing_result(given_results: tuple[RoundResults, ...]) -> None:
    first = RoundPlan(tables((1, 2, 3, 4), (5, 6, 7, 8)))
    night = Night(people=tuple(range(1, 9)), rounds=2, past=(first,), results=given_results)
    with pytest.raises(RuleViolation) as caught:
        PROGRESSIVE.next_rounds(night)
    assert caught.value.code == "results"


@BARE
@given(st.integers(4, 30), st.integers(2, 6), st.integers(0, 99))
def test_a_progressive_night_matches_a_second_calculation(people: int, rounds: int, seed: int) -> None:
    chance = Random(seed)
    night = Night(people=tuple(range(1, people + 1)), rounds=rounds, seed=seed)
    while plans := PROGRESSIVE.next_rounds(night):
        (plan,) = plans
        assert complaints(plan, night.people, (4,)) == []
        if night.past and people % 4 == 0:
            look_slowly(night, plan)
        if night.past:
            assert figures((night.past[-1], plan)).partners_most == 1
        night = played(night, plan, [chance.randrange(2) for _ in plan.tables])
    assert len(night.past) == rounds
    had = [out for out, _ in byes(night.past).values()]
    assert max(had) - min(had) <= 1


def look_slowly(night: Night, plan: RoundPlan) -> None:
    """Check each person's table in a round of the progressive format against the results of the round before.

    Winners move up one table, and losers stay. Only losers at the head table (table 1) move down to the last table.
    """
    now = {person: table.number for table in plan.tables for person in table.seats}
    for result in night.results[-1]:
        for seat, person in enumerate(result.seats):
            if seat % 2 == result.winner:
                expected = max(1, result.number - 1)
            else:
                expected = len(plan.tables) if result.number == 1 else result.number
            assert now[person] == expected


# Round robin


def teams(count: int, size: int = 2) -> tuple[Unit, ...]:
    return tuple(tuple(range(100 * i + 1, 100 * i + 1 + size)) for i in range(1, count + 1))


def everybody(entered: Sequence[Unit]) -> tuple[int, ...]:
    return tuple(person for team in entered for person in team)


@pytest.mark.parametrize(("count", "size", "rounds"), [(2, 2, 1), (4, 2, 3), (5, 2, 5), (6, 3, 5), (9, 2, 9)])
def test_every_team_plays_every_other_once(count: int, size: int, rounds: int) -> None:
    entered = teams(count, size)
    plans = ROUND_ROBIN.next_rounds(Night(people=everybody(entered), teams=entered, seed=2))
    assert len(plans) == rounds
    met = Counter(frozenset(tuple(sorted(side)) for side in table.sides) for plan in plans for table in plan.tables)
    assert set(met.values()) == {1}
    assert len(met) == count * (count - 1) // 2
    assert {side for pair in met for side in pair} == set(entered)
    out = Counter(person for plan in plans for person in plan.byes)
    assert set(out.values()) == ({1} if count % 2 else set())


def test_later_rounds_stay_while_the_teams_are_the_same() -> None:
    entered = teams(6)
    night = Night(people=everybody(entered), teams=entered, rounds=4, seed=5)
    plans = ROUND_ROBIN.next_rounds(night)
    assert ROUND_ROBIN.next_rounds(structs.replace(night, past=plans[:1])) == plans[1:]
    visitor = structs.replace(night, past=plans[:1], people=(*night.people, 9))
    later = ROUND_ROBIN.next_rounds(visitor)
    assert [plan.tables for plan in later] == [plan.tables for plan in plans[1:]]
    assert all(plan.byes == (9,) for plan in later)


def test_a_team_that_leaves_changes_only_later_rounds() -> None:
    entered = teams(8)
    night = Night(people=everybody(entered), teams=entered, rounds=4, seed=5)
    past = ROUND_ROBIN.next_rounds(night)[:2]
    gone = structs.replace(
        night, past=past, people=everybody(entered[:-1])[1:]
    )  # and one of the first team: all of it waits
    rest = ROUND_ROBIN.next_rounds(gone)
    assert len(rest) == 2
    for plan in rest:
        assert complaints(plan, gone.people, (4,)) == []
        assert entered[0][1] in plan.byes
    assert figures((*past, *rest)).opponents_most == 1


@pytest.mark.parametrize("entered", [(), teams(1), (*teams(2), (7, 8, 9)), ((1, 2), (2, 3))])
@pytest.mark.parametrize("key", ["round_robin", "knockout"])
def test_teams_that_cannot_play_are_refused(entered: tuple[Unit, ...], key: str) -> None:
    with pytest.raises(RuleViolation):
        FORMATS[key].next_rounds(Night(people=everybody(entered), teams=entered, rounds=3))


# Knockout


def test_the_brackets_of_four_five_and_eight() -> None:
    assert bracket(1) == [0]
    assert bracket(4) == [0, 3, 1, 2]
    assert bracket(5) == [0, None, 3, 4, 1, None, 2, None]
    assert bracket(8) == [0, 7, 3, 4, 1, 6, 2, 5]


@for_each("count", range(2, 41))
def test_seeds_are_placed_as_far_apart_as_possible(count: int) -> None:
    places = bracket(count)
    size = len(places)
    assert size // 2 < count <= size
    assert sorted(seed for seed in places if seed is not None) == list(range(count))
    pairs = [set(places[i : i + 2]) for i in range(0, size, 2)]
    free = {seed for pair in pairs if None in pair for seed in pair if seed is not None}
    assert free == set(range(size - count))
    assert all(sum(pair) == size - 1 for pair in map(list, pairs) if None not in pair)  # type: ignore[arg-type]
    part = size // 2
    while part:  # the best of each half, quarter, … are the top seeds
        best = {
            min(s for s in places[i : i + part] if s is not None)
            for i in range(0, size, part)
            if any_in(places[i : i + part])
        }
        assert best == set(range(len(best)))
        part //= 2


def any_in(places: Sequence[int | None]) -> bool:
    return any(seed is not None for seed in places)


def slow_games(seeds: Sequence[int | None], strength: Sequence[float]) -> tuple[int | None, list[frozenset[int]]]:
    """Return the winner of a knockout, and its games as sets of two teams.

    `seeds` are the teams in the order of the bracket, with None for a bye. In each game, the team with the greater
    `strength` wins. The winner is None if there are no teams.
    """
    if len(seeds) == 1:
        return seeds[0], []
    half = len(seeds) // 2
    one, games = slow_games(seeds[:half], strength)
    other, more = slow_games(seeds[half:], strength)
    if one is None or other is None:
        return (other if one is None else one), games + more
    winner = one if strength[one] > strength[other] else other
    return winner, [*games, *more, frozenset((one, other))]


@BARE
@given(st.integers(2, 24), st.integers(0, 999))
def test_a_knockout_matches_a_second_calculation(count: int, seed: int) -> None:
    entered = teams(count)
    strength = Random(seed).sample(range(count), count)
    seed_of = {person: i for i, team in enumerate(entered) for person in team}
    night = Night(people=everybody(entered), teams=entered)
    games = []
    while plans := KNOCKOUT.next_rounds(night):
        (plan,) = plans
        if night.past:
            assert plan.byes == ()
        winners = []
        for table in plan.tables:
            one, other = (seed_of[side[0]] for side in table.sides)
            games.append(frozenset((one, other)))
            winners.append(0 if strength[one] > strength[other] else 1)
        night = played(night, plan, winners)
    winner, slow = slow_games(bracket(count), strength)
    assert sorted(games, key=sorted) == sorted(slow, key=sorted)
    assert standing(night) == [winner]
    assert champion(night) == entered[winner or 0]
    assert sorted(team for group in placed(night) for team in group) == sorted(entered)
    assert len(games) == count - 1


def test_the_top_seeds_meet_as_late_as_possible() -> None:
    entered = teams(6)
    night = Night(people=everybody(entered), teams=entered)
    (first,) = KNOCKOUT.next_rounds(night)
    assert first == RoundPlan(tables((401, 501, 402, 502), (301, 601, 302, 602)), (101, 102, 201, 202))
    night = played(night, first, (0, 0))
    (second,) = KNOCKOUT.next_rounds(night)
    assert second == RoundPlan(tables((101, 401, 102, 402), (201, 301, 202, 302)))
    night = played(night, second, (0, 1))
    (final,) = KNOCKOUT.next_rounds(night)
    assert final == RoundPlan(tables((101, 301, 102, 302)))
    night = played(night, final, (1,))
    assert KNOCKOUT.next_rounds(night) == ()
    assert standing(night) == [2]


def test_a_team_that_left_is_out_and_its_opponent_goes_on() -> None:
    entered = teams(4)
    night = Night(people=everybody(entered), teams=entered)
    (first,) = KNOCKOUT.next_rounds(structs.replace(night, people=everybody(entered[:3])))
    assert first == RoundPlan(tables((201, 301, 202, 302)), (101, 102))
    night = played(night, first, (0,))
    (final,) = KNOCKOUT.next_rounds(night)
    assert final == RoundPlan(tables((101, 201, 102, 202)))
    assert KNOCKOUT.next_rounds(structs.replace(night, people=everybody(entered[1:]))) == ()


def test_a_team_that_goes_home_between_rounds_is_out_in_the_next_one() -> None:
    entered = teams(8)
    night = Night(people=everybody(entered), teams=entered)
    (first,) = KNOCKOUT.next_rounds(night)
    night = structs.replace(played(night, first, (0, 0, 0, 0)), people=everybody((entered[0], *entered[2:])))
    (second,) = KNOCKOUT.next_rounds(night)
    assert second == RoundPlan(tables((101, 401, 102, 402)), (301, 302))
    night = played(night, second, (0,))
    assert placed(night) == ((entered[0], entered[2]), (entered[1], entered[3]), entered[4:])


def test_a_round_without_games_is_skipped() -> None:
    entered = teams(8)
    best = structs.replace(Night(teams=entered), people=everybody(entered[:4]))
    (first,) = KNOCKOUT.next_rounds(best)
    assert first == RoundPlan(tables((101, 401, 102, 402), (201, 301, 202, 302)))
    best = played(best, first, (0, 0))
    (final,) = KNOCKOUT.next_rounds(best)
    assert final == RoundPlan(tables((101, 201, 102, 202)))
    assert standing(played(best, final, (0,))) == [0]


@pytest.mark.parametrize("sat", [(), ((TableResult(1, (101, 201, 102, 202), (9, 9), None),),)])
def test_the_next_round_waits_for_every_winner(sat: tuple[RoundResults, ...]) -> None:
    entered = teams(2)
    night = Night(people=everybody(entered), teams=entered)
    night = structs.replace(night, past=KNOCKOUT.next_rounds(night), results=sat)
    with pytest.raises(RuleViolation, match="no winner yet"):
        KNOCKOUT.next_rounds(night)


def test_teams_are_ranked_by_how_far_they_got() -> None:
    entered = teams(6)
    night = Night(people=everybody(entered), teams=entered)
    assert placed(night) == (entered,)
    for winners in ((0, 0), (0, 1), (1,)):
        (plan,) = KNOCKOUT.next_rounds(night)
        assert champion(night) == ()
        night = played(night, plan, winners)
    one, two, three, four, five, six = entered
    assert champion(night) == three
    assert placed(night) == ((three,), (one,), (two, four), (five, six))


def test_an_unfinished_round_ranks_nobody() -> None:
    entered = teams(4)
    night = Night(people=everybody(entered), teams=entered)
    (first,) = KNOCKOUT.next_rounds(night)
    night = played(night, first, (0, 0))
    (final,) = KNOCKOUT.next_rounds(night)
    assert placed(played(night, final, (None,))) == (entered[:2], entered[2:])


def test_a_finalist_wins_if_the_other_leaves() -> None:
    entered = teams(4)
    night = Night(people=everybody(entered), teams=entered)
    (first,) = KNOCKOUT.next_rounds(night)
    night = structs.replace(played(night, first, (0, 0)), people=everybody(entered[1:]))
    assert champion(night) == entered[1]
    assert placed(night) == ((entered[1],), (entered[0],), entered[2:])
    assert pairings(night)[1:] == ((Pairing((0, 1), through=1),),)


def test_who_is_left_alone_is_shown_up_to_the_final() -> None:
    entered = teams(8)
    night = Night(people=everybody(entered), teams=entered)
    (first,) = KNOCKOUT.next_rounds(night)
    night = played(night, first, (0, 0, 0, 0))
    assert pairings(night)[1:] == ((Pairing((0, 3)), Pairing((1, 2))), (Pairing((None, None)),))
    night = structs.replace(night, people=entered[2])
    assert champion(night) == entered[2]
    semifinals, final = pairings(night)[1:]
    assert semifinals == (Pairing((0, 3)), Pairing((1, 2), through=2))
    assert final == (Pairing((2, None), bye=True, through=2),)


def test_the_picture_names_who_was_not_there_when_a_round_was_seated() -> None:
    entered = teams(6)
    night = Night(people=everybody((*entered[:4], entered[5])), teams=entered)
    (first,) = KNOCKOUT.next_rounds(night)
    assert pairings(played(night, first, (0,)))[0] == (
        Pairing((0, None), bye=True),
        Pairing((3, 4), through=3),
        Pairing((1, None), bye=True),
        Pairing((2, 5), table=1),
    )


@BARE
@given(st.integers(2, 12), st.integers(0, 999), st.booleans())
def test_nobody_who_goes_home_after_the_final_changes_the_bracket(count: int, seed: int, third: bool) -> None:
    entered, chance = teams(count), Random(seed)
    night = Night(people=everybody(entered), teams=entered, options={"third": int(third), "reseed": 0})
    while plans := KNOCKOUT.next_rounds(night):
        night = played(night, plans[0], [chance.randint(0, 1) for _table in plans[0].tables])
    left = structs.replace(night, people=tuple(person for person in night.people if chance.random() < 0.5))
    assert placed(left) == placed(night)
    assert champion(left) == champion(night) != ()
    assert KNOCKOUT.next_rounds(left) == ()


@pytest.mark.parametrize("here", [0, 2, 3])
def test_who_is_left_before_the_final_is_still_in_unless_one_team_is_left_alone(here: int) -> None:
    entered = teams(8)
    night = Night(people=everybody(entered), teams=entered)
    (first,) = KNOCKOUT.next_rounds(night)
    night = played(night, first, (0, 0, 0, 0))
    night = structs.replace(night, people=everybody(entered[:here]))
    assert placed(night) == (entered[:4], entered[4:])
    assert champion(night) == ()


def test_winners_who_were_swapped_to_other_tables_all_go_on() -> None:
    """If the director swaps teams, tables follow the bracket no more; the winner of each table goes on nevertheless."""
    entered = teams(4)
    night = Night(people=everybody(entered), teams=entered)
    night = played(night, RoundPlan(tables((101, 201, 102, 202), (401, 301, 402, 302))), (0, 0))
    assert placed(night) == ((entered[0], entered[3]), (entered[1], entered[2]))
    (final,) = KNOCKOUT.next_rounds(night)
    assert sorted(final.seated) == sorted(everybody((entered[0], entered[3])))


def test_partners_who_were_swapped_to_another_team_keep_one_team_for_each_side() -> None:
    entered = teams(2)
    night = Night(people=everybody(entered), teams=entered)
    night = played(night, RoundPlan(tables((101, 202, 201, 102))), (1,))
    assert placed(night) == ((entered[1],), (entered[0],))


def test_a_team_whose_partners_were_both_replaced_keeps_its_games() -> None:
    """Ann and Bob win round 1 as seed 3; before round 2, two others take their places one after the other."""
    entered = teams(4)
    night = Night(people=everybody(entered), teams=entered)
    (first,) = KNOCKOUT.next_rounds(night)
    night = played(night, first, (0, 1))
    now = (entered[0], entered[1], (901, 902), entered[3])
    night = structs.replace(night, teams=now, people=everybody(now))
    assert placed(night) == ((now[0], now[2]), (now[1], now[3]))
    (final,) = KNOCKOUT.next_rounds(night)
    night = played(night, final, (1,))
    assert champion(night) == (901, 902)


def test_a_team_whose_partners_were_both_replaced_keeps_its_bye() -> None:
    entered = teams(5)
    night = Night(people=everybody(entered), teams=entered)
    (first,) = KNOCKOUT.next_rounds(night)
    now = ((901, 902), *entered[1:])
    night = structs.replace(played(night, first, (0,)), teams=now, people=everybody(now))
    assert placed(night) == (now[:4], now[4:])
    assert pairings(night)[0][0] == Pairing((0, None), bye=True)


@pytest.mark.parametrize("third", [0, 1])
@pytest.mark.parametrize("corrected", [(0, 1), (None, 0), (1, 0)])
def test_a_correction_after_the_next_round_began_changes_nothing_that_was_played(
    third: int, corrected: tuple[int | None, int]
) -> None:
    entered = teams(8)
    night = Night(people=everybody(entered), teams=entered, options={"third": third, "reseed": 0})
    while plans := KNOCKOUT.next_rounds(night):
        night = played(night, plans[0], [0] * len(plans[0].tables))
    semifinals = results(night.past[1], corrected)
    changed = structs.replace(night, results=(night.results[0], semifinals, night.results[2]))
    assert placed(changed) == placed(night)
    assert champion(changed) == entered[0]


def test_a_team_that_lost_a_partner_keeps_its_place_and_needs_another_partner() -> None:
    entered = teams(4)
    night = Night(people=everybody(entered), teams=entered)
    night = played(night, KNOCKOUT.next_rounds(night)[0], (0, 0))
    now = ((101,), *entered[1:])
    night = structs.replace(night, teams=now, people=everybody(now))
    assert placed(night) == (now[:2], now[2:])
    with pytest.raises(RuleViolation, match="Make partners first"):
        KNOCKOUT.next_rounds(night)
