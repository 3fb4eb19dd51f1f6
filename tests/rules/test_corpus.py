"""Compare the library and the judge, a second implementation of the rules, with the worked cases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scorekeeper.rules.bidding import hear
from scorekeeper.rules.cards import count_cards
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.record import Record, read_record, read_rules
from scorekeeper.rules.table import Table, set_table
from tests.rules import judge
from tests.rules.corpus_cases import cases
from tests.support.each import Test, for_each

Case = dict[str, Any]
CASES = cases()


def _record(record: Record) -> Case:
    outcome = record.tally.outcome
    return {
        "totals": [list(totals) for totals in record.totals],
        "hands": [{"delta": list(scored.delta), "made": scored.made} for scored in record.scored],
        "over": outcome is not None,
        "winner": outcome.winner if outcome else None,
    }


def _score(case: Case) -> Case:
    return _record(read_record(case["record"]))


def _invalid(case: Case) -> Case:
    try:
        return _score(case)
    except RuleViolation as violation:
        return {
            "error": True,
            "sentence": violation.message.endswith("."),
            "hand": violation.hand,
            "code": violation.code,
            "call": violation.call,
        }


def _table(case: Case) -> Table:
    sides = case.get("sides")
    players = case["players"] if "players" in case else sum(map(len, case["sides"]))
    return set_table(read_rules(case["ruleset"]), players, sides)


def _auction(case: Case) -> Case:
    try:
        auction = hear(_table(case), case["dealer"], case["calls"])
    except RuleViolation as violation:
        return {"legal": False, "bidder": None, "bid": None, "illegal_at": violation.call}
    legal = auction.closed
    bidder, bid = (auction.bidder, auction.bid) if legal else (None, None)
    return {"legal": legal, "bidder": bidder, "bid": bid, "illegal_at": None}


def _count(case: Case) -> Case:
    count = count_cards(_table(case), case["trump"], case["captured"])
    return {"card_points": list(count.card_points), "game": count.points["game"], "points": dict(count.points)}


READERS: dict[str, Callable[[Case], Case]] = {
    "score": _score,
    "invalid": _invalid,
    "auction": _auction,
    "gamecount": _count,
}


def _named(*types: str, with_hands: bool = False) -> Callable[[Test], Test]:
    chosen = [case for case in CASES if case["type"] in types]
    if with_hands:
        chosen = [case for case in chosen if "hands" in case["record"]]
    return for_each("case", chosen)


@_named(*READERS)
def test_the_library_agrees_with_the_worked_case(case: Case) -> None:
    """The library's result for a case has the value that the case expects in each field.

    The case's `why` names the rule that decides.
    """
    found = READERS[case["type"]](case)
    assert {key: found.get(key) for key in case["expect"]} == case["expect"], case["why"]
    assert found.get("sentence", True), "a refusal is a sentence"


@_named("score", with_hands=True)
def test_the_judge_agrees_with_the_worked_score(case: Case) -> None:
    """The judge finds the totals and the winner that the case expects."""
    expect = case["expect"]
    ruling = judge.rule_record(case["record"], read_record(case["record"]))
    assert (ruling.totals, ruling.over, ruling.winner) == (expect["totals"], expect["over"], expect["winner"])


@_named("auction")
def test_the_judge_agrees_with_the_worked_auction(case: Case) -> None:
    """The judge finds the illegal call, the end of the auction and the highest bid that the case expects."""
    ruleset, expect = case["ruleset"], case["expect"]
    options = judge.options_of(ruleset["preset"], ruleset["options"])
    most = judge.points_of_a_hand(ruleset["preset"], case["players"], options)
    ruling = judge.bidding(options, most, case["players"], case["dealer"], case["calls"])
    legal = ruling.closed and ruling.illegal_at is None
    bid = (ruling.bidder, ruling.bid) if legal else (None, None)
    assert (legal, *bid, ruling.illegal_at) == (
        expect["legal"],
        expect["bidder"],
        expect["bid"],
        expect["illegal_at"],
    )


@_named("gamecount")
def test_the_judge_agrees_with_the_worked_count(case: Case) -> None:
    """The judge finds the card points that the case expects, and gives the point Game to the expected side."""
    ruleset, expect = case["ruleset"], case["expect"]
    options = judge.options_of(ruleset["preset"], ruleset["options"])
    points = [judge.card_points(options, case["trump"], pile) for pile in case["captured"]]
    found = judge.owners(ruleset["preset"], options, case["trump"], case["captured"], None)
    assert (points, found["game"]) == (expect["card_points"], expect["game"])
    assert found == expect.get("points", found)


def test_every_case_says_what_it_is_and_why() -> None:
    """No two cases have the same id, each case has a reason, and each type of case has a test."""
    ids = [case["id"] for case in CASES]
    assert len(ids) == len(set(ids))
    assert all(case["why"] and case["kind"] and case["expect"] for case in CASES)
    assert {case["type"] for case in CASES} == set(READERS)
