"""Each command that a person can give in a game: the events that it causes, and when it is refused."""

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
    """Return a game without hands or bids; `options` are changes to the preset.

    `dealer` is the first dealer's seat.
    """
    return replay([started(set_table(with_options(PRESETS[preset], options), players), dealer)])


def act(game: g.Game, *commands: c.Command) -> g.Game:
    """Carry out these commands in `game`, one after another, and return the resulting game."""
    for command in commands:
        for event in c.decide(game, command):
            game = evolve(game, event)
    return game


def enter(*hands: dict[str, Any]) -> list[c.EnterHand]:
    """Return the commands that enter these hands."""
    return [c.EnterHand(hand) for hand in hands]


def ended() -> g.Game:
    """Return a game that side 0 has won 24 to 0 by bidding out, in six hands with the sequence numbers 2 to 7."""
    return act(new(), *enter(*[WHOLE] * 6))


def seqs(game: g.Game) -> list[int]:
    """Return the event sequence number of each hand and adjustment that counts in `game`."""
    return [line.entry.seq for line in game.lines]


# The log.


def test_a_game_starts_empty_with_the_rules_seats_and_dealer_it_was_given() -> None:
    """A new game has its given players, dealer and extra fields, no hands, zero totals and no outcome."""
    game = replay([started(set_table(PRESETS["pitch-11"], 3), 2, {"name": "Friday"})])
    assert (game.players, game.dealer, game.version, game.tally.totals) == ((10, 11, 12), 2, 1, (0, 0, 0))
    assert (game.over, game.outcome, game.lines, game.extra) == (False, None, (), {"name": "Friday"})


def test_a_log_starts_with_a_game_once() -> None:
    """A game's event log must have the event `GameStarted` exactly once, as its first event."""
    start = started(set_table(PRESETS["pitch-11"], 3), 2, {})
    for log in ([], [ev.HandVoided(2)], [start, start]):
        with pytest.raises(ValueError, match="starts with GameStarted"):
            replay(log)


def test_every_event_and_every_command_has_its_rule() -> None:
    """Each kind of event has a function that replays it, and each kind of command has one that carries it out."""
    assert set(ev.KINDS.values()) == {ev.GameStarted, *_EVOLVE}
    assert set(c.Command.__args__) == set(c._DECIDE)


# Bids.


def test_a_bid_opens_the_hand() -> None:
    """When a bid is entered, it is stored with the bidder's seat, the trump suit and the dealer of the hand."""
    game = act(new(), c.TakeBid(1, 3, "H"))
    assert game.open_bid == g.OpenBid(3, 1, 3, "H")
    assert game.dealer == 3


def test_the_same_bid_twice_is_one_event() -> None:
    """Entering the same bid a second time adds no event; another bid replaces the first."""
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
    """A bid is refused if the game doesn't have that seat, that amount or that trump."""
    assert code_of(partial(c.decide, new(), command)) == code


def test_a_dealer_takes_the_bid_only_as_an_auction_would_let_him() -> None:
    """If a dealer must bid at least 3 when all others pass, a bid of 2 by the dealer is refused."""
    assert code_of(partial(c.decide, new(forced_bid=3), c.TakeBid(3, 2))) == "bid_illegal"
    assert code_of(partial(c.decide, new(forced_bid=3), c.TakeBid(3, 3))) is None


def test_a_bid_can_be_taken_back() -> None:
    """A bid in play can be withdrawn; if there is no bid in play, withdrawing is refused."""
    assert act(new(), c.TakeBid(1, 3), c.WithdrawBid()).open_bid is None
    assert code_of(partial(c.decide, new(), c.WithdrawBid())) == "no_bid"


# Hands.


def test_a_hand_names_its_bid_or_takes_the_one_in_play() -> None:
    """If a new hand leaves out the bidder, the bid or the trump, that value is taken from the bid in play.

    A value that the new hand states is used instead of the bid in play.
    """
    game = act(new(), c.TakeBid(1, 3, "H"))
    scored = act(game, *enter({"taken": [1, 3]}))
    hand = scored.lines[0].entry.hand
    assert (hand.dealer, hand.bidder, hand.bid, hand.trump) == (3, 1, 3, "H")
    assert (scored.open_bid, scored.dealer, scored.tally.totals) == (None, 0, (1, 3))
    assert act(game, *enter({"taken": [1, 3], "trump": "S"})).lines[0].entry.hand.trump == "S"
    assert act(game, *enter(HAND)).lines[0].entry.hand.bidder == 0


def test_an_open_bid_that_came_with_its_calls_gives_them_to_the_hand() -> None:
    """If the bid in play was entered with the calls of its auction, the saved hand gets these calls."""
    game = evolve(new(), ev.BidTaken(3, 1, 3, None, ("pass", 3, "pass", "pass")))
    assert act(game, *enter({"taken": [1, 3]})).lines[0].entry.hand.calls == ("pass", 3, "pass", "pass")


