"""The options table and the games as data: stated a second time, so that a mistyped key is noticed."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.presets import PRESETS, game
from scorekeeper.rules.ruleset import why_unused
from tests.rules import book

ROOT = Path(__file__).resolve().parents[2]
README, TAPS = ROOT / "README.md", ROOT / "tests" / "bench" / "taps.py"
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


def test_every_option_has_the_values_of_the_table() -> None:
    """Choices, the ends of every range, and which options may be null."""
    missing = set(OPTIONS) ^ set(book.NEUTRAL)
    assert not missing, f"add the neutral value of {missing} to NEUTRAL in tests/rules/book.py"
    missing = set(OPTIONS) ^ (set(LETTERS) | set(RANGES))
    assert not missing, f"add the values of {missing} to LETTERS or RANGES here"
    assert {key: set(option.values) for key, option in OPTIONS.items() if option.values} == LETTERS
    assert {key: option.numbers for key, option in OPTIONS.items() if not option.values} == RANGES
    assert {key for key, option in OPTIONS.items() if option.nullable} == {
        *("bid_max", "forced_bid", "hands_limit", "max_sets"),
    }


@pytest.mark.parametrize("preset", book.GAMES)
def test_an_option_is_idle_only_where_other_options_leave_it_no_effect(preset: str) -> None:
    game = book.GAMES[preset]
    told = game.options
    matches = told["dealer_privilege"] == "match" and told["auction"] == "once_around"
    idle = {
        "low": "low" not in game.worth,
        **dict.fromkeys(("game_minimum", "game_tie", "trump_jack_counts"), "game" not in game.worth),
        "special_bid": not game.worth,
        "pitch_test": told["special_bid"] != "pitch",
        "no_trump": bool(game.worth),
        "dealer_privilege": told["auction"] == "until_passed",
        **dict.fromkeys(("dealer_may_match_max", "dealer_may_raise"), not matches),
        "forced_bid_exact": told["forced_bid"] is None,
        "redeal_by": told["forced_bid"] is not None,
        "win_by": told["finish"] not in ("highest", "bid_out"),
        "go_out": told["finish"] != "bid_out",
        "tie": told["finish"] != "highest",
        "tie_break_round": told["finish"] != "highest" or told["tie"] != "one_more_hand",
        "hands_limit": told["finish"] != "fixed_hands",
    }
    assert {key for key in OPTIONS if why_unused(PRESETS[preset], key)} == {key for key, so in idle.items() if so}


def test_every_game_matches_its_line_in_the_rules() -> None:
    """The table in RULES 7 has the name, seats, cards, points and options of each."""
    for key, rules in PRESETS.items():
        seatings: dict[str, list[int]] = {}
        for seating in rules.seatings:
            seatings.setdefault(seating.kind, []).append(seating.players)
        ours = book.BookGame(
            str(rules.name),
            list(seatings.items()),
            rules.cards_each,
            rules.tricks,
            {category.key: category.value for category in rules.categories},
            dict(rules.hand_totals),
            {option: getattr(rules, option) for option in OPTIONS},
        )
        assert key in book.GAMES, f"{key} has no line in the table of rules/RULES.md, section 7"
        theirs = book.GAMES[key]
        differ = {
            option: (ours.options.get(option), theirs.options.get(option))
            for option in {*ours.options, *theirs.options}
            if ours.options.get(option) != theirs.options.get(option)
        }
        assert not differ, f"{key}: (presets.py, section 7 of rules/RULES.md) differ in {differ}"
        assert ours == theirs, key
    assert list(book.GAMES) == list(PRESETS)


def test_an_option_that_can_be_idle_has_a_reason_and_a_neutral_value() -> None:
    """An option without a reason always counts."""
    bare = PRESETS["setback-21"]
    for key, option in OPTIONS.items():
        assert option.idle or why_unused(bare, key) is None
        assert option.idle is None or option.allows(option.default), key


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
def test_each_game_is_listed_everywhere(preset: str) -> None:
    """The README's table of games, and the taps that a hand may take."""
    rules = PRESETS[preset]
    table = README.read_text("utf-8").split("| Game |")[1].split("\n\n")[0]
    missing = [word for word in rules.name.split() if word.strip(",") not in table]
    assert not missing, f"add {rules.name} to the table of games in README.md"
    has_taps = f'("{preset}", ' in TAPS.read_text("utf-8")
    assert has_taps, f"add to MOST in tests/bench/taps.py how many taps a hand of {preset} may take"


@pytest.mark.parametrize("preset", PRESETS)
def test_each_point_has_its_label_and_card(preset: str) -> None:
    """`off_jack` is "Off jack"; points decided by comparing have no card."""
    for each in PRESETS[preset].categories:
        assert each.label == each.key.replace("_", " ").capitalize()
        assert each.card == CARRIERS.get(each.key, "")


@pytest.mark.parametrize("preset", PRESETS)
def test_points_of_every_hand_are_marked_so(preset: str) -> None:
    """High and Low are in every hand, and so is all of ten-point pitch; its two stays with its player."""
    rules = PRESETS[preset]
    whole = preset == "ten-point-52"
    always = {each.key for each in rules.categories if whole or each.key in ("high", "low")}
    assert {each.key for each in rules.categories if each.always} == always
    assert {each.key for each in rules.categories if each.dealt} == ({"two"} if whole else set())


PARTNERS = (Seating(4, "partners"),)
CANNOT_BE: list[tuple[dict[str, Any], str]] = [
    ({"bid_min": 3}, "The dealer can’t be stuck with 2: bids go from 3 to 4."),
    ({"finish": "first"}, "“finish” must be bid_out or bidder_first or highest or fixed_hands."),
    ({"max_sets": 3}, "A limit on sets only works with two sides."),
    ({"cards_each": 9}, "63 cards are dealt from a pack of 52."),
    ({"cards_each": 7}, "7 cards can't be dealt 3 at a time"),
    ({"cards_each": 0}, "say in `play.deal` how the cards are dealt."),
    ({"ranks": "9TJQKA", "seatings": PARTNERS}, "say in `play.pack` which cards are needed."),
    ({"jokers": True}, "say in `play.pack` which cards are needed."),
    ({"decided": frozenset(("lowest",))}, "`decided` names no line of the rule card: lowest."),
]


@pytest.mark.parametrize(("change", "says"), CANNOT_BE)
def test_an_impossible_game_fails_with_a_sentence(change: dict[str, Any], says: str) -> None:
    """It fails when the program starts, not in the middle of an evening."""
    with pytest.raises(ValueError, match=re.escape(says)):
        game(replace(PRESETS["setback-21"], preset="mine", **change))
    assert "mine" not in PRESETS


def test_a_key_belongs_to_one_game() -> None:
    """A copy without a key of its own is noticed."""
    with pytest.raises(ValueError, match="two games"):
        game(replace(PRESETS["setback-21"], target=11))
    assert PRESETS["setback-21"].target == 21


def test_each_pack_has_the_cards_of_its_game() -> None:
    """28 cards for bowers, jokers in two games, no standard cards in Some'R'Set."""
    ranks = {name: rules.ranks for name, rules in PRESETS.items() if rules.ranks != "23456789TJQKA"}
    odd = {"bowers-12": "29TJQKA", "somerset-66": "", "horsley-66": ""}
    assert ranks == odd
    assert {name for name, rules in PRESETS.items() if rules.jokers} == {"ten-point-52", "smear-52"}
