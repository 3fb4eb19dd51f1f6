"""The same hand gives the same score however it is entered, under every option of every game."""

from __future__ import annotations

import os
from collections import Counter
from itertools import islice
from typing import Any

import pytest

from scorekeeper.rules import commands as c
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import replay
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.table import set_table
from tests.rules.client import RULES_JS, in_quickjs
from tests.rules.client_games import values_of
from tests.rules.strategies import started
from tests.rules.ways_of_entry import PHONE_JS, done, hands, score_of, way_of

FEW = 100
MANY = int(os.environ.get("SCOREKEEPER_HANDS_ENTERED", "20000"))
AT_ONCE = 100


def _enter(count: int) -> Counter[Any]:
    """Enter this many hands in every way, compare the scores, and return how often each way and option occurred."""
    met: Counter[Any] = Counter()
    phone, told = in_quickjs(RULES_JS.read_text(), PHONE_JS), hands(count)
    while some := list(islice(told, AT_ONCE)):
        asked = [(each, name, sent) for each in some for name, sent in each.on_the_phone()]
        answers = iter(phone([sent for _each, _name, sent in asked]))
        for each in some:
            met["hands"] += 1
            met["ties"] += each.is_tie
            met["preset", each.game.table.rules.preset] += 1
            met.update((key, getattr(each.game.table.rules, key)) for key in OPTIONS)
            entered = list(each.entered())
            expected = score_of(entered[0][1])
            for name, game in entered:
                assert score_of(game) == expected, (name, each)
                met[name] += 1
            for name, _sent in each.on_the_phone():
                answer = next(answers)
                assert answer.get("score") == expected, (name, each, answer)
                saved = done(each.game, c.EnterHand(answer["hand"]))
                assert score_of(saved) == expected, (name, each)
                assert answer["way"] == way_of(saved), (name, each)
                met[name] += 1
                met["way", answer["way"]["called"], answer["way"]["mode"]] += 1
    return met


def test_a_hand_scores_the_same_however_it_is_entered() -> None:
    met = _enter(FEW)
    assert met["hands"] == FEW
    assert met["import, points"]
    assert all(met["way", called, mode] for called in (False, True) for mode in ("points", "taken", "parts"))


@pytest.mark.parametrize(("tie", "made"), [("nobody", False), ("bidder", True), ("defenders", False), ("dealer", True)])
def test_tied_gives_game_as_the_rules_say(tie: str, made: bool) -> None:
    """Ann, who deals, bids 3 and takes High and Low. With a tied Game that goes to her side, the bid is made."""
    table = set_table(with_options(PRESETS["setback-21"], {"game_tie": tie}), 4)
    game = replay([started(table, first_dealer=0)])
    points = {"high": 0, "low": 0, "jack": None, "game": None}
    after = done(game, c.EnterHand({"bidder": 0, "bid": 3, "points": points}))
    assert after.lines[-1].made == made
    assert after.tally.totals == ((3, 0) if made else (-3, tie == "defenders"))


@pytest.mark.slow
@pytest.mark.long
def test_many_hands_score_the_same_however_they_are_entered() -> None:
    met = _enter(MANY)
    print({key: times for key, times in met.items() if isinstance(key, str)})
    assert [preset for preset in PRESETS if not met["preset", preset]] == []
    assert [key for key in OPTIONS if sum(met[key, value] > 0 for value in values_of(key)) < 2] == []
