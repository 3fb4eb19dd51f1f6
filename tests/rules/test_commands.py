"""Each thing that a person can want at a table: what it makes happen, and when it is refused."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from scorekeeper.rules import commands as c
from scorekeeper.rules import events as ev
from scorekeeper.rules import game as g
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import _EVOLVE, evolve, replay
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import Hand, Outcome
from scorekeeper.rules.table import set_table
from tests.rules.refusals import code_of, refusal_of
from tests.rules.strategies import started

HAND = {"bidder": 0, "bid": 2, "taken": [3, 1]}
OTHER = {"bidder": 1, "bid": 3, "taken": [1, 3]}
WHOLE = {"bidder": 0, "bid": 4, "taken": [4, 0]}


def new(preset: str = "setback-21", players: int = 4, dealer: int = 3, **options: Any) -> g.Game:
    """Return a game that nobody has bid in."""
    return replay([started(set_table(with_options(PRESETS[preset], options), players), dealer)])


def act(game: g.Game, *commands: c.Command) -> g.Game:
    """Return the game after these commands."""
    for command in commands:
        for event in c.decide(game, command):
            game = evolve(game, event)
    return game


def enter(*hands: dict[str, Any]) -> list[c.EnterHand]:
    """Return the commands that write these hands down."""
    return [c.EnterHand(hand) for hand in hands]


def ended() -> g.Game:
    """Return a game that side 0 bid out, 24 to 0; its hands are 2 to 7."""
    return act(new(), *enter(*[WHOLE] * 6))


def seqs(game: g.Game) -> list[int]:
    """Return where the live hands were written."""
    return [line.entry.seq for line in game.lines]


# The log.


def test_a_game_starts_empty_with_the_rules_seats_and_dealer_it_was_given() -> None:
    """Nothing scored, nothing over, the first dealer deals."""
    game = replay([started(set_table(PRESETS["pitch-11"], 3), 2, {"name": "Friday"})])
    assert (game.players, game.dealer, game.version, game.tally.totals) == ((10, 11, 12), 2, 1, (0, 0, 0))
    assert (game.over, game.outcome, game.lines, game.extra) == (False, None, (), {"name": "Friday"})


def test_a_log_starts_with_a_game_once() -> None:
    """None that is empty, lost its beginning, or begins again."""
    start = started(set_table(PRESETS["pitch-11"], 3), 2, {})
    for log in ([], [ev.HandVoided(2)], [start, start]):
        with pytest.raises(ValueError, match="starts with GameStarted"):
            replay(log)


def test_every_event_and_every_command_has_its_rule() -> None:
    """No event that cannot be replayed, no command that cannot be decided."""
    assert set(ev.KINDS.values()) == {ev.GameStarted, *_EVOLVE}
    assert set(c.Command.__args__) == set(c._DECIDE)


# Bids.


def test_a_bid_opens_the_hand() -> None:
    """The table sees who bid what, and the dealer it was bid under."""
    game = act(new(), c.TakeBid(1, 3, "H"))
    assert game.open_bid == g.OpenBid(3, 1, 3, "H")
    assert game.dealer == 3


def test_the_same_bid_twice_is_one_event() -> None:
    """A second tap changes nothing; another bid replaces the first."""
    game = act(new(), c.TakeBid(1, 3))
    assert c.decide(game, c.TakeBid(1, 3)) == ()
    assert act(game, c.TakeBid(2, 4)).open_bid == g.OpenBid(3, 2, 4)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (c.TakeBid(4, 2), "seat"),
        (c.TakeBid(-1, 2), "seat"),
        (c.TakeBid(bidder=True, bid=2), "seat"),
        (c.TakeBid(1.0, 2), "seat"),  # type: ignore[arg-type]
        (c.TakeBid(0, 1), "bid_illegal"),
        (c.TakeBid(0, 5), "bid_illegal"),
        (c.TakeBid(0, bid=True), "bid_illegal"),
        (c.TakeBid(0, "pitch"), "bid_illegal"),
        (c.TakeBid(0, "pass"), "bid_illegal"),
        (c.TakeBid(0, 2, "X"), "trump"),
        (c.TakeBid(0, 2, "none"), "trump"),
    ],
)
def test_an_impossible_bid_is_refused(command: c.TakeBid, code: str) -> None:
    """A seat, a bid or a trump that this table has not."""
    assert code_of(partial(c.decide, new(), command)) == code


def test_a_dealer_takes_the_bid_only_as_an_auction_would_let_him() -> None:
    """The dealer at ten points is forced to 4, so any bid is open; pitch-11's dealer never has to raise."""
    assert code_of(partial(c.decide, new(forced_bid=3), c.TakeBid(3, 2))) == "bid_illegal"
    assert code_of(partial(c.decide, new(forced_bid=3), c.TakeBid(3, 3))) is None


