"""For questions that the source texts leave open, the engine and the judge (a second implementation) agree."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from scorekeeper.rules import commands as c
from scorekeeper.rules import events as ev
from scorekeeper.rules.bidding import allowed_bids, hear, hear_call, legal_calls
from scorekeeper.rules.cards import count_cards, game_owner
from scorekeeper.rules.explain import effects
from scorekeeper.rules.hands import read_hand, write_hand
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import evolve, replay
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import Tally, add_hand, new_tally, score_hand
from scorekeeper.rules.table import Table, set_table
from tests.rules import judge
from tests.rules.refusals import code_of, refusal_of


def table_of(preset: str, players: int = 4, **options: Any) -> Table:
    return set_table(with_options(PRESETS[preset], options), players)


# A dealer who has to bid.


@pytest.mark.parametrize(
    ("preset", "options", "may"),
    [
        ("setback-21", {}, (2, 3, 4)),
        ("setback-21", {"forced_bid_exact": True}, (2,)),
        ("setback-21", {"forced_bid_exact": False}, (2, 3, 4)),
        ("pitch-11", {}, (2,)),
        ("pitch-11", {"forced_bid_exact": True}, (2,)),
        ("pitch-11", {"forced_bid_exact": False}, (2, 3, 4)),
        ("ten-point-52", {"forced_bid_exact": True}, (4,)),
    ],
)
def test_a_stuck_dealer_bids_exactly_that_or_may_bid_more(
    preset: str, options: dict[str, Any], may: tuple[int, ...]
) -> None:
    """If all others passed, the option `forced_bid_exact` decides whether the dealer may bid more than the forced bid.

    If that option isn't set, the dealer may bid more only in games in which dealers may raise. The judge allows the
    same bids as the engine.
    """
    table = table_of(preset, **options)
    passed = hear(table, 3, ["pass"] * 3)
    assert legal_calls(table, passed) == (may if preset != "ten-point-52" else (4,))
    said = judge.BOOK[preset] | options
    for bid in table.bids:
        ruling = judge.bidding(said, table.most, 4, 3, ["pass", "pass", "pass", bid])
        assert (ruling.illegal_at is None) == (bid in may)
        refusal = refusal_of(partial(hear_call, table, passed, bid))
        assert (refusal is None) == (bid in may)
        if refusal is not None:
            assert refusal.message == f"Everyone else passed, so the dealer must bid exactly {may[0]}."


def test_a_dealer_who_only_matches_can_win_with_more_where_stuck_is_free() -> None:
    """In Pitch, if all others passed and the dealer's forced bid isn't exact, the dealer may bid up to 4.

    This is true even if house rules forbid the dealer to match another player's bid of 4. If the forced bid is exact,
    the dealer may bid only that amount when all others passed.
    """
    assert allowed_bids(table_of("pitch-11", dealer_may_match_max=False), 3, 3) == (2, 3)
    assert allowed_bids(table_of("pitch-11", dealer_may_match_max=False, forced_bid_exact=False), 3, 3) == (2, 3, 4)


def test_nobody_is_stuck_where_the_hand_is_thrown_in() -> None:
    assert code_of(lambda: with_options(PRESETS["bowers-12"], {"forced_bid_exact": True})) == "option_unused"


# Game, tied at nothing.


@pytest.mark.parametrize(
    ("tie", "minimum", "owner"),
    [("nobody", 0, None), ("bidder", 0, 0), ("defenders", 0, 1), ("bidder", 41, None), ("defenders", 1, None)],
)
def test_a_tie_at_no_card_points_is_a_tie(tie: str, minimum: int, owner: int | None) -> None:
    """If no side captured a card with card points, the point Game is decided as in any other tie.

    If the rules require a minimum of card points for Game, nobody gets the point in such a hand.
    """
    table = table_of("setback-21", game_tie=tie, game_minimum=minimum)
    assert game_owner(table, (0, 0), bidding_side=0) == owner
    piles = [["2H", "3H"], ["4H"]]
    assert count_cards(table, "H", piles, bidding_side=0).points["game"] == owner
    options = judge.BOOK["setback-21"] | {"game_tie": tie, "game_minimum": minimum}
    assert judge.owners("setback-21", options, "H", piles, 0)["game"] == owner


# A pitch promises the points of the hand.


@pytest.mark.parametrize(
    ("preset", "test", "points"),
    [
        (preset, test, points)
        for preset, points in (("bowers-12", 5), ("ten-point-52", 10), ("smear-52", 10))
        for test in ("points", "tricks", "tricks_all")
    ],
)
def test_a_pitch_scores_and_costs_the_points_of_the_hand(preset: str, test: str, points: int) -> None:
    """A pitch that is made scores all points of the hand, and a failed pitch costs the same number of points.

    A hand has 5 points in Setback with bowers and 10 in Ten-point Pitch. The result is the same whether a pitch is
    tested by points or by tricks.
    """
    table = table_of(preset, special_bid="pitch", pitch_test=test)
    everything = {"bidder": 0, "bid": "pitch", "taken": [points, 0]} | ({} if test == "points" else {"tricks": 6})
    hand = read_hand(table, everything, dealer=3)
    assert score_hand(table, Tally((-3, 0), (0, 0)), hand).delta == (points, 0)
    less = everything | {"taken": [0, points], "tricks": 3}
    assert score_hand(table, Tally((3, 0), (0, 0)), read_hand(table, less, dealer=3)).delta == (-points, points)


def test_four_tricks_are_enough_only_where_four_are_promised() -> None:
    """A bid of "pitch" is made with four tricks only if the option `pitch_test` is "tricks".

    Source text 002 says: "This promises four tricks".
    """
    hand = {"bidder": 0, "bid": "pitch", "taken": [1, 3], "tricks": 4}
    for test, made in (("points", False), ("tricks", True), ("tricks_all", False)):
        table = table_of("setback-7-pitch", 2, pitch_test=test)
        tally, scored = add_hand(table, new_tally(table), read_hand(table, hand, dealer=1))
        assert scored.made is made
        assert (tally.outcome is not None) is made


@pytest.mark.parametrize(("tricks", "made"), [(6, False), (8, False), (9, True)])
def test_all_the_tricks_of_a_nine_card_game_are_nine(tricks: int, made: bool) -> None:
    rules = replace(PRESETS["setback-21"], cards_each=9, special_bid="pitch", pitch_test="tricks_all")
    table = set_table(rules, 4)
    hand = read_hand(table, {"bidder": 0, "bid": "pitch", "taken": [2, 2], "tricks": tricks}, dealer=3)
    assert score_hand(table, new_tally(table), hand).made is made


# Bowers: nobody reached 41.


def test_a_hand_says_that_nobody_reached_41() -> None:
    table = table_of("bowers-12")
    for owner, told in ((None, True), (1, False)):
        points = {"high": 0, "low": 0, "right": None, "left": None, "game": owner}
        hand = read_hand(table, {"bidder": 0, "bid": 1, "points": points}, dealer=3)
        before = new_tally(table)
        after, scored = add_hand(table, before, hand)
        keys = [message.key for message in effects(table, before, after, hand, scored)]
        assert ("hand.no_game" in keys) is told


# Some'R'Set by its parts.


def test_tricks_and_red_cards_add_up_to_the_points_of_a_side() -> None:
    """A side's points in Some'R'Set are its number of tricks plus the value of its red cards.

    Source text 004 says about three tricks and a card worth 3: "Your total number of points is 6".
    """
    table = table_of("somerset-66")
    hand = read_hand(table, {"bidder": 0, "bid": 6, "side_tricks": [3, 9], "side_red": [3, 9]}, dealer=3)
    assert hand.taken == (6, 18)
    assert write_hand(table, hand, dealer=3) == {
        "bidder": 0,
        "bid": 6,
        "side_tricks": [3, 9],
        "side_red": [3, 9],
    }
    assert ev.decode(*_stored(ev.HandScored(hand))) == ev.HandScored(hand)


def _stored(event: ev.Event) -> tuple[str, int, dict[str, Any]]:
    kind, data = ev.encode(event)
    return kind, ev.VERSION, data


def test_a_called_partner_counts_with_the_bidder() -> None:
    table = table_of("somerset-66", 5)
    told = {"bidder": 0, "bid": 9, "partner": 2, "side_tricks": [6, 4], "side_red": [10, 2]}
    assert read_hand(table, told, dealer=4).taken == (16, 6)


@pytest.mark.parametrize(
    ("more", "code", "field"),
    [
        ({"side_tricks": [3, 8], "side_red": [3, 9]}, "parts_total", "side_tricks"),
        ({"side_tricks": [3, 9], "side_red": [3, 8]}, "parts_total", "side_red"),
        ({"side_tricks": [12, 0], "side_red": [9, 3]}, "parts_total", "side_red"),
        ({"side_tricks": [3, 9]}, "points_shape", "side_red"),
        ({"side_red": [3, 9]}, "points_shape", "side_tricks"),
        ({"side_tricks": [3, 9, 0], "side_red": [3, 9]}, "points_shape", "side_tricks"),
        ({"side_tricks": [-1, 13], "side_red": [3, 9]}, "points_total", "side_tricks"),
        ({"side_tricks": [3, 9], "side_red": [3, 9], "taken": [6, 18]}, "points_twice", "taken"),
    ],
)
def test_parts_that_do_not_fit_are_refused(more: dict[str, Any], code: str, field: str) -> None:
    table = table_of("somerset-66")
    refusal = refusal_of(lambda: read_hand(table, {"bidder": 0, "bid": 6} | more, dealer=3))
    assert refusal is not None
    assert (refusal.code, refusal.field) == (code, field)


def test_no_other_game_has_such_parts() -> None:
    told = {"bidder": 0, "bid": 2, "side_tricks": [3, 3], "side_red": [6, 6]}
    assert code_of(lambda: read_hand(table_of("setback-21"), told, dealer=3)) == "parts_kind"


def test_a_correction_keeps_the_parts_of_a_hand_whose_points_stay() -> None:
    game = replay([ev.GameStarted(PRESETS["somerset-66"], (1, 2, 3, 4), ((0, 2), (1, 3)), 3)])
    data = {"bidder": 0, "bid": 6, "side_tricks": [3, 9], "side_red": [3, 9]}
    for event in c.decide(game, c.EnterHand(data)):
        game = evolve(game, event)
    seq = game.entries[0].seq
    (kept,) = c.decide(game, c.CorrectHand(seq, {"bidder": 0, "bid": 5, "taken": [6, 18]}))
    assert isinstance(kept, ev.HandCorrected)
    assert (kept.hand.side_tricks, kept.hand.side_red) == ((3, 9), (3, 9))
    (changed,) = c.decide(game, c.CorrectHand(seq, {"bidder": 0, "bid": 6, "taken": [7, 17]}))
    assert isinstance(changed, ev.HandCorrected)
    assert changed.hand.side_tricks is None
    assert game.tally == Tally((6, 18), (0, 0), 1)
