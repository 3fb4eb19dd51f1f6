"""The options table and the games as data: written down a second time, so that no slip of a key goes unnoticed."""

from __future__ import annotations

from dataclasses import fields

import pytest

from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import CHOICES, NULLABLE, NUMBERS, OPTIONS, UNUSED, Ruleset, why_unused

YES_NO = {True, False}
LETTERS = {
    "low": {"captured", "dealt"},
    "game_tie": {"nobody", "bidder", "defenders"},
    "trump_jack_counts": YES_NO,
    "auction": {"once_around", "until_passed"},
    "stop_at_max": YES_NO,
    "dealer_privilege": {"none", "match"},
    "dealer_may_match_max": YES_NO,
    "dealer_may_raise": YES_NO,
    "forced_bid_exact": {None, True, False},
    "special_bid": {"none", "pitch", "moon"},
    "pitch_test": {"points", "tricks", "tricks_all"},
    "set_penalty": {"bid", "double_shortfall"},
    "finish": {"bid_out", "bidder_first", "highest", "fixed_hands"},
    "go_out": {"make", "take"},
    "tie": {"play_on", "bidder", "one_more_hand"},
    "tie_break_round": {"decides", "threshold"},
    "negative": {"allowed", "floor_zero"},
    "no_trump": YES_NO,
    "redeal_by": {"next", "same"},
    "trump_any_time": YES_NO,
    "redeal": {"none", "ten_or_two", "ten"},
    "draw": YES_NO,
}
RANGES = {
    "game_minimum": (0, 80),
    "bid_min": (1, 28),
    "bid_max": (1, 28),
    "forced_bid": (1, 28),
    "target": (1, 1_000_000),
    "win_by": (1, 1_000_000),
    "hands_limit": (1, 1_000_000),
    "max_sets": (1, 1_000_000),
}

NO_CARDS = {"low", "game_minimum", "game_tie", "trump_jack_counts"}
NO_MATCH = {"dealer_may_match_max", "dealer_may_raise"}
NO_FORCE = {"forced_bid_exact"}
NO_TIE = {"tie", "tie_break_round"}
NO_LEAD = {"win_by", "go_out"} | NO_TIE
CARDS = {"no_trump", "hands_limit"}
SOMERSET = NO_CARDS | NO_MATCH | NO_FORCE | {"dealer_privilege", "special_bid", "pitch_test", "go_out", "hands_limit"}
IDLE = {
    "setback-21": CARDS | NO_MATCH | NO_TIE | {"pitch_test", "redeal_by"},
    "bowers-12": CARDS | NO_MATCH | NO_FORCE | NO_LEAD | {"pitch_test", "dealer_privilege"},
    "setback-7": CARDS | NO_MATCH | NO_FORCE | NO_LEAD | {"pitch_test"},
    "setback-7-pitch": CARDS | NO_MATCH | NO_FORCE | NO_LEAD,
    "pitch-11": CARDS | NO_LEAD | {"pitch_test", "redeal_by"},
    "somerset-66": SOMERSET,
    "horsley-66": SOMERSET,
    "auction-pitch-7": CARDS | NO_FORCE | NO_LEAD | {"pitch_test"},
    "ten-point-52": CARDS | NO_CARDS | NO_MATCH | NO_LEAD | {"pitch_test", "redeal_by"},
    "smear-52": CARDS | NO_MATCH | NO_FORCE | {"pitch_test", "go_out", "tie_break_round"},
}
"""What does nothing under each preset: "-" in the options table, or idle by another option."""


def test_every_option_has_the_values_of_the_table() -> None:
    """Words and yes or no, the ends of every range, and what may be left open."""
    assert {key: set(values) for key, values in CHOICES.items()} == LETTERS
    assert all(len(set(values)) == len(values) for values in CHOICES.values())
    assert NUMBERS == RANGES
    assert {"bid_max", "forced_bid", "hands_limit", "max_sets"} == NULLABLE
    assert set(OPTIONS) == {*LETTERS, *RANGES}


@pytest.mark.parametrize("preset", PRESETS)
def test_an_option_is_idle_exactly_where_the_table_says_so(preset: str) -> None:
    """And counts everywhere else."""
    assert {key for key in OPTIONS if why_unused(PRESETS[preset], key)} == IDLE[preset]


