"""Check every refusal by the rules: its code, the field that a form marks, and the message that players read."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from scorekeeper.rules import commands as c
from scorekeeper.rules import events as ev
from scorekeeper.rules import game as g
from scorekeeper.rules.bidding import check_bid, hear
from scorekeeper.rules.cards import count_cards
from scorekeeper.rules.hands import check_seat, check_side, check_trump, read_captured, read_hand
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS, preset_named
from scorekeeper.rules.record import check_adjustment, check_name, read_record, read_rules, read_sides
from scorekeeper.rules.replay import evolve, replay
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import Table, set_table
from tests.rules.refusals import refusal_of
from tests.rules.strategies import started
from tests.support.each import for_each

LONG = "x" * 60


def table_of(preset: str = "setback-21", players: int = 4, **options: Any) -> Table:
    return set_table(with_options(PRESETS[preset], options), players)


SETBACK, BOWERS, PITCH, SEVEN = (
    table_of(),
    table_of("bowers-12"),
    table_of("setback-7-pitch", 3, pitch_test="tricks"),
    table_of("setback-7", 3),
)
FOUR, FIVE, HORSLEY = table_of("somerset-66"), table_of("somerset-66", 5), table_of("horsley-66")
DEALT = table_of(low="dealt")
BID = {"bidder": 0, "bid": 2}
GOOD = BID | {"taken": [3, 1]}
NAMED = {"high": 0, "low": 0, "jack": 1, "game": None}

HANDS: list[tuple[Table, Any, str, str | None, str]] = [
    (SETBACK, [], "hand_shape", None, "A hand must be a JSON object."),
    (SETBACK, GOOD | {"colour": 1}, "field_unknown", "colour", "no field “colour”"),
    (SETBACK, GOOD | {LONG: 1}, "field_unknown", LONG[:40], f"no field “{LONG[:40]}”"),
    (SETBACK, GOOD | {"dealer": 4}, "seat", "dealer", "“dealer” must be a seat from 0 to 3"),
    (SETBACK, GOOD | {"dealer": None}, "seat", "dealer", "“dealer”"),
    (SETBACK, GOOD | {"bidder": 4}, "seat", "bidder", "“bidder”"),
    (SETBACK, GOOD | {"bidder": None}, "bidder_missing", "bidder", "Choose who bid."),
    (SETBACK, {"taken": [3, 1]}, "bidder_missing", "bidder", "Choose who bid."),
    (SETBACK, GOOD | {"bid": None}, "bid_missing", "bid", "Choose the bid."),
    (SETBACK, GOOD | {"bid": 5}, "bid_illegal", "bid", "Bids go from 2 to 4."),
    (SETBACK, GOOD | {"bid": "pitch"}, "bid_illegal", "bid", "You can't bid a pitch in this game."),
    (SETBACK, GOOD | {"bid": "moon"}, "bid_illegal", "bid", "You can't bid a moon in this game."),
    (PITCH, BID | {"bid": 9}, "bid_illegal", "bid", "Bids go from 1 to 4, or a pitch."),
    (table_of("ten-point-52"), BID | {"bid": 11}, "bid_illegal", "bid", "Bids go from 4 to 10, or a moon."),
    (table_of(forced_bid=3), GOOD | {"bidder": 3}, "bid_illegal", "bid", "The dealer can't match a bid of 2."),
    (SETBACK, GOOD | {"passed": 1}, "passed_value", "passed", "“passed” must be true or false."),
    (SETBACK, {"passed": True}, "passed_forced", "passed", "The dealer can't pass here and must bid 2"),
    *(
        (SEVEN, {"passed": True, key: 1}, "passed_hand", key, "Nobody bid, so there are no points to enter.")
        for key in ("bidder", "bid", "points", "taken", "captured", "partner", "tricks", "trump")
    ),
    (SETBACK, GOOD | {"calls": "4"}, "calls_shape", "calls", "The calls must be a list."),
    (SETBACK, {"calls": [2]}, "calls_short", "calls", "The bidding isn't over after these calls."),
    (SETBACK, {"calls": [4], "bidder": 1}, "calls_disagree", "calls", "These calls don't end with this hand's bid"),
    (SETBACK, GOOD | {"trump": "none"}, "trump", "trump", "You can't play without trump in this game."),
    (SETBACK, GOOD | {"trump": "X"}, "trump", "trump", "Trump must be one of C D H S."),
    (SETBACK, GOOD | {"trump": 7}, "trump", "trump", "Trump must be one of C D H S."),
    (FOUR, BID | {"trump": "H"}, "trump", "trump", "Trump must be one of 0 2 4 6 8 10 12 none."),
    (HORSLEY, BID | {"trump": "1"}, "trump", "trump", "Trump must be one of 0 2 4 6 8 10 12."),
    (SETBACK, GOOD | {"partner": None}, "partner", "partner", "This game has no called partner."),
    (FIVE, BID, "partner_missing", "partner", "Choose the called partner, or tap “alone” if the bidder played alone."),
    (FIVE, BID | {"partner": 5}, "seat", "partner", "“partner” must be a seat from 0 to 4"),
    (
        FIVE,
        BID | {"partner": 0},
        "partner",
        "partner",
        "The bidder can't be the called partner. Choose someone else, or tap “alone” instead.",
    ),
    (PITCH, BID | {"bid": "pitch"}, "tricks_missing", "tricks", "Enter how many tricks the bidder took."),
    *((PITCH, BID | {"tricks": tricks}, "tricks", "tricks", "Tricks can be from 0 to 6.") for tricks in (-1, 7, True)),
    (SETBACK, BID | {"captured": [["AS"], "KS"]}, "captured_shape", "captured", "a list of cards for each side"),
    (SETBACK, GOOD | {"points": NAMED}, "points_twice", "taken", "Enter the points only one way"),
    (SETBACK, GOOD | {"captured": [[], []]}, "points_twice", "taken", "Enter the points only one way"),
    (SETBACK, BID, "points_missing", "points", "Enter how many points they took."),
    (FOUR, BID | {"points": {}}, "points_kind", "points", "This game only counts each side's points"),
    (FOUR, BID | {"captured": [[], []]}, "points_kind", "captured", "This game only counts each side's points"),
    (SETBACK, BID | {"points": []}, "points_shape", "points", "The points must give the side that took each one"),
    (SETBACK, BID | {"points": NAMED | {"ace": 0}}, "points_unknown", "points", "no point called “ace”"),
    (SETBACK, BID | {"points": NAMED | {LONG: 0}}, "points_unknown", "points", f"“{LONG[:40]}”"),
    (SETBACK, BID | {"points": NAMED | {"jack": 2}}, "points_side", "jack", "“jack” must go to a side of this table"),
    (SETBACK, BID | {"points": {"high": 0}}, "points_missing", "low", "Choose who took Low."),
    (SETBACK, BID | {"points": NAMED | {"high": None}}, "points_nobody", "high", "Someone always takes High."),
    (DEALT, BID | {"points": {"high": 0}}, "points_missing", "low", "Choose who took Low."),
    (
        DEALT,
        BID | {"trump": "H", "captured": [["AH"], []]},
        "points_missing",
        "low",
        "Who gets Low? The cards don't show it, so choose.",
    ),
    (
        SETBACK,
        BID | {"trump": "H", "captured": [["AH"], []], "points": {"high": 1}},
        "points_disagree",
        "high",
        "The captured cards don't match who took High",
    ),
    (SETBACK, BID | {"trump": "H", "captured": [["AS"], []]}, "points_nobody", "high", "Someone always takes High."),
    (SETBACK, BID | {"captured": [["AS"], []]}, "trump_needed", "trump", "Choose trump to count the cards"),
    (
        SETBACK,
        BID | {"trump": "S", "captured": [["AS"]]},
        "captured_sides",
        "captured",
        "Enter the cards of each side",
    ),
    (BOWERS, BID | {"trump": "S", "captured": [["3S"], []]}, "card_unknown", "captured", "no card “3S”"),
    (SETBACK, BID | {"trump": "S", "captured": [[LONG], []]}, "card_unknown", "captured", "no card “xxxxxxxx”"),
    (SETBACK, BID | {"trump": "S", "captured": [["AS"], ["AS"]]}, "card_twice", "captured", "Card AS is counted twice"),
    (SETBACK, BID | {"taken": "31"}, "points_shape", "taken", "whole numbers, one for each side"),
    (SETBACK, BID | {"taken": [3, True]}, "points_shape", "taken", "whole numbers, one for each side"),
    (SETBACK, BID | {"taken": [3]}, "points_shape", "taken", "for 2 sides, not 1"),
    (FIVE, BID | {"partner": 1, "taken": [9, 9, 4]}, "points_shape", "taken", "for 2 sides, not 3"),
    (SETBACK, BID | {"taken": [4, -1]}, "points_total", "taken", "Points in a hand can't be below zero"),
    (SETBACK, BID | {"taken": [5, 0]}, "points_total", "taken", "A hand has only 4 points to take"),
    (SETBACK, BID | {"taken": [3, 2]}, "points_total", "taken", "A hand has at most 4 points, but these add up to 5"),
    (
        SETBACK,
        BID | {"taken": [1, 0]},
        "points_total",
        "taken",
        "A hand has at least 2 points (High and Low), but these add up to 1",
    ),
    (
        table_of("nine-point"),
        BID | {"bid": 3, "taken": [4, 2]},
        "points_total",
        "taken",
        "The points of a hand never add up to 6 in this game",
    ),
    (FOUR, BID | {"taken": [12, 11]}, "points_total", "taken", "A hand has exactly 24 points, but these add up to 23"),
    (FOUR, BID | {"taken": [13, 12]}, "points_total", "taken", "A hand has exactly 24 points, but these add up to 25"),
]


@for_each(("table", "hand", "code", "field", "words"), HANDS)
def test_a_hand_that_cannot_be(table: Table, hand: Any, code: str, field: str | None, words: str) -> None:
    """An invalid hand is refused with the right code, field and message. In each case, the last seat deals."""
    refusal = refusal_of(partial(read_hand, table, hand, dealer=table.players - 1))
    assert refusal
    assert (refusal.code, refusal.field, refusal.hand) == (code, field, None)
    assert words in refusal.message


RECORD: dict[str, Any] = {
    "format": "scorekeeper-game/1",
    "ruleset": {"preset": "setback-21"},
    "players": ["Ann", "Bob", "Cid", "Dee"],
    "first_dealer": 3,
    "hands": [],
}
ADJUSTED = {"after": 0, "side": 1, "points": -2, "reason": "revoke"}
FINAL = {key: value for key, value in RECORD.items() if key != "hands"}

RECORDS: list[tuple[Any, str, str | None, str]] = [
    ([], "record_shape", None, "That isn't a saved game."),
    (RECORD | {"colour": 1}, "field_unknown", "colour", "A saved game has no field “colour”."),
    (RECORD | {LONG: 1}, "field_unknown", LONG[:40], f"no field “{LONG[:40]}”."),
    (RECORD | {"format": "scorekeeper-game/2"}, "format", "format", "The format must be “scorekeeper-game/1”."),
    (RECORD | {"final": [1, 2]}, "hands_and_final", "final", "hands or a final score, not both"),
    *((RECORD | {key: 1}, "field_shape", key, f"“{key}” must be text.") for key in ("name", "started", "finished")),
    (RECORD | {"abandoned": 0}, "field_shape", "abandoned", "“abandoned” must be true or false."),
    (RECORD | {"players": 4}, "players_shape", "players", "must be a list of names"),
    (RECORD | {"sides": 2}, "sides", "sides", "must be lists of seats"),
    (RECORD | {"sides": [[0, 1], [2, 3]]}, "sides", "sides", "With 4 players, Setback isn't played with these sides."),
    (RECORD | {"first_dealer": 4}, "first_dealer", "first_dealer", "must be a seat from 0 to 3."),
    (RECORD | {"first_dealer": -1}, "first_dealer", "first_dealer", "must be a seat from 0 to 3."),
    (FINAL, "hands_missing", "hands", "A saved game needs a list of hands."),
    (FINAL | {"final": [1]}, "final", "final", "one whole number for each side"),
    (FINAL | {"final": 1}, "final", "final", "one whole number for each side"),
    (FINAL | {"final": [1, 1_000_001]}, "final", "final", "at most 1000000."),
    (FINAL | {"final": [-1_000_001, 1]}, "final", "final", "at most 1000000."),
    (RECORD | {"ruleset": 1}, "ruleset_shape", "ruleset", "The rules must name a game and the options that differ"),
    (
        RECORD | {"ruleset": {"preset": "setback-21", "x": 1}},
        "ruleset_shape",
        "ruleset",
        "The rules must name a game and the options that differ",
    ),
    (
        RECORD | {"ruleset": {"preset": "setback-21", "options": []}},
        "ruleset_shape",
        "ruleset",
        "The options of the rules must be a JSON object.",
    ),
    (RECORD | {"ruleset": {}}, "preset_unknown", "preset", "Name a game by its key, such as “setback-21”."),
    (RECORD | {"ruleset": {"preset": LONG}}, "preset_unknown", "preset", f"no game named “{LONG[:40]}”."),
    (RECORD | {"x_adjustments": 1}, "adjustments", "x_adjustments", "The list of adjustments isn't valid"),
    (
        RECORD | {"x_adjustments": [ADJUSTED | {"side": -1}]},
        "adjustments",
        "x_adjustments",
        "The list of adjustments isn't valid",
    ),
    (
        RECORD | {"x_adjustments": [ADJUSTED | {"after": 1}]},
        "adjustment_after",
        "x_adjustments",
        "An adjustment follows a hand that isn't there",
    ),
    (RECORD | {"hands": [GOOD] * 9}, "game_over", None, "The game was over before this hand."),
]


@for_each(("record", "code", "field", "words"), RECORDS)
def test_a_record_that_cannot_be(record: Any, code: str, field: str | None, words: str) -> None:
    """An invalid record is refused with the right code, field and message.

    A record with a hand after the end of the game is refused with the index of that hand. The index is 7, because seven
    hands end the game. In all other cases of this test, the refusal has no index of a hand.
    """
    refusal = refusal_of(partial(read_record, record))
    assert refusal
    assert (refusal.code, refusal.field) == (code, field)
    assert refusal.hand == (7 if code == "game_over" else None)
    assert words in refusal.message


@pytest.mark.parametrize("final", [[1_000_000, 0], [0, -1_000_000]])
def test_the_highest_and_the_lowest_final_score_are_read(final: list[int]) -> None:
    """Final scores of a million points above or below zero are accepted."""
    assert read_record(FINAL | {"final": final}).final == tuple(final)


CHECKS: list[tuple[Any, str, str | None, str]] = [
    (partial(check_name, ""), "name_missing", "players", "Every seat needs a name."),
    (partial(check_name, LONG), "name_long", "players", "at most 40 characters"),
    (partial(check_name, "A\nB"), "name_characters", "players", "control characters"),
    (
        partial(check_adjustment, 0, "x"),
        "adjustment_points",
        "points",
        "Enter how many points to add or subtract, from 1 to 99",
    ),
    (
        partial(check_adjustment, 100, "x"),
        "adjustment_points",
        "points",
        "Enter how many points to add or subtract, from 1 to 99",
    ),
    (partial(check_adjustment, 1, " "), "adjustment_reason", "reason", "Enter a reason, so everyone can see it later"),
    (
        partial(check_adjustment, 1, "x" * 121),
        "adjustment_reason",
        "reason",
        "A reason can have at most 120 characters",
    ),
    (partial(check_adjustment, 1, "x\ny"), "adjustment_reason", "reason", "control characters"),
    (partial(check_side, SETBACK, 2, "winner"), "side", "winner", "This table doesn't have that side"),
    (partial(read_captured, [[1]]), "captured_shape", "captured", "a list of cards for each side"),
    (partial(read_sides, [[True]]), "sides", "sides", "lists of seats"),
    (partial(preset_named, 1), "preset_unknown", "preset", "Name a game by its key"),
    (partial(preset_named, "canasta"), "preset_unknown", "preset", "no game named “canasta”"),
    (partial(read_rules, []), "ruleset_shape", "ruleset", "The rules must name a game and the options that differ"),
    (partial(count_cards, FOUR, "H", [[], []]), "points_kind", "captured", "This game only counts each side's points"),
    (partial(count_cards, SETBACK, "CD", [[], []]), "trump_needed", "trump", "Choose trump to count the cards"),
    (partial(count_cards, SETBACK, "", [[], []]), "trump_needed", "trump", "Choose trump to count the cards"),
    (partial(check_bid, SETBACK, seat=0, dealer=3, bid=1), "bid_illegal", "bid", "Bids go from 2 to 4."),
]


@for_each(("check", "code", "field", "words"), CHECKS)
def test_a_value_that_cannot_be(check: Any, code: str, field: str | None, words: str) -> None:
    """An invalid name, adjustment, side, card or bid is refused with the right code, field and message."""
    refusal = refusal_of(check)
    assert refusal
    assert (refusal.code, refusal.field) == (code, field)
    assert words in refusal.message


def test_what_is_checked_and_right_is_given_back() -> None:
    """The checks of seats, sides, trumps and names return a valid value unchanged.

    Only the spaces around a name are removed.
    """
    assert [check_seat(SETBACK, seat, "dealer") for seat in (0, 3)] == [0, 3]
    assert [check_side(SETBACK, side, "side") for side in (0, 1)] == [0, 1]
    assert [check_trump(SETBACK, trump) for trump in ("C", "S", None)] == ["C", "S", None]
    assert check_name(" Ann ") == "Ann"


MATCH = table_of(dealer_privilege="match")
CALLS: list[tuple[Table, list[Any], int, str, str]] = [
    (SETBACK, [4, "pass"], 1, "call_after_close", "The bidding is already over."),
    (SETBACK, ["pass", "pass", "pass", "pass"], 3, "call_illegal", "the dealer must bid 2."),
    (SETBACK, [1], 0, "call_illegal", "Bids go from 2 to 4."),
    (SETBACK, ["pitch"], 0, "call_illegal", "You can't bid a pitch in this game."),
    (SETBACK, [[2]], 0, "call_illegal", "Bids go from 2 to 4."),
    (SETBACK, [3, 3], 1, "call_illegal", "A bid must be higher than 3."),
    (SETBACK, [3, "pass", "pass", 2], 3, "call_illegal", "A bid must be higher than 3."),
    (MATCH, [3, "pass", "pass", 2], 3, "call_illegal", "A bid must be higher than 3."),
    (table_of(forced_bid=3), ["pass"] * 3 + [2], 3, "call_illegal", "the dealer must bid at least 3."),
    (table_of("pitch-11"), ["pass"] * 3 + [3], 3, "call_illegal", "the dealer must bid exactly 2."),
    (
        table_of("pitch-11"),
        [2, "pass", "pass", 3],
        3,
        "call_illegal",
        "The dealer may pass or take the bid at 2, but not raise it",
    ),
    (table_of("pitch-11"), [3, 2], 1, "call_illegal", "A bid must be higher than 3."),
]


@for_each(("table", "calls", "at", "code", "words"), CALLS)
def test_a_call_that_cannot_be_heard(table: Table, calls: list[Any], at: int, code: str, words: str) -> None:
    """An illegal call is refused with its index, `at`, and with a message that says what the player may do instead."""
    refusal = refusal_of(partial(hear, table, table.players - 1, calls))
    assert refusal
    assert (refusal.code, refusal.call, refusal.field) == (code, at, None)
    assert words in refusal.message


OPTIONS: list[tuple[str, dict[str, Any], str, str, str]] = [
    ("setback-21", {"colour": 1}, "option_unknown", "colour", "no option named “colour”"),
    ("setback-21", {LONG: 1}, "option_unknown", LONG[:40], f"no option named “{LONG[:40]}”"),
    ("setback-21", {"low": "lost"}, "option_value", "low", "“low” must be captured or dealt."),
    ("setback-21", {"draw": 1}, "option_value", "draw", "“draw” must be yes or no."),
    ("setback-21", {"target": 0}, "option_value", "target", "“target” must be a whole number from 1 to 1000000."),
    ("setback-21", {"forced_bid": 29}, "option_value", "forced_bid", "a whole number from 0 to 28."),
    ("pitch-11", {"win_by": 2}, "option_unused", "win_by", "“win_by” can't be changed here: this way of winning"),
    ("setback-21", {"no_trump": True}, "option_unused", "no_trump", "“no_trump” can't be changed here: every hand"),
    ("pitch-11", {"dealer_privilege": "none", "dealer_may_match_max": True}, "", "", ""),
    (
        "setback-21",
        {"dealer_may_raise": False},
        "option_unused",
        "dealer_may_raise",
        "can't be changed here: a dealer who",
    ),
    (
        "setback-21",
        {"bid_max": 5},
        "option_combination",
        "bid_max",
        "only 4 points, so the highest bid allowed can't be 5.",
    ),
    ("setback-21", {"bid_min": 4, "bid_max": 3}, "option_combination", "bid_min", "4, is above the highest, 3."),
    ("bowers-12", {"bid_min": 6, "bid_max": None}, "option_combination", "bid_min", "6, is above the highest, 5."),
    ("setback-21", {"forced_bid": 1}, "option_combination", "forced_bid", "stuck with 1: bids go from 2 to 4."),
    ("somerset-66", {"bid_min": 5, "forced_bid": 4}, "option_combination", "forced_bid", "bids go from 5 to 28."),
    ("somerset-66", {"bid_max": 10, "forced_bid": 11}, "option_combination", "forced_bid", "bids go from 1 to 10."),
    ("setback-21", {"finish": "fixed_hands"}, "option_combination", "hands_limit", "Enter the number of hands."),
]


@for_each(("preset", "options", "code", "field", "words"), OPTIONS)
def test_house_rules_that_cannot_be(preset: str, options: dict[str, Any], code: str, field: str, words: str) -> None:
    """Invalid house rules are refused with the right code and message, and with the wrong option as the field.

    An option without effect is accepted with the preset's value.
    """
    refusal = refusal_of(partial(with_options, PRESETS[preset], options))
    assert (refusal.code if refusal else "", refusal.field if refusal else "") == (code, field)
    assert words in str(refusal)


TABLES: list[tuple[str, int, dict[str, Any], str, str]] = [
    ("setback-21", 8, {}, "players", "Setback is for 2 to 7 players, not 8."),
    ("setback-21", 3, {"max_sets": 3}, "max_sets", "A limit on sets only works with two sides"),
    ("setback-21", 3, {"game_tie": "defenders"}, "game_tie", "A tied Game can go to the defenders only with two sides"),
    ("somerset-66", 6, {"bid_max": 21}, "bid_max", "With 6 players, a hand has 20 points. These bids don't fit."),
]


@pytest.mark.parametrize(("preset", "players", "options", "field", "words"), TABLES, ids=lambda value: str(value)[:30])
def test_a_table_that_cannot_be(preset: str, players: int, options: dict[str, Any], field: str, words: str) -> None:
    """A table is refused for a wrong number of players, or for options that don't fit that number."""
    refusal = refusal_of(partial(set_table, with_options(PRESETS[preset], options), players))
    assert refusal
    assert refusal.field == field
    assert words in refusal.message