def test_an_open_bid_is_gone_when_all_passed_after_all() -> None:
    """If a bid is in play but the hand is saved as passed by all, the bid is dropped, and the hand has no bidder."""
    game = act(new("setback-7", 2, 1), c.TakeBid(0, 1), *enter({"passed": True}))
    assert (game.open_bid, game.lines[0].entry.hand, game.lines[0].made) == (None, Hand(1), None)


def test_thrown_in_and_scored_hands_are_told_apart_in_the_log() -> None:
    """In the log, a hand that was thrown in after everyone passed is a different kind of event than a scored hand."""
    game = new("setback-7", 2, 1)
    assert isinstance(c.decide(game, c.EnterHand({"passed": True}))[0], ev.HandThrownIn)
    assert isinstance(c.decide(game, c.EnterHand(HAND))[0], ev.HandScored)


def test_a_hand_that_cannot_be_is_refused_and_leaves_no_event() -> None:
    """In a game with four points per hand, a hand is refused if its points add up to five."""
    refusal = refusal_of(partial(c.decide, new(), c.EnterHand(HAND | {"taken": [3, 2]})))
    assert refusal
    assert (refusal.code, refusal.field) == ("points_total", "taken")


def test_the_last_hand_says_that_it_ended_the_game() -> None:
    """Only the hand that ended the game is marked as the last, and the outcome names the rule that ended the game."""
    game = ended()
    assert [line.ended for line in game.lines] == [False] * 5 + [True]
    assert (game.outcome, game.over) == (Outcome(0, "bid_out"), True)


@pytest.mark.parametrize(
    "command",
    [c.EnterHand(HAND), c.TakeBid(0, 2), c.Misdeal(), c.SetDealer(1), c.Concede(0), c.Abandon()],
    ids=lambda command: type(command).__name__,
)
def test_nothing_is_added_to_a_game_that_is_over(command: c.Command) -> None:
    """A game that is over accepts no hand, bid, misdeal, new dealer, concession or abandonment.

    This holds whether the game ended by the rules, was conceded or was abandoned.
    """
    for game in (ended(), act(new(), c.Concede(1)), act(new(), c.Abandon())):
        assert code_of(partial(c.decide, game, command)) == "game_over"


# Corrections.


def test_a_correction_replaces_what_the_hand_says_and_adds_up_again() -> None:
    """A corrected hand keeps its place and dealer, is marked as corrected, and changes all later totals."""
    game = act(new(), *enter(HAND, OTHER), c.CorrectHand(2, HAND | {"bid": 4}))
    assert [line.tally.totals for line in game.lines] == [(-4, 1), (-3, 4)]
    assert [(line.entry.corrected, line.entry.hand.dealer) for line in game.lines] == [(True, 3), (False, 0)]


def test_a_correction_that_ends_the_game_earlier_keeps_later_hands_uncounted() -> None:
    """If a correction ends the game earlier, later hands are kept but don't count.

    The later hands count again once the correction is reversed.
    """
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
    """If the hand that ended the game is corrected, the game can be in progress again."""
    game = act(ended(), c.CorrectHand(7, OTHER))
    assert (game.over, game.tally.totals) == (False, (21, 3))
    assert act(game, *enter(HAND)).tally.totals == (24, 4)


def test_a_correction_of_the_last_hands_dealer_moves_the_deal() -> None:
    """Correcting the last hand's dealer changes the next dealer; correcting an earlier hand's dealer doesn't."""
    game = act(new(), *enter(HAND, OTHER))
    assert act(game, c.CorrectHand(3, OTHER | {"dealer": 2})).dealer == 3
    assert act(game, c.CorrectHand(2, HAND | {"dealer": 2})).dealer == game.dealer


def test_a_correction_leaves_a_dealer_alone_whom_the_table_chose() -> None:
    """If the table chose the next dealer, a correction of the last hand's bid doesn't change that choice."""
    game = act(new(), *enter(HAND), c.SetDealer(2))
    assert act(game, c.CorrectHand(2, HAND | {"bid": 3})).dealer == 2


def test_a_correction_leaves_an_open_bid_and_its_dealer_alone() -> None:
    """Correcting an earlier hand's dealer changes neither the bid in play nor its dealer."""
    game = act(new("setback-7", 2, 1), *enter(HAND), c.TakeBid(0, 2))
    corrected = act(game, c.CorrectHand(2, HAND | {"dealer": 0}))
    assert (corrected.open_bid, corrected.dealer) == (game.open_bid, 0)


