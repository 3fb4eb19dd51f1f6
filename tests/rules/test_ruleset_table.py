"""Compare the options and the games with a second copy of their tables, so that a typing mistake is noticed."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.presets import PRESETS, game
from scorekeeper.rules.ruleset import why_unused
from scorekeeper.rules.table import set_table, sides_of
from tests.rules import book
from tests.rules.judge import OFF, ONE_CARD
from tests.rules.refusals import code_of
from tests.support.each import for_each

ROOT = Path(__file__).resolve().parents[2]
README, TAPS = ROOT / "README.md", ROOT / "tests" / "bench" / "taps.py"
YES_NO = {True, False}
LETTERS = {
    "low": {"captured", "dealt"},
    "game_tie": {"nobody", "bidder", "defenders", "dealer"},
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
    "called_partner": YES_NO,
    "redeal_by": {"next", "same"},
    "trump_any_time": YES_NO,
    "redeal": {"none", "ten_or_two", "ten"},
    "draw": YES_NO,
    "turned_up_points": {"none", "six", "two", "jack"},
    "slam": YES_NO,
    "made_scores": {"taken", "bid"},
    "defenders_score": YES_NO,
    "forced_concede": YES_NO,
    "revoke_costs_bid": YES_NO,
}
RANGES = {
    "game_minimum": (0, 80),
    "bid_min": (0, 28),
    "bid_max": (1, 28),
    "forced_bid": (0, 28),
    "target": (1, 1_000_000),
    "win_by": (1, 1_000_000),
    "hands_limit": (1, 1_000_000),
    "max_sets": (1, 1_000_000),
    "hang_jack": (1, 9),
    "lose_at_minus": (1, 1_000_000),
    "bidder_lead": (0, 1_000_000),
}
SEVERAL = {
    "points": {
        *("high", "low", "jack", "game", "right", "left", "off_jack", "joker", "high_joker", "low_joker"),
        *("ace", "ten", "two", "three", "five", "off_five", "off_ace", "off_three"),
    }
}
"""The options whose value is several words, with the words that each may have."""
BIDDING = (
    *("game_tie", "bid_min", "bid_max", "stop_at_max", "dealer_privilege", "dealer_may_match_max", "dealer_may_raise"),
    *(
        "forced_bid",
        "forced_bid_exact",
        "special_bid",
        "slam",
        "pitch_test",
        "set_penalty",
        "negative",
        "max_sets",
        "redeal_by",
        "made_scores",
        "defenders_score",
        "lose_at_minus",
        "bidder_lead",
        "forced_concede",
        "revoke_costs_bid",
    ),
)
"""Options about bids, sets and hands that were thrown in, which a game without bidding doesn't have."""


def test_every_option_has_the_values_of_the_table() -> None:
    """Each option has the same choices and the same range as in the tables in this file.

    An option may be null only if this test names it.
    """
    missing = set(OPTIONS) ^ set(book.NEUTRAL)
    assert not missing, f"add the neutral value of {missing} to NEUTRAL in tests/rules/book.py"
    missing = set(OPTIONS) ^ (set(LETTERS) | set(RANGES) | set(SEVERAL))
    assert not missing, f"add the values of {missing} to LETTERS or RANGES here"
    assert {key: set(option.values) for key, option in OPTIONS.items() if option.values} == LETTERS
    assert {key: option.numbers for key, option in OPTIONS.items() if key in RANGES} == RANGES
    assert {key: set(option.several) for key, option in OPTIONS.items() if option.several} == SEVERAL
    assert {key for key, option in OPTIONS.items() if option.nullable} == {
        *("bid_max", "forced_bid", "hands_limit", "max_sets", "lose_at_minus"),
    }


