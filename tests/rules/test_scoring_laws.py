"""Laws of scoring for all rules, checked against the judge (a second implementation) and with changed seats."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules.bidding import hear, hear_call, legal_calls, open_auction
from scorekeeper.rules.cards import SUITS, count_cards
from scorekeeper.rules.hands import allowed_points, read_hand
from scorekeeper.rules.record import Record, read_record, write_record
from scorekeeper.rules.table import Table
from tests.rules import book, judge
from tests.rules.refusals import refusal_of
from tests.rules.strategies import CALLS, captures, hands, records, rulesets, tables

CARD_GAMES = tuple(judge.WORTH)
TWO_SIDES = tables().filter(lambda table: len(table.sides) == 2 and table.players > 2)


def _score(record: dict[str, Any]) -> Record:
    return read_record(json.loads(json.dumps(record)))


def _winner(record: Record) -> tuple[bool, int | None]:
    outcome = record.tally.outcome
    return (outcome is not None, outcome.winner if outcome else None)


@given(records())
def test_any_game_by_any_rules_scores_as_the_judge_says(drawn: tuple[Table, dict[str, Any]]) -> None:
    """For any game, the engine and the judge find the same totals, the same bids made or set, the same end and winner.

    Hypothesis plays only a few games here, which it can shrink to small examples. `test_random_games` plays thousands.
    """
    _, raw = drawn
    record = _score(raw)
    ruling = judge.rule_record(raw, record)
    assert [list(totals) for totals in record.totals] == ruling.totals
    assert [scored.made for scored in record.scored] == ruling.made
    assert _winner(record) == (ruling.over, ruling.winner)


@given(records())
def test_the_changes_of_every_hand_add_up_to_the_totals(drawn: tuple[Table, dict[str, Any]]) -> None:
    """Each side's total is the sum of the changes by all hands so far, so nothing but hands changes a score."""
    table, raw = drawn
    record = _score(raw)
    running = (0,) * len(table.sides)
    for totals, scored in zip(record.totals, record.scored, strict=True):
        running = tuple(total + change for total, change in zip(running, scored.delta, strict=True))
        assert running == totals


@given(records(), st.data())
def test_the_start_of_a_record_scores_as_the_record_did_there(
    drawn: tuple[Table, dict[str, Any]], data: st.DataObject
) -> None:
    """If a record is cut off after any hand, the totals up to that hand are the same as in the whole record.

    If at least one hand is cut off, the game isn't over.
    """
    _, raw = drawn
    record = _score(raw)
    cut = data.draw(st.integers(0, len(raw["hands"])))
    start = _score(raw | {"hands": raw["hands"][:cut]})
    assert start.totals == record.totals[:cut]
    if cut < len(raw["hands"]):
        assert start.tally.outcome is None


def _turned(value: int, count: int) -> int:
    return (value + 1) % count


def _turned_hand(table: Table, hand: dict[str, Any]) -> dict[str, Any]:
    turned = dict(hand)
    for key in ("dealer", "bidder"):
        if key in turned:
            turned[key] = _turned(turned[key], table.players)
    if "taken" in turned:
        turned["taken"] = turned["taken"][::-1]
    if "points" in turned:
        turned["points"] = {key: None if side is None else 1 - side for key, side in turned["points"].items()}
    return turned


@given(records(TWO_SIDES))
def test_two_partnerships_that_change_seats_change_scores(drawn: tuple[Table, dict[str, Any]]) -> None:
    """If all players of two partnerships move one seat on, the scores and the winner are swapped.

    The dealer, the bidder and what each side took move with the players.
    """
    table, raw = drawn
    record = _score(raw)
    moved = _score(
        raw
        | {
            "first_dealer": _turned(raw["first_dealer"], table.players),
            "hands": [_turned_hand(table, hand) for hand in raw["hands"]],
        }
    )
    assert moved.totals == tuple(totals[::-1] for totals in record.totals)
    over, winner = _winner(record)
    assert _winner(moved) == (over, None if winner is None else 1 - winner)


@given(records())
def test_a_record_that_is_read_and_written_scores_the_same(drawn: tuple[Table, dict[str, Any]]) -> None:
    """A record that is read, written as JSON text and read again has the same hands, totals and text."""
    _, raw = drawn
    record = _score(raw)
    written = write_record(record.table, record.names, record.first_dealer, record.hands, extra=record.extra)
    again = _score(written)
    assert again == record
    assert write_record(again.table, again.names, again.first_dealer, again.hands, extra=again.extra) == written


