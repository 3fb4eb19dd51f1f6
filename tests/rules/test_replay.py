"""Laws of the log: whatever an evening brings, the state is a replay of what was written down."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules import events as ev
from scorekeeper.rules import game as g
from scorekeeper.rules.record import read_record, write_record
from scorekeeper.rules.scoring import add_hand, new_tally
from tests.rules.refusals import code_of
from tests.rules.strategies import hands, logs


def _act(game: g.Game, command: g.Command) -> g.Game:
    for event in g.decide(game, command):
        game = g.evolve(game, event)
    return game


def _scores(game: g.Game) -> Any:
    lines = [(line.number, line.entry.seq, line.tally, line.delta, line.made, line.after_end) for line in game.lines]
    return game.tally, lines


PLAYED = logs().map(g.replay).filter(lambda game: bool(game.lines))
"""Games with a hand on the sheet."""
IDLE = PLAYED.map(lambda game: replace(game, open_bid=None, stopped=None))
"""... where the last thing that can be undone is a hand."""


@given(logs(), st.data())
def test_the_replay_of_a_prefix_is_the_state_at_that_point(log: list[ev.Event], data: st.DataObject) -> None:
    """Replaying the start, then evolving through the rest, is replaying the whole; the version counts the events."""
    cut = data.draw(st.integers(1, len(log)))
    game = g.replay(log[:cut])
    assert game.version == cut
    for event in log[cut:]:
        game = g.evolve(game, event)
    assert game == g.replay(log)


@given(logs())
def test_a_log_that_was_stored_as_json_replays_to_the_same_game(log: list[ev.Event]) -> None:
    """Every event comes back from its stored form equal to what it was."""
    back = []
    for event in log:
        kind, data = ev.encode(event)
        back.append(ev.decode(kind, ev.VERSION, json.loads(json.dumps(data))))
    assert back == log
    assert g.replay(back) == g.replay(log)


@given(logs())
def test_the_state_kept_up_to_date_equals_a_recount_from_nothing(log: list[ev.Event]) -> None:
    """Adding up the live hands in the order of their places gives the tally, every line, and what is after the end."""
    game = g.replay(log)
    hands: dict[int, Any] = {}
    struck: set[int] = set()
    for seq, event in enumerate(log, start=1):
        if isinstance(event, ev.HandScored | ev.HandThrownIn):
            hands[seq] = event.hand
        elif isinstance(event, ev.HandCorrected):
            hands[event.seq] = event.hand
        elif isinstance(event, ev.HandVoided):
            struck.add(event.seq)
        elif isinstance(event, ev.HandRestored):
            struck.discard(event.seq)
    live = [(seq, hand) for seq, hand in sorted(hands.items()) if seq not in struck]
    tally = new_tally(game.table)
    assert [line.entry.seq for line in game.lines] == [seq for seq, _ in live]
    for line, (_, hand) in zip(game.lines, live, strict=True):
        assert line.entry.hand == hand
        assert line.after_end == (tally.outcome is not None)
        assert line.before == tally
        if line.after_end:
            assert (line.tally, set(line.delta), line.made) == (tally, {0}, None)
        else:
            tally, scored = add_hand(game.table, tally, hand)
            assert (line.tally, line.delta, line.made) == (tally, scored.delta, scored.made)
    assert game.tally == tally
    assert game.over == (tally.outcome is not None or game.stopped is not None)


@given(PLAYED)
def test_a_game_written_as_a_record_scores_the_same(game: g.Game) -> None:
    """The hands that count, written as a record and read back from JSON text, give the same totals and the same end."""
    names = [f"Player {seat}" for seat in range(game.table.players)]
    counted = [line.entry.hand for line in game.counted]
    record = read_record(json.loads(json.dumps(write_record(game.table, names, game.first_dealer, counted))))
    assert record.tally == game.tally
    assert list(record.hands) == counted
    assert [scored.delta for scored in record.scored] == [line.delta for line in game.counted]


@given(PLAYED, st.data())
def test_a_hand_struck_out_and_restored_leaves_every_score_as_it_was(game: g.Game, data: st.DataObject) -> None:
    """Void, then restore: the same totals, the same lines, also in the middle and after the end."""
    seq = data.draw(st.sampled_from([line.entry.seq for line in game.lines]))
    without = _act(game, g.VoidHand(seq))
    assert seq not in [line.entry.seq for line in without.lines]
    assert _scores(_act(without, g.RestoreHand(seq))) == _scores(game)


@given(IDLE)
def test_undo_then_redo_leaves_every_score_as_it_was(game: g.Game) -> None:
    """Undo takes the last hand away, redo brings it back with the deal as the hand left it."""
    undone = _act(game, g.Undo())
    assert len(undone.lines) == len(game.lines) - 1
    assert undone.dealer == game.lines[-1].entry.hand.dealer
    assert _scores(_act(undone, g.Redo())) == _scores(game)


@given(IDLE)
def test_undo_to_the_start_and_redo_to_the_end_leave_every_score_as_it_was(game: g.Game) -> None:
    """As many undos as there are hands empty the sheet, as many redos fill it again in the old order."""
    back = game
    for _ in game.lines:
        back = _act(back, g.Undo())
    assert back.lines == ()
    assert back.tally == new_tally(game.table)
    for _ in game.lines:
        back = _act(back, g.Redo())
    assert _scores(back) == _scores(game)


@given(PLAYED, st.data())
def test_a_correction_to_the_same_hand_is_no_event(game: g.Game, data: st.DataObject) -> None:
    """What a hand says already, said again as a record would write it, changes nothing."""
    entry = data.draw(st.sampled_from(game.lines)).entry
    written = write_record(game.table, [], entry.hand.dealer, [entry.hand])["hands"][0]
    assert g.decide(game, g.CorrectHand(entry.seq, written)) == ()


@given(PLAYED, st.data())
def test_a_correction_keeps_the_hands_place_and_every_other_hand(game: g.Game, data: st.DataObject) -> None:
    """The other hands stay as they were told, whether they still count or stand after the end now."""
    line = data.draw(st.sampled_from(game.lines))
    fresh = data.draw(hands(game.table, line.entry.hand.dealer))
    corrected = _act(game, g.CorrectHand(line.entry.seq, fresh))
    others = [(entry.seq, entry.hand) for entry in game.entries if entry.seq != line.entry.seq]
    assert [(entry.seq, entry.hand) for entry in corrected.entries if entry.seq != line.entry.seq] == others
    assert [found.entry.seq for found in corrected.lines] == [found.entry.seq for found in game.lines]
    ends = [index for index, found in enumerate(corrected.lines) if found.ended]
    assert len(ends) <= 1
    for index, found in enumerate(corrected.lines):
        assert found.after_end == (bool(ends) and index > ends[0])


@given(PLAYED.filter(lambda game: len(game.lines) > 1), st.data())
def test_a_hand_struck_out_in_the_middle_leaves_later_dealers_alone(game: g.Game, data: st.DataObject) -> None:
    """Every later hand keeps its dealer, and so does the next deal."""
    line = data.draw(st.sampled_from(game.lines[:-1]))
    without = _act(game, g.VoidHand(line.entry.seq))
    kept = {found.entry.seq: found.entry.hand.dealer for found in game.lines if found.entry.seq != line.entry.seq}
    assert {found.entry.seq: found.entry.hand.dealer for found in without.lines} == kept
    assert without.dealer == game.dealer


@given(logs())
def test_a_game_that_is_over_takes_no_hand(log: list[ev.Event]) -> None:
    """Nothing can be added after the end: a bid, a hand, a misdeal, a stop."""
    game = g.replay([*log, ev.GameAbandoned()])
    for command in (g.TakeBid(0, game.table.top_bid), g.EnterHand({}), g.Misdeal(), g.Abandon(), g.Concede(0)):
        assert code_of(partial(g.decide, game, command)) == "game_over"
