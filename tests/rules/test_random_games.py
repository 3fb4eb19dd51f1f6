"""Thousands of random games, each checked against all laws of scoring and a second implementation, the judge.

For each of the 15 `ENDINGS`, 40 rulesets and tables are drawn and 2 games played: 15 x 40 x 2 = 1,200 games. With
`HYPOTHESIS_PROFILE=long`, 1,500 are drawn for each.
"""

from __future__ import annotations

import json
from collections.abc import Set as AbstractSet
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
from tests.support.each import for_each

GAMES_EACH = 2
IN_A_RUN = 400
"""The fewest games that all endings together must play in a run of the tests."""
PRESETS_EACH = 2
"""The number of games that are played by each value of an option; the slow test plays by each preset."""


@dataclass(frozen=True)
class Played:
    """A hand with a bid, as the tests of the laws of scoring need it: with sides instead of seats."""

    bid: Any
    bidder: int
    party: list[int]
    took: list[int]
    """The points of each side.

    With a called partner, the bidder and the partner each have all the points that the two took together.
    """
    made: bool
    before: list[int]
    after: list[int]
    guilty: list[int]
    """The sides that lose the bid because a player revoked."""


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
            offender = None if told.get("revoked") is None else table.side_of[told["revoked"]]
            guilty = [] if offender is None else party if offender in party else [offender]
            took = _took(table, told, party, table.side_of[hand.dealer])
            hands.append(Played(hand.bid, bidder, party, took, bool(scored.made), before, list(totals), guilty))
        before = list(totals)
    return hands


def _took(table: Table, told: dict[str, Any], party: list[int], deals: int) -> list[int]:
    """Return the points that each side took in the hand `told`, which is in the format of a game record.

    The hand gives each side's number of points, the owner of each point, or the captured cards. `party` lists the sides
    that play for the bid, and `deals` is the dealer's side.
    """
    if table.called:
        ours, theirs = told["taken"] if "taken" in told else _by_point(table, told, 0, 2, deals)
        return [ours if side in party else theirs for side in range(len(table.sides))]
    return list(told["taken"]) if "taken" in told else _by_point(table, told, party[0], len(table.sides), deals)


def _by_point(table: Table, told: dict[str, Any], bidding_side: int, parties: int, deals: int) -> list[int]:
    """Return the points that each side, or with a called partner each of the two parties, took in the hand `told`.

    The hand is in the format of a game record. It gives the owner of each point, the captured cards, or some of each.
    `parties` is the number of sides or parties, and `deals` is the dealer's side.
    """
    owners = dict(told.get("points", {}))
    preset, options = table.rules.preset, _options(table)
    if "captured" in told:
        owners |= judge.owners(preset, options, told["trump"], told["captured"], bidding_side, deals)
    elif owners.get("game", 0) is None and parties == 2 and not options["game_minimum"]:
        # Nobody has more than the other party: a tie, such as 0 to 0.
        owners["game"] = judge.owners(preset, options, "H", [[], []], bidding_side, deals)["game"]
    worth = judge.worth_of(preset, options) | {"slam": 1}
    return [sum(worth[key] for key, owner in owners.items() if owner == party) for party in range(parties)]


# The laws.


def _a_made_bid_adds_and_a_set_subtracts(table: Table, hand: Played) -> None:
    """Check that `hand` changes each score as RULES 1 says, or for special bids as RULES 4 and 8 say."""
    rules = table.rules
    pitch = table.most + rules.slam
    for side in range(len(table.sides)):
        before, change = hand.before[side], hand.after[side] - hand.before[side]
        if side in hand.guilty:
            value = hand.bid if isinstance(hand.bid, int) else pitch if hand.bid == "pitch" else table.most
            assert change == -(min(value, max(before, 0)) if rules.negative == "floor_zero" else value)
        elif side not in hand.party:
            assert change == (hand.took[side] if rules.defenders_score else 0)
        elif hand.made and hand.bid == "moon":
            assert hand.after[side] == (0 if before < 0 else max(before, rules.target))
        elif hand.made:
            counts = hand.bid if rules.made_scores == "bid" else hand.took[side]
            assert change == (pitch if hand.bid == "pitch" else counts)
        else:
            value = hand.bid if isinstance(hand.bid, int) else pitch if hand.bid == "pitch" else table.most
            doubled = rules.set_penalty == "double_shortfall" and isinstance(hand.bid, int)
            penalty = 2 * (value - hand.took[side]) if doubled else value
            floor = min(before, 0) if rules.negative == "floor_zero" else before - penalty
            assert hand.after[side] == max(before - penalty, floor)
    if hand.guilty:
        assert hand.made == (hand.bidder not in hand.guilty)
    elif isinstance(hand.bid, int):
        assert hand.made == (hand.took[hand.bidder] >= hand.bid)
    elif hand.bid == "moon" or rules.pitch_test == "points":
        assert hand.made == (hand.took[hand.bidder] == (pitch if hand.bid == "pitch" else table.most))


