"""Without a signal a phone scores like the server: the same random games are played by both, hand by hand.

`tests/bench/client_rules.py` plays 100,000 of them.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import pytest

from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.table import set_table
from tests.rules.client import RULES_JS, Met, differences, in_quickjs, report, shrunk
from tests.rules.client_games import Try, games

if TYPE_CHECKING:
    from tests.rules.client import Play

A_SAMPLE = 150
"""Number of random games in each run."""
MANY = 10_000
SLIPS = (
    ("took >= worthOf", "took > worthOf"),
    ("2 * (bid - took)", "(bid - took)"),
    ("Math.max(total, 0)", "total"),
    ("(dealer + 1) % table.players,", "(dealer + table.players - 1) % table.players,"),
    ('thrownIn && rules.redeal_by === "same"', "thrownIn"),
    ("before.totals[us] >= 0", "before.totals[us] > 0"),
    ("sets[us] >= rules.max_sets", "sets[us] > rules.max_sets"),
    ("lead(totals, side) >= (rules.win_by ?? 1)", "lead(totals, side) > (rules.win_by ?? 1)"),
    ('last.made || rules.go_out === "take" ? bidding', "last.made ? bidding"),
    ("last.made && totals[bidder] >= rules.target", "totals[bidder] >= rules.target"),
    ('settles && rules.tie_break_round !== "threshold"', "settles"),
    ("first.includes(bidder)", "true"),
    ('playOn(rules.tie === "one_more_hand")', "playOn()"),
    ("hands < rules.hands_limit ||", "hands + 1 < rules.hands_limit ||"),
    ("tricks >= table.pitch_tricks", "tricks > table.pitch_tricks"),
    ("next.hands = state.hands + 1", "next.hands = state.hands"),
    ("table.called ? shares[1]", "table.called ? shares[0]"),
    ("seat === dealt ? table.dealer_bids", "false ? table.dealer_bids"),
    ("total > table.most", "total >= table.most"),
    ("table.sums?.includes(total) === false", "false"),
    ('bid === "pitch" && slam ? slam.value : 0', "0"),
    ("points.slam !== party", "false"),
    ("points[key] === null && always", "points[key] === null"),
    ("if (told(rules.forced_bid))", "if (!told(rules.forced_bid))"),
    ("taken.length !== wanted", "false"),
    ("delta[side] === delta[us]", "delta[side] !== delta[us]"),
    ('delta[side] > 0 ? "scores"', 'delta[side] < 0 ? "scores"'),
    ("!first.sides.includes(side)", "side !== us"),
)
"""Replacements that put a mistake into the phone's script, each of which the comparison must find."""


def _held(play: Play, count: int) -> Met:
    met = Met()
    for differing in islice(differences(play, games(count), met), 1):
        pytest.fail(report(play, shrunk(play, differing)))
    print(f"{met.games} games, {met.hands} hands, no difference")
    assert met.games == count
    return met


def test_a_phone_scores_like_the_server() -> None:
    met = _held(in_quickjs(RULES_JS.read_text()), A_SAMPLE)
    assert len(met.refusals) > 15
    assert len(met.endings) > 5


@pytest.mark.parametrize("tie", ["nobody", "bidder", "defenders", "dealer"])
def test_a_phone_gives_a_tied_game_to_the_same_side(tie: str) -> None:
    """That is so for any hand that comes with Game at nobody, not only for one that a form has read."""
    table = set_table(with_options(PRESETS["setback-21"], {"game_tie": tie}), 4)
    hand = {"bidder": 1, "bid": 3, "points": {"high": 0, "low": 1, "jack": 1, "game": None}}
    play = in_quickjs(RULES_JS.read_text())
    assert [report(play, each) for each in differences(play, [Try(table, 0, tries=(hand,))], Met())] == []


@pytest.mark.slow
def test_a_phone_scores_every_variant_like_the_server() -> None:
    met = _held(in_quickjs(RULES_JS.read_text()), MANY)
    assert met.never() == []


@pytest.mark.slow
@pytest.mark.parametrize(("right", "wrong"), SLIPS)
def test_a_mistake_in_the_script_is_noticed(right: str, wrong: str) -> None:
    script = RULES_JS.read_text()
    assert script.count(right) == 1
    play = in_quickjs(script.replace(right, wrong))
    assert next(differences(play, games(1_500), Met(), batch=60), None) is not None
