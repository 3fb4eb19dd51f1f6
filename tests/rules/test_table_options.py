"""Games with options that real tables play (RULES 1 and 7): the totals, winner and messages, worked out by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scorekeeper.i18n.sentences import say_all, side_names
from scorekeeper.rules import commands as c
from scorekeeper.rules import events as ev
from scorekeeper.rules import explain
from scorekeeper.rules.cards import game_owner
from scorekeeper.rules.final_score import judge_final
from scorekeeper.rules.hands import read_hand
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import Record, read_record, write_record
from scorekeeper.rules.replay import replay
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import Hand, Outcome, Tally
from scorekeeper.rules.table import set_table, table_at
from tests.rules import judge
from tests.rules.refusals import refusal_of
from tests.rules.strategies import started

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve")


def record_of(preset: str, options: dict[str, Any], *hands: dict[str, Any], players: int = 4) -> Record:
    """Return the record of a game with these hands; the last player is the first dealer.

    The calling test fails if the judge finds other scores, or if the record changes when it is written and read again.
    """
    raw = {
        "format": "scorekeeper-game/1",
        "ruleset": {"preset": preset, "options": options},
        "players": list(NAMES[:players]),
        "first_dealer": players - 1,
        "hands": list(hands),
    }
    record = read_record(json.loads(json.dumps(raw)))
    ruling = judge.rule_record(raw, record)
    assert [list(totals) for totals in record.totals] == ruling.totals
    assert [scored.made for scored in record.scored] == ruling.made
    outcome = record.tally.outcome
    assert (outcome is not None, outcome.winner if outcome else None) == (ruling.over, ruling.winner)
    written = write_record(record.table, record.names, record.first_dealer, record.hands, extra=record.extra)
    assert written["hands"] == list(hands)
    assert read_record(json.loads(json.dumps(written))) == record
    return record


def said(record: Record) -> str:
    """Return the messages about the last hand of a record as one string."""
    table = record.table
    start = (0,) * len(table.sides)
    before = record.tally._replace(totals=record.totals[-2] if len(record.totals) > 1 else start)
    messages = explain.effects(table, before, record.tally, record.hands[-1], record.scored[-1])
    return say_all(messages, side_names(table.sides, NAMES))


# Only the bid counts when it is made.


@pytest.mark.parametrize(
    ("preset", "bid", "taken", "totals", "sentences"),
    [
        (
            *("setback-21", 2, [3, 1], (2, 1)),
            "Made it! Ann and Cid score 2, from 0 to 2. They took 3, but only the bid counts. "
            "Bob and Dee score 1, from 0 to 1.",
        ),
        (
            "setback-21",
            3,
            [3, 1],
            (3, 1),
            "Made it! Ann and Cid score 3, from 0 to 3. Bob and Dee score 1, from 0 to 1.",
        ),
        ("setback-21", 3, [2, 2], (-3, 2), None),
        ("somerset-66", 14, [20, 4], (14, 4), None),
        ("somerset-66", 14, [12, 12], (-4, 12), None),
    ],
)
def test_only_the_bid_counts(
    preset: str, bid: int, taken: list[int], totals: tuple[int, int], sentences: str | None
) -> None:
    record = record_of(preset, {"made_scores": "bid"}, {"bidder": 0, "bid": bid, "taken": taken})
    assert record.totals == (totals,)
    assert sentences is None or said(record) == sentences


def test_only_the_bid_counts_for_a_called_partner_too() -> None:
    hand = {"bidder": 1, "bid": 5, "partner": 3, "taken": [8, 2]}
    record = record_of("call-partner-pitch", {"made_scores": "bid"}, hand, players=5)
    assert record.totals == ((2, 5, 2, 5, 2),)


def test_a_moon_is_worth_more_than_its_points() -> None:
    """Even under house rules by which a made bid scores only its amount, a moon that is made wins the game.

    Under the same house rules, a side below zero that makes a pitch scores all the points of the hand.
    """
    moon = {"bidder": 0, "bid": "moon", "taken": [10, 0]}
    assert record_of("ten-point-52", {"made_scores": "bid"}, moon).totals == ((52, 0),)
    set_first = {"bidder": 0, "bid": 2, "taken": [0, 2]}
    pitch = {"bidder": 0, "bid": "pitch", "taken": [4, 0]}
    record = record_of("setback-7-pitch", {"made_scores": "bid"}, set_first, pitch, players=2)
    assert record.totals[-1] == (2, 2)


# Defenders score nothing.


@pytest.mark.parametrize(
    ("preset", "hand", "totals", "sentences"),
    [
        (
            *("setback-21", {"bidder": 0, "bid": 2, "taken": [3, 1]}, (3, 0)),
            "Made it! Ann and Cid score 3, from 0 to 3. Defenders score nothing.",
        ),
        (
            *("setback-21", {"bidder": 1, "bid": 3, "taken": [2, 2]}, (0, -3)),
            "Set! Bob and Dee lose 3, from 0 to −3. Defenders score nothing.",
        ),
        ("pitch-11", {"bidder": 1, "bid": 4, "taken": [0, 4]}, (0, 4), "Made it! Bob and Dee score 4, from 0 to 4."),
    ],
)
def test_defenders_score_nothing(preset: str, hand: dict[str, Any], totals: tuple[int, int], sentences: str) -> None:
    record = record_of(preset, {"defenders_score": False}, hand)
    assert record.totals == (totals,)
    assert said(record) == sentences


def test_a_called_partner_is_no_defender() -> None:
    hand = {"bidder": 1, "bid": 5, "partner": 3, "taken": [8, 2]}
    record = record_of("call-partner-pitch", {"defenders_score": False}, hand, players=5)
    assert record.totals == ((0, 8, 0, 8, 0),)
    assert said(record) == "Made it! Bob and Dee score 8 each. Defenders score nothing."


def test_nobody_else_arrives_where_defenders_score_nothing() -> None:
    """If defenders score nothing, a side is told only how many points it needs to win.

    It needs no lead or bid, because no other side can reach the target in the same hand. For the same
    reason, the app asks whether a final score with two sides at the target is right.
    """
    rules = with_options(PRESETS["pitch-11"], {"defenders_score": False})
    table = set_table(rules, 4)
    tally = Tally((9, 9), (0, 0))
    assert [each[0].key for each in explain.needs(table, tally)] == ["need.points"] * 2
    assert judge_final(table, (11, 9)).winner == 0
    assert judge_final(table, (11, 11)).status == "question"


# A tie for Game goes to the dealer's side.

TIED = [["AS", "QH"], ["2S", "KH", "KD"]]
"""Captured cards of two sides with six card points each; side 0 has High and side 1 has Low."""


@pytest.mark.parametrize(("first_dealer", "owner"), [(0, 0), (1, 1), (2, 0), (3, 1)])
def test_a_tied_game_goes_to_the_dealers_side(first_dealer: int, owner: int) -> None:
    """If the option `game_tie` is "dealer", a tie for the point Game goes to the dealer's side, no matter who bid."""
    hand = {"dealer": first_dealer, "bidder": 1, "bid": 2, "trump": "S", "captured": TIED}
    table = set_table(with_options(PRESETS["setback-21"], {"game_tie": "dealer"}), 4)
    assert (read_hand(table, hand, dealer=0).points or {})["game"] == owner
    assert read_hand(table, hand, dealer=0).taken == ((2, 1) if owner == 0 else (1, 2))