def game_of(*commands: c.Command) -> g.Game:
    game = replay([started(SETBACK, 3)])
    for command in commands:
        for event in c.decide(game, command):
            game = evolve(game, event)
    return game


ADJUST = c.AdjustScore(0, 1, "agreed")
ENTER = c.EnterHand(GOOD)
REPORT = c.ReportHand(2, Hand(3, 0, 2, (2, 2)), by=1)
OVER = evolve(game_of(), ev.ResultEntered((21, 14)))

COMMANDS: list[tuple[g.Game, c.Command, str, str | None, str]] = [
    (OVER, ENTER, "game_over", None, "The game is over."),
    (OVER, ADJUST, "final_fixed", None, "This game has only a final score, so you can't change it"),
    (
        OVER,
        c.ChangeRules(PRESETS["setback-21"]),
        "final_fixed",
        None,
        "This game has only a final score, so you can't change it",
    ),
    (game_of(c.TakeBid(0, 2)), c.MakeCall(2), "bid_open", None, "The bid is already entered."),
    (game_of(), c.TakeBackCall(), "no_call", None, "No bid to undo"),
    (game_of(), c.WithdrawBid(), "no_bid", None, "No bid to undo"),
    (
        game_of(),
        c.ChangeRules(PRESETS["pitch-11"]),
        "preset_fixed",
        None,
        "You can change the house rules, but not the game",
    ),
    (game_of(), c.TakeBid(9, 2), "seat", "bidder", "“bidder”"),
    (game_of(), c.TakeBid(0, 2, "X"), "trump", "trump", "Trump must be one of"),
    (game_of(), c.TakeBid(0, 9), "bid_illegal", "bid", "Bids go from 2 to 4."),
    (game_of(ENTER), c.EnterResult((21, 14)), "hands_and_final", "final", "This game has hands"),
    (game_of(c.TakeBid(0, 2)), c.EnterResult((21, 14)), "hands_and_final", "final", "This game has hands"),
    (OVER, c.EnterResult((21,)), "final", "final", "one whole number for each side"),
    (game_of(), c.AdjustScore(2, 1, "x"), "side", "side", "This table doesn't have that side"),
    (
        game_of(),
        c.AdjustScore(0, 0, "x"),
        "adjustment_points",
        "points",
        "Enter how many points to add or subtract, from 1 to 99",
    ),
    (game_of(), c.SetDealer(4), "seat", "dealer", "“dealer”"),
    (game_of(), c.ReplacePlayer(4, 1), "seat", "seat", "“seat”"),
    (game_of(), c.RenamePlayer(4, 1), "seat", "seat", "“seat”"),
    (game_of(), c.Concede(2), "side", "winner", "This table doesn't have that side"),
    (game_of(), c.Reopen(), "not_stopped", None, "This game wasn't ended early."),
    (game_of(), c.Undo(), "nothing_to_undo", None, "Nothing to undo"),
    (game_of(), c.Redo(), "nothing_to_redo", None, "Nothing to redo"),
    (game_of(ENTER), c.RestoreHand(2), "hand_live", None, "That hand already counts"),
    (game_of(ENTER, c.VoidHand(2)), c.VoidHand(2), "hand_voided", None, "That hand was already undone"),
    (game_of(ENTER), c.VoidHand(3), "hand_unknown", None, "That hand isn't in this game"),
    (game_of(ADJUST), c.CorrectHand(2, GOOD), "hand_unknown", None, "That hand isn't in this game"),
    (game_of(ADJUST), REPORT, "hand_unknown", None, "That hand isn't in this game"),
    (game_of(ENTER, c.VoidHand(2)), REPORT, "hand_voided", None, "That hand was already undone"),
    (game_of(ENTER), c.SettleReport(2, 3, "keep"), "report_settled", None, "That's already settled"),
    (game_of(ENTER, REPORT), c.SettleReport(2, 4, "keep"), "report_settled", None, "That's already settled"),
    (game_of(ENTER, REPORT), c.SettleReport(2, 3, "burn"), "settle", "how", "Choose which one is right"),
    (
        game_of(ENTER, REPORT, c.TakeBid(0, 2)),
        c.SettleReport(2, 3, "split"),
        "in_play",
        None,
        "A hand is in progress. Save it or undo its bid, then try again",
    ),
    (game_of(ENTER, REPORT, c.Abandon()), c.SettleReport(2, 3, "split"), "game_over", None, "The game is over."),
]


