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
from tests.support.each import for_each

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
    """A table has the usual sides for its number of players.

    It also has the fewest and the most points that a hand can give.
    """
    table = set_table(PRESETS[preset], players)
    assert (table.sides, table.least, table.most) == (sides, least, most)
    assert all(seat in table.sides[table.side_of[seat]] for seat in range(players))
    assert table.called == (most == 22)
    assert table.top_bid == (PRESETS[preset].bid_max or most)


def test_everyone_can_play_solo_where_the_game_allows_it() -> None:
    """Four players at setback-21 are partners by default, and may play solo instead."""
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
        ("somerset-66", {"bid_max": 28}, 4, None, "option_combination", "bid_max"),
        ("somerset-66", {"bid_min": 21}, 6, None, "option_combination", "bid_max"),
        ("somerset-66", {"forced_bid": 21}, 6, None, "option_combination", "bid_max"),
    ],
)
def test_an_impossible_table_is_refused(
    preset: str, options: dict[str, Any], players: int, sides: list[list[int]] | None, code: str, field: str
) -> None:
    """A table is refused if the number of players, the sides or the options don't fit together.

    The code and the field of the refusal say which of them is wrong.
    """
    refusal = refusal_of(partial(set_table, with_options(PRESETS[preset], options), players, sides))
    assert refusal
    assert (refusal.code, refusal.field) == (code, field)


def test_the_refusal_says_how_many_can_play() -> None:
    """When a number of players is refused, the message gives the allowed numbers, as one number, a range or a list."""
    some = replace(PRESETS["bowers-12"], seatings=tuple(Seating(players, "partners") for players in (4, 6, 8)))
    games = (PRESETS["bowers-12"], PRESETS["setback-7"], PRESETS["pitch-11"], some)
    assert [str(refusal_of(partial(set_table, rules, 9))) for rules in games] == [
        "Setback with bowers is for 4 players, not 9.",
        "Setback to 7 is for 2 to 7 players, not 9.",
        "Pitch is for 3 to 4 players, not 9.",
        "Setback with bowers is for 4, 6 or 8 players, not 9.",
    ]


BAD_VALUES: tuple[Any, ...] = (None, -1, 0, 1.0, 2.5, float("nan"), float("inf"), 10**30, "2", "yes", [], [1], {})


@for_each("option", OPTIONS)
def test_every_option_refuses_values_of_the_wrong_kind(option: str) -> None:
    """An option is refused if its value has the wrong type, such as a number for a word, true for 1, a list or null."""
    for value in (*BAD_VALUES, *((0, 1) if OPTIONS[option].values else (True, False))):
        if value is None and (not OPTIONS[option].values or None in OPTIONS[option].values):
            continue
        if value == 0 and not OPTIONS[option].values:
            continue
        if value in OPTIONS[option].recorded.values():
            continue
        refusal = refusal_of(partial(with_options, PRESETS["setback-21"], {option: value}))
        assert refusal, value
        assert (refusal.code, refusal.field) == ("option_value", option)


@pytest.mark.parametrize("option", [key for key, option in OPTIONS.items() if option.numbers[1]])
def test_numbers_must_be_in_range(option: str) -> None:
    """A numeric option accepts both ends of its range, and refuses one below and one above."""
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
    """An option with an unknown name is refused, even if the name is that of another field of a game."""
    refusal = refusal_of(partial(with_options, PRESETS["setback-21"], {key: 1}))
    assert refusal
    assert refusal.code == "option_unknown"


@for_each("preset", PRESETS)
def test_every_option_may_be_given_as_the_preset_has_it(preset: str) -> None:
    """Every option may be given with the value that the preset has, even if the option has no effect in that game.

    Such options are left out when the rules are written.
    """
    rules = PRESETS[preset]
    same = with_options(rules, {key: getattr(rules, key) for key in OPTIONS})
    assert same == rules
    assert write_rules(same) == {"preset": preset, "options": {}}