def test_a_dealer_who_is_not_in_the_tie_gets_nothing() -> None:
    table = set_table(with_options(PRESETS["setback-21"], {"game_tie": "dealer"}), 3)
    assert game_owner(table, (6, 6, 2), bidding_side=0, dealer=2) is None
    assert game_owner(table, (6, 6, 2), bidding_side=0, dealer=1) == 1
    assert game_owner(table, (6, 6, 2), bidding_side=0) is None


def test_a_called_partner_leaves_no_dealers_side() -> None:
    seven = with_options(PRESETS["seven-point"], {"game_tie": "dealer"})
    assert not set_table(seven, 4).called
    refusal = refusal_of(lambda: table_at(seven, Seating(5, "called")))
    assert refusal
    assert str(refusal) == "A tied Game can't go to the dealer's side where the bidder calls a partner."


# A score that is too low loses.


def test_a_score_at_the_limit_loses() -> None:
    """A side whose score falls to minus `lose_at_minus` or lower loses, even if the other side is far from the target.

    Here the limit is −11. After a third lost bid of 3, the score is −9 and the game goes on. After the fourth, the
    score is −12 and the game is over.
    """
    lost = {"bidder": 1, "bid": 3, "taken": [2, 2]}
    record = record_of("setback-21", {"lose_at_minus": 11}, lost, lost, lost, lost)
    assert record.totals[2:] == ((6, -9), (8, -12))
    assert record.tally.outcome == Outcome(0, "lose_at")


