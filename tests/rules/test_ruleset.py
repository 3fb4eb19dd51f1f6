"""Presets, options and tables: values, combinations, and refusals with their codes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.presets import PRESETS, preset_named
from scorekeeper.rules.record import read_rules, write_rules
from scorekeeper.rules.ruleset import differing, why_unused, with_options
from scorekeeper.rules.table import dealer_after, seatings_for, set_table, sides_of
from tests.rules.refusals import refusal_of

TWO = ((0, 2), (1, 3))


@pytest.mark.parametrize(
    ("preset", "players", "sides", "least", "most"),
    [
        ("setback-21", 4, TWO, 2, 4),
        ("setback-21", 2, ((0,), (1,)), 2, 4),
        ("setback-21", 7, tuple((seat,) for seat in range(7)), 2, 4),
        ("bowers-12", 4, TWO, 2, 5),
        ("setback-7", 4, ((0,), (1,), (2,), (3,)), 2, 4),
        ("pitch-11", 3, ((0,), (1,), (2,)), 2, 4),
        ("pitch-11", 4, TWO, 2, 4),
        ("somerset-66", 3, ((0,), (1,), (2,)), 28, 28),
        ("somerset-66", 4, TWO, 24, 24),
        ("somerset-66", 5, ((0,), (1,), (2,), (3,), (4,)), 22, 22),
        ("horsley-66", 6, ((0, 2, 4), (1, 3, 5)), 20, 20),
        ("ten-point-52", 4, TWO, 10, 10),
        ("smear-52", 4, TWO, 2, 10),
    ],
)
def test_a_table_has_the_sides_and_points_of_its_game(
    preset: str, players: int, sides: tuple[tuple[int, ...], ...], least: int, most: int
) -> None:
    """Each has the usual sides for that many players, and the least and most points of a hand."""
    table = set_table(PRESETS[preset], players)
    assert (table.sides, table.least, table.most) == (sides, least, most)
    assert all(seat in table.sides[table.side_of[seat]] for seat in range(players))
    assert table.called == (most == 22)
    assert table.top_bid == (PRESETS[preset].bid_max or most)


def test_everyone_can_play_solo_where_the_game_allows_it() -> None:
    """Four at setback-21 are partners by default and may play solo."""
    alone = set_table(PRESETS["setback-21"], 4, [[0], [1], [2], [3]])
    assert len(alone.sides) == 4
    kinds = [seating.kind for seating in seatings_for(PRESETS["setback-21"], 4)]
    assert kinds == ["partners", "alone"]
    assert all(sum(map(len, sides_of(seating))) == seating.players for seating in PRESETS["setback-21"].seatings)


@pytest.mark.parametrize(
    ("preset", "options", "players", "sides", "code", "field"),
    [
        ("bowers-12", {}, 3, None, "players_count", "players"),
        ("pitch-11", {}, 2, None, "players_count", "players"),
        ("somerset-66", {}, 7, None, "players_count", "players"),
        ("setback-21", {}, 1, None, "players_count", "players"),
        ("setback-21", {}, 4, [[0, 1], [2, 3]], "sides", "sides"),
        ("setback-21", {}, 4, [[1, 3], [0, 2]], "sides", "sides"),
        ("setback-21", {}, 4, [], "sides", "sides"),
        ("setback-21", {"max_sets": 3}, 4, [[0], [1], [2], [3]], "option_sides", "max_sets"),
        ("setback-21", {"game_tie": "defenders"}, 3, None, "option_sides", "game_tie"),
        ("setback-7", {"special_bid": "moon"}, 5, None, "option_sides", "special_bid"),
        ("somerset-66", {"bid_max": 28}, 4, None, "option_combination", "bid_max"),
        ("somerset-66", {"bid_min": 21}, 6, None, "option_combination", "bid_max"),
        ("somerset-66", {"forced_bid": 21}, 6, None, "option_combination", "bid_max"),
    ],
)
def test_an_impossible_table_is_refused(
    preset: str, options: dict[str, Any], players: int, sides: list[list[int]] | None, code: str, field: str
) -> None:
    """The number of players, the sides, or options for another number of sides: code and field say which."""
    refusal = refusal_of(partial(set_table, with_options(PRESETS[preset], options), players, sides))
    assert refusal
    assert (refusal.code, refusal.field) == (code, field)


def test_the_refusal_says_how_many_can_play() -> None:
    """As one number, a range, or a few numbers."""
    some = replace(PRESETS["bowers-12"], seatings=tuple(Seating(players, "partners") for players in (4, 6, 8)))
    games = (PRESETS["bowers-12"], PRESETS["setback-7"], PRESETS["pitch-11"], some)
    assert [str(refusal_of(partial(set_table, rules, 9))) for rules in games] == [
        "Setback with bowers is for 4 players, not 9.",
        "Setback to 7 is for 2 to 7 players, not 9.",
        "Pitch is for 3 to 4 players, not 9.",
        "Setback with bowers is for 4, 6 or 8 players, not 9.",
    ]


BAD_VALUES: tuple[Any, ...] = (None, -1, 0, 1.0, 2.5, float("nan"), float("inf"), 10**30, "2", "yes", [], [1], {})


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_refuses_values_of_the_wrong_kind(option: str) -> None:
    """Numbers for words, words for numbers, true for 1, lists, null, and huge numbers."""
    for value in (*BAD_VALUES, *((0, 1) if OPTIONS[option].values else (True, False))):
        if value is None and (not OPTIONS[option].values or None in OPTIONS[option].values):
            continue
        if value == 0 and not OPTIONS[option].values:
            continue
        refusal = refusal_of(partial(with_options, PRESETS["setback-21"], {option: value}))
        assert refusal, value
        assert (refusal.code, refusal.field) == ("option_value", option)


@pytest.mark.parametrize("option", [key for key, option in OPTIONS.items() if not option.values])
def test_numbers_must_be_in_range(option: str) -> None:
    """One below and one above the range are refused; both ends are allowed."""
    low, high = OPTIONS[option].numbers
    for value in (low - 1, high + 1):
        refusal = refusal_of(partial(with_options, PRESETS["setback-7"], {option: value}))
        assert refusal
        assert refusal.code == "option_value"
    for value in (low, high):
        refusal = refusal_of(partial(with_options, PRESETS["setback-7"], {option: value}))
        assert refusal is None or refusal.code != "option_value"


@pytest.mark.parametrize("key", ["colour", "preset", "name", "categories", "play", "TARGET", "", "x_a"])
def test_an_unknown_option_is_refused(key: str) -> None:
    """Parts of the game itself are not options either."""
    refusal = refusal_of(partial(with_options, PRESETS["setback-21"], {key: 1}))
    assert refusal
    assert refusal.code == "option_unknown"


@pytest.mark.parametrize("preset", PRESETS)
def test_every_option_may_be_given_as_the_preset_has_it(preset: str) -> None:
    """Even without effect; on writing it is left out."""
    rules = PRESETS[preset]
    same = with_options(rules, {key: getattr(rules, key) for key in OPTIONS})
    assert same == rules
    assert write_rules(same) == {"preset": preset, "options": {}}


@pytest.mark.parametrize("preset", PRESETS)
def test_an_idle_option_may_be_neutral_and_nothing_else(preset: str) -> None:
    """Without effect, the neutral value is accepted and any other refused with the reason."""
    rules = PRESETS[preset]
    for option, entry in OPTIONS.items():
        reason, neutral = why_unused(rules, option), entry.default
        if reason is None:
            continue
        assert refusal_of(partial(with_options, rules, {option: neutral})) is None, option
        others = entry.values or (entry.numbers[1],)
        for value in others:
            if value in (neutral, getattr(rules, option)):
                continue
            refusal = refusal_of(partial(with_options, rules, {option: value}))
            assert refusal, (option, value)
            assert (refusal.code, refusal.field) == ("option_unused", option)
            assert reason in refusal.message


def test_an_option_that_always_counts_is_never_idle() -> None:
    assert [why_unused(PRESETS["setback-21"], key) for key in ("target", "set_penalty", "draw")] == [None] * 3


def test_an_option_that_another_one_made_idle_may_be_given_its_neutral_value() -> None:
    """Under bidder_first `win_by` may be 1, though the preset has 2; 3 is refused."""
    rules = with_options(PRESETS["setback-21"], {"finish": "bidder_first", "win_by": 1})
    assert (rules.finish, rules.win_by) == ("bidder_first", 1)
    refusal = refusal_of(partial(with_options, PRESETS["setback-21"], {"finish": "bidder_first", "win_by": 3}))
    assert refusal
    assert (refusal.code, refusal.field) == ("option_unused", "win_by")


def test_options_that_belong_together_are_accepted_together() -> None:
    """Options that are idle alone but useful together are judged together."""
    rules = with_options(
        PRESETS["setback-21"],
        {"go_out": "make", "tie_break_round": "threshold", "tie": "one_more_hand", "finish": "highest"},
    )
    assert differing(PRESETS["setback-21"], rules) == {
        "finish": "highest",
        "tie": "one_more_hand",
        "tie_break_round": "threshold",
    }


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"bid_max": 5}, "bid_max"),
        ({"bid_min": 4, "bid_max": 3, "forced_bid": None}, "bid_min"),
        ({"forced_bid": 1}, "forced_bid"),
        ({"forced_bid": 5}, "forced_bid"),
        ({"bid_min": 3}, "forced_bid"),
        ({"finish": "fixed_hands"}, "hands_limit"),
    ],
)
def test_unplayable_rules_are_refused(options: dict[str, Any], field: str) -> None:
    """Bids beyond a hand's points, a forced bid out of range, a number of hands without the number."""
    refusal = refusal_of(partial(with_options, PRESETS["setback-21"], options))
    assert refusal
    assert (refusal.code, refusal.field) == ("option_combination", field)


