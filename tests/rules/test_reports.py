"""Other phones can report their versions of a hand. A report never changes the score, and can be settled."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules import commands as c
from scorekeeper.rules import events as ev
from scorekeeper.rules import game as g
from scorekeeper.rules.game import KEEP, SPLIT, TAKE, same_result
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import evolve, replay
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import set_table
from tests.rules.strategies import started

FIRST = Hand(3, 0, 3, (3, 1))
SECOND = Hand(3, 0, 3, (2, 2))
HANDS = (FIRST, SECOND, FIRST._replace(bid=2), FIRST._replace(bidder=1), FIRST._replace(dealer=0), Hand(3))


def act(game: g.Game, *commands: c.Command) -> g.Game:
    """Carry out these commands in `game`, one after another, and return the resulting game."""
    for command in commands:
        for event in c.decide(game, command):
            game = evolve(game, event)
    return game


START = started(set_table(with_options(PRESETS["setback-21"], {"forced_bid": None}), 4), 3)


def played() -> g.Game:
    """Return a game of one hand: seat 3 dealt, seat 0 bid 3, and seat 0's side took 3 of the 4 points."""
    return act(replay([START]), c.EnterHand({"bidder": 0, "bid": 3, "taken": [3, 1]}))


def reported(*hands: Hand) -> g.Game:
    """Return the game from `played` after other phones have reported `hands`, one each, as their versions of hand 1.

    The phone of seat 1 makes the first report, the phone of seat 2 the second, and so on. The first report is event
    number 3.
    """
    return act(played(), *(c.ReportHand(2, hand, by, None) for by, hand in enumerate(hands, start=1)))


def test_the_same_from_another_phone_is_a_check() -> None:
    entry = reported(FIRST._replace(trump="H")).entry(2)
    assert (entry.verified, entry.disputes) == (True, ())
    assert [(report.seq, report.by, report.first, report.agrees) for report in entry.reports] == [(3, 1, None, True)]


POINTS = {"high": 0, "low": 0, "jack": 0, "game": 1}
SWAPPED = {**POINTS, "jack": 1, "game": 0}


def test_who_took_which_is_compared_where_both_tell_it() -> None:
    one, other = FIRST._replace(points=POINTS), FIRST._replace(points=SWAPPED)
    assert same_result(one, FIRST)
    assert same_result(one, one._replace(points=dict(POINTS)))
    assert not same_result(one, other)
    assert same_result(one, other, by_point=False)


def test_a_log_from_before_reads_as_it_did() -> None:
    """In a log from an older version, a report agrees with a hand if each side's sum of points is the same.

    In a new log, a report disagrees if the owners of the points differ, even if the sums are the same. A settlement
    from an older version has no reason.
    """
    hand = FIRST._replace(points=POINTS)
    old = {"seq": 2, "hand": {"dealer": 3, "bidder": 0, "bid": 3, "taken": [3, 1], "points": SWAPPED}, "by": 1}
    game = replay([START, ev.HandScored(hand), ev.decode("HandReported", 1, old)])
    assert game.entry(2).verified
    assert (
        not act(replay([START, ev.HandScored(hand)]), c.ReportHand(2, FIRST._replace(points=SWAPPED))).entry(2).verified
    )
    settled = evolve(game, ev.decode("ReportSettled", 1, {"seq": 2, "report": 3, "how": "keep"}))
    assert [each.reason for each in settled.entry(2).settled] == [None]


@pytest.mark.parametrize("other", HANDS[1:], ids=str)
def test_anything_else_is_a_dispute(other: Hand) -> None:
    """A report with another dealer, bidder, bid or sum of points disputes the hand.

    The dispute stays even if the report of a third phone agrees with the hand.
    """
    entry = reported(other, FIRST).entry(2)
    assert [report.hand for report in entry.disputes] == [other]
    assert not entry.verified


def test_a_hand_that_nobody_reported_is_not_verified() -> None:
    assert not played().entry(2).verified


def test_the_same_report_from_the_same_phone_comes_once() -> None:
    game = reported(SECOND)
    assert c.decide(game, c.ReportHand(2, SECOND, 1)) == ()
    assert c.decide(game, c.ReportHand(2, SECOND, 2)) == (ev.HandReported(2, SECOND, 2, by_point=True),)


def test_keeping_the_first_only_closes_the_report() -> None:
    game = reported(SECOND, HANDS[2])
    after = act(game, c.SettleReport(2, 3, KEEP))
    assert [report.hand for report in after.entry(2).reports] == [HANDS[2]]
    assert after.tally == game.tally