@given(tables(), st.data())
def test_legal_calls_are_exactly_the_calls_that_are_heard(table: Table, data: st.DataObject) -> None:
    """At each point of an auction, the calls that are offered are accepted, and all other calls are refused."""
    dealer = data.draw(st.integers(0, table.players - 1))
    auction = open_auction(table, dealer)
    for _ in range(12):
        offered = legal_calls(table, auction)
        for call in ("pass", *range(table.top_bid + 2), "pitch", "moon", True, 1.0, None):
            is_offered = any(type(call) is type(legal) and call == legal for legal in offered)
            refusal = refusal_of(partial(hear_call, table, auction, call))
            assert is_offered == (refusal is None)
            assert refusal is None or refusal.call == len(auction.calls)
        assert auction.closed == (not offered)
        if auction.closed:
            break
        auction = hear_call(table, auction, data.draw(st.sampled_from((*offered[:3], *offered))))


@given(tables(), st.lists(CALLS, max_size=10), st.data())
def test_any_calls_are_judged_alike_by_both_readings(table: Table, calls: list[Any], data: st.DataObject) -> None:
    """For any list of calls, legal or not, the engine and the judge find the same illegal call, end and highest bid."""
    dealer = data.draw(st.integers(0, table.players - 1))
    options = {key: getattr(table.rules, key) for key in book.NEUTRAL}
    ruling = judge.bidding(options, table.most, table.players, dealer, calls)
    refusal = refusal_of(partial(hear, table, dealer, calls))
    assert ruling.illegal_at == (refusal.call if refusal else None)
    auction = hear(table, dealer, calls[: ruling.illegal_at])
    assert (auction.closed, auction.bidder, auction.bid) == (ruling.closed, ruling.bidder, ruling.bid)


@given(tables(rulesets(CARD_GAMES)), st.data())
def test_captured_cards_count_as_the_judge_counts_them(table: Table, data: st.DataObject) -> None:
    """For any captured cards, the engine and the judge find the same card points and the same owners of points."""
    trump = data.draw(st.sampled_from(SUITS))
    piles = data.draw(captures(table, trump))
    bidding_side = data.draw(st.none() | st.integers(0, table.parties - 1))
    dealer = data.draw(st.integers(0, table.players - 1))
    count = count_cards(table, trump, piles, bidding_side=bidding_side, dealer=dealer)
    options = {key: getattr(table.rules, key) for key in book.NEUTRAL}
    assert list(count.card_points) == [judge.card_points(options, trump, pile) for pile in piles]
    found = judge.owners(table.rules.preset, options, trump, piles, bidding_side, table.side_of[dealer])
    assert dict(count.points) == found


@given(tables(rulesets(CARD_GAMES)), st.data())
def test_a_hand_told_by_its_cards_is_the_hand_told_by_its_points(table: Table, data: st.DataObject) -> None:
    """A hand that is entered by its captured cards equals the same hand entered by the owners of all points.

    The owners of points that cards can't show are entered together with the cards.
    """
    told = data.draw(hands(table, 0).filter(lambda hand: "taken" in hand or "points" in hand))
    trump = data.draw(st.sampled_from(SUITS))
    piles = data.draw(captures(table, trump))
    won = ("taken", "points", "turned_up", "jack_hung")
    bare = {key: value for key, value in told.items() if key not in won} | {"trump": trump}
    told_so = read_hand(table, told, dealer=0)
    bidder, deals = told_so.bidder, table.side_of[told_so.dealer]
    party = None if bidder is None else table.party_of(bidder)
    options = {key: getattr(table.rules, key) for key in book.NEUTRAL}
    found = judge.owners(table.rules.preset, options, trump, piles, party, deals)
    worth = judge.worth_of(table.rules.preset, options) | {"slam": 1}
    owners = allowed_points(table, told.get("bid"), party or 0)
    named = {key: found[key] if key in found else data.draw(st.sampled_from(sides)) for key, sides in owners.items()}
    untold = {key: side for key, side in named.items() if key not in found}
    never_null = {category.key for category in table.rules.categories if category.always}
    if any(named[key] is None for key in never_null):
        return
    by_cards = read_hand(table, bare | {"captured": piles, "points": untold}, dealer=0)
    by_points = read_hand(table, bare | {"points": named}, dealer=0)
    assert (by_cards.taken, by_cards.points) == (by_points.taken, by_points.points)
    assert list(by_cards.taken) == [
        sum(worth[key] for key, owner in named.items() if owner == side) for side in range(table.parties)
    ]