@for_each("preset", book.GAMES)
def test_an_option_is_idle_only_where_other_options_leave_it_no_effect(preset: str) -> None:
    game = book.GAMES[preset]
    told = game.options
    matches = told["dealer_privilege"] == "match" and told["auction"] == "once_around"
    idle = {
        "low": "low" not in game.worth,
        **dict.fromkeys(
            ("game_minimum", "game_tie", "trump_jack_counts"), "game" not in game.worth or preset in ONE_CARD
        ),
        "special_bid": not game.worth,
        "pitch_test": told["special_bid"] != "pitch",
        "slam": told["special_bid"] != "pitch" or told["pitch_test"] != "points",
        "points": not game.worth or told["auction"] == "none",
        "no_trump": bool(game.worth),
        "dealer_privilege": told["auction"] == "until_passed",
        **dict.fromkeys(("dealer_may_match_max", "dealer_may_raise"), not matches),
        "forced_bid_exact": told["forced_bid"] is None,
        "forced_concede": not told["forced_bid"],
        "redeal_by": told["forced_bid"] is not None,
        "win_by": told["finish"] not in ("highest", "bid_out"),
        "bidder_lead": told["finish"] != "bidder_first",
        "go_out": told["finish"] != "bid_out",
        "tie": told["finish"] != "highest",
        "tie_break_round": told["finish"] != "highest" or told["tie"] != "one_more_hand",
        "hands_limit": told["finish"] != "fixed_hands",
        "called_partner": not game.worth
        or {kind for kind, _ in game.seatings} <= {"called"}
        or "called" not in dict(game.seatings),
        **dict.fromkeys(("hang_jack", "turned_up_points"), told["auction"] != "none"),
    }
    if told["auction"] == "none":
        idle |= dict.fromkeys((*BIDDING, "auction", "finish"), True)
    assert {key for key in OPTIONS if why_unused(PRESETS[preset], key)} == {key for key, so in idle.items() if so}


