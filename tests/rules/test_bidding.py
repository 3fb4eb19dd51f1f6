"""Check at tables of every kind that the bids offered for a hand are exactly the bids with which an auction can end."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.rules.bidding import Auction, allowed_bids, hear_call, legal_calls, open_auction
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.table import Table, table_at

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"forced_bid": None},
    {"forced_bid": 2},
    {"forced_bid": 3},
    {"dealer_privilege": "match", "auction": "once_around"},
    {"dealer_privilege": "match", "auction": "once_around", "forced_bid": 3},
    {"dealer_privilege": "match", "auction": "once_around", "dealer_may_match_max": True},
    {"dealer_privilege": "match", "auction": "once_around", "dealer_may_raise": False},
    {"dealer_privilege": "match", "auction": "once_around", "dealer_may_raise": False, "forced_bid": 3},
    {"dealer_privilege": "match", "auction": "once_around", "dealer_may_raise": False, "forced_bid": None},
    {"dealer_privilege": "none"},
    {"auction": "once_around"},
    {"auction": "until_passed", "dealer_privilege": "none"},
    {"auction": "until_passed", "dealer_privilege": "none", "forced_bid": 3},
    {"stop_at_max": False},
    {"stop_at_max": True},
    {"special_bid": "pitch"},
    {"special_bid": "pitch", "dealer_privilege": "match", "auction": "once_around", "dealer_may_match_max": True},
)
GAMES = ("setback-21", "bowers-12", "setback-7-pitch", "pitch-11", "auction-pitch-7", "smear-52")


def _tables() -> list[Table]:
    tables = [
        table_at(with_options(PRESETS[preset], options), seating)
        for preset in GAMES
        for options in OPTIONS
        for seating in PRESETS[preset].seatings[:2]
    ]
    whole = [table_at(rules, seating) for rules in PRESETS.values() for seating in rules.seatings]
    return [*tables, *(table for table in whole if table.players <= 5)]


def _endings(table: Table, dealer: int) -> set[tuple[int | None, Any]]:
    """Return every (bidder, bid) with which an auction can end; (None, None) means that all players passed."""
    seen: set[Any] = set()
    endings: set[tuple[int | None, Any]] = set()
    waiting: list[Auction] = [open_auction(table, dealer)]
    while waiting:
        auction = waiting.pop()
        # Two auctions with the same standing bid, the same turn and the same players out go on alike.
        moment = (auction.turn, auction.bidder, auction.bid, auction.out)
        if moment in seen:
            continue
        seen.add(moment)
        if auction.closed:
            endings.add((auction.bidder, auction.bid))
            continue
        waiting += [hear_call(table, auction, call) for call in legal_calls(table, auction)]
    return endings


@pytest.mark.parametrize("dealer", [0, 1])
def test_the_bids_offered_to_a_seat_are_those_some_auction_ends_with(dealer: int) -> None:
    """At tables of every kind, each seat is offered exactly the bids with which that seat can win an auction.

    All players can pass only if the dealer isn't forced to bid.
    """
    tables = _tables()
    assert len(tables) > 100
    for table in tables:
        endings = _endings(table, dealer)
        for seat in range(table.players):
            reached = {bid for bidder, bid in endings if bidder == seat}
            assert set(allowed_bids(table, seat, dealer)) == reached, (table.rules, seat)
        assert ((None, None) in endings) == (table.rules.forced_bid is None)