def test_a_bid_can_be_taken_back() -> None:
    """The hand is closed again; where no bid is in play there is nothing to take back."""
    assert act(new(), c.TakeBid(1, 3), c.WithdrawBid()).open_bid is None
    assert code_of(partial(c.decide, new(), c.WithdrawBid())) == "no_bid"


# Hands.


def test_a_hand_names_its_bid_or_takes_the_one_in_play() -> None:
    """Bidder, bid and trump come from the open bid; what the hand says itself comes first."""
    game = act(new(), c.TakeBid(1, 3, "H"))
    scored = act(game, *enter({"taken": [1, 3]}))
    hand = scored.lines[0].entry.hand
    assert (hand.dealer, hand.bidder, hand.bid, hand.trump) == (3, 1, 3, "H")
    assert (scored.open_bid, scored.dealer, scored.tally.totals) == (None, 0, (1, 3))
    assert act(game, *enter({"taken": [1, 3], "trump": "S"})).lines[0].entry.hand.trump == "S"
    assert act(game, *enter(HAND)).lines[0].entry.hand.bidder == 0


def test_an_open_bid_that_came_with_its_calls_gives_them_to_the_hand() -> None:
    """The calls of the auction are saved with the hand."""
    game = evolve(new(), ev.BidTaken(3, 1, 3, None, ("pass", 3, "pass", "pass")))
    assert act(game, *enter({"taken": [1, 3]})).lines[0].entry.hand.calls == ("pass", 3, "pass", "pass")


def test_an_open_bid_is_gone_when_all_passed_after_all() -> None:
    """A hand that is thrown in has no bidder, whatever was in play before."""
    game = act(new("setback-7", 2, 1), c.TakeBid(0, 1), *enter({"passed": True}))
    assert (game.open_bid, game.lines[0].entry.hand, game.lines[0].made) == (None, Hand(1), None)


def test_thrown_in_and_scored_hands_are_told_apart_in_the_log() -> None:
    """Two kinds of event, so that the log can be read."""
    game = new("setback-7", 2, 1)
    assert isinstance(c.decide(game, c.EnterHand({"passed": True}))[0], ev.HandThrownIn)
    assert isinstance(c.decide(game, c.EnterHand(HAND))[0], ev.HandScored)


def test_a_hand_that_cannot_be_is_refused_and_leaves_no_event() -> None:
    """Five points in a four-point hand."""
    refusal = refusal_of(partial(c.decide, new(), c.EnterHand(HAND | {"taken": [3, 2]})))
    assert refusal
    assert (refusal.code, refusal.field) == ("points_total", "taken")


def test_the_last_hand_says_that_it_ended_the_game() -> None:
    """Only that line, and the outcome names the rule."""
    game = ended()
    assert [line.ended for line in game.lines] == [False] * 5 + [True]
    assert (game.outcome, game.over) == (Outcome(0, "bid_out"), True)


@pytest.mark.parametrize(
    "command",
    [c.EnterHand(HAND), c.TakeBid(0, 2), c.Misdeal(), c.SetDealer(1), c.Concede(0), c.Abandon()],
    ids=lambda command: type(command).__name__,
)
def test_nothing_is_added_to_a_game_that_is_over(command: c.Command) -> None:
    """By the rules, conceded or abandoned: the sheet is closed."""
    for game in (ended(), act(new(), c.Concede(1)), act(new(), c.Abandon())):
        assert code_of(partial(c.decide, game, command)) == "game_over"


# Corrections.


def test_a_correction_replaces_what_the_hand_says_and_adds_up_again() -> None:
    """Its place and dealer stay; it is marked as corrected."""
    game = act(new(), *enter(HAND, OTHER), c.CorrectHand(2, HAND | {"bid": 4}))
    assert [line.tally.totals for line in game.lines] == [(-4, 1), (-3, 4)]
    assert [(line.entry.corrected, line.entry.hand.dealer) for line in game.lines] == [(True, 3), (False, 0)]


def test_a_correction_that_ends_the_game_earlier_keeps_later_hands_uncounted() -> None:
    """They stay in the log, after the end, and count again when the correction is taken back."""
    before = act(new(), *enter(*[WHOLE] * 4), *enter(OTHER, HAND, WHOLE))
    assert before.tally.totals == (24, 4)
    fifth = before.lines[4].entry.seq
    corrected = act(before, c.CorrectHand(fifth, WHOLE), c.CorrectHand(before.lines[5].entry.seq, WHOLE))
    assert [line.after_end for line in corrected.lines] == [False] * 6 + [True]
    assert [line.tally.totals for line in corrected.lines[-2:]] == [(24, 0), (24, 0)]
    assert (corrected.lines[-1].delta, corrected.lines[-1].made, corrected.lines[-1].ended) == ((0, 0), None, False)
    assert len(corrected.counted) == 6
    undone = act(corrected, c.CorrectHand(before.lines[5].entry.seq, OTHER))
    assert not any(line.after_end for line in undone.lines)


