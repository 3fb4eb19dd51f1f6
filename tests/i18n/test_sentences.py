"""The exact sentences on what each side needs, why a game ended, why it goes on, and what a hand does.

Each test case is a state of a game that players may argue about. Ann, Bob, Cid, Dee and Eve sit clockwise. In a
partnership, Ann plays with Cid.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.i18n.sentences import say, say_all, say_needs, side_names
from scorekeeper.rules import explain
from scorekeeper.rules.hands import read_hand
from scorekeeper.rules.record import read_rules
from scorekeeper.rules.scoring import Tally, add_hand
from scorekeeper.rules.table import Table, set_table
from tests.support.each import for_each

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus")


def table_of(preset: str, sides: int, options: dict[str, Any]) -> Table:
    """Return a table with `sides` sides.

    With two sides, four players form partnerships if the game allows it. Otherwise each side is a single player.
    """
    rules = read_rules({"preset": preset, "options": options})
    partners = sides == 2 and any(seating.kind == "partners" for seating in rules.seatings)
    players = 4 if partners else sides
    return set_table(rules, players, None if partners else [[seat] for seat in range(players)])


def tally_of(totals: tuple[int, ...], *, sets: tuple[int, ...] = (), hands: int = 9, level: bool = False) -> Tally:
    return Tally(totals, sets or (0,) * len(totals), hands, level)


BID_21: tuple[str, dict[str, Any]] = ("setback-21", {})
FIXED_8: tuple[str, dict[str, Any]] = ("setback-21", {"finish": "fixed_hands", "hands_limit": 8})
LEAD_2: tuple[str, dict[str, Any]] = ("setback-7", {"finish": "highest", "win_by": 2})

NEEDS: list[tuple[tuple[str, dict[str, Any]], Tally, tuple[str, ...]]] = [
    # To 21, bid to go out, win by 2.
    (
        BID_21,
        tally_of((0, 0)),
        ("Ann and Cid: 21 to go. Must make a bid to win.", "Bob and Dee: 21 to go. Must make a bid to win."),
    ),
    (
        BID_21,
        tally_of((18, 12)),
        ("Ann and Cid: 3 to go. Must make a bid to win.", "Bob and Dee: 9 to go. Must make a bid to win."),
    ),
    (
        BID_21,
        tally_of((18, 17)),
        ("Ann and Cid: 3 to go. Must make a bid to win.", "Bob and Dee: 4 to go. Must make a bid to win."),
    ),
    (
        BID_21,
        tally_of((18, 18)),
        ("Ann and Cid: 3 to go. Must make a bid to win.", "Bob and Dee: 3 to go. Must make a bid to win."),
    ),
    (
        BID_21,
        tally_of((18, 19)),
        (
            "Ann and Cid: 3 to go. Must make a bid and lead by 2.",
            "Bob and Dee: 2 to go. Must make a bid and lead by 2.",
        ),
    ),
    (
        BID_21,
        tally_of((20, 20)),
        (
            "Ann and Cid: 1 to go. Must make a bid and lead by 2.",
            "Bob and Dee: 1 to go. Must make a bid and lead by 2.",
        ),
    ),
    (
        BID_21,
        tally_of((20, 21)),
        ("Ann and Cid: 1 to go. Must make a bid and lead by 2.", "Bob and Dee: Must make a bid and lead by 2."),
    ),
    (
        BID_21,
        tally_of((21, 12)),
        ("Ann and Cid: Must make a bid to win.", "Bob and Dee: 9 to go. Must make a bid and lead by 2."),
    ),
    (
        BID_21,
        tally_of((21, 19)),
        ("Ann and Cid: Must make a bid to win.", "Bob and Dee: 2 to go. Must make a bid and lead by 2."),
    ),
    (
        BID_21,
        tally_of((21, 20)),
        ("Ann and Cid: Must make a bid and lead by 2.", "Bob and Dee: 1 to go. Must make a bid and lead by 2."),
    ),
    (
        BID_21,
        tally_of((21, 21)),
        ("Ann and Cid: Must make a bid and lead by 2.", "Bob and Dee: Must make a bid and lead by 2."),
    ),
    (
        BID_21,
        tally_of((22, 21)),
        ("Ann and Cid: Must make a bid and lead by 2.", "Bob and Dee: Must make a bid and lead by 2."),
    ),
    (
        BID_21,
        tally_of((25, 22)),
        ("Ann and Cid: Must make a bid to win.", "Bob and Dee: Must make a bid and lead by 2."),
    ),
    (
        BID_21,
        tally_of((-3, 20)),
        ("Ann and Cid: 24 to go. Must make a bid and lead by 2.", "Bob and Dee: 1 to go. Must make a bid to win."),
    ),
    (
        BID_21,
        tally_of((21, 12, 5)),
        (
            "Ann: Must make a bid to win.",
            "Bob: 9 to go. Must make a bid and lead by 2.",
            "Cid: 16 to go. Must make a bid and lead by 2.",
        ),
    ),
    (
        ("setback-21", {"go_out": "take"}),
        tally_of((21, 20)),
        (
            "Ann and Cid: Must win the bid and finish at 21 or more, 2 ahead.",
            "Bob and Dee: 1 to go. Must make a bid and lead by 2.",
        ),
    ),
    (
        ("setback-21", {"win_by": 1, "target": 31}),
        tally_of((29, 25)),
        ("Ann and Cid: 2 to go. Must make a bid to win.", "Bob and Dee: 6 to go. Must make a bid to win."),
    ),
    # The bidder goes out first.
    (("bowers-12", {}), tally_of((0, 0)), ("Ann and Cid: 12 to go.", "Bob and Dee: 12 to go.")),
    (("bowers-12", {}), tally_of((11, 4)), ("Ann and Cid: 1 to go.", "Bob and Dee: 8 to go.")),
    (("bowers-12", {}), tally_of((7, -4)), ("Ann and Cid: 5 to go.", "Bob and Dee: 16 to go.")),
    (("pitch-11", {}), tally_of((10, 7)), ("Ann and Cid: 1 to go.", "Bob and Dee: 4 to go.")),
    (
        ("pitch-11", {}),
        tally_of((11, 11, 5)),
        (
            "Ann: Must make a bid, or be ahead if the bidder doesn't go out.",
            "Bob: Must make a bid, or be ahead if the bidder doesn't go out.",
            "Cid: 6 to go. Must make the bid, or be ahead if the bidder doesn't go out.",
        ),
    ),
    (
        # Both can arrive in one hand: 9 to 9 in a game to 11, too.
        ("setback-7", {}),
        tally_of((6, 5, 0)),
        (
            "Ann: 1 to go. Must make the bid, or be ahead if the bidder doesn't go out.",
            "Bob: 2 to go. Must make the bid, or be ahead if the bidder doesn't go out.",
            "Cid: 7 to go.",
        ),
    ),
    (
        ("pitch-11", {}),
        tally_of((9, 9)),
        (
            "Ann and Cid: 2 to go. Must make the bid, or be ahead if the bidder doesn't go out.",
            "Bob and Dee: 2 to go. Must make the bid, or be ahead if the bidder doesn't go out.",
        ),
    ),
    (
        ("smear-52", {}),
        tally_of((50, 45)),
        (
            "Ann and Cid: 2 to go. Must be ahead, or be tied and have the bid.",
            "Bob and Dee: 7 to go. Must be ahead, or be tied and have the bid.",
        ),
    ),
    (
        ("setback-7", {}),
        tally_of((7, 7, 3)),
        (
            "Ann: Must make a bid, or be ahead if the bidder doesn't go out.",
            "Bob: Must make a bid, or be ahead if the bidder doesn't go out.",
            "Cid: 4 to go. Must make the bid, or be ahead if the bidder doesn't go out.",
        ),
    ),
    # A pitch, open to those who are not below zero.
    (
        ("setback-7-pitch", {}),
        tally_of((0, -1)),
        ("Ann: 7 to go. Or make a pitch.", "Bob: 8 to go. A pitch scores, but can't win from below zero."),
    ),
    (
        ("setback-7-pitch", {}),
        tally_of((6, -2, -1)),
        (
            "Ann: 1 to go. Or make a pitch.",
            "Bob: 9 to go. A pitch scores, but can't win from below zero.",
            "Cid: 8 to go. A pitch scores, but can't win from below zero.",
        ),
    ),
    # The highest wins.
    (
        ("setback-7", {"finish": "highest"}),
        tally_of((7, 7)),
        ("Ann: Must take the lead to win.", "Bob: Must take the lead to win."),
    ),
    (
        ("setback-7", {"finish": "highest"}),
        tally_of((5, 7, 7)),
        ("Ann: 2 to go. Must be ahead.", "Bob: Must take the lead to win.", "Cid: Must take the lead to win."),
    ),
    (LEAD_2, tally_of((7, 6)), ("Ann: Must lead by 2 to win.", "Bob: 1 to go, with a 2-point lead.")),
    (LEAD_2, tally_of((6, 6)), ("Ann: 1 to go, with a 2-point lead.", "Bob: 1 to go, with a 2-point lead.")),
    (LEAD_2, tally_of((3, 0)), ("Ann: 4 to go.", "Bob: 7 to go.")),
    (
        ("somerset-66", {}),
        tally_of((70, 70), level=True),
        (
            "Ann and Cid: High score after this hand wins.",
            "Bob and Dee: High score after this hand wins.",
        ),
    ),
    (("horsley-66", {}), tally_of((60, -12)), ("Ann and Cid: 6 to go.", "Bob and Dee: 78 to go.")),
    # A number of hands.
    (
        FIXED_8,
        tally_of((5, 3), hands=5),
        ("Ann and Cid: 2 ahead, 3 hands to go.", "Bob and Dee: 2 behind, 3 hands to go."),
    ),
    (
        FIXED_8,
        tally_of((5, 5, 1), hands=7),
        (
            "Ann: Tied for the lead, 1 hand to go.",
            "Bob: Tied for the lead, 1 hand to go.",
            "Cid: 4 behind, 1 hand to go.",
        ),
    ),
    (
        FIXED_8,
        tally_of((5, 5), hands=8),
        ("Ann and Cid: Must take the lead to win.", "Bob and Dee: Must take the lead to win."),
    ),
    # Sets that lose, and a moon.
    (
        ("setback-21", {"max_sets": 3}),
        tally_of((5, 3), sets=(2, 1)),
        (
            "Ann and Cid: 16 to go. Must make a bid to win. One more set loses the game.",
            "Bob and Dee: 18 to go. Must make a bid to win.",
        ),
    ),
    (
        ("pitch-11", {"bidder_lead": 2}),
        tally_of((11, 9)),
        ("Ann and Cid: Must lead by 2 to win.", "Bob and Dee: 2 to go, with a 2-point lead."),
    ),
    (
        ("pitch-11", {"bidder_lead": 2}),
        tally_of((9, 2)),
        ("Ann and Cid: 2 to go.", "Bob and Dee: 9 to go."),
    ),
    (
        ("setback-21", {"lose_at_minus": 11}),
        tally_of((5, -7)),
        (
            "Ann and Cid: 16 to go. Must make a bid to win.",
            "Bob and Dee: 28 to go. Must make a bid to win. A score of −11 or lower loses the game.",
        ),
    ),
    (
        ("ten-point-52", {}),
        tally_of((40, -3)),
        ("Ann and Cid: 12 to go. Or shoot the moon.", "Bob and Dee: 55 to go. A moon only brings you to 0."),
    ),
]


@for_each(("game", "tally", "sentences"), NEEDS)
def test_what_each_side_needs(game: tuple[str, dict[str, Any]], tally: Tally, sentences: tuple[str, ...]) -> None:
    """Before a hand, the board says what each side needs to win."""
    table = table_of(game[0], len(tally.totals), game[1])
    names = side_names(table.sides, NAMES)
    assert tuple(map(say_needs, explain.needs(table, tally), names)) == sentences


ENDS: list[tuple[tuple[str, dict[str, Any]], Tally, dict[str, Any], str]] = [
    (
        BID_21,
        tally_of((18, 12)),
        {"bidder": 0, "bid": 3, "taken": [3, 1]},
        "Ann and Cid made their bid of 3 and won 21 to 13.",
    ),
    (
        BID_21,
        tally_of((22, 21)),
        {"bidder": 2, "bid": 2, "taken": [3, 0]},
        "Ann and Cid made their bid of 2 and won 25 to 21.",
    ),
    (
        BID_21,
        tally_of((19, 8, 3)),
        {"bidder": 0, "bid": 2, "taken": [2, 1, 0]},
        "Ann made a bid of 2 and won 21 to 9.",
    ),
    (
        ("setback-21", {"go_out": "take"}),
        tally_of((24, 8)),
        {"bidder": 0, "bid": 2, "taken": [1, 3]},
        "Ann and Cid had the bid and won 22 to 11.",
    ),
    (
        ("bowers-12", {}),
        tally_of((9, 6)),
        {"bidder": 0, "bid": 3, "taken": [3, 2]},
        "Ann and Cid made the bid and reached 12.",
    ),
    (
        ("bowers-12", {}),
        tally_of((9, 11)),
        {"bidder": 0, "bid": 3, "taken": [3, 2]},
        "Ann and Cid made the bid and reached 12. Bidder goes out first, so 13 isn't enough.",
    ),
    (
        ("bowers-12", {}),
        tally_of((9, 6)),
        {"bidder": 1, "bid": 4, "taken": [3, 2]},
        "Ann and Cid have the high score, 12.",
    ),
    (
        ("setback-7", {}),
        tally_of((6, 5)),
        {"bidder": 1, "bid": 2, "taken": [1, 2]},
        "Bob made the bid and reached 7. Bidder goes out first, so 7 isn't enough.",
    ),
    (
        ("setback-7", {}),
        tally_of((1, 6, 1)),
        {"bidder": 0, "bid": 3, "taken": [1, 2, 0]},
        "Bob has the high score, 8.",
    ),
    (
        ("setback-7-pitch", {}),
        tally_of((0, 6)),
        {"bidder": 0, "bid": "pitch", "taken": [4, 0]},
        "Ann made a pitch. That wins the game.",
    ),
    (
        ("setback-7", {"finish": "highest"}),
        tally_of((6, 3)),
        {"bidder": 1, "bid": 2, "taken": [1, 3]},
        "Ann has the high score, 7.",
    ),
    (LEAD_2, tally_of((6, 3)), {"bidder": 0, "bid": 2, "taken": [3, 1]}, "Ann has the high score, 9, and leads by 5."),
    (
        ("setback-7", {"finish": "highest", "tie": "bidder"}),
        tally_of((6, 5)),
        {"bidder": 1, "bid": 2, "taken": [1, 2]},
        "Tied at 7. The tie goes to the bidder, Bob.",
    ),
    (
        ("somerset-66", {}),
        tally_of((70, 70), level=True),
        {"bidder": 1, "bid": 20, "taken": [14, 10]},
        "Ann and Cid have the high score after the tie-break hand, 84.",
    ),
    (
        FIXED_8,
        tally_of((5, 3), hands=7),
        {"bidder": 1, "bid": 2, "taken": [2, 2]},
        "Ann and Cid have the high score after 8 hands: 7 to 5.",
    ),
    (
        ("setback-21", {"max_sets": 3}),
        tally_of((5, 3), sets=(2, 1)),
        {"bidder": 0, "bid": 4, "taken": [3, 1]},
        "Ann and Cid were set 3 times and lost.",
    ),
    (
        ("setback-21", {"lose_at_minus": 11}),
        tally_of((5, -8)),
        {"bidder": 1, "bid": 3, "taken": [2, 2]},
        "Bob and Dee are at −11, and −11 or lower loses.",
    ),
    (
        ("setback-7", {"lose_at_minus": 7}),
        tally_of((2, -5, 3)),
        {"bidder": 1, "bid": 3, "taken": [0, 1, 1]},
        "A score of −7 or lower loses. Of the others, Cid has the high score, 4.",
    ),
    (
        ("setback-7", {"lose_at_minus": 7}),
        tally_of((2, -5, 3)),
        {"bidder": 1, "bid": 3, "taken": [1, 1, 0]},
        "A score of −7 or lower loses. Nobody else is alone in the lead, so nobody wins.",
    ),
    (
        ("ten-point-52", {}),
        tally_of((10, 4)),
        {"bidder": 0, "bid": "moon", "taken": [10, 0]},
        "Ann and Cid shot the moon. That wins the game.",
    ),
    (
        ("ten-point-52", {}),
        tally_of((10, 4)),
        {"bidder": 0, "bid": "moon", "taken": [9, 1]},
        "Ann and Cid bid a moon and missed it, so Bob and Dee won.",
    ),
]


@for_each(("game", "before", "hand", "sentence"), ENDS)
def test_why_a_game_ended(game: tuple[str, dict[str, Any]], before: Tally, hand: dict[str, Any], sentence: str) -> None:
    """The sentence on why a game ended names the rule that ended it, with the numbers."""
    table = table_of(game[0], len(before.totals), game[1])
    played = read_hand(table, hand, dealer=3 % table.players)
    after, _ = add_hand(table, before, played)
    assert after.outcome is not None
    message = explain.why_over(table, after.outcome, before.totals, after, played)
    assert say(message, side_names(table.sides, NAMES)) == sentence


GOES_ON: list[tuple[tuple[str, dict[str, Any]], Tally, dict[str, Any], str | None]] = [
    (BID_21, tally_of((18, 12)), {"bidder": 0, "bid": 2, "taken": [2, 1]}, None),
    (
        BID_21,
        tally_of((19, 12)),
        {"bidder": 1, "bid": 2, "taken": [2, 2]},
        "Ann and Cid have 21 but didn't have the bid. Play on.",
    ),
    (
        BID_21,
        tally_of((19, 20)),
        {"bidder": 0, "bid": 2, "taken": [2, 0]},
        "Only 1 ahead. You must win by 2, so play on.",
    ),
    (
        BID_21,
        tally_of((19, 20)),
        {"bidder": 0, "bid": 2, "taken": [2, 1]},
        "Tied at 21. Play on.",
    ),
    (BID_21, tally_of((21, 17)), {"bidder": 0, "bid": 2, "taken": [1, 3]}, None),
    (
        BID_21,
        tally_of((25, 12)),
        {"bidder": 0, "bid": 2, "taken": [1, 3]},
        "Ann and Cid have 23 but didn't make the bid. Play on.",
    ),
    (
        ("pitch-11", {"bidder_lead": 2}),
        tally_of((9, 11)),
        {"bidder": 0, "bid": 2, "taken": [2, 1]},
        "Only 1 ahead. You must win by 2, so play on.",
    ),
    (
        ("pitch-11", {"bidder_lead": 2}),
        tally_of((9, 12)),
        {"bidder": 0, "bid": 2, "taken": [2, 2]},
        "The bidder reached 11 but isn't 2 ahead. Play on.",
    ),
    (
        ("pitch-11", {}),
        tally_of((10, 10, 3)),
        {"bidder": 2, "bid": 2, "taken": [1, 1, 1]},
        "Tied at 11. Play on.",
    ),
    (
        ("somerset-66", {}),
        tally_of((60, 58)),
        {"bidder": 1, "bid": 12, "taken": [11, 13]},
        "Tied at 71. One more hand, and high score wins.",
    ),
    (
        FIXED_8,
        tally_of((5, 5), hands=7),
        {"bidder": 1, "bid": 2, "taken": [2, 2]},
        "Tied at 7 after the last hand. Play on until someone is ahead.",
    ),
]


@pytest.mark.parametrize(("game", "before", "hand", "sentence"), GOES_ON)
def test_why_a_game_goes_on(
    game: tuple[str, dict[str, Any]], before: Tally, hand: dict[str, Any], sentence: str | None
) -> None:
    """If a side has reached the target but the game isn't over, a sentence gives the reason.

    In all other cases, there is no such sentence.
    """
    table = table_of(game[0], len(before.totals), game[1])
    played = read_hand(table, hand, dealer=3 % table.players)
    after, _ = add_hand(table, before, played)
    assert after.outcome is None
    message = explain.why_not_over(table, after, played)
    assert (message and say(message, side_names(table.sides, NAMES))) == sentence


EFFECTS: list[tuple[tuple[str, dict[str, Any]], Tally, dict[str, Any], str]] = [
    (
        BID_21,
        tally_of((4, 12)),
        {"bidder": 1, "bid": 3, "taken": [2, 2]},
        "Set! Bob and Dee lose 3, from 12 to 9. Ann and Cid score 2, from 4 to 6.",
    ),
    (
        BID_21,
        tally_of((11, 9)),
        {"bidder": 0, "bid": 2, "taken": [3, 0]},
        "Made it! Ann and Cid score 3, from 11 to 14.",
    ),
    (
        BID_21,
        tally_of((1, 0, 2)),
        {"bidder": 0, "bid": 4, "taken": [3, 1, 0]},
        "Set! Ann loses 4, from 1 to −3. Bob scores 1, from 0 to 1.",
    ),
    (
        ("setback-7-pitch", {}),
        tally_of((-2, 3)),
        {"bidder": 0, "bid": "pitch", "taken": [4, 0]},
        "Ann makes the pitch, from −2 to 2.",
    ),
    (
        ("ten-point-52", {}),
        tally_of((0, 0)),
        {"bidder": 0, "bid": "moon", "taken": [10, 0]},
        "Ann and Cid shoot the moon, from 0 to 52.",
    ),
    (
        ("setback-7-pitch", {}),
        tally_of((2, 3)),
        {"bidder": 0, "bid": "pitch", "taken": [3, 1]},
        "Set! The pitch failed: Ann loses 4, from 2 to −2. Bob scores 1, from 3 to 4.",
    ),
    (
        ("somerset-66", {}),
        tally_of((16, 16, 0, 0, 0)),
        {"bidder": 0, "bid": 14, "taken": [12, 10], "partner": 1},
        "Set! Ann and Bob lose 4 each. The others score 10 each.",
    ),
    (
        ("somerset-66", {}),
        tally_of((0, 0, 0, 0, 0)),
        {"bidder": 0, "bid": 14, "taken": [22, 0], "partner": 1},
        "Made it! Ann and Bob score 22 each.",
    ),
    (("bowers-12", {}), tally_of((1, 2)), {"passed": True}, "All passed: nobody scores."),
]


@pytest.mark.parametrize(("game", "before", "hand", "sentence"), EFFECTS)
def test_what_a_hand_does(game: tuple[str, dict[str, Any]], before: Tally, hand: dict[str, Any], sentence: str) -> None:
    """Before a hand is saved, sentences say how the hand changes each side's score, starting with the bidder's side."""
    table = table_of(game[0], len(before.totals), game[1])
    played = read_hand(table, hand, dealer=3 % table.players)
    after, scored = add_hand(table, before, played)
    assert say_all(explain.effects(table, before, after, played, scored), side_names(table.sides, NAMES)) == sentence