@pytest.mark.parametrize("forced", [2, 3, 4, None])
def test_the_dealer_can_be_forced_to_any_bid_of_the_game(forced: int | None) -> None:
    """Including the lowest and the top bid."""
    rules = with_options(PRESETS["setback-21"], {"forced_bid": forced})
    assert set_table(rules, 4).rules.forced_bid == forced


@pytest.mark.parametrize(
    ("preset", "players", "options"),
    [
        ("setback-21", 4, {"bid_min": 4, "forced_bid": 4}),
        ("setback-7", 2, {"bid_min": 3, "bid_max": 3}),
        ("somerset-66", 6, {"bid_min": 20}),
        ("somerset-66", 6, {"bid_max": 20, "forced_bid": 20}),
    ],
)
def test_the_lowest_bid_may_be_the_highest_too(preset: str, players: int, options: dict[str, Any]) -> None:
    """One bid is left, up to all the points of a hand."""
    table = set_table(with_options(PRESETS[preset], options), players)
    assert table.bids[-1] == table.top_bid == (options.get("bid_max") or table.most)
    assert table.bids[0] == table.rules.bid_min


def test_an_open_top_bid_is_every_point_of_the_hand() -> None:
    """`bid_max` is null in Some'R'Set: the total of the hand at every table."""
    open_ended = with_options(PRESETS["bowers-12"], {"bid_max": None})
    assert set_table(open_ended, 4).top_bid == 5
    assert [set_table(PRESETS["somerset-66"], players).top_bid for players in (3, 4, 5, 6)] == [28, 24, 22, 20]