def test_a_correction_after_the_end_can_set_the_game_going_again() -> None:
    """The hand that ended it was written wrong."""
    game = act(ended(), c.CorrectHand(7, OTHER))
    assert (game.over, game.tally.totals) == (False, (21, 3))
    assert act(game, *enter(HAND)).tally.totals == (24, 4)


def test_a_correction_of_the_last_hands_dealer_moves_the_deal() -> None:
    """The deal goes on from the dealer a hand names; a hand before the last moves nothing."""
    game = act(new(), *enter(HAND, OTHER))
    assert act(game, c.CorrectHand(3, OTHER | {"dealer": 2})).dealer == 3
    assert act(game, c.CorrectHand(2, HAND | {"dealer": 2})).dealer == game.dealer


def test_a_correction_leaves_a_dealer_alone_whom_the_table_chose() -> None:
    """Only a correction that changes who deals next moves the deal."""
    game = act(new(), *enter(HAND), c.SetDealer(2))
    assert act(game, c.CorrectHand(2, HAND | {"bid": 3})).dealer == 2


def test_a_correction_leaves_an_open_bid_and_its_dealer_alone() -> None:
    """The hand in play goes on."""
    game = act(new("setback-7", 2, 1), *enter(HAND), c.TakeBid(0, 2))
    corrected = act(game, c.CorrectHand(2, HAND | {"dealer": 0}))
    assert (corrected.open_bid, corrected.dealer) == (game.open_bid, 0)


def test_a_correction_keeps_the_calls_and_cards_that_it_does_not_contradict() -> None:
    """Another bid has other calls; other points, or another trump, other cards."""
    calls, cards = ["pass", 2, "pass", "pass"], [["AH", "TS"], ["2H"]]
    game = act(new(), *enter({"calls": calls, "trump": "H", "captured": cards}))
    points = {"high": 0, "low": 1, "jack": None, "game": 0}
    told = {"bidder": 1, "bid": 2, "trump": "H", "points": points}
    assert c.decide(game, c.CorrectHand(2, told)) == ()

    def corrected(**changes: Any) -> tuple[bool, bool]:
        hand = act(game, c.CorrectHand(2, told | changes)).lines[0].entry.hand
        return (hand.calls is not None, hand.captured is not None)

    assert corrected(bid=3) == (False, True)
    assert corrected(dealer=0) == (False, True)
    assert corrected(trump="S") == (True, False)
    assert corrected(points=points | {"game": 1}) == (True, False)


def test_a_correction_that_tells_the_calls_is_believed() -> None:
    """Another auction that ended in the same bid."""
    game = act(new(), *enter({"calls": ["pass", 3, "pass", "pass"], "taken": [1, 3]}))
    corrected = act(game, c.CorrectHand(2, {"calls": [2, 3, "pass", "pass"], "taken": [1, 3]}))
    assert corrected.lines[0].entry.hand.calls == (2, 3, "pass", "pass")


def test_a_correction_keeps_what_an_imported_hand_carried_along() -> None:
    """The `x_` fields are not in a form; given again they are replaced."""
    game = act(new(), *enter(HAND | {"x_note": "misheard"}))
    corrected = act(game, c.CorrectHand(2, OTHER))
    assert corrected.lines[0].entry.hand.extra == {"x_note": "misheard"}
    assert act(corrected, c.CorrectHand(2, OTHER | {"x_note": 1})).lines[0].entry.hand.extra == {"x_note": 1}


@pytest.mark.parametrize("command", [c.CorrectHand(9, HAND), c.VoidHand(1), c.RestoreHand(0)], ids=str)
def test_a_hand_that_was_never_written_is_unknown(command: c.Command) -> None:
    """Also where another event stands at that place of the log."""
    assert code_of(partial(c.decide, act(new(), *enter(HAND)), command)) == "hand_unknown"


def test_a_hand_that_is_struck_out_can_only_be_restored() -> None:
    """Correcting or undoing it again is refused, and so is restoring a hand that counts."""
    live = act(new(), *enter(HAND))
    struck = act(live, c.VoidHand(2))
    assert code_of(partial(c.decide, struck, c.CorrectHand(2, OTHER))) == "hand_voided"
    assert code_of(partial(c.decide, struck, c.VoidHand(2))) == "hand_voided"
    assert code_of(partial(c.decide, live, c.RestoreHand(2))) == "hand_live"


def test_a_wrong_correction_is_refused_with_its_field() -> None:
    """What a hand cannot say, a correction cannot say."""
    refusal = refusal_of(partial(c.decide, act(new(), *enter(HAND)), c.CorrectHand(2, HAND | {"bid": 7})))
    assert refusal
    assert (refusal.code, refusal.field) == ("bid_illegal", "bid")


# Deleting, undo and redo.