@pytest.mark.parametrize(("last", "winner"), [([2, 0, 1], 0), ([1, 0, 2], 2), ([2, 0, 2], None)])
def test_of_several_others_the_highest_wins(last: list[int], winner: int | None) -> None:
    """If one of three sides loses by too low a score, the side with the higher of the other two scores wins.

    If the other two sides are tied, nobody wins. The tie isn't broken by one more hand, because that would give the
    losing side another chance.
    """
    record = record_of("setback-7", {"lose_at_minus": 4}, {"bidder": 1, "bid": 4, "taken": last}, players=3)
    assert record.totals == ((last[0], -4, last[2]),)
    assert record.tally.outcome == Outcome(winner, "lose_at")


def test_who_reaches_the_target_in_that_hand_has_won_by_it() -> None:
    """A side that reaches the target in the same hand in which another side falls too low wins by its points."""
    lost = {"bidder": 1, "bid": 4, "taken": [3, 0]}
    record = record_of("setback-7", {"lose_at_minus": 4, "target": 2}, lost, players=2)
    assert record.tally.outcome == Outcome(0, "most")


def test_bidder_and_called_partner_both_lose() -> None:
    hand = {"bidder": 1, "bid": 8, "partner": 3, "taken": [7, 3]}
    record = record_of("call-partner-pitch", {"lose_at_minus": 8}, hand, players=5)
    assert record.totals == ((3, -8, 3, -8, 3),)
    assert record.tally.outcome == Outcome(None, "lose_at")


def test_a_limit_needs_scores_below_zero() -> None:
    refusal = refusal_of(lambda: with_options(PRESETS["pitch-11"], {"negative": "floor_zero", "lose_at_minus": 11}))
    assert refusal
    assert refusal.field == "lose_at_minus"


def test_a_final_score_at_the_limit_names_how_it_ended() -> None:
    """If a side's final score is low enough to lose, the highest of the other sides won, or nobody after a tie.

    A record may state the winner and how the game ended. The message then says how the game ended.
    """
    final = {
        "format": "scorekeeper-game/1",
        "ruleset": {"preset": "setback-7", "options": {"lose_at_minus": 7}},
        "players": ["Ann", "Bob", "Cid"],
        "first_dealer": 0,
    }
    assert read_record(final | {"final": [4, -8, 3]}).tally.outcome == Outcome(0, "final")
    told = final | {"final": [4, -8, 3], "winner": 0, "ended_by": "lose_at"}
    record = read_record(told)
    assert record.tally.outcome == Outcome(0, "final.lose_at")
    message = explain.why_over(record.table, record.tally.outcome, (0, 0, 0), record.tally, None)
    sides = side_names(record.table.sides, NAMES)
    assert say_all((message,), sides) == "Final score entered: 4, −8 and 3. Ann won because −7 or lower loses."
    tied = read_record(final | {"final": [4, -8, 4], "winner": None, "ended_by": "lose_at"})
    assert tied.tally.outcome == Outcome(None, "final.lose_at")
    message = explain.why_over(tied.table, tied.tally.outcome, (0, 0, 0), tied.tally, None)
    assert "nobody else was alone in the lead" in say_all((message,), sides)
    assert judge_final(tied.table, (4, -8, 4)).why == "Nobody won: the sides that are left are tied."


