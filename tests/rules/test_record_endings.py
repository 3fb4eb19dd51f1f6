"""If a game record states how the game ended, that must agree with the hands in the record."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scorekeeper.cli.score import score_line
from scorekeeper.rules import commands as c
from scorekeeper.rules import events as ev
from scorekeeper.rules import game as g
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import FORMAT, read_record, write_record
from scorekeeper.rules.replay import evolve, replay
from scorekeeper.rules.scoring import Outcome
from tests.rules.refusals import code_of
from tests.support.each import for_each

PITCH: dict[str, Any] = {
    "format": FORMAT,
    "ruleset": {"preset": "pitch-11"},
    "players": ["Ann", "Bob", "Cid", "Dee"],
    "first_dealer": 3,
}
HANDS = PITCH | {"hands": [{"bidder": 0, "bid": 3, "taken": [4, 0]}, {"bidder": 1, "bid": 2, "taken": [1, 3]}]}
WON = PITCH | {"hands": [{"bidder": side, "bid": 3, "taken": [4, 0]} for side in (0, 2, 0)]}
PITCHED = {
    **PITCH,
    "ruleset": {"preset": "setback-7-pitch"},
    "players": ["Ann", "Bob"],
    "first_dealer": 1,
    "hands": [{"bidder": 0, "bid": "pitch", "taken": [4, 0]}],
}


def scored(record: dict[str, Any]) -> tuple[Any, ...]:
    line = score_line(read_record(record))
    return line["over"], line["winner"], line["reason"]


@for_each(
    ("record", "over", "winner", "reason"),
    [
        (PITCH | {"final": [11, 7]}, True, 0, "Final score entered: 11 to 7. Ann and Cid have the high score."),
        (PITCH | {"final": [11, 12]}, True, None, "undecided"),
        (PITCH | {"final": [9, 8]}, True, None, "undecided"),
        (PITCH | {"final": [11, 12], "winner": None}, True, None, "undecided"),
        (
            PITCH | {"final": [11, 12], "winner": 0, "ended_by": "target"},
            True,
            0,
            "Final score entered: 11 to 12. Ann and Cid went out.",
        ),
        (
            PITCH | {"final": [11, 12], "winner": 0},
            True,
            0,
            "Final score entered: 11 to 12. The table agreed that Ann and Cid won.",
        ),
        (
            PITCH | {"final": [9, 9], "winner": None, "ended_by": "time"},
            True,
            None,
            "Final score entered: 9 to 9. Time ran out with no winner.",
        ),
        (HANDS, False, None, None),
        (HANDS | {"x_conceded": 1}, True, 1, "Ann and Cid conceded."),
        (HANDS | {"winner": 1, "ended_by": "conceded"}, True, 1, "Ann and Cid conceded."),
        (HANDS | {"winner": 1, "x_conceded": 1}, True, 1, "Ann and Cid conceded."),
        (HANDS | {"winner": 0, "ended_by": "time"}, True, 0, "Time ran out with Ann and Cid ahead."),
        (HANDS | {"winner": 1}, True, 1, "The table agreed that Bob and Dee won."),
        (
            HANDS | {"winner": None, "ended_by": "agreed"},
            True,
            None,
            "The table agreed to end the game without a winner.",
        ),
        # As older versions read it: no side, or a game that its hands had decided.
        (HANDS | {"x_conceded": "Bob"}, False, None, None),
        (HANDS | {"x_conceded": 2}, False, None, None),
        (WON | {"x_conceded": 1}, True, 0, "Ann and Cid made the bid and reached 12."),
        (WON | {"winner": 0, "ended_by": "target"}, True, 0, "Ann and Cid made the bid and reached 12."),
        (WON | {"winner": 0}, True, 0, "Ann and Cid made the bid and reached 12."),
        (PITCHED | {"winner": 0, "ended_by": "pitch"}, True, 0, "Ann made a pitch. That wins the game."),
        (PITCH | {"final": [11, 7], "x_conceded": 1}, True, 0, None),
    ],
)
def test_a_record_says_who_won(record: dict[str, Any], over: bool, winner: int | None, reason: str | None) -> None:
    told = scored(record)
    assert told[:2] == (over, winner)
    if reason is not None or not over:
        assert told[2] == reason


@for_each(
    ("record", "code"),
    [
        (WON | {"winner": 1}, "winner_decided"),
        (WON | {"winner": 0, "ended_by": "conceded"}, "winner_decided"),
        (WON | {"winner": None, "ended_by": "time"}, "winner_decided"),
        (PITCHED | {"winner": 0, "ended_by": "target"}, "winner_decided"),
        (HANDS | {"winner": 0, "ended_by": "target"}, "ended_by"),
        (HANDS | {"winner": 1, "ended_by": "time"}, "ended_by"),
        (HANDS | {"winner": None, "ended_by": "conceded"}, "ended_by"),
        (HANDS | {"winner": 2}, "side"),
        (HANDS | {"winner": True}, "side"),
        (HANDS | {"winner": 0, "ended_by": "rain"}, "ended_by"),
        (HANDS | {"winner": 0, "ended_by": 3}, "ended_by"),
        (HANDS | {"winner": 0, "x_conceded": 1}, "ended_by"),
        (HANDS | {"winner": 1, "ended_by": "agreed", "x_conceded": 0}, "ended_by"),
        (PITCH | {"final": [11, 7], "winner": 1}, "winner_decided"),
        (PITCH | {"final": [10, 12], "winner": 0, "ended_by": "target"}, "ended_by"),
    ],
)
def test_a_record_that_says_otherwise_is_refused(record: dict[str, Any], code: str) -> None:
    assert code_of(lambda: read_record(record)) == code


@pytest.mark.parametrize(
    "more",
    [
        {"winner": 1, "ended_by": "conceded"},
        {"winner": 0, "ended_by": "time"},
        {"winner": None, "ended_by": "agreed"},
    ],
)
@pytest.mark.parametrize("base", [HANDS, PITCH | {"final": [9, 8]}], ids=["hands", "final"])
def test_an_ending_comes_back_as_it_was_written(base: dict[str, Any], more: dict[str, Any]) -> None:
    record = read_record(base | more)
    parts = (record.table, record.names, record.first_dealer, record.hands)
    written = write_record(*parts, final=record.final, extra=record.extra, outcome=record.outcome)
    assert {key: written[key] for key in ("winner", "ended_by")} == more
    assert read_record(json.loads(json.dumps(written))).outcome == record.outcome


def test_what_is_decided_or_undecided_is_not_written() -> None:
    for base in (HANDS, WON, PITCH | {"final": [11, 7]}, PITCH | {"final": [11, 12]}):
        record = read_record(base)
        parts = (record.table, record.names, record.first_dealer, record.hands)
        written = write_record(*parts, final=record.final, outcome=record.outcome)
        assert not {"winner", "ended_by"} & written.keys()


def started() -> g.Game:
    return replay([ev.GameStarted(PRESETS["pitch-11"], (1, 2, 3, 4), ((0, 2), (1, 3)), 3)])


@pytest.mark.parametrize(("totals", "winner"), [((11, 12), 1), ((9, 8), 0), ((11, 7), 0), ((9, 9), None)])
def test_a_final_score_stored_before_anybody_was_asked_means_what_it_meant(
    totals: tuple[int, int], winner: int | None
) -> None:
    """If a final score from an older version names no winner, the side with the highest score won, or nobody in a tie.

    A record of the game has the same winner. For a new final score, the app asks for the winner.
    """
    stored = ev.decode("ResultEntered", 1, {"totals": list(totals)})
    game = evolve(started(), stored)
    assert game.outcome == Outcome(winner, "final")
    written = write_record(game.table, ["A", "B", "C", "D"], 3, (), final=game.final, outcome=game.outcome)
    assert score_line(read_record(written))["winner"] == winner


def test_a_table_that_was_asked_says_who_won() -> None:
    (told,) = c.decide(started(), c.EnterResult((11, 12), 0, "target"))
    assert told == ev.ResultEntered((11, 12), 0, "target")
    assert evolve(started(), told).outcome == Outcome(0, "final.target")
    (open_still,) = c.decide(started(), c.EnterResult((11, 12), None, "undecided"))
    assert evolve(started(), open_still).outcome == Outcome(None, "final.undecided")
    assert c.decide(started(), c.EnterResult((11, 12))) == (ev.ResultEntered((11, 12)),)
    assert c.decide(started(), c.EnterResult((11, 12), 1)) == (ev.ResultEntered((11, 12), 1, "agreed"),)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (c.EnterResult((11, 12), 0, "pitch"), "ended_by"),
        (c.EnterResult((11, 7), 1, "agreed"), "winner_decided"),
        (c.EnterResult((11, 12), 0, "undecided"), "ended_by"),
        (c.EnterResult((11, 12), 2, "target"), "side"),
    ],
)
def test_a_winner_that_cannot_be_is_refused(command: c.EnterResult, code: str) -> None:
    assert code_of(lambda: c.decide(started(), command)) == code
