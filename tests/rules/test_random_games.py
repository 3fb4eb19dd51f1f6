"""Thousands of random games by random rules: every law of scoring, held against each of them.

Every way to end a game (the 13 of `ENDINGS`) is played with 40 drawn rulesets and tables,
6 games each: 13 x 40 x 6 = 3,120 games in a run, which the test counts.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules.bidding import hear_call, legal_calls, open_auction
from scorekeeper.rules.cards import count_cards
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import Record, read_record, write_record
from scorekeeper.rules.table import Table
from tests.rules import book, judge
from tests.rules.client_games import table_with, values_of
from tests.rules.random_play import play
from tests.rules.refusals import refusal_of
from tests.rules.strategies import ENDINGS, rulesets, tables

GAMES_EACH = 6
IN_A_RUN = 2000
"""Games that a run has to play at least."""
VALUES_EACH = 6


@dataclass(frozen=True)
class Played:
    """A hand that was not thrown in, as the laws see it: sides, not seats."""

    bid: Any
    bidder: int
    party: list[int]
    took: list[int]
    """By side; a called party's to both."""
    made: bool
    before: list[int]
    after: list[int]


def _options(table: Table) -> dict[str, Any]:
    return {key: getattr(table.rules, key) for key in book.NEUTRAL}


def _score(raw: dict[str, Any]) -> Record:
    return read_record(json.loads(json.dumps(raw)))


def _played(raw: dict[str, Any], record: Record) -> list[Played]:
    table = record.table
    hands = []
    before = [0] * len(table.sides)
    for told, hand, totals, scored in zip(raw["hands"], record.hands, record.totals, record.scored, strict=True):
        if hand.bidder is not None:
            bidder = table.side_of[hand.bidder]
            party = [bidder] if hand.partner is None else [bidder, table.side_of[hand.partner]]
            took = _took(table, told, party)
            hands.append(Played(hand.bid, bidder, party, took, bool(scored.made), before, list(totals)))
        before = list(totals)
    return hands


def _took(table: Table, told: dict[str, Any], party: list[int]) -> list[int]:
    """What each side took, from what the table told: numbers, names or cards."""
    if table.called:
        ours, theirs = told["taken"]
        return [ours if side in party else theirs for side in range(len(table.sides))]
    if "taken" in told:
        return list(told["taken"])
    owners = dict(told.get("points", {}))
    if "captured" in told:
        found = judge.owners(table.rules.preset, _options(table), told["trump"], told["captured"], party[0])
        owners = {**owners, **found}
    worth = judge.WORTH[table.rules.preset]
    return [sum(worth[key] for key, owner in owners.items() if owner == side) for side in range(len(table.sides))]


# The laws.


def _a_made_bid_adds_and_a_set_subtracts(table: Table, hand: Played) -> None:
    """RULES 1, with the specials of 4 and 8: what a hand may do to a score, and nothing else does."""
    rules = table.rules
    for side in range(len(table.sides)):
        before, change = hand.before[side], hand.after[side] - hand.before[side]
        if side not in hand.party:
            assert change == hand.took[side]
        elif hand.made and hand.bid == "moon":
            assert hand.after[side] == (0 if before < 0 else max(before, rules.target))
        elif hand.made:
            assert change == (table.most if hand.bid == "pitch" else hand.took[side])
        else:
            value = hand.bid if isinstance(hand.bid, int) else table.most
            doubled = rules.set_penalty == "double_shortfall" and isinstance(hand.bid, int)
            penalty = 2 * (value - hand.took[side]) if doubled else value
            floor = min(before, 0) if rules.negative == "floor_zero" else before - penalty
            assert hand.after[side] == max(before - penalty, floor)
    if isinstance(hand.bid, int):
        assert hand.made == (hand.took[hand.bidder] >= hand.bid)
    elif hand.bid == "moon" or rules.pitch_test == "points":
        assert hand.made == (hand.took[hand.bidder] == table.most)


def _meets_the_finish(table: Table, hands: list[Played], at: int) -> set[int]:
    """The sides that meet the definition of winning after hand `at` (the table of finishes, RULES 1; RULES 4, 8)."""
    rules, hand = table.rules, hands[at]
    sides = range(len(table.sides))
    totals = hand.after

    def alone_at_the_top(by: int) -> set[int]:
        return {side for side in sides if all(totals[side] - totals[o] >= by for o in sides if o != side)}

    if hand.bid in ("pitch", "moon") and hand.made and hand.before[hand.bidder] >= 0:
        return {hand.bidder}
    if hand.bid == "moon" and not hand.made:
        return {1 - hand.bidder}
    if rules.max_sets is not None:
        often = [sum(side in past.party and not past.made for past in hands[: at + 1]) for side in sides]
        if max(often) >= rules.max_sets:
            return {1 - often.index(max(often))}
    at_target = {side for side in sides if totals[side] >= rules.target}
    if rules.finish == "bid_out":
        able = set(hand.party) if hand.made or rules.go_out == "take" else set()
        return able & at_target & alone_at_the_top(rules.win_by)
    if rules.finish == "bidder_first":
        if hand.made and hand.bidder in at_target:
            return {hand.bidder}
        return at_target & alone_at_the_top(1)
    if rules.finish == "fixed_hands":
        return alone_at_the_top(1) if at + 1 >= (rules.hands_limit or 0) else set()
    if rules.tie_break_round == "decides" and _is_the_one_more_hand(table, hands, at):
        return alone_at_the_top(1)
    level = {side for side in at_target if totals[side] == max(totals)}
    if len(level) > 1:
        return level & {hand.bidder} if rules.tie == "bidder" else set()
    return at_target & alone_at_the_top(rules.win_by)