# The bidder goes out first, and wins by 2.


@pytest.mark.parametrize(
    ("bidder", "taken", "totals", "outcome"),
    [
        (0, [4, 0], (8, 4), Outcome(0, "bidder_first")),
        (0, [3, 1], (7, 5), Outcome(0, "bidder_first")),
        (0, [3, 0], (7, 4), Outcome(0, "bidder_first")),
        (1, [3, 1], (7, 1), Outcome(0, "most")),
    ],
)
def test_the_bidder_goes_out_with_a_lead(
    bidder: int, taken: list[int], totals: tuple[int, int], outcome: Outcome | None
) -> None:
    """With the option `bidder_lead` at 2, a bidder at the target wins only with a lead of 2.

    The game is to 7, and the score is 4 to 4 before the last hand.
    """
    start = [{"bidder": 0, "bid": 2, "taken": [2, 2]}, {"bidder": 1, "bid": 2, "taken": [2, 2]}]
    last = {"bidder": bidder, "bid": 3, "taken": taken}
    record = record_of("setback-7", {"bidder_lead": 2}, *start, last, players=2)
    assert record.totals[-1] == totals
    assert record.tally.outcome == outcome


def test_a_bidder_without_the_lead_keeps_everyone_from_winning() -> None:
    """If the bidder makes the bid and reaches the target without the lead that is needed, nobody wins.

    This holds even if another side is ahead. Here Ann makes bids that bring the score to 7 to 8 and then to 8 to 11,
    and the game goes on. Then Bob makes a bid and wins.
    """
    hands = [
        {"bidder": 0, "bid": 2, "taken": [2, 2]},
        {"bidder": 0, "bid": 2, "taken": [2, 2]},
        {"bidder": 0, "bid": 2, "taken": [2, 2]},
        {"bidder": 0, "bid": 1, "taken": [1, 2]},
        {"bidder": 0, "bid": 1, "taken": [1, 3]},
    ]
    record = record_of("setback-7", {"bidder_lead": 2}, *hands, players=2)
    assert record.totals[-2:] == ((7, 8), (8, 11))
    assert record.tally.outcome is None
    over = record_of("setback-7", {"bidder_lead": 2}, *hands, {"bidder": 1, "bid": 1, "taken": [1, 1]}, players=2)
    assert over.tally.outcome == Outcome(1, "bidder_first")


# A bid of 0.


def test_a_bid_of_0_is_always_made() -> None:
    """A bid of 0 is always made: a bidder without points loses nothing, and a bidder with points scores them."""
    options = {"bid_min": 0, "forced_bid": 0}
    nothing = {"calls": ["pass", "pass", "pass", 0], "bidder": 3, "bid": 0, "taken": [4, 0]}
    record = record_of("setback-21", options, nothing, {"bidder": 0, "bid": 0, "taken": [1, 3]})
    assert record.totals == ((4, 0), (5, 3))
    assert [scored.made for scored in record.scored] == [True, True]
    assert said(record) == "Made it! Ann and Cid score 1, from 4 to 5. Bob and Dee score 3, from 0 to 3."


def test_a_bid_of_0_can_win_the_game() -> None:
    """With the finish "bidder_first", a bidder with a bid of 0 wins by taking enough points to reach the target."""
    hands = [{"bidder": 0, "bid": 4, "taken": [4, 0]}, {"bidder": 0, "bid": 0, "taken": [3, 1]}]
    record = record_of("setback-7", {"bid_min": 0}, *hands, players=2)
    assert record.tally.outcome == Outcome(0, "bidder_first")