def test_every_game_matches_its_line_in_the_rules() -> None:
    """Each game has the same name, seats, cards, points and options as in the table of games in RULES 7."""
    for key, rules in PRESETS.items():
        seatings: dict[str, list[tuple[int, int]]] = {}
        for seating in rules.seatings:
            seatings.setdefault(seating.kind, []).append((seating.players, len(sides_of(seating))))
        ours = book.BookGame(
            str(rules.name),
            list(seatings.items()),
            rules.cards_each,
            dict(rules.fewer_cards),
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
        assert not differ, f"{key}: (its entry, section 7 of rules/RULES.md) differ in {differ}"
        assert ours == theirs, key
    assert list(book.GAMES) == list(PRESETS)


def test_an_option_that_can_be_idle_has_a_reason_and_a_neutral_value() -> None:
    """An option that has no effect in some games has a neutral value, and a text that says why it has no effect.

    Every other option always has an effect.
    """
    bare = PRESETS["setback-21"]
    for key, option in OPTIONS.items():
        assert option.idle or why_unused(bare, key) is None
        assert option.idle is None or option.allows(option.default), key


CARRIERS = {
    "jack": "J",
    "right": "J",
    "left": "J",
    "off_jack": "J",
    "joker": "RJ",
    "high_joker": "RJ",
    "low_joker": "BJ",
    "ace": "A",
    "off_ace": "A",
    "ten": "T",
    "two": "2",
    "three": "3",
    "off_three": "3",
    "five": "5",
    "off_five": "5",
}


@for_each("preset", PRESETS)
def test_each_game_is_listed_everywhere(preset: str) -> None:
    """Each game is in the README's table of games, and in `tests/bench/taps.py` with its limit of taps for a hand."""
    rules = PRESETS[preset]
    table = README.read_text("utf-8").split("| Game |")[1].split("\n\n")[0]
    missing = [word for word in rules.name.split() if word.strip(",") not in table]
    assert not missing, f"add {rules.name} to the table of games in README.md"
    has_taps = f'("{preset}", ' in TAPS.read_text("utf-8")
    assert has_taps, f"add to MOST in tests/bench/taps.py how many taps a hand of {preset} may take"


@for_each("preset", PRESETS)
def test_each_point_has_its_label_and_card(preset: str) -> None:
    """Each point of a hand has a label, such as "Off jack", and the card that scores it.

    A point that is decided by comparing cards has no card.
    """
    for each in PRESETS[preset].categories:
        assert each.label == each.key.replace("_", " ").capitalize()
        assert each.card == (CARRIERS | ONE_CARD.get(preset, {})).get(each.key, "")
        assert each.off == (each.key in OFF)


@for_each("preset", PRESETS)
def test_points_of_every_hand_are_marked_so(preset: str) -> None:
    """A point is marked `always` exactly if some side wins the point in every hand.

    In most games, High and Low are marked. In Ten-point Pitch and similar games, all points are marked, and the two
    counts for the player who was dealt it. In Cinch, neither High nor Low is marked, because the ace may not have been
    dealt and the two may be discarded.
    """
    rules = PRESETS[preset]
    whole = preset in ("ten-point-52", "eleven-point", "thirteen-point", "call-partner-pitch")
    always = {each.key for each in rules.categories if whole or each.key in ("high", "low")}
    always -= {"high", "low"} if preset == "cinch-51" else set()
    assert {each.key for each in rules.categories if each.always} == always
    assert {each.key for each in rules.categories if each.dealt} == ({"two"} if whole else set())


PARTNERS = (Seating(4, "partners"),)
CANNOT_BE: list[tuple[dict[str, Any], str]] = [
    ({"bid_min": 3}, "The dealer can't be stuck with 2: bids go from 3 to 4."),
    ({"finish": "first"}, "“finish” must be bid_out or bidder_first or highest or fixed_hands."),
    ({"max_sets": 3}, "A limit on sets only works with two sides."),
    ({"cards_each": 9}, "63 cards are dealt from a pack of 52."),
    ({"cards_each": 9, "fewer_cards": ((7, 6),)}, "54 cards are dealt from a pack of 52."),
    ({"seatings": (Seating(6, "partners", teams=4),)}, "6 players can't make 4 equal sides."),
    ({"cards_each": 7}, "7 cards can't be dealt 3 at a time"),
    ({"cards_each": 0}, "say in `play.deal` how the cards are dealt."),
    ({"ranks": "9TJQKA", "seatings": PARTNERS}, "say in `play.pack` which cards are needed."),
    ({"decided": frozenset(("lowest",))}, "`decided` names no line of the rule card: lowest."),
]


@pytest.mark.parametrize(("change", "says"), CANNOT_BE)
def test_an_impossible_game_fails_with_a_sentence(change: dict[str, Any], says: str) -> None:
    """An inconsistent definition of a game is an error at the start of the program, with a sentence that says why."""
    with pytest.raises(ValueError, match=re.escape(says)):
        game(replace(PRESETS["setback-21"], preset="mine", **change))
    assert "mine" not in PRESETS


def test_partners_sit_evenly_spaced() -> None:
    """With n sides of partners, seat s belongs to side s mod n, and other teams are refused.

    If no sides are given, the usual number of sides is used.
    """
    rules = PRESETS["ten-point-52"]
    partners = {(each.players, each.teams): sides_of(each) for each in rules.seatings if each.kind == "partners"}
    assert partners == {
        (4, 2): ((0, 2), (1, 3)),
        (6, 2): ((0, 2, 4), (1, 3, 5)),
        (6, 3): ((0, 3), (1, 4), (2, 5)),
        (8, 2): ((0, 2, 4, 6), (1, 3, 5, 7)),
        (8, 4): ((0, 4), (1, 5), (2, 6), (3, 7)),
    }
    assert set_table(rules, 6).sides == partners[6, 2]
    assert set_table(rules, 6, [[0, 3], [1, 4], [2, 5]]).side_of == (0, 1, 2, 0, 1, 2)
    for sides in ([[0, 1], [2, 3], [4, 5]], [[1, 4], [0, 3], [2, 5]], [[0, 3], [1, 4]]):
        assert code_of(partial(set_table, rules, 6, sides)) == "sides"


def test_a_key_belongs_to_one_game() -> None:
    """Defining a second game with the same key is an error."""
    with pytest.raises(ValueError, match="two games"):
        game(replace(PRESETS["setback-21"], target=11))
    assert PRESETS["setback-21"].target == 21


def test_each_pack_has_the_cards_of_its_game() -> None:
    """Each pack has the right cards: 28 cards for bowers, jokers where they score, no standard cards in Some'R'Set."""
    ranks = {name: rules.ranks for name, rules in PRESETS.items() if rules.ranks != "23456789TJQKA"}
    odd = {"bowers-12": "29TJQKA", "somerset-66": "", "horsley-66": ""}
    assert ranks == odd
    jokers = {name: rules.jokers for name, rules in PRESETS.items() if rules.jokers}
    two = (
        *("ten-point-52", "smear-52", "seven-point", "eleven-point", "thirteen-point", "call-partner-pitch"),
        "oklahoma-21",
    )
    assert jokers == dict.fromkeys(two, 2) | {"smear-6": 1, "six-point": 1}