def _ends(table: Table, hands: list[Played], at: int) -> AbstractSet[int | None]:
    """Return the sides that win with the hand `hands[at]`.

    This includes sides that win because the score of another side is too low (RULES 1). None in the set means that the
    game ends without a winner. An empty set means that the game goes on.
    """
    met, totals, limit = _meets_the_finish(table, hands, at), hands[at].after, table.rules.lose_at_minus
    above = [total for total in totals if limit is None or total > -limit]
    if met or len(above) == len(totals):
        return met
    return {totals.index(max(above))} if above and above.count(max(above)) == 1 else {None}


def _meets_the_finish(table: Table, hands: list[Played], at: int) -> AbstractSet[int | None]:
    """Return the sides that win with the hand `hands[at]` by the option `finish`, a special bid or too many sets.

    The rules are those of RULES 1, 4 and 8. None in the set means that the game ends without a winner. An empty set
    means that nobody has won yet.
    """
    rules, hand = table.rules, hands[at]
    sides = range(len(table.sides))
    totals = hand.after

    def alone_at_the_top(by: int) -> set[int]:
        return {side for side in sides if all(totals[side] - totals[o] >= by for o in sides if o != side)}

    if hand.bid in ("pitch", "moon") and hand.made and hand.before[hand.bidder] >= 0:
        return {hand.bidder}
    if hand.bid == "moon" and not hand.made:
        others = [side for side in sides if side not in hand.party]
        best = {side for side in others if totals[side] == max(totals[other] for other in others)}
        return best if len(best) == 1 else {None}
    if rules.max_sets is not None:
        often = [sum(side in past.party and not past.made for past in hands[: at + 1]) for side in sides]
        if max(often) >= rules.max_sets:
            return {1 - often.index(max(often))}
    at_target = {side for side in sides if totals[side] >= rules.target}
    if rules.finish == "bid_out":
        party = hand.party if rules.hand_totals else hand.party[:1]
        able = set(party) if hand.made or rules.go_out == "take" else set()
        return able & at_target & alone_at_the_top(rules.win_by)
    if rules.finish == "bidder_first":
        ahead = alone_at_the_top(max(rules.bidder_lead, 1))
        if hand.made and hand.bidder in at_target:
            return {hand.bidder} & ahead if rules.bidder_lead else {hand.bidder}
        return at_target & ahead
    if rules.finish == "fixed_hands":
        return alone_at_the_top(1) if at + 1 >= (rules.hands_limit or 0) else set()
    if rules.tie_break_round == "decides" and _is_the_one_more_hand(table, hands, at):
        return alone_at_the_top(1)
    level = {side for side in at_target if totals[side] == max(totals)}
    if len(level) > 1:
        return level & {hand.bidder} if rules.tie == "bidder" else set()
    return at_target & alone_at_the_top(rules.win_by)


def _is_the_one_more_hand(table: Table, hands: list[Played], at: int) -> bool:
    """Return whether the hand `hands[at]` is played only because sides were tied at the target after the hand before.

    This also holds for each further hand while the tie goes on.
    """
    if table.rules.tie != "one_more_hand" or at == 0:
        return False
    totals = hands[at - 1].after
    level = totals.count(max(totals)) > 1
    return level and (max(totals) >= table.rules.target or _is_the_one_more_hand(table, hands, at - 1))