def test_a_correction_keeps_the_calls_and_cards_that_it_does_not_contradict() -> None:
    """A correction of the bid or dealer drops a hand's calls, and a correction of the points or trump drops its cards.

    Other corrections keep the calls and cards.
    """
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
    """A correction can replace a hand's calls, even if the new calls end in the same bid as the old ones."""
    game = act(new(), *enter({"calls": ["pass", 3, "pass", "pass"], "taken": [1, 3]}))
    corrected = act(game, c.CorrectHand(2, {"calls": [2, 3, "pass", "pass"], "taken": [1, 3]}))
    assert corrected.lines[0].entry.hand.calls == (2, 3, "pass", "pass")


def test_a_correction_keeps_what_an_imported_hand_carried_along() -> None:
    """A correction keeps the extra fields of an imported hand (fields with names that start with `x_`).

    If the correction itself has such fields, they replace those of the hand. The app's forms have no such fields.
    """
    game = act(new(), *enter(HAND | {"x_note": "misheard"}))
    corrected = act(game, c.CorrectHand(2, OTHER))
    assert corrected.lines[0].entry.hand.extra == {"x_note": "misheard"}
    assert act(corrected, c.CorrectHand(2, OTHER | {"x_note": 1})).lines[0].entry.hand.extra == {"x_note": 1}


@pytest.mark.parametrize("command", [c.CorrectHand(9, HAND), c.VoidHand(1), c.RestoreHand(0)], ids=str)
def test_a_hand_that_was_never_written_is_unknown(command: c.Command) -> None:
    """Correcting, undoing or restoring a hand is refused if no hand has the given sequence number.

    The command is refused even if the number belongs to an event that isn't a hand.
    """
    assert code_of(partial(c.decide, act(new(), *enter(HAND)), command)) == "hand_unknown"


def test_a_hand_that_is_struck_out_can_only_be_restored() -> None:
    """An undone hand can't be corrected or undone again, and a hand that counts can't be restored."""
    live = act(new(), *enter(HAND))
    struck = act(live, c.VoidHand(2))
    assert code_of(partial(c.decide, struck, c.CorrectHand(2, OTHER))) == "hand_voided"
    assert code_of(partial(c.decide, struck, c.VoidHand(2))) == "hand_voided"
    assert code_of(partial(c.decide, live, c.RestoreHand(2))) == "hand_live"


def test_a_wrong_correction_is_refused_with_its_field() -> None:
    """A correction with a value that a hand can't have is refused, and the refusal names the field."""
    refusal = refusal_of(partial(c.decide, act(new(), *enter(HAND)), c.CorrectHand(2, HAND | {"bid": 7})))
    assert refusal
    assert (refusal.code, refusal.field) == ("bid_illegal", "bid")


# Deleting, undo and redo.


def test_striking_out_a_hand_in_the_middle_keeps_later_dealers() -> None:
    """Undoing an earlier hand changes neither the dealers of later hands nor the next dealer."""
    game = act(new(), *enter(HAND, OTHER, HAND), c.VoidHand(3))
    assert seqs(game) == [2, 4]
    assert [line.entry.hand.dealer for line in game.lines] == [3, 1]
    assert (game.dealer, game.tally.totals, game.lines[1].number) == (2, (6, 2), 2)


def test_striking_out_the_last_hand_gives_its_dealer_the_deal_again() -> None:
    """If the last hand is undone, its dealer deals again, because the hand will be played again."""
    game = act(new(), *enter(HAND, OTHER), c.VoidHand(3))
    assert (game.dealer, game.undone) == (0, (3,))


def test_striking_out_the_last_hand_under_an_open_bid_leaves_the_bid_alone() -> None:
    """Undoing the last hand while a bid is in play changes neither that bid nor its dealer.

    The redo command doesn't bring that hand back, but the hand can be restored by its number.
    """
    game = act(new(), *enter(HAND), c.TakeBid(1, 2), c.VoidHand(2))
    assert (game.dealer, game.open_bid, game.undone) == (0, g.OpenBid(0, 1, 2), ())
    restored = act(game, c.RestoreHand(2))
    assert (seqs(restored), restored.dealer, restored.open_bid) == ([2], 0, game.open_bid)


def test_a_hand_restored_under_an_open_bid_leaves_the_dealer_alone_whom_the_table_chose() -> None:
    """If the last hand is undone and restored while a bid is in play, the dealer of the hand in play stays the same.

    Here the players chose this dealer themselves after the last hand.
    """
    game = act(new(), *enter(HAND), c.SetDealer(2), c.TakeBid(1, 2))
    assert act(game, c.VoidHand(2), c.RestoreHand(2)).dealer == 2


