"""The points of a hand that house rules can choose (RULES 7), and the extra point for all tricks (RULES 4)."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from scorekeeper.rules.cards import count_cards, pack_of
from scorekeeper.rules.hands import read_hand, refit, write_hand
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import read_rules, write_rules
from scorekeeper.rules.ruleset import offered_points, with_options
from scorekeeper.rules.scoring import new_tally, score_hand
from scorekeeper.rules.table import Table, set_table
from tests.rules.refusals import refusal_of

FIVE = ["high", "low", "jack", "off_jack", "game"]
SEVEN = ["ace", "jack", "off_jack", "high_joker", "low_joker", "ten", "two"]


def table_of(preset: str, players: int = 4, **options: Any) -> Table:
    return set_table(with_options(PRESETS[preset], options), players)


@pytest.mark.parametrize(
    ("preset", "points", "bids", "sums"),
    [
        ("setback-21", FIVE, (2, 5), (2, 3, 4, 5)),
        ("smear-52", ["high", "low", "jack", "off_jack", "high_joker", "low_joker", "game"], (2, 7), range(2, 8)),
        # Certain cards alone are in every hand: "always seven points".
        ("seven-point", SEVEN, (2, 7), (7,)),
        ("ten-point-52", ["three", "ace", "two", "ten"], (4, 6), (6,)),
        ("five-point", ["high", "low", "jack", "five", "game"], (2, 9), (2, 3, 4, 7, 8, 9)),
        # High and Low stay the ace and the two of trump, which may be out in Cinch.
        ("pedro-62", ["high", "low", "jack", "game", "five"], (6, 9), (2, 3, 4, 7, 8, 9)),
        ("cinch-51", ["high", "low", "game"], (1, 3), (0, 1, 2, 3)),
    ],
)
def test_bids_and_sums_follow_from_the_points(preset: str, points: list[str], bids: tuple[int, int], sums: Any) -> None:
    table = table_of(preset, points=points)
    assert (table.bids[0], table.top_bid, table.sums) == (*bids, tuple(sums))


def test_the_points_come_in_the_order_of_the_hand_card_whatever_the_record_says() -> None:
    rules = with_options(PRESETS["smear-5"], {"points": ["game", "joker", "jack", "low", "high"]})
    assert [category.key for category in rules.categories] == ["high", "low", "jack", "joker", "game"]
    written = {"preset": "smear-5", "options": {"points": ["high", "low", "jack", "joker", "game"]}}
    assert write_rules(rules) == written
    assert read_rules(written) == rules


def test_the_usual_points_are_no_choice() -> None:
    assert with_options(PRESETS["setback-21"], {"points": ["game", "jack", "low", "high"]}) == PRESETS["setback-21"]


def test_a_highest_bid_is_written_only_where_it_is_not_the_total() -> None:
    rules = with_options(PRESETS["setback-21"], {"points": FIVE, "bid_max": 4})
    assert write_rules(rules)["options"] == {"bid_max": 4, "points": FIVE}
    assert read_rules(write_rules(rules)).bid_max == 4
    assert write_rules(with_options(PRESETS["setback-21"], {"points": FIVE, "bid_max": 5}))["options"] == {
        "points": FIVE
    }


@pytest.mark.parametrize(
    ("preset", "options", "field", "says"),
    [
        (
            "smear-52",
            {"points": FIVE, "bid_max": 10},
            "bid_max",
            "A hand has only 5 points, so the highest bid allowed can't be 10.",
        ),
        ("pedro-62", {"points": FIVE}, "bid_min", "The lowest bid allowed, 6, is above the highest, 5."),
        ("setback-21", {"points": ["jack"]}, "bid_min", "The lowest bid allowed, 2, is above the highest, 1."),
        ("bowers-12", {"points": [*FIVE, "three"]}, "points", "The deck of this game has no card for Three."),
        (
            "setback-21",
            {"points": ["high", "right", "jack"]},
            "points",
            "Right and Jack are the same card. Choose one of them.",
        ),
        (
            "setback-21",
            {"points": ["high", "low", "joker", "high_joker", "low_joker"]},
            "points",
            "High joker and Joker are the same card. Choose one of them.",
        ),
        ("pedro-62", {"points": ["high", "ace"]}, "points", "High and Ace are the same card. Choose one of them."),
        (
            "setback-21",
            {"points": ["high", "low", "low_joker"]},
            "points",
            "With two jokers, choose High joker and Low joker.",
        ),
        ("somerset-66", {"points": FIVE}, "points", "the points of this game can't be chosen"),
        ("all-fours-14", {"points": FIVE}, "points", "the points of this game can't be chosen"),
        ("setback-21", {"points": ["high", "spades"]}, "points", "“points” must name some of these: high, low,"),
        ("setback-21", {"points": ["high", "high"]}, "points", "“points” must name some of these: high, low,"),
        ("setback-21", {"points": ["high", "slam"]}, "points", "“points” must name some of these: high, low,"),
        ("setback-21", {"points": [["high"], 1]}, "points", "“points” must name some of these: high, low,"),
        ("setback-21", {"points": []}, "points", "“points” must name some of these: high, low,"),
        ("setback-21", {"points": "low high"}, "points", "“points” must name some of these: high, low,"),
    ],
)
def test_points_that_cannot_be_played_are_refused(preset: str, options: dict[str, Any], field: str, says: str) -> None:
    refusal = refusal_of(partial(with_options, PRESETS[preset], options))
    assert refusal
    assert refusal.field == field
    assert says in refusal.message


def test_a_form_offers_the_points_of_the_deck_under_the_names_of_the_game() -> None:
    offered = {preset: [each.key for each in offered_points(rules)] for preset, rules in PRESETS.items()}
    assert "right" not in offered["setback-21"]
    assert "joker" in offered["ten-point-52"]
    assert offered["bowers-12"] == [
        *("high", "low", "right", "left", "ace", "off_ace", "high_joker", "low_joker", "joker", "ten", "two", "game"),
    ]
    assert not {"ace", "ten", "two"} & {*offered["pedro-62"]}
    for preset, rules in PRESETS.items():
        assert {each.key for each in rules.usual_points} <= {*offered[preset]} or not rules.usual_points


def test_the_deck_has_the_jokers_that_score() -> None:
    assert len(pack_of(with_options(PRESETS["smear-5"], {"points": ["high", "low", "joker"]}))) == 53
    four = with_options(PRESETS["call-partner-pitch"], {"points": ["high", "low", "jack", "game"]})
    assert len(pack_of(four)) == 52
    # Nine each for six players were the whole pack of 54.
    assert [four.cards_for(players) for players in (5, 6)] == [10, 8]
    assert [PRESETS["call-partner-pitch"].cards_for(players) for players in (5, 6)] == [10, 9]


def test_an_off_card_that_does_not_score_is_no_trump() -> None:
    """The off jack is a trump, and can win the point Low, only if the game has a point for the off jack.

    Here hearts are trump, and the jack of diamonds is the off jack.
    """
    piles = [["AH"], ["JD"]]
    with_it = count_cards(table_of("five-point", low="captured"), "H", piles)
    without = count_cards(table_of("five-point", points=["high", "low", "jack", "five", "game"]), "H", piles)
    assert with_it.points == {"high": 0, "low": 1, "jack": None, "off_jack": 1, "game": 0}
    assert without.points == {"high": 0, "low": 0, "jack": None, "five": None, "game": 0}


def test_a_hand_keeps_its_cards_when_a_table_changes_its_points() -> None:
    usual, five = table_of("setback-21"), table_of("setback-21", points=FIVE)
    told = {"bidder": 0, "bid": 2, "trump": "H", "captured": [["AH", "JD", "TC"], ["2H"]]}
    hand = read_hand(usual, told, dealer=3)
    assert (hand.taken, refit(usual, five, hand).taken) == ((2, 1), (3, 1))


def test_points_that_are_no_longer_played_are_left_out_of_the_hands() -> None:
    """If a change of rules removes a kind of point, saved hands no longer count points of that kind.

    A change of rules that adds a kind of point is refused if a saved hand doesn't show who took that point.
    """
    ten, seven = table_of("ten-point-52"), table_of("ten-point-52", points=SEVEN)
    told = {"bidder": 0, "bid": 4, "points": dict.fromkeys([*SEVEN, "three"], 0)}
    hand = read_hand(ten, told, dealer=3)
    assert (hand.taken, refit(ten, seven, hand).taken) == ((10, 0), (7, 0))
    refusal = refusal_of(partial(refit, seven, ten, refit(ten, seven, hand)))
    assert refusal
    assert refusal.message == "Choose who took Three."


# All the tricks.

PITCH = {"bidder": 1, "bid": "pitch"}
ALL = {"high": 1, "low": 1, "jack": 1, "game": 1}


def slam_table(**options: Any) -> Table:
    return table_of("smudge", slam=True, **options)


@pytest.mark.parametrize(
    ("data", "delta"),
    [
        ({**PITCH, "points": {**ALL, "slam": 1}}, (0, 5, 0, 0)),
        ({**PITCH, "points": {**ALL, "slam": None}}, (0, -5, 0, 0)),
        ({**PITCH, "points": {**ALL, "jack": None, "slam": 1}}, (0, -5, 0, 0)),
        ({**PITCH, "taken": [0, 5, 0, 0]}, (0, 5, 0, 0)),
        ({**PITCH, "taken": [0, 4, 0, 0]}, (0, -5, 0, 0)),
        ({**PITCH, "taken": [2, 0, 0, 0]}, (2, -5, 0, 0)),
        ({"bidder": 1, "bid": 4, "points": ALL}, (0, 4, 0, 0)),
        ({"bidder": 1, "bid": 4, "points": {**ALL, "slam": None}}, (0, 4, 0, 0)),
        ({"bidder": 1, "bid": 4, "taken": [0, 4, 0, 0]}, (0, 4, 0, 0)),
        (
            {**PITCH, "trump": "H", "captured": [[], ["AH", "JH", "TH", "2H"], [], []], "points": {"slam": 1}},
            (0, 5, 0, 0),
        ),
    ],
)
def test_a_slam_is_a_fifth_point_of_a_pitch(data: dict[str, Any], delta: tuple[int, ...]) -> None:
    """With the option `slam`, taking all the tricks of a pitch is a fifth point, which a failed pitch loses too.

    A source says that an unsuccessful smudge bid "results in a loss of five", while a bid of 4 "only scores four
    points".
    """
    table = slam_table()
    hand = read_hand(table, data, dealer=0)
    assert score_hand(table, new_tally(table), hand).delta == delta
    again = write_hand(table, hand, dealer=0)
    assert read_hand(table, again, dealer=0) == hand
    assert ("slam" in (hand.points or {})) == (hand.bid == "pitch" and hand.points is not None)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({**PITCH, "points": ALL}, "points_missing"),
        ({**PITCH, "points": {**ALL, "slam": 0}}, "slam"),
        ({"bidder": 1, "bid": 4, "points": {**ALL, "slam": 1}}, "slam"),
        ({"bidder": 1, "bid": 4, "taken": [0, 5, 0, 0]}, "points_total"),
        ({**PITCH, "taken": [0, 6, 0, 0]}, "points_total"),
        ({**PITCH, "taken": [5, 0, 0, 0]}, "points_total"),
        ({**PITCH, "trump": "H", "captured": [[], ["AH", "2H"], [], []]}, "points_missing"),
    ],
)
def test_all_the_tricks_are_told_and_belong_to_the_pitch(data: dict[str, Any], code: str) -> None:
    refusal = refusal_of(partial(read_hand, slam_table(), data, dealer=0))
    assert refusal
    assert refusal.code == code


def test_without_the_option_there_is_no_such_point() -> None:
    refusal = refusal_of(partial(read_hand, table_of("smudge"), {**PITCH, "points": {**ALL, "slam": 1}}, dealer=0))
    assert refusal
    assert refusal.code == "points_unknown"


@pytest.mark.parametrize(
    "options",
    [{"special_bid": "none"}, {"special_bid": "moon"}, {"pitch_test": "tricks"}, {"pitch_test": "tricks_all"}],
)
def test_a_slam_needs_a_pitch_that_promises_points(options: dict[str, Any]) -> None:
    refusal = refusal_of(partial(with_options, PRESETS["smudge"], {"slam": True, **options}))
    assert refusal
    assert (refusal.code, refusal.field) == ("option_unused", "slam")


def test_the_highest_number_stays_four() -> None:
    assert slam_table().bids == (2, 3, 4, "pitch")
    refusal = refusal_of(partial(with_options, PRESETS["smudge"], {"slam": True, "bid_max": 5}))
    assert refusal
    assert refusal.field == "bid_max"