def test_0_is_no_bid_elsewhere() -> None:
    refusal = refusal_of(lambda: record_of("setback-21", {}, {"bidder": 0, "bid": 0, "taken": [1, 3]}))
    assert refusal
    assert (refusal.code, refusal.field) == ("bid_illegal", "bid")


# A dealer who is stuck gives up the hand.

GAVE_UP = {"bidder": 3, "bid": 2, "taken": [0, 0], "conceded": True}


def test_a_forced_bid_can_be_given_up_unplayed() -> None:
    """A dealer with a forced bid may give up the hand without playing.

    The dealer's side loses the bid, and no other side scores. The hand counts as a set, and the next player deals.
    """
    limit = {"forced_concede": True, "max_sets": 2}
    played = {"bidder": 0, "bid": 2, "taken": [3, 1]}
    record = record_of("setback-21", limit, GAVE_UP, played)
    assert record.totals == ((0, -2), (3, -1))
    assert [hand.dealer for hand in record.hands] == [3, 0]
    assert record.tally.sets == (0, 1)
    again = {"dealer": 1, "bidder": 1, "bid": 2, "taken": [0, 0], "conceded": True}
    over = record_of("setback-21", limit, GAVE_UP, again)
    assert said(over) == "Bob and Dee give up the hand and lose 2, from −2 to −4."
    assert over.tally.outcome == Outcome(0, "max_sets")


def test_the_calls_may_stand_beside_it() -> None:
    calls = {"calls": ["pass", "pass", "pass", 2]}
    assert record_of("pitch-11", {"forced_concede": True}, calls | GAVE_UP).totals == ((0, -2),)


def test_a_dealer_who_gives_up_has_no_called_partner() -> None:
    hand = {"bidder": 4, "bid": 4, "partner": None, "taken": [0, 0], "conceded": True}
    record = record_of("call-partner-pitch", {"forced_concede": True}, hand, players=5)
    assert record.totals == ((0, 0, 0, 0, -4),)


@pytest.mark.parametrize(
    ("options", "change", "field"),
    [
        ({}, {}, "conceded"),
        ({"forced_concede": True}, {"bidder": 0}, "conceded"),
        ({"forced_concede": True}, {"bid": 3}, "conceded"),
        ({"forced_concede": True}, {"conceded": 1}, "conceded"),
        ({"forced_concede": True}, {"taken": [1, 1]}, "taken"),
        ({"forced_concede": True}, {"points": {}}, "taken"),
        ({"forced_concede": True}, {"conceded": False}, "taken"),
    ],
)
def test_nobody_else_gives_up(options: dict[str, Any], change: dict[str, Any], field: str) -> None:
    refusal = refusal_of(lambda: record_of("setback-21", options, GAVE_UP | change))
    assert refusal
    assert refusal.field == field


def test_a_dealer_who_is_never_stuck_cannot_give_up() -> None:
    refusal = refusal_of(lambda: with_options(PRESETS["setback-7"], {"forced_concede": True}))
    assert refusal
    assert refusal.field == "forced_concede"


@pytest.mark.parametrize(
    ("preset", "players", "hand"),
    [
        ("setback-21", 4, Hand(0, 0, 2, (0, 0), conceded=True)),
        ("call-partner-pitch", 5, Hand(0, 0, 4, (0, 0), conceded=True)),
    ],
)
def test_the_dealer_need_not_be_named_to_give_up(preset: str, players: int, hand: Hand) -> None:
    """To give up a hand, only the field "conceded" is needed; the app fills in the dealer and the bid."""
    game = replay([started(set_table(with_options(PRESETS[preset], {"forced_concede": True}), players))])
    (event,) = c.decide(game, c.EnterHand({"conceded": True}))
    assert event == ev.HandScored(hand)


# A revoke costs the bid.