def test_striking_out_a_hand_in_the_middle_keeps_later_dealers() -> None:
    """Later hands are not dealt again, so neither they nor the next deal move."""
    game = act(new(), *enter(HAND, OTHER, HAND), c.VoidHand(3))
    assert seqs(game) == [2, 4]
    assert [line.entry.hand.dealer for line in game.lines] == [3, 1]
    assert (game.dealer, game.tally.totals, game.lines[1].number) == (2, (6, 2), 2)


def test_striking_out_the_last_hand_gives_its_dealer_the_deal_again() -> None:
    """The hand will be played again."""
    game = act(new(), *enter(HAND, OTHER), c.VoidHand(3))
    assert (game.dealer, game.undone) == (0, (3,))


def test_striking_out_the_last_hand_under_an_open_bid_leaves_the_bid_alone() -> None:
    """The hand in play keeps its dealer; the struck-out one can be restored by name."""
    game = act(new(), *enter(HAND), c.TakeBid(1, 2), c.VoidHand(2))
    assert (game.dealer, game.open_bid, game.undone) == (0, g.OpenBid(0, 1, 2), ())
    restored = act(game, c.RestoreHand(2))
    assert (seqs(restored), restored.dealer, restored.open_bid) == ([2], 0, game.open_bid)


def test_a_hand_restored_under_an_open_bid_leaves_the_dealer_alone_whom_the_table_chose() -> None:
    """The hand in play is dealt already."""
    game = act(new(), *enter(HAND), c.SetDealer(2), c.TakeBid(1, 2))
    assert act(game, c.VoidHand(2), c.RestoreHand(2)).dealer == 2


def test_striking_out_an_older_hand_forgets_what_could_be_redone() -> None:
    """Redo brings back the last thing taken back, not something from before another change."""
    game = act(new(), *enter(HAND, OTHER, HAND), c.Undo(), c.VoidHand(2))
    assert game.undone == ()
    assert code_of(partial(c.decide, game, c.Redo())) == "nothing_to_redo"


def test_undo_takes_back_the_last_hand_also_the_one_that_ended_the_game() -> None:
    """The game runs again, at the deal of that hand."""
    game = act(ended(), c.Undo())
    assert (game.over, game.tally.totals, game.dealer) == (False, (20, 0), 0)


def test_undo_takes_back_a_stop_first_then_the_open_bid_then_hands() -> None:
    """The last thing first."""
    game = act(new(), *enter(HAND), c.TakeBid(1, 2))
    assert c.decide(act(game, c.Abandon()), c.Undo()) == (ev.GameReopened(),)
    assert c.decide(game, c.Undo()) == (ev.BidWithdrawn(),)
    assert c.decide(act(game, c.Undo()), c.Undo()) == (ev.HandVoided(2),)


def test_with_nothing_on_the_sheet_there_is_nothing_to_undo_or_redo() -> None:
    """Both are refused."""
    assert code_of(partial(c.decide, new(), c.Undo())) == "nothing_to_undo"
    assert code_of(partial(c.decide, new(), c.Redo())) == "nothing_to_redo"


def test_redo_brings_hands_back_in_the_order_they_were_played() -> None:
    """Two undone, two redone: the sheet and the deal are as before."""
    game = act(new(), *enter(HAND, OTHER))
    again = act(game, c.Undo(), c.Undo(), c.Redo(), c.Redo())
    assert (seqs(again), again.tally, again.dealer, again.undone) == (seqs(game), game.tally, game.dealer, ())


def test_a_new_hand_or_bid_ends_the_chance_to_redo() -> None:
    """Something else was played in its place."""
    undone = act(new(), *enter(HAND), c.Undo())
    assert act(undone, c.TakeBid(1, 2)).undone == ()
    assert act(undone, *enter(OTHER)).undone == ()


def test_a_restored_hand_in_the_middle_takes_its_old_place_and_moves_no_deal() -> None:
    """Numbers count the live hands again."""
    game = act(new(), *enter(HAND, OTHER, HAND))
    restored = act(game, c.VoidHand(3), c.RestoreHand(3))
    assert (seqs(restored), restored.dealer, restored.tally) == ([2, 3, 4], game.dealer, game.tally)
    assert [line.number for line in restored.lines] == [1, 2, 3]


# The auction, heard call by call.


def call(*calls: Any) -> list[c.MakeCall]:
    """Return the commands that make these calls."""
    return [c.MakeCall(each) for each in calls]


def test_calls_are_heard_one_by_one_and_the_last_one_opens_the_bid() -> None:
    """The dealer decides whose turn it is; the bid carries its calls to the hand."""
    game = act(new(), *call("pass", 2))
    assert game.auction
    assert (game.auction.turn, game.auction.bidder, game.auction.bid, game.in_play) == (2, 1, 2, True)
    closed = act(game, *call(3, "pass"))
    assert closed.auction is None
    assert closed.open_bid == g.OpenBid(3, 2, 3, None, ("pass", 2, 3, "pass"))
    hand = act(closed, *enter({"taken": [3, 1], "trump": "H"})).lines[0].entry.hand
    assert (hand.calls, hand.bidder, hand.bid) == (("pass", 2, 3, "pass"), 2, 3)