def _is_the_one_more_hand(table: Table, hands: list[Played], at: int) -> bool:
    """Whether the hand before this one left the top level: at the target, or after another one more hand."""
    if table.rules.tie != "one_more_hand" or at == 0:
        return False
    totals = hands[at - 1].after
    level = totals.count(max(totals)) > 1
    return level and (max(totals) >= table.rules.target or _is_the_one_more_hand(table, hands, at - 1))


def _the_winner_met_the_finish_and_nobody_earlier(record: Record, hands: list[Played]) -> None:
    outcome = record.tally.outcome
    for at in range(len(hands) - 1):
        assert not _meets_the_finish(record.table, hands, at)
    if hands:
        assert _meets_the_finish(record.table, hands, len(hands) - 1) == ({outcome.winner} if outcome else set())
    else:
        assert outcome is None


def _both_auctions_agree_on_every_prefix(table: Table, dealer: int, calls: list[Any]) -> None:
    """A call is offered if and only if it is heard, and the judge says the same; so for the whole of it."""
    options = _options(table)
    auction = open_auction(table, dealer)
    for index, call in enumerate(calls):
        offered = legal_calls(table, auction)
        assert call in offered
        for other in ("pass", table.rules.bid_min - 1, calls[index - 1], *table.bids[-2:], table.top_bid + 1, "pitch"):
            ruling = judge.bidding(options, table.most, table.players, dealer, [*calls[:index], other])
            refusal = refusal_of(partial(hear_call, table, auction, other))
            assert (other in offered) == (refusal is None) == (ruling.illegal_at is None)
        auction = hear_call(table, auction, call)
    ruling = judge.bidding(options, table.most, table.players, dealer, calls)
    assert (auction.closed, auction.bidder, auction.bid) == (ruling.closed, ruling.bidder, ruling.bid)


def _the_cards_count_as_the_judge_counts_them(table: Table, told: dict[str, Any], bidding_side: int) -> None:
    trump, piles, options = told["trump"], told["captured"], _options(table)
    count = count_cards(table, trump, piles, bidding_side=bidding_side)
    assert list(count.card_points) == [judge.card_points(options, trump, pile) for pile in piles]
    assert dict(count.points) == judge.owners(table.rules.preset, options, trump, piles, bidding_side)


def _written_and_read_again_it_scores_the_same(record: Record) -> None:
    written = write_record(record.table, record.names, record.first_dealer, record.hands, extra=record.extra)
    assert _score(written) == record


def _hold_every_law(raw: dict[str, Any]) -> Record:
    record = _score(raw)
    table = record.table
    ruling = judge.rule_record(raw, record)
    assert [list(totals) for totals in record.totals] == ruling.totals
    assert [scored.made for scored in record.scored] == ruling.made
    outcome = record.tally.outcome
    assert (outcome is not None, outcome.winner if outcome else None) == (ruling.over, ruling.winner)
    assert not (outcome and record.tally.level), "a game that is over has no tie to settle"

    hands = _played(raw, record)
    for hand in hands:
        _a_made_bid_adds_and_a_set_subtracts(table, hand)
    _the_winner_met_the_finish_and_nobody_earlier(record, hands)
    for told, read in zip(raw["hands"], record.hands, strict=True):
        if "calls" in told:
            _both_auctions_agree_on_every_prefix(table, read.dealer, told["calls"])
        if "captured" in told and read.bidder is not None:
            _the_cards_count_as_the_judge_counts_them(table, told, table.side_of[read.bidder])
    _written_and_read_again_it_scores_the_same(record)
    return record


@pytest.mark.parametrize("ending", ENDINGS, ids=str)
def test_every_law_holds_in_thousands_of_games(ending: dict[str, Any]) -> None:
    """The judge agrees; the winner met the finish and nobody earlier; bids add and sets subtract; calls, cards, text.

    At least 2,000 games a run over the endings, and of each ending enough games that came to their end.
    """
    played = ended = 0
    # Hypothesis draws the same numbers for each ending; the hands should differ all the same.
    own_seeds = ENDINGS.index(ending) * GAMES_EACH

    @given(tables(rulesets(endings=(ending,))), st.integers(0, 2**32), st.integers(0, 24))
    def evening(table: Table, seed: int, most: int) -> None:
        nonlocal played, ended
        for game in range(GAMES_EACH):
            record = _hold_every_law(play(table, seed + own_seeds + game, most))
            played += 1
            ended += record.tally.outcome is not None

    evening()
    print(f"{played} games, {ended} of them to the end")
    assert played * len(ENDINGS) >= IN_A_RUN
    assert ended >= played // 20


@pytest.mark.parametrize("option", OPTIONS)
def test_every_value_of_an_option_is_judged_a_second_time(option: str) -> None:
    """The judge and the laws know what each value does, beside other options that are drawn."""
    values = values_of(option)
    chance = Random(option)
    for value in chance.sample(values, min(len(values), VALUES_EACH)):
        for seed, preset in enumerate(PRESETS):
            _hold_every_law(play(table_with(chance, preset, {option: value}), seed, 40))