def _the_winner_met_the_finish_and_nobody_earlier(record: Record, hands: list[Played]) -> None:
    outcome = record.tally.outcome
    for at in range(len(hands) - 1):
        assert not _ends(record.table, hands, at)
    if hands:
        assert _ends(record.table, hands, len(hands) - 1) == ({outcome.winner} if outcome else set())
    else:
        assert outcome is None


def _both_auctions_agree_on_every_prefix(table: Table, dealer: int, calls: list[Any]) -> None:
    """Check after each call that the engine and the judge accept exactly the calls that the engine offers."""
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


def _the_cards_count_as_the_judge_counts_them(
    table: Table, told: dict[str, Any], bidding_side: int, dealer: int
) -> None:
    trump, piles, options = told["trump"], told["captured"], _options(table)
    count = count_cards(table, trump, piles, bidding_side=bidding_side, dealer=dealer)
    assert list(count.card_points) == [judge.card_points(options, trump, pile) for pile in piles]
    deals = table.side_of[dealer]
    assert dict(count.points) == judge.owners(table.rules.preset, options, trump, piles, bidding_side, deals)


def _written_and_read_again_it_scores_the_same(record: Record) -> None:
    written = write_record(record.table, record.names, record.first_dealer, record.hands, extra=record.extra)
    assert _score(written) == record


def _only_the_winner_is_at_the_target(record: Record) -> None:
    """Check that only the winner of a game without bidding is at the target.

    If the order of a hand's points isn't known, check only that the winner is at the target.
    """
    known = all(hand.points is not None for hand in record.hands)
    outcome, target = record.tally.outcome, record.table.rules.target
    there = {side for side, total in enumerate(record.tally.totals) if total >= target}
    assert outcome is None or outcome.winner in there
    assert not known or there == ({outcome.winner} if outcome else set())
    assert all(max(totals) < target for totals in record.totals[:-1] if known)


def _hold_every_law(raw: dict[str, Any]) -> Record:
    record = _score(raw)
    table = record.table
    ruling = judge.rule_record(raw, record)
    assert [list(totals) for totals in record.totals] == ruling.totals
    assert [scored.made for scored in record.scored] == ruling.made
    outcome = record.tally.outcome
    assert (outcome is not None, outcome.winner if outcome else None) == (ruling.over, ruling.winner)
    assert not (outcome and record.tally.level), "a game that is over has no tie to settle"

    _written_and_read_again_it_scores_the_same(record)
    if not table.rules.has_bids:
        _only_the_winner_is_at_the_target(record)
        return record
    hands = _played(raw, record)
    for hand in hands:
        _a_made_bid_adds_and_a_set_subtracts(table, hand)
    _the_winner_met_the_finish_and_nobody_earlier(record, hands)
    for told, read in zip(raw["hands"], record.hands, strict=True):
        if "calls" in told:
            _both_auctions_agree_on_every_prefix(table, read.dealer, told["calls"])
        if "captured" in told and read.bidder is not None:
            _the_cards_count_as_the_judge_counts_them(table, told, table.side_of[read.bidder], read.dealer)
    return record


@pytest.mark.parametrize("ending", ENDINGS, ids=str)
def test_every_law_holds_in_thousands_of_games(ending: dict[str, Any]) -> None:
    """Every law of scoring holds in thousands of random games, and at least one game in twenty is played to the end.

    The laws are about the winner, each change of a score, the calls, the cards, the record and the judge's result.
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


def _judge_each_value(option: str, presets_each: int) -> None:
    chance = Random(option)
    presets = chance.sample(list(PRESETS), len(PRESETS))
    for number, value in enumerate(values_of(option)):
        for turn in range(number * presets_each, (number + 1) * presets_each):
            _hold_every_law(play(table_with(chance, presets[turn % len(presets)], {option: value}), turn, 40))


@for_each("option", OPTIONS, parts=20)
def test_every_value_of_an_option_is_judged_a_second_time(option: str) -> None:
    """Each value of an option is tried with random other options, and the laws of scoring hold in these games.

    The laws include that the engine and the judge get the same result.
    """
    _judge_each_value(option, PRESETS_EACH)


@pytest.mark.slow
@for_each("option", OPTIONS, parts=8)
def test_every_value_of_an_option_is_judged_in_each_game(option: str) -> None:
    _judge_each_value(option, len(PRESETS))
