"""For offline scoring, a phone gets the rules and the score as plain data, with the sentences that the server uses."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper.games.presenters.client_state import MOST_LINES, offline_state, refusals, rules_state, score_state
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.rules import commands as c
from scorekeeper.rules.game import Game
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import evolve, replay
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.table import set_table, table_at
from tests.rules.strategies import started

if TYPE_CHECKING:
    from flask import Flask

RULES_JS = Path(__file__).resolve().parents[2] / "static" / "js" / "games" / "rules.js"
PLAYED = {"bidder": 0, "bid": 2, "points": {"high": 0, "low": 0, "jack": None, "game": 1}}


def _setback(**options: object) -> Game:
    return replay([started(set_table(with_options(PRESETS["setback-21"], options), 4), first_dealer=3)])


def _after(game: Game, *wishes: c.Command) -> Game:
    for wish in wishes:
        for event in c.decide(game, wish):
            game = evolve(game, event)
    return game


def test_it_has_every_option_of_every_game() -> None:
    for preset in PRESETS.values():
        for seating in preset.seatings:
            table = table_at(preset, seating)
            state = rules_state(table)
            assert json.loads(json.dumps(state)) == state
            assert state["rules"] == {key: getattr(table.rules, key) for key in OPTIONS}
            assert [category["key"] for category in state["categories"]] == [each.key for each in preset.categories]


def test_it_has_the_current_score() -> None:
    game = _after(_setback(), c.EnterHand(PLAYED), c.AdjustScore(1, -3, "a revoke"), c.TakeBid(1, 3, "H"))
    state = score_state(game)
    assert {key: value for key, value in state.items() if key not in ("start", "lines", "stopped", "calls")} == {
        "version": 4,
        "number": 2,
        "dealer": 0,
        "bid": {"bidder": 1, "bid": 3, "trump": "H"},
        "totals": [2, -2],
        "sets": [0, 0],
        "hands": 1,
        "level": False,
        "outcome": None,
        "was": {"bidder": 0, "bid": 2, "taken": [2, 1], "points": PLAYED["points"]},
        "last": None,
    }


def test_it_has_the_lines_and_the_score_before_them() -> None:
    game = _after(_setback(), c.EnterHand(PLAYED), c.AdjustScore(1, -3, "a revoke"), c.MakeCall(2), c.MakeCall("pass"))
    state = score_state(game)
    assert state["start"] == {
        "totals": [0, 0], "sets": [0, 0], "hands": 0, "level": False, "outcome": None, "number": 1
    }  # fmt: skip
    assert state["lines"] == [
        {"seq": 2, "hand": PLAYED | {"dealer": 3}},
        {"seq": 3, "side": 1, "points": -3, "reason": "a revoke"},
    ]
    assert state["calls"] == [2, "pass"]
    assert state["stopped"] is None


def test_a_long_game_has_its_last_lines() -> None:
    wishes: list[c.Command] = [c.EnterHand(PLAYED), c.AdjustScore(1, -1, "a revoke")]
    game = _after(_setback(target=200), *wishes * 40)
    state = score_state(game)
    assert len(state["lines"]) <= MOST_LINES
    assert "hand" in state["lines"][0]
    assert state["start"] | {"totals": state["totals"]} == {
        "totals": [80, 0], "sets": [0, 0], "hands": 10, "level": False, "outcome": None, "number": 11
    }  # fmt: skip


@pytest.mark.parametrize(
    ("wish", "outcome"),
    [(c.Concede(1), {"winner": 1, "rule": "conceded"}), (c.Abandon(), {"winner": None, "rule": "abandoned"})],
)
def test_a_game_that_was_stopped_is_over_on_the_phone_too(wish: c.Command, outcome: dict[str, object]) -> None:
    assert score_state(_after(_setback(), wish))["outcome"] == outcome


def test_refusals_use_the_words_of_the_rules() -> None:
    says = refusals(_setback(dealer_privilege="match", dealer_may_raise=False))
    assert says["points_missing high"] == "Choose who took High."
    assert says["passed_forced passed"] == "The dealer can't pass here and must bid 2."
    assert says["points_total few"] == "A hand has at least 2 points (High and Low), but these add up to {total}."
    assert says["bid_illegal dealer"] == "The dealer can't match a bid of {bid}."
    assert says["game_over"] == "The game is over. Undo the last hand to go on."


def test_the_phone_knows_what_the_points_of_a_hand_add_up_to() -> None:
    """For offline scoring, a phone gets a list of all possible sums of the points in a hand.

    If one point is worth five, some sums between the lowest and the highest are impossible.
    """
    game = replay([started(set_table(PRESETS["nine-point"], 4), first_dealer=3)])
    assert rules_state(game.table)["table"]["sums"] == [2, 3, 4, 7, 8, 9]
    assert refusals(game)["points_total gap"] == "The points of a hand never add up to {total} in this game."
    assert "points_total gap" not in refusals(_setback())


def test_the_whole_state_is_in_the_language_of_the_phone(app: Flask) -> None:
    game = _setback()
    names = dict(zip(game.players, ("Ann", "Bob", "Cid", "Dee"), strict=True))
    now = datetime(2025, 11, 20, tzinfo=UTC)
    snapshot = Snapshot(
        "abc", game, names, mine=True, started=True, watched=True, updated=now, latest=started(game.table), began=now
    )
    with app.test_request_context(headers={"Accept-Language": "es"}):
        state = offline_state(snapshot)
    assert state["names"] == ["Ann", "Bob", "Cid", "Dee"]
    assert state["side_names"] == ["Ann y Cid", "Bob y Dee"]
    assert state["says"]["bidder_missing bidder"] == "Elige quién pujó."
    assert "{total}" in state["says"]["points_total few"]
    assert state["categories"][0]["label"] != "High"
    assert json.loads(json.dumps(state)) == state


def test_the_script_has_no_sentences() -> None:
    code = re.sub(r"/\*.*?\*/", "", RULES_JS.read_text(), flags=re.DOTALL)
    assert not [preset for preset in PRESETS if preset in code]
    assert [text for text in re.findall(r'"([^"\n]*)"', code) if not re.fullmatch("[a-z_-]+", text)] == []