@pytest.mark.parametrize(
    ("hand", "totals", "made", "sentences"),
    [
        (
            *({"bidder": 0, "bid": 2, "taken": [3, 1], "revoked": 2}, (-2, 1), False),
            "Set! Ann and Cid lose 2, from 0 to −2. Ann and Cid reneged, which costs the bid. "
            "Bob and Dee score 1, from 0 to 1.",
        ),
        (
            *({"bidder": 0, "bid": 3, "taken": [1, 3], "revoked": 1}, (1, -3), True),
            "Made it! Ann and Cid score 1, from 0 to 1. Bob and Dee reneged, which costs the bid. "
            "Bob and Dee lose 3, from 0 to −3.",
        ),
        ({"bidder": 0, "bid": 3, "taken": [4, 0], "revoked": 3}, (4, -3), True, None),
    ],
)
def test_a_revoke_costs_the_bid(
    hand: dict[str, Any], totals: tuple[int, int], made: bool, sentences: str | None
) -> None:
    """A side that revokes loses the amount of the bid, and if a defender revokes, the bidder makes the bid.

    Britannica says: "the pitcher cannot be penalized for failure to fulfil contract when another player revokes".
    """
    record = record_of("setback-21", {"revoke_costs_bid": True}, hand)
    assert record.totals == (totals,)
    assert record.scored[0].made is made
    assert sentences is None or said(record) == sentences


def test_a_revoke_against_a_called_partner() -> None:
    """With a called partner, a defender who revokes loses the bid, and the other defenders score.

    If the called partner revokes, the bidder and the partner are both set.
    """
    hand = {"bidder": 1, "bid": 5, "partner": 3, "taken": [4, 6]}
    defender = record_of("call-partner-pitch", {"revoke_costs_bid": True}, hand | {"revoked": 0}, players=5)
    assert defender.totals == ((-5, 4, 6, 4, 6),)
    assert "Ann lose" in said(defender) or "Ann loses 5, from 0 to −5." in said(defender)
    partner = record_of("call-partner-pitch", {"revoke_costs_bid": True}, hand | {"revoked": 3}, players=5)
    assert partner.totals == ((6, -5, 6, -5, 6),)


def test_only_a_bidder_who_revoked_is_set_by_it() -> None:
    """A revoke by the bidder counts as a set, and a revoke by a defender doesn't.

    With the option `floor_zero`, the score of a defender who revokes doesn't fall below zero.
    """
    options = {"revoke_costs_bid": True, "max_sets": 1, "negative": "floor_zero"}
    hand = {"bidder": 0, "bid": 2, "taken": [1, 3]}
    assert record_of("setback-21", options, hand | {"revoked": 1}).totals == ((1, 0),)
    assert record_of("setback-21", options, hand | {"revoked": 0}).tally.outcome == Outcome(1, "max_sets")


@pytest.mark.parametrize(
    ("options", "change", "code"),
    [
        ({}, {"revoked": 1}, "revoked"),
        ({"revoke_costs_bid": True}, {"revoked": 4}, "seat"),
        ({"revoke_costs_bid": True, "forced_concede": True}, {"revoked": 1, **GAVE_UP}, "conceded"),
    ],
)
def test_a_revoke_is_a_players(options: dict[str, Any], change: dict[str, Any], code: str) -> None:
    refusal = refusal_of(lambda: record_of("setback-21", options, {"bidder": 0, "bid": 2, "taken": [3, 1]} | change))
    assert refusal
    assert refusal.code == code


def test_a_final_score_may_come_from_a_revoke() -> None:
    """If revokes cost the bid, a final score can have two possible winners, so the app asks who won.

    The side with the lower score may have won by a bid that it made only because another player revoked.
    """
    table = set_table(with_options(PRESETS["pitch-11"], {"revoke_costs_bid": True, "special_bid": "pitch"}), 4)
    assert judge_final(table, (11, 13)).candidates == (0, 1)