def test_striking_out_an_older_hand_forgets_what_could_be_redone() -> None:
    """If the last hand is undone and then an earlier hand is removed, the last hand can't be redone."""
    game = act(new(), *enter(HAND, OTHER, HAND), c.Undo(), c.VoidHand(2))
    assert game.undone == ()
    assert code_of(partial(c.decide, game, c.Redo())) == "nothing_to_redo"


def test_undo_takes_back_the_last_hand_also_the_one_that_ended_the_game() -> None:
    """Undoing the hand that ended the game puts the game back in progress, and that hand's dealer deals again."""
    game = act(ended(), c.Undo())
    assert (game.over, game.tally.totals, game.dealer) == (False, (20, 0), 0)


def test_undo_takes_back_a_stop_first_then_the_open_bid_then_hands() -> None:
    """Undo reopens an abandoned game before it changes anything else.

    In a game in progress, undo withdraws the bid in play. If there is no bid in play, undo removes the last hand.
    """
    game = act(new(), *enter(HAND), c.TakeBid(1, 2))
    assert c.decide(act(game, c.Abandon()), c.Undo()) == (ev.GameReopened(),)
    assert c.decide(game, c.Undo()) == (ev.BidWithdrawn(),)
    assert c.decide(act(game, c.Undo()), c.Undo()) == (ev.HandVoided(2),)


def test_with_nothing_on_the_sheet_there_is_nothing_to_undo_or_redo() -> None:
    """Undo and redo are refused in a new game."""
    assert code_of(partial(c.decide, new(), c.Undo())) == "nothing_to_undo"
    assert code_of(partial(c.decide, new(), c.Redo())) == "nothing_to_redo"


def test_redo_brings_hands_back_in_the_order_they_were_played() -> None:
    """If two hands are undone and then redone, the hands, the totals and the dealer are the same as before."""
    game = act(new(), *enter(HAND, OTHER))
    again = act(game, c.Undo(), c.Undo(), c.Redo(), c.Redo())
    assert (seqs(again), again.tally, again.dealer, again.undone) == (seqs(game), game.tally, game.dealer, ())


def test_a_new_hand_or_bid_ends_the_chance_to_redo() -> None:
    """After a new hand or bid, an undone hand can no longer be redone."""
    undone = act(new(), *enter(HAND), c.Undo())
    assert act(undone, c.TakeBid(1, 2)).undone == ()
    assert act(undone, *enter(OTHER)).undone == ()


def test_a_restored_hand_in_the_middle_takes_its_old_place_and_moves_no_deal() -> None:
    """If a hand in the middle of a game is undone and restored, the hands have the same order and numbers as before.

    The next dealer stays the same too.
    """
    game = act(new(), *enter(HAND, OTHER, HAND))
    restored = act(game, c.VoidHand(3), c.RestoreHand(3))
    assert (seqs(restored), restored.dealer, restored.tally) == ([2, 3, 4], game.dealer, game.tally)
    assert [line.number for line in restored.lines] == [1, 2, 3]


# The auction, heard call by call.


def call(*calls: Any) -> list[c.MakeCall]:
    """Return the commands that make these calls in an auction."""
    return [c.MakeCall(each) for each in calls]


def test_calls_are_heard_one_by_one_and_the_last_one_opens_the_bid() -> None:
    """Calls are entered one by one, starting to the left of the dealer, and the last call puts the bid in play.

    The hand that follows gets all the calls.
    """
    game = act(new(), *call("pass", 2))
    assert game.auction
    assert (game.auction.turn, game.auction.bidder, game.auction.bid, game.in_play) == (2, 1, 2, True)
    closed = act(game, *call(3, "pass"))
    assert closed.auction is None
    assert closed.open_bid == g.OpenBid(3, 2, 3, None, ("pass", 2, 3, "pass"))
    hand = act(closed, *enter({"taken": [3, 1], "trump": "H"})).lines[0].entry.hand
    assert (hand.calls, hand.bidder, hand.bid) == (("pass", 2, 3, "pass"), 2, 3)


def test_when_all_pass_the_hand_is_thrown_in() -> None:
    """If all players pass, nobody scores, the next player deals, and the log event keeps the calls."""
    game = act(new("setback-7", 2, 1), *call("pass", "pass"))
    assert [type(event) for event in c.decide(act(new("setback-7", 2, 1), *call("pass")), c.MakeCall("pass"))] == [
        ev.CallMade,
        ev.HandThrownIn,
    ]
    assert (game.lines[0].entry.hand, game.dealer, game.auction) == (Hand(1, calls=("pass", "pass")), 0, None)


