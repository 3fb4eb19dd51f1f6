"""Check that a replay of twice as many events takes about twice the work, whatever kinds of events they are.

The work is counted in bytecode instructions, whose number doesn't depend on how busy the machine is.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from scorekeeper.rules import events as ev
from scorekeeper.rules.commands import MOST_RULES, ChangeRules, decide
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import advance, replay
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import Hand
from tests.rules.refusals import code_of
from tests.support.each import for_each

if TYPE_CHECKING:
    from types import FrameType

N = 60
MORE = 2.2
"""The highest allowed ratio of the work for twice as many events to the work for the events once.

If each event made the replay add up all earlier events again, the ratio would be 2.5 to 3.9.
"""
RULES = with_options(PRESETS["setback-21"], {"target": 99})
HAND, OTHER = Hand(0, 1, 4, (2, 2)), Hand(0, 1, 4, (3, 1))
START = ev.GameStarted(RULES, (1, 2, 3, 4), ((0, 2), (1, 3)), 0)
FIRST, LAST = 2, N + 1
"""Sequence numbers of the first and the last of N hands."""


def steps(work: Callable[[], Any]) -> int:
    """Return the number of bytecode instructions that `work` runs."""
    done = 0

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal done
        frame.f_trace_opcodes = True
        done += event == "opcode"
        return trace

    before = sys.gettrace()
    gc.disable()  # the garbage of other tests is no work of this one
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
        gc.enable()
    return done


def hands(count: int) -> list[ev.Event]:
    """Return the log of a game of `count` hands."""
    return [START, *(ev.HandScored(HAND) for _ in range(count))]


def again(*events: ev.Event) -> Callable[[int], Iterable[ev.Event]]:
    """Return a function that takes a count and returns a log with that many hands.

    After the hands, the log has all of `events`, repeated as many times as there are hands.
    """
    return lambda count: chain(hands(count), *([events] * count))


def hands_then(make: Callable[[int], Iterable[ev.Event]]) -> Callable[[int], Iterable[ev.Event]]:
    """Return a function that takes a count and returns a log with that many hands.

    After the hands, the log has the events that `make` returns for the sequence number of each hand.
    """
    return lambda count: chain(hands(count), *(make(seq) for seq in range(2, count + 2)))


def alternate(count: int) -> Iterable[ev.Event]:
    """Return the log of a game of `count` hands with an adjustment after each hand."""
    return chain([START], *((ev.HandScored(HAND), ev.ScoreAdjusted(i % 2, 1, "why")) for i in range(count)))


def struck_out(count: int) -> Iterable[ev.Event]:
    """Return the log of a game whose `count` hands are undone one by one, and then restored."""
    seqs = range(2, count + 2)
    return chain(hands(count), map(ev.HandVoided, reversed(seqs)), map(ev.HandRestored, seqs))


LOGS: dict[str, Callable[[int], Iterable[ev.Event]]] = {
    "hands": hands,
    "adjustments after each hand": alternate,
    "adjustments after one hand": lambda count: [START, ev.HandScored(HAND), *[ev.ScoreAdjusted(0, 1, "r")] * count],
    "adjustments before any hand": lambda count: [START, *[ev.ScoreAdjusted(0, 1, "r")] * count],
    "corrections of one hand": again(ev.HandCorrected(FIRST, OTHER), ev.HandCorrected(FIRST, HAND)),
    "corrections of every hand": hands_then(lambda seq: [ev.HandCorrected(seq, OTHER)]),
    "undo and redo of one hand": again(ev.HandVoided(FIRST), ev.HandRestored(FIRST)),
    "undo and redo of all hands": struck_out,
    "reports on one hand": again(ev.HandReported(FIRST, OTHER)),
    "reports on every hand, settled": hands_then(
        lambda seq: [ev.HandReported(seq, OTHER), ev.ReportSettled(seq, seq, "keep")]
    ),
    "bids": again(ev.BidTaken(0, 1, 2), ev.BidWithdrawn()),
    "calls": again(ev.CallMade("pass"), ev.CallTakenBack()),
    "throw-ins, misdeals and dealers": again(ev.HandThrownIn(Hand(0)), ev.HandMisdealt(0), ev.DealerSet(1)),
    "ends": again(
        *(ev.GameConceded(0), ev.GameReopened()),
        *(ev.GameAbandoned(), ev.GameReopened()),
        *(ev.GameEnded(0, "time"), ev.GameReopened()),
    ),
    "people": again(ev.PlayerRenamed(0, 5), ev.PlayerReplaced(1, 6)),
    "tails": again(ev.TailTaken(1), ev.HandSetAside(1, OTHER)),
    "final scores": lambda count: [START, *[ev.ResultEntered((3, 4))] * count],
    "as many changes of rules as there may be": lambda count: [
        *hands(count),
        *(ev.RulesChanged(with_options(RULES, {"target": 80 + change % 2})) for change in range(MOST_RULES)),
    ],
}


@for_each("kind", LOGS, parts=2)
def test_twice_the_events_are_twice_the_work(kind: str) -> None:
    """Replaying twice as many events takes about twice the work, whatever their kind.

    Only a change of rules makes the replay score all earlier hands again, and the number of such changes is limited.
    """
    once, twice = (steps(partial(replay, tuple(LOGS[kind](count)))) for count in (N, 2 * N))
    assert N < once < twice <= MORE * once


@for_each("kind", LOGS, parts=2)
def test_what_comes_at_once_is_added_up_once(kind: str) -> None:
    """Adding the second half of a log to a game takes no more work than replaying the whole log."""
    log = tuple(LOGS[kind](N))
    half = replay(log[: len(log) // 2])
    assert steps(lambda: advance(half, log[len(log) // 2 :])) <= steps(lambda: replay(log))
    assert advance(half, log[len(log) // 2 :]) == replay(log)


def test_no_kind_of_event_is_left_out() -> None:
    """Each kind of event occurs in at least one of the `LOGS` of these tests."""
    assert {type(event).__name__ for make in LOGS.values() for event in make(2)} == set(ev.KINDS)


def test_a_game_changes_its_rules_so_often_and_no_more() -> None:
    """The number of rule changes in a game is limited, because each change scores all hands again.

    A stored log with more changes is still read.
    """
    changes = [ev.RulesChanged(with_options(RULES, {"target": 80 + change % 2})) for change in range(MOST_RULES)]
    game = replay([START, *changes[:-1]])
    (last,) = decide(game, ChangeRules(changes[-1].rules))
    full = advance(game, [last])
    assert code_of(lambda: decide(full, ChangeRules(RULES))) == "rules_many"
    assert decide(full, ChangeRules(full.table.rules)) == ()
    assert replay([START, *changes, *changes]).table.rules == changes[-1].rules


def test_a_log_that_speaks_of_a_hand_that_is_not_there_is_refused() -> None:
    assert code_of(lambda: replay([START, ev.HandVoided(9)])) == "hand_unknown"