def test_taking_the_second_is_a_correction() -> None:
    """If a dispute is settled by taking a phone's report, the hand gets the reported values.

    The hand then has no reports left.
    """
    game = reported(SECOND, HANDS[2])
    after = act(game, c.SettleReport(2, 3, TAKE))
    entry = after.entry(2)
    assert (entry.hand, entry.corrected, entry.reports) == (SECOND, True, ())
    assert after.tally == act(played(), c.CorrectHand(2, {"bidder": 0, "bid": 3, "taken": [2, 2]})).tally


def test_taking_what_agrees_changes_nothing() -> None:
    assert c.decide(reported(FIRST), c.SettleReport(2, 3, TAKE)) == (ev.ReportSettled(2, 3, TAKE),)


@pytest.mark.parametrize("other", HANDS[:4], ids=str)
def test_a_report_of_another_hand_becomes_the_next_one(other: Hand) -> None:
    """A report that turns out to be about the next hand can be saved as the next hand, with the next dealer.

    The first hand then has no reports left.
    """
    after = act(reported(other), c.SettleReport(2, 3, SPLIT))
    assert [line.entry.hand for line in after.hands] == [FIRST, other._replace(dealer=0)]
    assert after.entry(2).reports == ()
    assert after.dealer == 1


def test_a_report_of_another_hand_that_was_thrown_in() -> None:
    after = act(reported(Hand(3)), c.SettleReport(2, 3, SPLIT))
    assert [line.made for line in after.hands] == [True, None]


def test_a_correction_closes_what_was_said_of_the_hand() -> None:
    after = act(reported(SECOND), c.CorrectHand(2, {"bidder": 0, "bid": 3, "taken": [4, 0]}))
    assert after.entry(2).reports == ()


def test_a_report_makes_nobodys_page_old() -> None:
    """Forms on a page that was loaded before a report was made can still be used.

    They are refused as outdated only if something other than a report has changed in the game since then.
    """
    game = reported(SECOND, FIRST)
    assert (game.changed, game.version) == (2, 4)
    assert [game.stands_at(version) for version in (None, 1, 2, 3, 4, 5)] == [False, False, True, True, True, False]
    assert act(game, c.SettleReport(2, 3, KEEP)).changed == 2
    assert act(game, c.SettleReport(2, 3, TAKE)).changed == 6


def test_tricks_and_partner_are_part_of_the_result() -> None:
    assert not same_result(Hand(0, 1, "pitch", (4, 0), tricks=4), Hand(0, 1, "pitch", (4, 0), tricks=3))
    assert not same_result(Hand(0, 1, 20, (30, 3), partner=2), Hand(0, 1, 20, (30, 3), partner=3))


MOVES: st.SearchStrategy[c.Command] = st.one_of(
    st.builds(c.EnterHand, st.sampled_from([{"bidder": 0, "bid": 3, "taken": [3, 1]}, {"passed": True}])),
    st.builds(c.CorrectHand, st.just(2), st.sampled_from([{"bidder": 0, "bid": 2, "taken": [1, 3]}])),
    st.sampled_from([c.Undo(), c.Redo()]),
)
SAID: st.SearchStrategy[c.Command] = st.builds(
    c.ReportHand, st.integers(2, 9), st.sampled_from(HANDS), st.integers(0, 3)
)
CLOSED: st.SearchStrategy[c.Command] = st.builds(c.SettleReport, st.integers(2, 9), st.integers(3, 12), st.just(KEEP))


@pytest.mark.slow
@given(st.lists(st.one_of(MOVES, SAID, CLOSED), max_size=14))
def test_totals_never_depend_on_what_other_phones_say(commands: list[Any]) -> None:
    """A report by another phone changes nothing in a game except the list of reports.

    The same is true for a settlement that keeps the hand. All these events stay in the log.
    """
    game: g.Game = played()
    log: list[ev.Event] = [START, ev.HandScored(FIRST)]
    said = 0
    for command in commands:
        try:
            events = c.decide(game, command)
        except RuleViolation:
            continue
        for event in events:
            before, game = game, evolve(game, event)
            log.append(event)
            if isinstance(event, ev.HandReported | ev.ReportSettled):
                said += 1
                assert _bare(game) == _bare(before)
    assert replay(log) == game
    assert game.version == len(log)
    assert said == sum(isinstance(event, ev.HandReported | ev.ReportSettled) for event in log)


def _bare(game: g.Game) -> tuple[object, ...]:
    """Return everything in a game except the reports of other phones."""
    entries = tuple(replace(entry, reports=()) for entry in game.entries)
    lines = [(line.number, line.before, line.tally, line.delta, line.made, line.after_end) for line in game.lines]
    return game.tally, entries, lines, game.dealer, game.open_bid, game.undone, game.outcome