def test_an_illegal_call_is_refused_with_its_index() -> None:
    """An illegal call is refused, and the refusal has the index of the call.

    Any call is refused once a bid is in play or the game is over.
    """
    refusal = refusal_of(partial(c.decide, act(new(), *call("pass", 3)), c.MakeCall(2)))
    assert refusal
    assert (refusal.code, refusal.call) == ("call_illegal", 2)
    assert code_of(partial(c.decide, act(new(), *call(4)), c.MakeCall("pass"))) == "bid_open"
    assert code_of(partial(c.decide, ended(), c.MakeCall(2))) == "game_over"


def test_a_call_can_be_taken_back_also_the_one_that_closed_the_auction() -> None:
    """Calls can be taken back one at a time, including the call that ended the auction.

    Taking back a call is refused if there are no calls, or if the bid in play was entered directly.
    """
    game = act(new(), *call("pass", 4))
    again = act(game, c.TakeBackCall())
    assert again.open_bid is None
    assert again.auction
    assert (again.auction.calls, again.auction.turn) == (("pass",), 1)
    assert act(again, c.TakeBackCall()).auction is None
    for without in (new(), act(new(), c.TakeBid(0, 2))):
        assert code_of(partial(c.decide, without, c.TakeBackCall())) == "no_call"


def test_undo_takes_back_a_call_while_the_auction_runs() -> None:
    """During an auction, undo takes back the last call and doesn't touch the previous hands."""
    game = act(new(), *enter(HAND), *call("pass", 2))
    undone = act(game, c.Undo())
    assert undone.auction
    assert (undone.auction.calls, len(undone.lines)) == (("pass",), 1)


def test_a_bid_that_was_called_comes_back_into_the_auction_when_it_is_taken_back() -> None:
    """Withdrawing or undoing a bid that was made in an auction takes back only the last call.

    A bid that was entered directly is removed completely.
    """
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
    """Adding only the trump to the bid in play keeps the calls of the auction; changing the amount drops the calls."""
    game = act(new(), *call("pass", 4))
    assert act(game, c.TakeBid(1, 4, "S")).open_bid == g.OpenBid(3, 1, 4, "S", ("pass", 4))
    assert act(game, c.TakeBid(1, 3)).open_bid == g.OpenBid(3, 1, 3)


def test_another_dealer_begins_the_auction_again() -> None:
    """If another dealer is chosen, an auction in progress starts again, and a bid in play loses its calls.

    The player to the dealer's left calls first, so the old calls don't fit the new dealer.
    """
    assert act(new(), *call("pass", 2), c.SetDealer(1)).auction is None
    moved = act(new(), *call("pass", 4), c.SetDealer(2))
    assert moved.open_bid == g.OpenBid(2, 1, 4)
    assert act(moved, *enter({"taken": [0, 4]})).tally.totals == (0, 4)


def test_striking_out_a_hand_leaves_the_auction_in_progress_alone() -> None:
    """Undoing, restoring or correcting the previous hand doesn't change the auction in progress or its dealer."""
    game = act(new(), *enter(HAND), *call("pass", 2))
    for changed in (
        act(game, c.VoidHand(2)),
        act(game, c.VoidHand(2), c.RestoreHand(2)),
        act(game, c.CorrectHand(2, HAND | {"dealer": 1})),
    ):
        assert (changed.dealer, changed.auction) == (0, game.auction)
        assert act(changed, *call("pass", "pass")).open_bid == g.OpenBid(0, 2, 2, None, ("pass", 2, "pass", "pass"))


def test_a_misdeal_a_stop_and_a_bid_end_the_auction_in_progress() -> None:
    """A misdeal, a concession, an abandonment, a bid or a hand removes the calls of an auction in progress."""
    game = act(new(), *call("pass", 2))
    for command in (c.Misdeal(), c.Abandon(), c.Concede(0), c.TakeBid(0, 3), c.EnterHand(HAND)):
        assert act(game, command).auction is None


# House rules changed on the way.


def test_changed_rules_count_from_the_first_hand_on() -> None:
    """Changed house rules apply to all hands of a game, so the end of the game can change too."""
    game = act(new(), *enter(WHOLE, WHOLE))
    rules = with_options(PRESETS["setback-21"], {"target": 4})
    changed = act(game, c.ChangeRules(rules))
    assert (changed.outcome, [line.after_end for line in changed.lines]) == (Outcome(0, "bid_out"), [False, True])
    assert act(changed, c.ChangeRules(PRESETS["setback-21"])).tally == game.tally


def test_the_same_rules_are_no_event_and_another_game_is_refused() -> None:
    """Setting the same house rules again adds no event, and a change of the preset is refused.

    The preset can't change, because the cards were dealt for it.
    """
    assert c.decide(new(), c.ChangeRules(PRESETS["setback-21"])) == ()
    assert code_of(partial(c.decide, new(), c.ChangeRules(PRESETS["setback-7"]))) == "preset_fixed"


