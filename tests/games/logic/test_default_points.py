"""The guesses of the points step: always possible, enough for the bid, seldom far off."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from scorekeeper.games.logic.default_points import likely_points
from scorekeeper.leagues.transfer.demo_deals import deals
from scorekeeper.rules.hands import allowed_points
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.table import Table, set_table

TABLES = [
    pytest.param(set_table(rules, seating.players), id=f"{rules.preset}-{seating.players}")
    for rules in PRESETS.values()
    for seating in rules.seatings
    if rules.categories
]


@pytest.mark.parametrize("table", TABLES)
def test_guesses_are_allowed_and_just_make_the_bid(table: Table) -> None:
    """For every bidder and bid: each owner is allowed, and without their last point the bid would not be made."""
    for bidder in range(table.players):
        for bid in table.bids:
            owners = likely_points(table, bidder, bid)
            assert all(owner in allowed_points(table)[key] for key, owner in owners.items())
            values = {each.key: each.value for each in table.rules.categories}
            won = [values[key] for key, owner in owners.items() if owner == table.side_of[bidder]]
            wanted = bid if isinstance(bid, int) else table.most
            assert sum(won) >= wanted > sum(won[:-1])


def test_no_jack_is_guessed_unless_the_bid_needs_it() -> None:
    """Four players hold fewer than half of the cards; with a bid of four, the bidder must have held the jack."""
    table = set_table(PRESETS["setback-21"], 4)
    assert likely_points(table, 1, 3) == {"high": 1, "low": 1, "jack": None, "game": 1}
    assert likely_points(table, 1, 4) == {"high": 1, "low": 1, "jack": 1, "game": 1}


def test_points_beyond_the_bid_have_no_guess() -> None:
    """Each of them may be likely, but not all at once."""
    assert likely_points(set_table(PRESETS["bowers-12"], 4), 0, 1) == {"high": 0}
    assert likely_points(set_table(PRESETS["setback-21"], 4), 1, 2) == {"high": 1, "low": 1, "jack": None}


def test_no_guesses_for_totals() -> None:
    """Some'R'Set asks how many, not which."""
    assert likely_points(set_table(PRESETS["somerset-66"], 4), 0, 12) == {}


@pytest.mark.parametrize(("preset", "most"), [("setback-21", 1.5), ("pitch-11", 1.5), ("bowers-12", 2.0)])
def test_most_guesses_are_right(preset: str, most: float) -> None:
    """On dealt hands, fewer winners need a tap than are right already."""
    table = set_table(PRESETS[preset], PRESETS[preset].seatings[0].players)
    hands = list(islice(deals(table, Random(7)), 60))
    wrong = [
        sum(hand["points"][key] != owner for key, owner in likely_points(table, hand["bidder"], hand["bid"]).items())
        for hand in hands
    ]
    assert sum(wrong) / len(hands) <= most
