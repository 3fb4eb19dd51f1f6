"""Check, by trying every next hand at many scores, that a side wins if it does what its message says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, permutations, product
from typing import Any, NamedTuple

import pytest

from scorekeeper.rules import explain
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import Tally
from scorekeeper.rules.table import set_table
from tests.rules import judge


class After(NamedTuple):
    """The values after a hand that decide whether one side did what the message told it to do."""

    gained: int
    total: int
    best_other: int
    bid: bool
    made: bool
    other_out: bool
    """Whether another side won by a pitch, or made its bid and has reached the target."""
    gap: int
    target: int
    win_by: int


def leads(after: After, by: int = 1) -> bool:
    return after.total - after.best_other >= by


FULFILLED: dict[str, Callable[[After], bool]] = {
    "need.bid_out": lambda a: a.gained >= a.gap and a.bid and a.made,
    "need.bid_out_lead": lambda a: a.gained >= a.gap and a.bid and a.made and leads(a, a.win_by),
    "need.bid": lambda a: a.bid and a.made,
    "need.bid_lead": lambda a: a.bid and a.made and leads(a, a.win_by),
    "need.take_lead": lambda a: a.bid and a.total >= a.target and leads(a, a.win_by),
    "need.points": lambda a: a.gained >= a.gap,
    "need.points_contested": lambda a: a.gained >= a.gap and ((a.bid and a.made) or (leads(a) and not a.other_out)),
    "need.ahead_or_bid": lambda a: (a.bid and a.made) or (a.total >= a.target and leads(a) and not a.other_out),
    "need.points_ahead": lambda a: a.gained >= a.gap and leads(a),
    "need.points_ahead_or_tie": lambda a: a.gained >= a.gap and leads(a, 0 if a.bid else 1),
    "need.points_lead": lambda a: a.gained >= a.gap and leads(a, a.win_by),
    "need.ahead": lambda a: a.total >= a.target and leads(a),
    "need.ahead_or_tie": lambda a: a.total >= a.target and leads(a, 0 if a.bid else 1),
    "need.lead": lambda a: a.total >= a.target and leads(a, a.win_by),
}

GAMES: list[tuple[str, int, int, dict[str, Any]]] = [
    ("setback-21", 4, 2, {}),
    ("setback-21", 4, 2, {"go_out": "take"}),
    ("setback-21", 3, 3, {}),
    ("setback-21", 4, 2, {"finish": "highest", "win_by": 2}),
    ("setback-21", 3, 3, {"finish": "highest", "win_by": 1}),
    ("pitch-11", 4, 2, {}),
    ("pitch-11", 3, 3, {}),
    ("bowers-12", 4, 2, {}),
    ("setback-7", 3, 3, {}),
    ("setback-7-pitch", 3, 3, {}),
    ("setback-7-pitch", 2, 2, {"pitch_test": "tricks"}),
    ("setback-7-pitch", 2, 2, {"pitch_test": "tricks_all"}),
    ("smear-52", 4, 2, {}),
    ("smear-52", 4, 2, {"tie": "play_on"}),
    ("somerset-66", 4, 2, {"tie": "play_on"}),
]


def hands_of(options: dict[str, Any], least: int, most: int, sides: int) -> list[dict[str, Any]]:
    """Return hands with every split of points and every bidder, each with the bids that can make a difference.

    `least` and `most` are the fewest and the most points that a hand can give. `sides` is the number of sides.
    """
    top = options["bid_max"] or most
    found: list[dict[str, Any]] = []
    for taken in product(range(most + 1), repeat=sides):
        if not least <= sum(taken) <= most:
            continue
        for bidder in range(sides):
            bids: list[Any] = [options["bid_min"], min(top, taken[bidder] + 1), top]
            bids += [] if options["special_bid"] == "none" else [options["special_bid"]]
            for bid in dict.fromkeys(bids):
                tested = bid == "pitch" and options["pitch_test"] != "points"
                hand = {"bidder": bidder, "bid": bid, "took": taken}
                found.extend({**hand, "tricks": tricks} for tricks in ((0, 6) if tested else (6,)))
    return found


def scores(target: int, most: int, sides: int) -> Iterator[tuple[int, ...]]:
    """Yield scores near the start and the target: all for two sides, and each in one order for more sides.

    The order changes from score to score, so that all orders occur.
    """
    near = sorted({-2, 0, *range(max(target - most - 1, 0), target + 3, 1 if most < 6 else 3)})
    if sides == 2:
        yield from product(near, repeat=2)
        return
    orders = list(permutations(range(sides)))
    for number, points in enumerate(combinations_with_replacement(near, sides)):
        yield tuple(points[place] for place in orders[number % len(orders)])


@pytest.mark.parametrize(("preset", "players", "sides", "options"), GAMES, ids=str)
def test_a_side_that_does_what_it_needs_wins_and_none_wins_without(
    preset: str, players: int, sides: int, options: dict[str, Any]
) -> None:
    """A side wins if it does what its message says, and can't win otherwise.

    There is one exception: a side can also win by a pitch or a moon.
    """
    rules = judge.BOOK[preset] | options
    table = set_table(
        with_options(PRESETS[preset], options), players, [[s] for s in range(players)] if sides == players else None
    )
    target = rules["target"]
    hands = hands_of(rules, table.least, table.most, sides)
    checked = 0
    plain = False
    for totals in scores(target, table.most, sides):
        top = max(totals)
        if rules["finish"] != "bid_out" and top >= target:
            ahead = top - sorted(totals)[-2]
            if ahead >= (rules["win_by"] if rules["finish"] == "highest" else 1):
                continue
            if sides == 2 and rules["win_by"] == 1:
                continue
        needs = explain.needs(table, Tally(totals, (0,) * sides, 9))
        for hand in hands:
            after = judge.step(rules, table.most, list(totals), [0] * sides, 9, plain, hand)
            for side in range(sides):
                bid = hand["bidder"] == side
                special = isinstance(hand["bid"], str) and after.made
                out = after.made and (
                    after.score[hand["bidder"]] >= target or (special and totals[hand["bidder"]] >= 0)
                )
                seen = After(
                    after.score[side] - totals[side],
                    after.score[side],
                    max(score for other, score in enumerate(after.score) if other != side),
                    bid,
                    after.made,
                    out and not bid,
                    target - totals[side],
                    target,
                    rules["win_by"],
                )
                fulfilled = FULFILLED[needs[side][0].key](seen)
                won = after.winner == side
                checked += 1
                assert won or not fulfilled, (totals, hand, side, needs[side][0])
                assert fulfilled or not won or (bid and special), (totals, hand, side, needs[side][0])
    assert checked > 1000


def test_the_hand_that_breaks_a_tie_of_five_is_anybodys() -> None:
    """With five players, anybody can win the hand that breaks a tie, even a player who wasn't tied.

    The bidder and the partner can both be set, and then the highest score wins.
    """
    table = set_table(PRESETS["somerset-66"], 5)
    level = Tally((74, 74, 18, 60, 3), (0,) * 5, 9, level=True)
    assert {messages[0].key for messages in explain.needs(table, level)} == {"need.decides_any"}


def test_a_called_partner_may_arrive_with_the_bidder() -> None:
    """If a called partner may reach the target in the same hand as a player, the player is told to be ahead to win.

    The bidder and the partner score the same points.
    """
    table = set_table(PRESETS["somerset-66"], 5)
    needs = explain.needs(table, Tally((50, 60, 0, 0, 0), (0,) * 5, 9))
    assert [messages[0].key for messages in needs[:2]] == ["need.points_ahead", "need.points_ahead"]