def test_when_all_pass_the_hand_is_thrown_in() -> None:
    """The deal passes on, and the calls are kept."""
    game = act(new("setback-7", 2, 1), *call("pass", "pass"))
    assert [type(event) for event in c.decide(act(new("setback-7", 2, 1), *call("pass")), c.MakeCall("pass"))] == [
        ev.CallMade,
        ev.HandThrownIn,
    ]
    assert (game.lines[0].entry.hand, game.dealer, game.auction) == (Hand(1, calls=("pass", "pass")), 0, None)


def test_an_illegal_call_is_refused_with_its_index() -> None:
    """And a call once the bid stands."""
    refusal = refusal_of(partial(c.decide, act(new(), *call("pass", 3)), c.MakeCall(2)))
    assert refusal
    assert (refusal.code, refusal.call) == ("call_illegal", 2)
    assert code_of(partial(c.decide, act(new(), *call(4)), c.MakeCall("pass"))) == "bid_open"
    assert code_of(partial(c.decide, ended(), c.MakeCall(2))) == "game_over"


def test_a_call_can_be_taken_back_also_the_one_that_closed_the_auction() -> None:
    """One at a time; before the first there is none, and a bid that was not called has none."""
    game = act(new(), *call("pass", 4))
    again = act(game, c.TakeBackCall())
    assert again.open_bid is None
    assert again.auction
    assert (again.auction.calls, again.auction.turn) == (("pass",), 1)
    assert act(again, c.TakeBackCall()).auction is None
    for without in (new(), act(new(), c.TakeBid(0, 2))):
        assert code_of(partial(c.decide, without, c.TakeBackCall())) == "no_call"


def test_undo_takes_back_a_call_while_the_auction_runs() -> None:
    """A hand written before stays where it is."""
    game = act(new(), *enter(HAND), *call("pass", 2))
    undone = act(game, c.Undo())
    assert undone.auction
    assert (undone.auction.calls, len(undone.lines)) == (("pass",), 1)


def test_a_bid_that_was_called_comes_back_into_the_auction_when_it_is_taken_back() -> None:
    """By name and by undo: the last call is gone, those before it stand."""
    game = act(new(), *call("pass", 4))
    for command in (c.WithdrawBid(), c.Undo()):
        back = act(game, command)
        assert back.open_bid is None
        assert back.auction
        assert back.auction.calls == ("pass",)
    told = act(new(), c.TakeBid(0, 2))
    for command in (c.WithdrawBid(), c.Undo()):
        assert c.decide(told, command) == (ev.BidWithdrawn(),)


def test_a_trump_named_afterwards_keeps_the_calls() -> None:
    """The same bidder and bid; another bid was not called."""
    game = act(new(), *call("pass", 4))
    assert act(game, c.TakeBid(1, 4, "S")).open_bid == g.OpenBid(3, 1, 4, "S", ("pass", 4))
    assert act(game, c.TakeBid(1, 3)).open_bid == g.OpenBid(3, 1, 3)


def test_another_dealer_begins_the_auction_again() -> None:
    """Calls begin left of the dealer: an auction in progress is gone, a bid stands without its calls."""
    assert act(new(), *call("pass", 2), c.SetDealer(1)).auction is None
    moved = act(new(), *call("pass", 4), c.SetDealer(2))
    assert moved.open_bid == g.OpenBid(2, 1, 4)
    assert act(moved, *enter({"taken": [0, 4]})).tally.totals == (0, 4)


def test_striking_out_a_hand_leaves_the_auction_in_progress_alone() -> None:
    """The hand on the table goes on under its dealer, also when the last one before it changes."""
    game = act(new(), *enter(HAND), *call("pass", 2))
    for changed in (
        act(game, c.VoidHand(2)),
        act(game, c.VoidHand(2), c.RestoreHand(2)),
        act(game, c.CorrectHand(2, HAND | {"dealer": 1})),
    ):
        assert (changed.dealer, changed.auction) == (0, game.auction)
        assert act(changed, *call("pass", "pass")).open_bid == g.OpenBid(0, 2, 2, None, ("pass", 2, "pass", "pass"))


def test_a_misdeal_a_stop_and_a_bid_end_the_auction_in_progress() -> None:
    """Nothing of it is left."""
    game = act(new(), *call("pass", 2))
    for command in (c.Misdeal(), c.Abandon(), c.Concede(0), c.TakeBid(0, 3), c.EnterHand(HAND)):
        assert act(game, command).auction is None


# House rules changed on the way.


def test_changed_rules_count_from_the_first_hand_on() -> None:
    """The hands stay, the scores and the end are those of the new rules."""
    game = act(new(), *enter(WHOLE, WHOLE))
    rules = with_options(PRESETS["setback-21"], {"target": 4})
    changed = act(game, c.ChangeRules(rules))
    assert (changed.outcome, [line.after_end for line in changed.lines]) == (Outcome(0, "bid_out"), [False, True])
    assert act(changed, c.ChangeRules(PRESETS["setback-21"])).tally == game.tally