def test_rules_that_a_hand_on_the_sheet_does_not_fit_are_refused_with_the_hand() -> None:
    """A change of house rules is refused if a hand of the game doesn't fit the new rules; the message names the hand.

    Here hand 2 has a bid of 4, but the new limit is 3. A change is also refused if the new rules need another number of
    sides.
    """
    game = act(new(), *enter(HAND, WHOLE))
    refusal = refusal_of(partial(c.decide, game, c.ChangeRules(with_options(PRESETS["setback-21"], {"bid_max": 3}))))
    assert refusal
    assert (refusal.code, refusal.hand) == ("hand_unfit", 1)
    assert refusal.message.startswith("Hand 2 doesn't fit these rules. ")
    limit = with_options(PRESETS["setback-7"], {"max_sets": 3})
    assert code_of(partial(c.decide, new("setback-7", 3), c.ChangeRules(limit))) == "option_sides"


def test_rules_that_the_bid_in_play_does_not_fit_are_refused() -> None:
    """House rules are refused if they don't allow the bid in play or its trump."""
    low = with_options(PRESETS["setback-21"], {"bid_max": 3})
    assert code_of(partial(c.decide, act(new(), c.TakeBid(0, 4)), c.ChangeRules(low))) == "bid_illegal"
    named = with_options(PRESETS["somerset-66"], {"no_trump": False})
    game = act(new("somerset-66"), c.TakeBid(0, 4, "none"))
    assert code_of(partial(c.decide, game, c.ChangeRules(named))) == "trump"


def test_a_bid_that_the_new_auction_would_not_have_heard_stands_without_its_calls() -> None:
    """If new house rules forbid how the auction went, the winning bid is kept, but the calls that led to it are not.

    Here the dealer matched a bid of 3, which the new rules don't allow. The hand can still be saved.
    """
    game = act(new(dealer_privilege="match"), *call(3, "pass", "pass", 3))
    changed = act(game, c.ChangeRules(PRESETS["setback-21"]))
    assert changed.open_bid == g.OpenBid(3, 3, 3)
    assert act(changed, *enter({"taken": [0, 3]})).tally.totals == (0, 3)


def test_a_hand_whose_calls_the_new_rules_forbid_keeps_its_bid() -> None:
    """If new house rules forbid the calls of a hand, the calls are dropped; the bidder, bid and points are kept."""
    game = act(new(dealer_privilege="match"), *enter({"calls": [3, "pass", "pass", 3], "taken": [0, 3]}))
    changed = act(game, c.ChangeRules(PRESETS["setback-21"]))
    hand = changed.lines[0].entry.hand
    assert (hand.calls, hand.bidder, hand.bid, hand.taken) == (None, 3, 3, (0, 3))


def test_cards_are_counted_again_under_the_new_rules() -> None:
    """When the house rules change, the points of a hand are counted again from its cards.

    Here a tie for the point Game goes to the bidding side under the new rules. If the cards can't show who has a point
    under the new rules, the point keeps its owner.
    """
    cards = {"bidder": 0, "bid": 2, "trump": "H", "captured": [["AH", "TS"], ["2H", "KD", "KC", "AS", "AD"]]}
    game = act(new(), *enter(cards))
    assert game.tally.totals == (-2, 1)
    assert act(game, c.ChangeRules(with_options(PRESETS["setback-21"], {"game_tie": "bidder"}))).tally.totals == (2, 1)
    dealt = act(game, c.ChangeRules(with_options(PRESETS["setback-21"], {"low": "dealt"})))
    assert dealt.lines[0].entry.hand.points == game.lines[0].entry.hand.points


def test_a_struck_out_hand_that_does_not_fit_the_new_rules_cannot_be_restored() -> None:
    """House rules can be changed even if an undone hand doesn't fit the new rules.

    That hand can't be restored until the old rules are back.
    """
    game = act(new(), *enter(WHOLE, HAND), c.VoidHand(2))
    changed = act(game, c.ChangeRules(with_options(PRESETS["setback-21"], {"bid_max": 3})))
    assert changed.entry(2).hand == game.entry(2).hand
    assert code_of(partial(c.decide, changed, c.RestoreHand(2))) == "bid_illegal"
    assert code_of(partial(c.decide, act(changed, c.ChangeRules(PRESETS["setback-21"])), c.RestoreHand(2))) is None


# Points agreed on outside any hand.


def test_an_adjustment_moves_one_score_and_says_why() -> None:
    """An adjustment changes the score of one side and has a reason, but no bid.

    In the game's list of hands and adjustments, an adjustment has the same number as the hand before it.
    """
    game = act(new(), *enter(HAND), c.AdjustScore(1, -2, "  revoke "))
    line = game.lines[-1]
    assert (game.tally.totals, line.number, line.delta, line.made, line.is_hand) == ((3, -1), 1, (0, -2), None, False)
    assert line.entry.what == g.Adjustment(1, -2, "revoke")
    assert (len(game.hands), game.last_hand) == (1, game.lines[0])
    assert act(game, *enter(OTHER)).lines[-1].number == 2