@for_each(("game", "command", "code", "field", "words"), COMMANDS)
def test_a_command_that_cannot_be(game: g.Game, command: c.Command, code: str, field: str | None, words: str) -> None:
    """A command that can't be carried out is refused with the right code, field and message.

    There is a case for each reason to refuse a command.
    """
    refusal = refusal_of(partial(c.decide, game, command))
    assert refusal
    assert (refusal.code, refusal.field) == (code, field)
    assert words in refusal.message


def test_a_seat_beyond_the_dealer_is_told_what_anybody_is_told() -> None:
    """If a player other than the dealer bids too low, the message says nothing about the dealer's right to match a bid.

    The dealer is in seat 0, and seat 2 makes the call that is too low.
    """
    refusal = refusal_of(partial(hear, table_of("pitch-11"), 0, [3, 2]))
    assert refusal
    assert refusal.message == "A bid must be higher than 3."


def test_a_refusal_keeps_what_it_knows_when_it_is_placed_in_a_hand() -> None:
    """When the number of a hand is added to a refusal, its code, message, call and field stay the same."""
    placed = RuleViolation("code", "Message.", call=2, field="calls").in_hand(5)
    found = (placed.code, placed.message, str(placed), placed.call, placed.hand, placed.field)
    assert found == ("code", "Message.", "Message.", 2, 5, "calls")