def test_the_neutral_value_is_what_a_game_has_that_does_not_say() -> None:
    """1, make, play_on, null, nobody, and so on: the defaults of a ruleset."""
    usual = {field.name: field.default for field in fields(Ruleset)}
    assert {key: neutral for key, (neutral, _) in UNUSED.items()} == {key: usual[key] for key in UNUSED}


FOUR = {"high": "High", "low": "Low", "jack": "Jack", "game": "Game"}
JOKERS = {"high_joker": "High joker", "low_joker": "Low joker"}
GAMES = {
    "setback-21": ("Setback", FOUR),
    "bowers-12": (
        "Setback with bowers",
        {"high": "High", "low": "Low", "right": "Right", "left": "Left", "game": "Game"},
    ),
    "setback-7": ("Setback to 7", FOUR),
    "setback-7-pitch": ("Setback to 7 with a pitch", FOUR),
    "pitch-11": ("Pitch", FOUR),
    "somerset-66": ("Some'R'Set", {}),
    "horsley-66": ("Some'R'Set, Horsley Rules", {}),
    "auction-pitch-7": ("Auction Pitch", FOUR),
    "ten-point-52": (
        "Ten-point Pitch",
        {"ace": "Ace", "jack": "Jack", "off_jack": "Off jack", **JOKERS, "ten": "Ten", "two": "Two", "three": "Three"},
    ),
    "smear-52": (
        "Smear",
        {"high": "High", "low": "Low", "jack": "Jack", "off_jack": "Off jack", **JOKERS, "game": "Game"}
        | {"three": "Three"},
    ),
}
CARRIERS = {
    "jack": "J",
    "right": "J",
    "left": "left",
    "off_jack": "left",
    "high_joker": "RJ",
    "low_joker": "BJ",
    "ace": "A",
    "ten": "T",
    "two": "2",
    "three": "3",
}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_and_its_points_have_the_names_that_players_know(preset: str) -> None:
    """In the order in which they are asked for, each with the card that carries it."""
    rules = PRESETS[preset]
    name, labels = GAMES[preset]
    assert rules.preset == preset
    assert rules.name == name
    assert [(each.key, each.label) for each in rules.categories] == list(labels.items())
    assert {each.key: each.card for each in rules.categories} == {key: CARRIERS.get(key, "") for key in labels}


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_in_every_hand_is_always_somebodys(preset: str) -> None:
    """High and Low; all of ten-point pitch, of which only the two stays with whom it was dealt to."""
    rules = PRESETS[preset]
    whole = preset == "ten-point-52"
    always = {each.key for each in rules.categories if whole or each.key in ("high", "low")}
    assert {each.key for each in rules.categories if each.always} == always
    assert {each.key for each in rules.categories if each.dealt} == ({"two"} if whole else set())


ALONE = [(players, "alone") for players in range(2, 8)]
SOMERSET_TABLES = [(3, "alone"), (4, "partners"), (5, "called"), (6, "partners")]
TABLES = {
    "setback-21": [(4, "partners"), *ALONE],
    "bowers-12": [(4, "partners")],
    "setback-7": ALONE,
    "setback-7-pitch": ALONE,
    "pitch-11": [(3, "alone"), (4, "partners")],
    "somerset-66": SOMERSET_TABLES,
    "horsley-66": SOMERSET_TABLES,
    "auction-pitch-7": ALONE,
    "ten-point-52": [(4, "partners")],
    "smear-52": [(4, "partners")],
}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_is_played_by_as_many_as_the_table_says(preset: str) -> None:
    """Partners before each alone, where a number of players can sit both ways; Some'R'Set's totals go with it."""
    rules = PRESETS[preset]
    assert [(seating.players, seating.kind) for seating in rules.seatings] == TABLES[preset]
    totals = ((3, 28), (4, 24), (5, 22), (6, 20)) if TABLES[preset] is SOMERSET_TABLES else ()
    assert rules.hand_totals == totals


def test_each_pack_has_the_cards_of_its_game() -> None:
    """28 cards for bowers, jokers for two games, none of ours for Some'R'Set."""
    ranks = {name: rules.ranks for name, rules in PRESETS.items()}
    odd = {"bowers-12": "29TJQKA", "somerset-66": "", "horsley-66": ""}
    assert ranks == dict.fromkeys(PRESETS, "23456789TJQKA") | odd
    assert {name for name, rules in PRESETS.items() if rules.jokers} == {"ten-point-52", "smear-52"}