def test_an_adjustment_before_the_first_hand_counts_from_the_start() -> None:
    """An adjustment before the first hand gives a side a head start."""
    game = act(new(), c.AdjustScore(0, 5, "handicap"))
    assert (game.tally.totals, game.lines[0].number, game.last_hand) == ((5, 0), 0, None)
    assert act(game, *enter(HAND)).tally.totals == (8, 1)


def test_the_end_is_judged_with_what_was_agreed_before_the_next_hand() -> None:
    """An adjustment can end the game by giving the side that made the last bid the lead that it needs to win.

    Here that side has reached the target, but leads by 1 and needs a lead of 2. Then an adjustment takes a point from
    the other side.
    """
    game = act(new(target=3), *enter(HAND | {"taken": [2, 2]}, HAND | {"taken": [2, 1]}))
    assert (game.tally.totals, game.over) == ((4, 3), False)
    judged = act(game, c.AdjustScore(1, -1, "miscounted"))
    assert (judged.outcome, judged.lines[-1].ended, judged.lines[-2].ended) == (Outcome(0, "bid_out"), True, False)
    assert act(judged, c.Undo()).over is False


def test_an_adjustment_is_undone_and_redone_without_moving_the_deal() -> None:
    """Undoing and redoing an adjustment keeps the next dealer whom the table chose."""
    game = act(new(), *enter(HAND), c.SetDealer(2), c.AdjustScore(0, 1, "agreed"))
    undone = act(game, c.Undo())
    assert (undone.tally.totals, undone.dealer, undone.undone) == ((3, 1), 2, (4,))
    redone = act(undone, c.Redo())
    assert (redone.tally.totals, redone.dealer) == ((4, 1), 2)


def test_a_set_stops_at_zero_also_below_an_adjustment() -> None:
    """With the option `floor_zero`, a side that is set loses nothing if an adjustment has put its score below zero."""
    game = act(new(negative="floor_zero"), c.AdjustScore(0, -5, "late"), *enter(HAND | {"bid": 4}))
    assert game.tally.totals == (-5, 1)


def test_an_adjustment_after_the_end_does_not_count_where_the_hand_before_it_does_not() -> None:
    """If a correction makes the game end at an earlier hand, hands and adjustments after that hand don't count."""
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
    """An adjustment needs a side, a number of points and a reason, so that everyone can see later what was agreed."""
    assert code_of(partial(c.decide, new(), c.AdjustScore(side, points, reason))) == code


@pytest.mark.parametrize("points", [-99, -1, 1, 99])
def test_an_adjustment_goes_up_to_ninety_nine_either_way(points: int) -> None:
    """An adjustment may be as much as 99 or -99 points, with a reason of up to 120 characters."""
    assert act(new(), c.AdjustScore(1, points, "x" * 120)).tally.totals == (0, points)


def test_an_adjustment_is_no_hand_to_correct() -> None:
    """An adjustment can't be corrected like a hand, but it can be undone and restored."""
    game = act(new(), c.AdjustScore(0, 5, "handicap"))
    assert code_of(partial(c.decide, game, c.CorrectHand(2, HAND))) == "hand_unknown"
    struck = act(game, c.VoidHand(2))
    assert struck.tally.totals == (0, 0)
    assert act(struck, c.RestoreHand(2)).tally.totals == (5, 0)


# The table.


def test_a_misdeal_is_dealt_again_by_the_same_dealer() -> None:
    """After a misdeal, the same dealer deals again, the bid in play is dropped, and no score changes."""
    game = act(new(), c.TakeBid(0, 2), c.Misdeal())
    assert (game.open_bid, game.dealer, game.tally.totals, game.lines) == (None, 3, (0, 0), ())


def test_the_table_can_say_who_deals() -> None:
    """The table can choose the dealer. If a bid is in play, it is kept and gets the new dealer.

    Choosing the present dealer again adds no event.
    """
    game = act(new(), c.TakeBid(0, 2))
    moved = act(game, c.SetDealer(1))
    assert (moved.dealer, moved.open_bid) == (1, g.OpenBid(1, 0, 2))
    assert c.decide(game, c.SetDealer(3)) == ()
    assert act(moved, *enter({"taken": [3, 1]})).lines[0].entry.hand.dealer == 1


@pytest.mark.parametrize("dealer", [4, -1, True, 1.0, "1", None])
def test_a_dealer_that_is_no_seat_is_refused(dealer: Any) -> None:
    """A command to change the dealer is refused unless the dealer is a whole number from 0 to the last seat."""
    assert code_of(partial(c.decide, new(), c.SetDealer(dealer))) == "seat"