def test_the_same_rules_are_no_event_and_another_game_is_refused() -> None:
    """A preset is what the cards on the table were dealt for."""
    assert c.decide(new(), c.ChangeRules(PRESETS["setback-21"])) == ()
    assert code_of(partial(c.decide, new(), c.ChangeRules(PRESETS["setback-7"]))) == "preset_fixed"


def test_rules_that_a_hand_on_the_sheet_does_not_fit_are_refused_with_the_hand() -> None:
    """A 4 where only 3 can be bid; sides that an option does not allow."""
    game = act(new(), *enter(HAND, WHOLE))
    refusal = refusal_of(partial(c.decide, game, c.ChangeRules(with_options(PRESETS["setback-21"], {"bid_max": 3}))))
    assert refusal
    assert (refusal.code, refusal.hand) == ("hand_unfit", 1)
    assert refusal.message.startswith("Hand 2 doesn't fit these rules. ")
    moon = with_options(PRESETS["setback-7"], {"special_bid": "moon"})
    assert code_of(partial(c.decide, new("setback-7", 3), c.ChangeRules(moon))) == "option_sides"


def test_rules_that_the_bid_in_play_does_not_fit_are_refused() -> None:
    """Its number, or its trump."""
    low = with_options(PRESETS["setback-21"], {"bid_max": 3})
    assert code_of(partial(c.decide, act(new(), c.TakeBid(0, 4)), c.ChangeRules(low))) == "bid_illegal"
    named = with_options(PRESETS["somerset-66"], {"no_trump": False})
    game = act(new("somerset-66"), c.TakeBid(0, 4, "none"))
    assert code_of(partial(c.decide, game, c.ChangeRules(named))) == "trump"


def test_a_bid_that_the_new_auction_would_not_have_heard_stands_without_its_calls() -> None:
    """The dealer matched a 3; without that privilege the hand can still be saved."""
    game = act(new(dealer_privilege="match"), *call(3, "pass", "pass", 3))
    changed = act(game, c.ChangeRules(PRESETS["setback-21"]))
    assert changed.open_bid == g.OpenBid(3, 3, 3)
    assert act(changed, *enter({"taken": [0, 3]})).tally.totals == (0, 3)


def test_a_hand_whose_calls_the_new_rules_forbid_keeps_its_bid() -> None:
    """The calls are dropped, bidder, bid and points stay."""
    game = act(new(dealer_privilege="match"), *enter({"calls": [3, "pass", "pass", 3], "taken": [0, 3]}))
    changed = act(game, c.ChangeRules(PRESETS["setback-21"]))
    hand = changed.lines[0].entry.hand
    assert (hand.calls, hand.bidder, hand.bid, hand.taken) == (None, 3, 3, (0, 3))


def test_cards_are_counted_again_under_the_new_rules() -> None:
    """A tie of Game that goes to the bidding side now; what the cards cannot tell stays as it was told."""
    cards = {"bidder": 0, "bid": 2, "trump": "H", "captured": [["AH", "TS"], ["2H", "KD", "KC", "AS", "AD"]]}
    game = act(new(), *enter(cards))
    assert game.tally.totals == (-2, 1)
    assert act(game, c.ChangeRules(with_options(PRESETS["setback-21"], {"game_tie": "bidder"}))).tally.totals == (2, 1)
    dealt = act(game, c.ChangeRules(with_options(PRESETS["setback-21"], {"low": "dealt"})))
    assert dealt.lines[0].entry.hand.points == game.lines[0].entry.hand.points


def test_a_struck_out_hand_that_does_not_fit_the_new_rules_cannot_be_restored() -> None:
    """It does not stand in the way of the change, and stays as it was."""
    game = act(new(), *enter(WHOLE, HAND), c.VoidHand(2))
    changed = act(game, c.ChangeRules(with_options(PRESETS["setback-21"], {"bid_max": 3})))
    assert changed.entry(2).hand == game.entry(2).hand
    assert code_of(partial(c.decide, changed, c.RestoreHand(2))) == "bid_illegal"
    assert code_of(partial(c.decide, act(changed, c.ChangeRules(PRESETS["setback-21"])), c.RestoreHand(2))) is None


# Points agreed on outside any hand.


def test_an_adjustment_moves_one_score_and_says_why() -> None:
    """It has a line of its own, with the number of the hand before it, and no bid."""
    game = act(new(), *enter(HAND), c.AdjustScore(1, -2, "  revoke "))
    line = game.lines[-1]
    assert (game.tally.totals, line.number, line.delta, line.made, line.is_hand) == ((3, -1), 1, (0, -2), None, False)
    assert line.entry.what == g.Adjustment(1, -2, "revoke")
    assert (len(game.hands), game.last_hand) == (1, game.lines[0])
    assert act(game, *enter(OTHER)).lines[-1].number == 2