def test_rules_written_and_read_are_the_same_rules() -> None:
    """Only options that differ are written, in the order of the options table."""
    rules = with_options(PRESETS["setback-21"], {"win_by": 1, "target": 31, "bid_min": 2})
    assert write_rules(rules) == {"preset": "setback-21", "options": {"target": 31, "win_by": 1}}
    assert read_rules(write_rules(rules)) == rules


@pytest.mark.parametrize("key", ["canasta", "", "SETBACK-21", None, 21, ["setback-21"], True])
def test_an_unknown_game_is_refused(key: object) -> None:
    refusal = refusal_of(partial(preset_named, key))
    assert refusal
    assert (refusal.code, refusal.field) == ("preset_unknown", "preset")


def test_the_deal_passes_clockwise_unless_the_rules_say_otherwise() -> None:
    """It always passes after a played hand, and after a thrown-in one unless `redeal_by` is "same"."""
    by_next = set_table(PRESETS["setback-7"], 3)
    by_same = set_table(with_options(PRESETS["setback-7"], {"redeal_by": "same"}), 3)
    assert [dealer_after(by_next, 2, thrown_in=thrown) for thrown in (False, True)] == [0, 0]
    assert [dealer_after(by_same, 2, thrown_in=thrown) for thrown in (False, True)] == [0, 2]
