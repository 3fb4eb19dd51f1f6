"""Games without bidding (RULES 8, `all-fours-14`): which points score, when counting stops, which hands are refused."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from scorekeeper.i18n.sentences import say, say_all, side_names
from scorekeeper.rules import commands as c
from scorekeeper.rules.bidding import legal_calls, open_auction
from scorekeeper.rules.explain import effects, needs, why_not_over, why_over
from scorekeeper.rules.final_score import judge_final
from scorekeeper.rules.game import Game
from scorekeeper.rules.hands import read_hand
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import write_record
from scorekeeper.rules.replay import advance, replay
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import Scored, Tally, add_hand, new_tally, score_hand
from scorekeeper.rules.table import Table, set_table
from tests.rules.refusals import code_of
from tests.rules.strategies import started

NAMES = ("Ann", "Bob", "Cid", "Dee")
ALL_FOUR = {"high": 0, "low": 0, "jack": 0, "game": 0}


def table_of(**options: Any) -> Table:
    return set_table(with_options(PRESETS["all-fours-14"], options), 4)


def at(table: Table, *totals: int) -> Tally:
    return new_tally(table)._replace(totals=totals)


def played(table: Table, before: Tally, data: dict[str, Any], dealer: int = 3) -> tuple[Tally, str]:
    """Return the tally after the hand `data`, and the messages about that hand as one text.

    `before` is the tally before the hand, and `dealer` is the seat of its dealer.
    """
    hand = read_hand(table, data, dealer=dealer)
    after, scored = add_hand(table, before, hand)
    assert score_hand(table, before, hand) == scored
    return after, say_all(effects(table, before, after, hand, scored), side_names(table.sides, NAMES))


def test_a_hand_says_who_scored_for_which_points() -> None:
    """The messages about a hand list each side's points: the turned-up card first, then the rest in counting order."""
    table = table_of()
    told = {"turned_up": "6C", "points": {"high": 0, "low": 1, "jack": 1, "game": None}, "jack_hung": True}
    after, said = played(table, at(table, 4, 0), told)
    assert after.totals == (5, 6)
    assert said == (
        "Bob and Dee score 6, from 0 to 6: turned-up card, Low, hung jack. Ann and Cid score 1, from 4 to 5: High."
    )


def test_a_hand_told_by_sums_only_says_how_much() -> None:
    table = table_of()
    after, said = played(table, at(table, 4, 0), {"taken": [3, 0], "turned_up": "A"})
    assert after.totals == (7, 1)
    assert said == "Bob and Dee score 1, from 0 to 1: turned-up card. Ann and Cid score 3, from 4 to 7."


def test_the_count_stops_at_the_target() -> None:
    """The count stops as soon as a side reaches the target.

    At 13 to 13, High is counted before Low, so the side with High wins and Low isn't counted.
    """
    table = table_of()
    before = at(table, 13, 13)
    after, said = played(table, before, {"points": {"high": 1, "low": 0, "jack": 0, "game": 0}})
    assert after.totals == (13, 14)
    assert said == "Bob and Dee score 1, from 13 to 14: High. The count stops at 14."
    assert after.outcome is not None
    over = why_over(table, after.outcome, before.totals, after, None)
    assert say(over, side_names(table.sides, NAMES)) == "Bob and Dee were the first to reach 14."


@pytest.mark.parametrize(
    ("taken", "totals", "winner"), [([1, 2], (13, 14), 1), ([2, 2], (14, 14), None), ([3, 2], (15, 14), 0)]
)
def test_sums_all_count_and_then_the_highest_wins(
    taken: list[int], totals: tuple[int, int], winner: int | None
) -> None:
    """If only each side's sum of points is known, all points count before a winner is looked for.

    The highest side wins if it has reached the target. In a tie, the game goes on.
    """
    table = table_of()
    hand = read_hand(table, {"taken": taken}, dealer=3)
    after, _ = add_hand(table, at(table, 12, 12), hand)
    assert after.totals == totals
    assert (after.outcome.winner if after.outcome else None) == winner
    assert after.outcome or why_not_over(table, after, hand)


def test_points_that_the_table_takes_away_count_before_the_hand() -> None:
    """Points that an adjustment takes away after a hand are subtracted before the hand's points are counted.

    Points that an adjustment gives after a hand are added after the hand's points.

    A hand's points are counted only until a side reaches the target. If points were subtracted only then, the game
    could go on although some of the hand's points weren't counted.
    """
    table = table_of()
    hand = read_hand(table, {"points": {"high": 0, "low": 1, "jack": None, "game": 0}}, dealer=3)
    after, scored = add_hand(table, at(table, 13, 13), hand, (-1, 0))
    assert (scored.delta, after.totals) == ((1, 1), (13, 14))
    assert after.outcome
    assert after.outcome.winner == 1
    after, scored = add_hand(table, at(table, 12, 5), hand, (0, 9))
    assert (scored.delta, after.totals) == ((2, 1), (14, 15)), "what it gives counts after it"
    assert after.outcome
    assert after.outcome.winner == 0


def test_what_a_side_needs() -> None:
    table = table_of()
    assert [[say(each, ()) for each in side] for side in needs(table, at(table, 9, 14))] == [
        ["5 to go."],
        ["Must take the lead to win."],
    ]