def test_an_adjustment_before_the_first_hand_counts_from_the_start() -> None:
    """A game that starts at other scores than nought."""
    game = act(new(), c.AdjustScore(0, 5, "handicap"))
    assert (game.tally.totals, game.lines[0].number, game.last_hand) == ((5, 0), 0, None)
    assert act(game, *enter(HAND)).tally.totals == (8, 1)


def test_the_end_is_judged_with_what_was_agreed_before_the_next_hand() -> None:
    """A lead of 1 plays on; a point taken from the other side makes it 2, and the game is over."""
    game = act(new(target=3), *enter(HAND | {"taken": [2, 2]}, HAND | {"taken": [2, 1]}))
    assert (game.tally.totals, game.over) == ((4, 3), False)
    judged = act(game, c.AdjustScore(1, -1, "miscounted"))
    assert (judged.outcome, judged.lines[-1].ended, judged.lines[-2].ended) == (Outcome(0, "bid_out"), True, False)
    assert act(judged, c.Undo()).over is False


def test_an_adjustment_is_undone_and_redone_without_moving_the_deal() -> None:
    """Nobody deals a hand for it, whatever dealer the table chose."""
    game = act(new(), *enter(HAND), c.SetDealer(2), c.AdjustScore(0, 1, "agreed"))
    undone = act(game, c.Undo())
    assert (undone.tally.totals, undone.dealer, undone.undone) == ((3, 1), 2, (4,))
    redone = act(undone, c.Redo())
    assert (redone.tally.totals, redone.dealer) == ((4, 1), 2)


def test_a_set_stops_at_zero_also_below_an_adjustment() -> None:
    """`floor_zero`: a set takes nothing from a score that the table has put below zero."""
    game = act(new(negative="floor_zero"), c.AdjustScore(0, -5, "late"), *enter(HAND | {"bid": 4}))
    assert game.tally.totals == (-5, 1)


def test_an_adjustment_after_the_end_does_not_count_where_the_hand_before_it_does_not() -> None:
    """The game had ended before."""
    game = act(new(), *enter(*[WHOLE] * 5), *enter(HAND))
    longer = act(act(game, c.Undo()), *enter(OTHER, HAND), c.AdjustScore(1, 1, "agreed"))
    early = act(longer, c.CorrectHand(longer.lines[5].entry.seq, HAND))
    assert [line.after_end for line in early.lines] == [False] * 6 + [True, True]
    assert early.tally.totals == (23, 1)


@pytest.mark.parametrize(
    ("side", "points", "reason", "code"),
    [
        (2, 1, "x", "side"),
        (-1, 1, "x", "side"),
        (True, 1, "x", "side"),
        (None, 1, "x", "side"),
        (0, 0, "x", "adjustment_points"),
        (0, 100, "x", "adjustment_points"),
        (0, -100, "x", "adjustment_points"),
        (0, True, "x", "adjustment_points"),
        (0, 1.0, "x", "adjustment_points"),
        (0, 1, "", "adjustment_reason"),
        (0, 1, "  ", "adjustment_reason"),
        (0, 1, None, "adjustment_reason"),
        (0, 1, "x" * 121, "adjustment_reason"),
        (0, 1, "a\nb", "adjustment_reason"),
    ],
)
def test_an_adjustment_without_a_side_a_number_or_a_reason_is_refused(
    side: Any, points: Any, reason: Any, code: str
) -> None:
    """Everybody has to be able to see later who agreed on what."""
    assert code_of(partial(c.decide, new(), c.AdjustScore(side, points, reason))) == code


@pytest.mark.parametrize("points", [-99, -1, 1, 99])
def test_an_adjustment_goes_up_to_ninety_nine_either_way(points: int) -> None:
    """Both ends included; the longest reason fits."""
    assert act(new(), c.AdjustScore(1, points, "x" * 120)).tally.totals == (0, points)


def test_an_adjustment_is_no_hand_to_correct() -> None:
    """It can be undone and made again."""
    game = act(new(), c.AdjustScore(0, 5, "handicap"))
    assert code_of(partial(c.decide, game, c.CorrectHand(2, HAND))) == "hand_unknown"
    struck = act(game, c.VoidHand(2))
    assert struck.tally.totals == (0, 0)
    assert act(struck, c.RestoreHand(2)).tally.totals == (5, 0)


# The table.


def test_a_misdeal_is_dealt_again_by_the_same_dealer() -> None:
    """The open bid is gone, the deal stays, no score moves."""
    game = act(new(), c.TakeBid(0, 2), c.Misdeal())
    assert (game.open_bid, game.dealer, game.tally.totals, game.lines) == (None, 3, (0, 0), ())


