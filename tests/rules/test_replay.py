"""Laws of the event log: the state of a game is always the replay of its log."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules import commands as c
from scorekeeper.rules import events as ev
from scorekeeper.rules import game as g
from scorekeeper.rules.record import Agreed, read_record, write_record
from scorekeeper.rules.replay import evolve, replay
from scorekeeper.rules.scoring import Hand, new_tally
from tests.rules.refusals import code_of
from tests.rules.strategies import hands, logs, started


def _act(game: g.Game, command: c.Command) -> g.Game:
    for event in c.decide(game, command):
        game = evolve(game, event)
    return game


def _scores(game: g.Game, *, by_place: bool = True) -> Any:
    """Return (final score, scores, sequence numbers) for comparing two games.

    The last two are lists with an item for each hand and adjustment. If `by_place` is false, None takes the place of
    the list of sequence numbers.
    """
    lines = [(line.number, line.before, line.tally, line.delta, line.made, line.after_end) for line in game.lines]
    return game.tally, lines, [line.entry.seq for line in game.lines] if by_place else None


PLAYED = logs().map(replay).filter(lambda game: bool(game.hands))
"""Draws games with at least one hand."""
IDLE = PLAYED.map(lambda game: replace(game, open_bid=None, auction=None, stopped=None))
"""Draws games in which undo removes a hand or adjustment, because no bid, call or end would be undone first."""


@given(logs(), st.data())
def test_the_replay_of_a_prefix_is_the_state_at_that_point(log: list[ev.Event], data: st.DataObject) -> None:
    """Replaying the first part of a log and then applying the rest gives the same game as replaying the whole log.

    The version of a game is its number of events.
    """
    cut = data.draw(st.integers(1, len(log)))
    game = replay(log[:cut])
    assert game.version == cut
    for event in log[cut:]:
        game = evolve(game, event)
    assert game == replay(log)


@given(logs())
def test_the_player_at_a_seat_is_the_one_who_sat_there_at_that_event(log: list[ev.Event]) -> None:
    """`player_at` returns the player who had a seat at the time of an event.

    A player who took over the seat later isn't returned.
    """
    game = replay(log)
    for place in range(1, len(log) + 1):
        later = [event for event in log[place:] if isinstance(event, ev.PlayerReplaced)]
        untouched = {seat for seat in range(game.table.players) if all(event.seat != seat for event in later)}
        then = replay(log[:place]).players
        renamed = {event.seat for event in log[place:] if isinstance(event, ev.PlayerRenamed)}
        for seat in range(game.table.players):
            if seat in untouched:
                assert game.player_at(seat, place) == game.players[seat]
            elif seat not in renamed:
                assert game.player_at(seat, place) == then[seat]


@given(logs())
def test_a_log_that_was_stored_as_json_replays_to_the_same_game(log: list[ev.Event]) -> None:
    """A log that is stored as JSON and read back has equal events and replays to an equal game."""
    back = []
    for event in log:
        kind, data = ev.encode(event)
        back.append(ev.decode(kind, ev.VERSION, json.loads(json.dumps(data))))
    assert back == log
    assert replay(back) == replay(log)


def _told(log: list[ev.Event]) -> list[tuple[int, Any]]:
    """Return (sequence number, hand or adjustment) for each hand and adjustment that counts.

    Undone entries are left out. A corrected hand is returned in its corrected form.
    """
    what: dict[int, Any] = {}
    struck: set[int] = set()
    for seq, event in enumerate(log, start=1):
        if isinstance(event, ev.HandScored | ev.HandThrownIn):
            what[seq] = event.hand
        elif isinstance(event, ev.ScoreAdjusted):
            what[seq] = g.Adjustment(event.side, event.points, event.reason)
        elif isinstance(event, ev.HandCorrected):
            what[event.seq] = event.hand
        elif isinstance(event, ev.HandVoided):
            struck.add(event.seq)
        elif isinstance(event, ev.HandRestored):
            struck.discard(event.seq)
    return [(seq, said) for seq, said in sorted(what.items()) if seq not in struck]


def _comparable(said: Any) -> Any:
    """Return a hand without its calls, or an adjustment unchanged.

    A change of rules may drop the calls of a hand, so tests compare hands without their calls.
    """
    return said._replace(calls=None) if isinstance(said, Hand) else said


@given(logs())
def test_the_sheet_is_what_the_log_told_last(log: list[ev.Event]) -> None:
    """A game has each hand and adjustment that counts, in the order of entry and in its latest form."""
    game = replay(log)
    found = [(line.entry.seq, _comparable(line.entry.what)) for line in game.lines]
    assert found == [(seq, _comparable(said)) for seq, said in _told(log)]


@given(logs())
def test_the_state_kept_up_to_date_equals_a_recount_from_nothing(log: list[ev.Event]) -> None:
    """A new game with the same hands, adjustments and rules has the same scores and the same end."""
    game = replay(log)
    fresh = replay([replace(started(game.table, game.first_dealer), players=game.players)])
    for line in game.lines:
        what = line.entry.what
        fresh = evolve(
            fresh,
            ev.ScoreAdjusted(what.side, what.points, what.reason)
            if isinstance(what, g.Adjustment)
            else ev.HandScored(what),
        )
    assert _scores(fresh, by_place=False) == _scores(game, by_place=False)
    assert game.over == (game.tally.outcome is not None or game.stopped is not None)


@given(logs())
def test_every_line_goes_on_from_the_line_before_it(log: list[ev.Event]) -> None:
    """Each hand or adjustment starts from the totals after the previous one, and no total changes after the end."""
    game = replay(log)
    running = new_tally(game.table).totals
    ends = [index for index, line in enumerate(game.lines) if line.ended]
    for index, line in enumerate(game.lines):
        assert line.before.totals == running
        running = tuple(total + change for total, change in zip(running, line.delta, strict=True))
        assert line.tally.totals == running
        assert line.after_end == (bool(ends) and index > ends[0])
        assert not (line.after_end and any(line.delta))
    assert game.tally.totals == running
    assert [line.number for line in game.hands] == list(range(1, len(game.hands) + 1))


@given(PLAYED)
def test_a_game_written_as_a_record_scores_the_same(game: g.Game) -> None:
    """A game that is written as a record and read back from JSON text has the same hands, totals and end."""
    names = [f"Player {seat}" for seat in range(game.table.players)]
    counted = [line.entry.hand for line in game.counted if line.is_hand]
    agreed = [
        Agreed(line.number, what.side, what.points, what.reason)
        for line in game.counted
        if isinstance(what := line.entry.what, g.Adjustment)
    ]
    raw = write_record(game.table, names, game.first_dealer, counted, agreed=agreed)
    record = read_record(json.loads(json.dumps(raw)))
    assert record.tally == game.tally
    assert list(record.hands) == counted
    assert list(record.agreed) == agreed
    assert [scored.delta for scored in record.scored] == [line.delta for line in game.counted if line.is_hand]


@given(PLAYED, st.data())
def test_a_hand_struck_out_and_restored_leaves_every_score_as_it_was(game: g.Game, data: st.DataObject) -> None:
    """If any hand or adjustment is undone and then restored, every score is the same as before, even after the end."""
    seq = data.draw(st.sampled_from([line.entry.seq for line in game.lines]))
    without = _act(game, c.VoidHand(seq))
    assert seq not in [line.entry.seq for line in without.lines]
    assert _scores(_act(without, c.RestoreHand(seq))) == _scores(game)


@given(IDLE)
def test_undo_then_redo_leaves_every_score_as_it_was(game: g.Game) -> None:
    """Undo removes the last hand or adjustment of a game, and redo then restores every score.

    Undoing a hand also makes its dealer the next dealer.
    """
    undone = _act(game, c.Undo())
    assert len(undone.lines) == len(game.lines) - 1
    last = game.lines[-1].entry.what
    assert undone.dealer == (last.dealer if isinstance(last, Hand) else game.dealer)
    assert _scores(_act(undone, c.Redo())) == _scores(game)


@given(IDLE)
def test_undo_to_the_start_and_redo_to_the_end_leave_every_score_as_it_was(game: g.Game) -> None:
    """Undoing all hands and adjustments leaves an empty game, and redoing all of them restores every score."""
    back = game
    for _ in game.lines:
        back = _act(back, c.Undo())
    assert back.lines == ()
    assert back.tally == new_tally(game.table)
    for _ in game.lines:
        back = _act(back, c.Redo())
    assert _scores(back) == _scores(game)


@given(PLAYED, st.data())
def test_a_correction_to_the_same_hand_is_no_event(game: g.Game, data: st.DataObject) -> None:
    """Correcting a hand to the values that it already has adds no event to the log."""
    entry = data.draw(st.sampled_from(game.hands)).entry
    written = write_record(game.table, [], entry.hand.dealer, [entry.hand])["hands"][0]
    assert c.decide(game, c.CorrectHand(entry.seq, written)) == ()


@given(PLAYED, st.data())
def test_a_correction_keeps_the_hands_place_and_every_other_hand(game: g.Game, data: st.DataObject) -> None:
    """Correcting a hand changes neither the order of the hands nor the values of other hands.

    This includes hands that no longer count because the correction ends the game earlier.
    """
    line = data.draw(st.sampled_from(game.hands))
    fresh = data.draw(hands(game.table, line.entry.hand.dealer))
    corrected = _act(game, c.CorrectHand(line.entry.seq, fresh))
    others = [(entry.seq, entry.what) for entry in game.entries if entry.seq != line.entry.seq]
    assert [(entry.seq, entry.what) for entry in corrected.entries if entry.seq != line.entry.seq] == others
    assert [found.entry.seq for found in corrected.lines] == [found.entry.seq for found in game.lines]


@given(PLAYED.filter(lambda game: len(game.hands) > 1), st.data())
def test_a_hand_struck_out_in_the_middle_leaves_later_dealers_alone(game: g.Game, data: st.DataObject) -> None:
    """Undoing a hand before the last one changes neither the other hands' dealers nor the next dealer."""
    line = data.draw(st.sampled_from(game.hands[:-1]))
    without = _act(game, c.VoidHand(line.entry.seq))
    kept = {found.entry.seq: found.entry.hand.dealer for found in game.hands if found.entry.seq != line.entry.seq}
    assert {found.entry.seq: found.entry.hand.dealer for found in without.hands} == kept
    assert without.dealer == game.dealer


@given(logs())
def test_a_game_that_is_over_takes_no_hand(log: list[ev.Event]) -> None:
    """A game that is over accepts no hand, bid, misdeal, concession or abandonment."""
    game = replay([*log, ev.GameAbandoned()])
    for command in (c.TakeBid(0, game.table.top_bid), c.EnterHand({}), c.Misdeal(), c.Abandon(), c.Concede(0)):
        assert code_of(partial(c.decide, game, command)) == "game_over"
