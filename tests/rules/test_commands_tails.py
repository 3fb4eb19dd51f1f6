"""Hands that a phone entered offline replace the hands that the game got in the meantime, or are set aside."""

from __future__ import annotations

from scorekeeper.rules import commands as c
from scorekeeper.rules import events as ev
from scorekeeper.rules import game as g
from scorekeeper.rules.replay import evolve, replay
from tests.rules.refusals import code_of
from tests.rules.test_reports import START, act

OURS = {"bidder": 0, "bid": 3, "taken": [3, 1]}
THEIRS = {"dealer": 0, "bidder": 1, "bid": 2, "taken": [1, 3]}


def three_hands() -> g.Game:
    """Return a game of three hands, with the sequence numbers 2 to 4."""
    return act(replay([START]), *(c.EnterHand(OURS) for _ in range(3)))


def test_a_tail_strikes_out_what_stood_there_the_last_first() -> None:
    events = c.decide(three_hands(), c.TakeTail(2, 1))
    assert events == (ev.TailTaken(2, 1), ev.HandVoided(4), ev.HandVoided(3))
    taken = act(three_hands(), c.TakeTail(2, 1), c.EnterHand(THEIRS))
    assert [line.entry.hand.bidder for line in taken.hands] == [0, 1]
    assert taken.tally.totals == (4, 4)
    assert taken.dealer == 1


def test_a_tail_after_the_last_hand_strikes_nothing_out() -> None:
    assert c.decide(three_hands(), c.TakeTail(4)) == (ev.TailTaken(4),)


def test_a_tail_that_leaves_a_gap_is_refused() -> None:
    """A phone's offline hands are refused if the hand right before them isn't in the game."""
    assert code_of(lambda: c.decide(three_hands(), c.TakeTail(5))) == "tail_gap"


def test_a_game_that_was_stopped_goes_on_with_a_tail() -> None:
    stopped = act(three_hands(), c.Concede(0))
    assert act(stopped, c.TakeTail(4), c.EnterHand(THEIRS)).outcome is None


def test_a_game_that_the_bell_ended_takes_no_tail() -> None:
    ended = evolve(three_hands(), ev.GameEnded(0, "time"))
    assert code_of(lambda: c.decide(ended, c.TakeTail(2))) == "time_up"


def test_a_hand_that_is_set_aside_is_kept_in_the_log_and_makes_no_page_old() -> None:
    before = three_hands()
    after = act(before, c.SetHandAside(2, THEIRS, 1))
    assert after.version == before.version + 1
    assert after.stands_at(before.version)
    assert (after.tally, after.lines) == (before.tally, before.lines)
    assert code_of(lambda: c.decide(before, c.SetHandAside(2, THEIRS | {"bid": 9}))) == "bid_illegal"