@pytest.mark.parametrize(
    ("options", "totals", "status"),
    [
        ({}, (14, 13), "decided"),
        ({}, (16, 13), "decided"),
        ({}, (15, 14), "question"),
        ({}, (14, 14), "question"),
        ({}, (17, 3), "question"),
        ({}, (13, 9), "question"),
        ({"hang_jack": 1, "turned_up_points": "jack", "target": 7}, (7, 6), "decided"),
        ({"hang_jack": 1, "turned_up_points": "none", "target": 7}, (8, 6), "question"),
        ({"hang_jack": 5}, (18, 6), "decided"),
    ],
)
def test_a_final_score(options: dict[str, Any], totals: tuple[int, int], status: str) -> None:
    """A final score is questioned if both sides have reached the target, or neither, or the winner's score is too high.

    The winner's score may be above the target, because the last point counted may be worth more than one.
    """
    assert judge_final(table_of(**options), totals).status == status


@pytest.mark.parametrize(
    ("hand", "code"),
    [
        ({"points": ALL_FOUR, "bidder": 0}, "no_bids"),
        ({"points": ALL_FOUR, "calls": []}, "no_bids"),
        ({"passed": True}, "no_bids"),
        ({"points": ALL_FOUR, "passed": False}, None),
        ({"points": ALL_FOUR, "jack_hung": 1}, "jack_hung"),
        ({"taken": [3, 1], "jack_hung": True}, "jack_hung"),
        ({"taken": [6, 0]}, None),
        ({"taken": [7, 0]}, "points_total"),
        ({"points": ALL_FOUR, "turned_up": "6C", "trump": "D"}, "trump"),
        ({"points": ALL_FOUR, "turned_up": "6", "trump": "D"}, None),
        ({"points": ALL_FOUR, "turned_up": "RJ"}, "turned_up"),
        ({"points": ALL_FOUR, "turned_up": 6}, "turned_up"),
        ({"points": ALL_FOUR, "turned_up": ""}, "turned_up"),
        ({"points": ALL_FOUR, "turned_up": "J"}, "jack_turned_up"),
        ({"captured": [["AC"], ["6C"]], "points": {"low": 1}, "turned_up": "6C"}, "card_twice"),
        ({"captured": [["AC"], ["7C"]], "points": {"low": 1}, "turned_up": "6C"}, None),
    ],
)
def test_what_a_hand_can_hold(hand: dict[str, Any], code: str | None) -> None:
    assert code_of(partial(read_hand, table_of(), hand, dealer=3)) == code


@pytest.mark.parametrize("field", [{"turned_up": "6C"}, {"jack_hung": True}])
def test_games_with_bidding_know_no_such_field(field: dict[str, Any]) -> None:
    table = set_table(PRESETS["setback-21"], 4)
    hand = {"bidder": 0, "bid": 2, "taken": [3, 1], **field}
    assert code_of(partial(read_hand, table, hand, dealer=3)) == "no_auction_field"


def after(game: Game, *commands: c.Command) -> Game:
    for command in commands:
        game = advance(game, c.decide(game, command))
    return game


def test_nobody_can_bid_or_call() -> None:
    table = table_of()
    game = replay([started(table)])
    assert table.bids == ()
    assert legal_calls(table, open_auction(table, 0)) == ()
    assert code_of(partial(c.decide, game, c.TakeBid(0, 2))) == "no_bids"
    assert code_of(partial(c.decide, game, c.MakeCall("pass"))) == "no_bids"


def test_a_correction_keeps_the_suit_of_the_turned_up_card() -> None:
    """If a correction gives only the rank of the turned-up card, the suit stays the same.

    The form of a correction asks only for the rank. A report from another phone agrees with the hand if the rank is the
    same.
    """
    table = table_of()
    game = after(replay([started(table)]), c.EnterHand({"turned_up": "6C", "points": ALL_FOUR}))
    seq = game.lines[0].entry.seq
    same = {"turned_up": "6", "points": ALL_FOUR}
    assert c.decide(game, c.CorrectHand(seq, same)) == ()
    other = read_hand(table, same, dealer=0)
    assert after(game, c.ReportHand(seq, other)).lines[0].entry.verified
    hung = read_hand(table, {**same, "jack_hung": True}, dealer=0)
    assert after(game, c.ReportHand(seq, hung)).lines[0].entry.disputes
    game = after(game, c.CorrectHand(seq, {"turned_up": "A", "points": ALL_FOUR, "jack_hung": True}))
    assert game.tally.totals == (7, 0)
    record = write_record(table, NAMES, 0, [line.entry.hand for line in game.hands])
    assert record["hands"] == [{"turned_up": "A", "points": ALL_FOUR, "jack_hung": True}]


def test_house_rules_change_what_is_counted_but_not_how_the_game_goes() -> None:
    """House rules may change what a point is worth, but can't add bidding to a game or remove bidding from a game.

    After the value of a point changes, hands that were entered by points are counted again.
    """
    table = table_of()
    game = after(replay([started(table)]), c.EnterHand({"turned_up": "2", "points": ALL_FOUR, "jack_hung": True}))
    assert game.lines[0].delta == Scored((6, 0), None).delta
    tobago = with_options(PRESETS["all-fours-14"], {"turned_up_points": {"A": 1, "2": 2, "J": 3}, "hang_jack": 1})
    assert after(game, c.ChangeRules(tobago)).tally.totals == (6, 0)
    for preset, options in (
        ("all-fours-14", {"auction": "once_around"}),
        ("all-fours-14", {"finish": "highest"}),
        ("setback-21", {"auction": "none"}),
        ("setback-21", {"finish": "count_out"}),
        ("setback-21", {"hang_jack": 3}),
    ):
        assert code_of(partial(with_options, PRESETS[preset], options)) == "option_unused", options
    wrong = {"turned_up_points": {"A": True, "6": 2, "J": 3}}
    assert code_of(partial(with_options, PRESETS["all-fours-14"], wrong)) == "option_value"