def test_the_table_can_say_who_deals() -> None:
    """Also with a bid in play, which the new dealer must leave possible; the same dealer is no event."""
    game = act(new(), c.TakeBid(0, 2))
    moved = act(game, c.SetDealer(1))
    assert (moved.dealer, moved.open_bid) == (1, g.OpenBid(1, 0, 2))
    assert c.decide(game, c.SetDealer(3)) == ()
    assert act(moved, *enter({"taken": [3, 1]})).lines[0].entry.hand.dealer == 1


@pytest.mark.parametrize("dealer", [4, -1, True, 1.0, "1", None])
def test_a_dealer_that_is_no_seat_is_refused(dealer: Any) -> None:
    """Seats are whole numbers of the table."""
    assert code_of(partial(c.decide, new(), c.SetDealer(dealer))) == "seat"


def test_a_dealer_who_could_not_hold_the_bid_in_play_is_refused() -> None:
    """Seat 0 has a 2; forced to 3, a dealer cannot."""
    game = act(new(forced_bid=3), c.TakeBid(0, 2))
    assert code_of(partial(c.decide, game, c.SetDealer(0))) == "bid_illegal"


@pytest.mark.parametrize(
    ("command", "event"), [(c.ReplacePlayer, ev.PlayerReplaced), (c.RenamePlayer, ev.PlayerRenamed)]
)
def test_a_seat_gets_another_player_also_after_the_end(command: Any, event: Any) -> None:
    """Replaced or renamed, the score stays with the seat; a seat that is not there is refused."""
    assert c.decide(new(), command(2, 99)) == (event(2, 99),)
    game = act(ended(), command(2, 99))
    assert (game.players, game.tally.totals) == ((10, 11, 99, 13), (24, 0))
    for seat in (4, -1, True):
        assert code_of(partial(c.decide, new(), command(seat, 99))) == "seat"


def test_a_conceded_game_has_a_winner_and_can_go_on() -> None:
    """The open bid is gone; reopened, the score is what it was."""
    game = act(new(), *enter(HAND), c.TakeBid(0, 2), c.Concede(1))
    assert (game.outcome, game.open_bid) == (Outcome(1, "conceded"), None)
    reopened = act(game, c.Reopen())
    assert (reopened.outcome, reopened.tally.totals) == (None, (3, 1))


@pytest.mark.parametrize("winner", [2, -1, None, "0", True])
def test_a_game_can_only_be_conceded_to_a_side_of_the_table(winner: Any) -> None:
    """Two sides, 0 and 1."""
    assert code_of(partial(c.decide, new(), c.Concede(winner))) == "side"


def test_an_abandoned_game_has_no_winner_and_can_go_on() -> None:
    """No winner; reopened it runs."""
    game = act(new(), *enter(HAND), c.Abandon())
    assert game.outcome == Outcome(None, "abandoned")
    assert act(game, c.Reopen()).outcome is None


def test_only_a_stopped_game_can_be_reopened() -> None:
    """A running game, and one that the rules ended, are refused."""
    assert code_of(partial(c.decide, new(), c.Reopen())) == "not_stopped"
    assert code_of(partial(c.decide, ended(), c.Reopen())) == "not_stopped"


def test_a_correction_can_end_a_stopped_game_by_the_rules() -> None:
    """The rules come before the stop; taken back, the stop stands again."""
    game = act(new(target=4), *enter(HAND | {"taken": [3, 0]}), c.Concede(1))
    by_rules = act(game, c.CorrectHand(2, WHOLE))
    assert by_rules.outcome == Outcome(0, "bid_out")
    assert act(by_rules, c.Undo()).outcome == Outcome(1, "conceded")


def test_a_result_known_only_by_its_totals_is_a_finished_game() -> None:
    """A paper table: the highest score won; in a tie nobody did."""
    game = evolve(new(), ev.ResultEntered((21, 14)))
    assert (game.final, game.tally.totals, game.outcome) == ((21, 14), (21, 14), Outcome(0, "final"))
    assert evolve(new(), ev.ResultEntered((9, 9))).outcome == Outcome(None, "final")


def test_a_final_score_cannot_be_rescored() -> None:
    """There are no hands to add up again."""
    game = evolve(new(), ev.ResultEntered((21, 14)))
    rules = with_options(PRESETS["setback-21"], {"target": 4})
    assert code_of(partial(c.decide, game, c.ChangeRules(rules))) == "final_fixed"
    assert code_of(partial(c.decide, game, c.AdjustScore(0, 1, "late"))) == "final_fixed"


def test_a_final_score_ends_a_game_without_hands_and_can_be_corrected() -> None:
    """A paper table tells its totals: the highest won, and a second telling takes the place of the first."""
    told = act(new(), c.EnterResult((21, 14)))
    assert (told.final, told.over, told.tally.totals) == ((21, 14), True, (21, 14))
    corrected = act(told, c.EnterResult((19, 22)))
    assert corrected.outcome is not None
    assert (corrected.tally.totals, corrected.outcome.winner, corrected.version) == ((19, 22), 1, 3)