@for_each("preset", PRESETS)
def test_an_idle_option_may_be_neutral_and_nothing_else(preset: str) -> None:
    """An option that has no effect in a game accepts only its neutral value.

    Any other value is refused, and the message says why the option has no effect.
    """
    rules = PRESETS[preset]
    for option, entry in OPTIONS.items():
        reason, neutral = why_unused(rules, option), entry.default
        if reason is None:
            continue
        if getattr(rules, option) not in entry.own:
            assert refusal_of(partial(with_options, rules, {option: neutral})) is None, option
        others = ("jack",) if entry.several else entry.values or (entry.numbers[1],)
        for value in others:
            if value in (neutral, getattr(rules, option)) and getattr(rules, option) not in entry.own:
                continue
            refusal = refusal_of(partial(with_options, rules, {option: value}))
            assert refusal, (option, value)
            assert (refusal.code, refusal.field) == ("option_unused", option)
            assert reason in refusal.message


def test_an_option_that_always_counts_is_never_idle() -> None:
    assert [why_unused(PRESETS["setback-21"], key) for key in ("target", "set_penalty", "draw")] == [None] * 3


def test_an_option_that_another_one_made_idle_may_be_given_its_neutral_value() -> None:
    """If one option takes away the effect of another option, the other option may still have its neutral value.

    With `finish` set to "bidder_first", `win_by` has no effect. So `win_by` may be 1, but not 3, although the preset
    has 2.
    """
    rules = with_options(PRESETS["setback-21"], {"finish": "bidder_first", "win_by": 1})
    assert (rules.finish, rules.win_by) == ("bidder_first", 1)
    refusal = refusal_of(partial(with_options, PRESETS["setback-21"], {"finish": "bidder_first", "win_by": 3}))
    assert refusal
    assert (refusal.code, refusal.field) == ("option_unused", "win_by")


def test_options_that_belong_together_are_accepted_together() -> None:
    """Options that have an effect only together are accepted together."""
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
    """Rules that can't be played are refused.

    Examples are a bid above the points of a hand, a forced bid that isn't between the lowest and the highest bid, and a
    fixed number of hands that isn't stated.
    """
    refusal = refusal_of(partial(with_options, PRESETS["setback-21"], options))
    assert refusal
    assert (refusal.code, refusal.field) == ("option_combination", field)


@pytest.mark.parametrize("forced", [2, 3, 4, None])
def test_the_dealer_can_be_forced_to_any_bid_of_the_game(forced: int | None) -> None:
    """The forced bid of the dealer can be any bid of the game, including the lowest and the highest."""
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
    """The lowest and the highest bid may be the same, which leaves only one bid.

    This bid may be as high as all the points of a hand.
    """
    table = set_table(with_options(PRESETS[preset], options), players)
    assert table.bids[-1] == table.top_bid == (options.get("bid_max") or table.most)
    assert table.bids[0] == table.rules.bid_min


def test_an_open_top_bid_is_every_point_of_the_hand() -> None:
    """If `bid_max` is null, the highest bid is the number of points in a hand of that table."""
    open_ended = with_options(PRESETS["bowers-12"], {"bid_max": None})
    assert set_table(open_ended, 4).top_bid == 5
    assert [set_table(PRESETS["somerset-66"], players).top_bid for players in (3, 4, 5, 6)] == [28, 24, 22, 20]


def test_rules_written_and_read_are_the_same_rules() -> None:
    """Written rules have only the options that differ from the preset, and can be read back to the same rules."""
    rules = with_options(PRESETS["setback-21"], {"win_by": 1, "target": 31, "bid_min": 2})
    assert write_rules(rules) == {"preset": "setback-21", "options": {"target": 31, "win_by": 1}}
    assert read_rules(write_rules(rules)) == rules


@pytest.mark.parametrize("key", ["canasta", "", "SETBACK-21", None, 21, ["setback-21"], True])
def test_an_unknown_game_is_refused(key: object) -> None:
    refusal = refusal_of(partial(preset_named, key))
    assert refusal
    assert (refusal.code, refusal.field) == ("preset_unknown", "preset")


def test_the_deal_passes_clockwise_unless_the_rules_say_otherwise() -> None:
    """The next player deals after each hand. With `redeal_by` "same", the same player deals after a thrown-in hand."""
    by_next = set_table(PRESETS["setback-7"], 3)
    by_same = set_table(with_options(PRESETS["setback-7"], {"redeal_by": "same"}), 3)
    assert [dealer_after(by_next, 2, thrown_in=thrown) for thrown in (False, True)] == [0, 0]
    assert [dealer_after(by_same, 2, thrown_in=thrown) for thrown in (False, True)] == [0, 2]