def test_a_dealer_who_could_not_hold_the_bid_in_play_is_refused() -> None:
    """The player whose bid is in play can't be made the dealer if a dealer couldn't have made that bid.

    Here seat 0 bid 2, but a dealer must bid at least 3 if all others pass.
    """
    game = act(new(forced_bid=3), c.TakeBid(0, 2))
    assert code_of(partial(c.decide, game, c.SetDealer(0))) == "bid_illegal"


@pytest.mark.parametrize(
    ("command", "event"), [(c.ReplacePlayer, ev.PlayerReplaced), (c.RenamePlayer, ev.PlayerRenamed)]
)
def test_a_seat_gets_another_player_also_after_the_end(command: Any, event: Any) -> None:
    """A seat's player can be replaced or renamed, even after the end, and the score stays with the seat.

    An unknown seat is refused.
    """
    assert c.decide(new(), command(2, 99)) == (event(2, 99),)
    game = act(ended(), command(2, 99))
    assert (game.players, game.tally.totals) == ((10, 11, 99, 13), (24, 0))
    for seat in (4, -1, True):
        assert code_of(partial(c.decide, new(), command(seat, 99))) == "seat"


def test_a_conceded_game_has_a_winner_and_can_go_on() -> None:
    """Conceding a game drops the bid in play, and a reopened game has the same score as before."""
    game = act(new(), *enter(HAND), c.TakeBid(0, 2), c.Concede(1))
    assert (game.outcome, game.open_bid) == (Outcome(1, "conceded"), None)
    reopened = act(game, c.Reopen())
    assert (reopened.outcome, reopened.tally.totals) == (None, (3, 1))


@pytest.mark.parametrize("winner", [2, -1, None, "0", True])
def test_a_game_can_only_be_conceded_to_a_side_of_the_table(winner: Any) -> None:
    """A concession is refused unless the winner is one of the table's sides, 0 or 1."""
    assert code_of(partial(c.decide, new(), c.Concede(winner))) == "side"


def test_an_abandoned_game_has_no_winner_and_can_go_on() -> None:
    """An abandoned game has no winner, and is in progress again once it is reopened."""
    game = act(new(), *enter(HAND), c.Abandon())
    assert game.outcome == Outcome(None, "abandoned")
    assert act(game, c.Reopen()).outcome is None


def test_only_a_stopped_game_can_be_reopened() -> None:
    """A game that is in progress or that ended by the rules can't be reopened."""
    assert code_of(partial(c.decide, new(), c.Reopen())) == "not_stopped"
    assert code_of(partial(c.decide, ended(), c.Reopen())) == "not_stopped"


def test_a_correction_can_end_a_stopped_game_by_the_rules() -> None:
    """If a correction ends a conceded game by the rules, that outcome replaces the concession.

    After the correction is undone, the concession counts again.
    """
    game = act(new(target=4), *enter(HAND | {"taken": [3, 0]}), c.Concede(1))
    by_rules = act(game, c.CorrectHand(2, WHOLE))
    assert by_rules.outcome == Outcome(0, "bid_out")
    assert act(by_rules, c.Undo()).outcome == Outcome(1, "conceded")


def test_a_result_known_only_by_its_totals_is_a_finished_game() -> None:
    """A game of which only the final totals are entered is over: the highest score won, or nobody in a tie."""
    game = evolve(new(), ev.ResultEntered((21, 14)))
    assert (game.final, game.tally.totals, game.outcome) == ((21, 14), (21, 14), Outcome(0, "final"))
    assert evolve(new(), ev.ResultEntered((9, 9))).outcome == Outcome(None, "final")


def test_a_final_score_cannot_be_rescored() -> None:
    """A game with only a final score can't get other house rules or adjustments.

    There are no hands to add up again.
    """
    game = evolve(new(), ev.ResultEntered((21, 14)))
    rules = with_options(PRESETS["setback-21"], {"target": 4})
    assert code_of(partial(c.decide, game, c.ChangeRules(rules))) == "final_fixed"
    assert code_of(partial(c.decide, game, c.AdjustScore(0, 1, "late"))) == "final_fixed"


def test_a_final_score_ends_a_game_without_hands_and_can_be_corrected() -> None:
    """Entering a final score in a game without hands ends the game. Entering another final score replaces the first."""
    told = act(new(), c.EnterResult((21, 14)))
    assert (told.final, told.over, told.tally.totals) == ((21, 14), True, (21, 14))
    corrected = act(told, c.EnterResult((19, 22)))
    assert corrected.outcome is not None
    assert (corrected.tally.totals, corrected.outcome.winner, corrected.version) == ((19, 22), 1, 3)
