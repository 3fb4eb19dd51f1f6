"""What each side needs, why a game ended, why it goes on, what a hand does: the exact sentences.

Each line is a state that a table can argue about. `Ann Bob Cid Dee Eve` sit clockwise; in
a partnership Ann plays with Cid.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.i18n.sentences import say, say_all, side_names
from scorekeeper.rules import explain
from scorekeeper.rules.hands import read_hand
from scorekeeper.rules.record import read_rules
from scorekeeper.rules.scoring import Tally, add_hand
from scorekeeper.rules.table import Table, set_table

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus")


def table_of(preset: str, sides: int, options: dict[str, Any]) -> Table:
    """Two sides are partnerships where the game has them; anything else is each player alone."""
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
    (BID_21, tally_of((0, 0)), ("Ann and Cid need 21 more, and the bid.", "Bob and Dee need 21 more, and the bid.")),
    (BID_21, tally_of((18, 12)), ("Ann and Cid need 3 more, and the bid.", "Bob and Dee need 9 more, and the bid.")),
    (BID_21, tally_of((18, 17)), ("Ann and Cid need 3 more, and the bid.", "Bob and Dee need 4 more, and the bid.")),
    (
        BID_21,
        tally_of((18, 18)),
        ("Ann and Cid need 3 more, and the bid.", "Bob and Dee need 3 more, and the bid."),
    ),
    (
        BID_21,
        tally_of((18, 19)),
        ("Ann and Cid need 3 more, the bid, and a lead of 2.", "Bob and Dee need 2 more, the bid, and a lead of 2."),
    ),
    (
        BID_21,
        tally_of((20, 20)),
        ("Ann and Cid need 1 more, the bid, and a lead of 2.", "Bob and Dee need 1 more, the bid, and a lead of 2."),
    ),
    (
        BID_21,
        tally_of((20, 21)),
        ("Ann and Cid need 1 more, the bid, and a lead of 2.", "Bob and Dee need to make a bid and lead by 2."),
    ),
    (
        BID_21,
        tally_of((21, 12)),
        ("Ann and Cid need to make a bid.", "Bob and Dee need 9 more, the bid, and a lead of 2."),
    ),
    (
        BID_21,
        tally_of((21, 19)),
        ("Ann and Cid need to make a bid.", "Bob and Dee need 2 more, the bid, and a lead of 2."),
    ),
    (
        BID_21,
        tally_of((21, 20)),
        ("Ann and Cid need to make a bid and lead by 2.", "Bob and Dee need 1 more, the bid, and a lead of 2."),
    ),
    (
        BID_21,
        tally_of((21, 21)),
        ("Ann and Cid need to make a bid and lead by 2.", "Bob and Dee need to make a bid and lead by 2."),
    ),
    (
        BID_21,
        tally_of((22, 21)),
        ("Ann and Cid need to make a bid and lead by 2.", "Bob and Dee need to make a bid and lead by 2."),
    ),
    (BID_21, tally_of((25, 22)), ("Ann and Cid need to make a bid.", "Bob and Dee need to make a bid and lead by 2.")),
    (
        BID_21,
        tally_of((-3, 20)),
        ("Ann and Cid need 24 more, the bid, and a lead of 2.", "Bob and Dee need 1 more, and the bid."),
    ),
    (
        BID_21,
        tally_of((21, 12, 5)),
        (
            "Ann needs to make a bid.",
            "Bob needs 9 more, the bid, and a lead of 2.",
            "Cid needs 16 more, the bid, and a lead of 2.",
        ),
    ),
    (
        ("setback-21", {"go_out": "take"}),
        tally_of((21, 20)),
        (
            "Ann and Cid need to take the bid and end at 21 or above, 2 ahead.",
            "Bob and Dee need 1 more, the bid, and a lead of 2.",
        ),
    ),
    (
        ("setback-21", {"win_by": 1, "target": 31}),
        tally_of((29, 25)),
        ("Ann and Cid need 2 more, and the bid.", "Bob and Dee need 6 more, and the bid."),
    ),
    # The bidder goes out first.
    (("bowers-12", {}), tally_of((0, 0)), ("Ann and Cid need 12 more.", "Bob and Dee need 12 more.")),
    (("bowers-12", {}), tally_of((11, 4)), ("Ann and Cid need 1 more.", "Bob and Dee need 8 more.")),
    (("bowers-12", {}), tally_of((7, -4)), ("Ann and Cid need 5 more.", "Bob and Dee need 16 more.")),
    (("pitch-11", {}), tally_of((10, 7)), ("Ann and Cid need 1 more.", "Bob and Dee need 4 more.")),
    (
        ("pitch-11", {}),
        tally_of((11, 11, 5)),
        (
            "Ann needs to make a bid, or to get ahead in a hand in which the bidder doesn't go out.",
            "Bob needs to make a bid, or to get ahead in a hand in which the bidder doesn't go out.",
            "Cid needs 6 more, with the bid made, or with the lead if the bidder doesn't go out.",
        ),
    ),
    (
        # Both can arrive in one hand: 9 to 9 in a game to 11, too.
        ("setback-7", {}),
        tally_of((6, 5, 0)),
        (
            "Ann needs 1 more, with the bid made, or with the lead if the bidder doesn't go out.",
            "Bob needs 2 more, with the bid made, or with the lead if the bidder doesn't go out.",
            "Cid needs 7 more.",
        ),
    ),
    (
        ("pitch-11", {}),
        tally_of((9, 9)),
        (
            "Ann and Cid need 2 more, with the bid made, or with the lead if the bidder doesn't go out.",
            "Bob and Dee need 2 more, with the bid made, or with the lead if the bidder doesn't go out.",
        ),
    ),
    (
        ("smear-52", {}),
        tally_of((50, 45)),
        (
            "Ann and Cid need 2 more, and the lead, or a tie with the bid.",
            "Bob and Dee need 7 more, and the lead, or a tie with the bid.",
        ),
    ),
    (
        ("setback-7", {}),
        tally_of((7, 7, 3)),
        (
            "Ann needs to make a bid, or to get ahead in a hand in which the bidder doesn't go out.",
            "Bob needs to make a bid, or to get ahead in a hand in which the bidder doesn't go out.",
            "Cid needs 4 more, with the bid made, or with the lead if the bidder doesn't go out.",
        ),
    ),
    # A pitch, open to those who are not below zero.
    (
        ("setback-7-pitch", {}),
        tally_of((0, -1)),
        ("Ann needs 7 more. A pitch wins too.", "Bob needs 8 more. A pitch only scores: below zero it does not win."),
    ),
    (
        ("setback-7-pitch", {}),
        tally_of((6, -2, -1)),
        (
            "Ann needs 1 more. A pitch wins too.",
            "Bob needs 9 more. A pitch only scores: below zero it does not win.",
            "Cid needs 8 more. A pitch only scores: below zero it does not win.",
        ),
    ),
    # The highest wins.
    (("setback-7", {"finish": "highest"}), tally_of((7, 7)), ("Ann needs to get ahead.", "Bob needs to get ahead.")),
    (
        ("setback-7", {"finish": "highest"}),
        tally_of((5, 7, 7)),
        ("Ann needs 2 more, and the lead.", "Bob needs to get ahead.", "Cid needs to get ahead."),
    ),
    (LEAD_2, tally_of((7, 6)), ("Ann needs a lead of 2.", "Bob needs 1 more, and a lead of 2.")),
    (LEAD_2, tally_of((6, 6)), ("Ann needs 1 more, and a lead of 2.", "Bob needs 1 more, and a lead of 2.")),
    (LEAD_2, tally_of((3, 0)), ("Ann needs 4 more.", "Bob needs 7 more.")),
    (
        ("somerset-66", {}),
        tally_of((70, 70), level=True),
        (
            "Ann and Cid need the highest score after this hand.",
            "Bob and Dee need the highest score after this hand.",
        ),
    ),
    (("horsley-66", {}), tally_of((60, -12)), ("Ann and Cid need 6 more.", "Bob and Dee need 78 more.")),
    # A number of hands.
    (
        FIXED_8,
        tally_of((5, 3), hands=5),
        ("Ann and Cid lead by 2, 3 hands to go.", "Bob and Dee are 2 behind, 3 hands to go."),
    ),
    (
        FIXED_8,
        tally_of((5, 5, 1), hands=7),
        ("Ann is level, 1 hand to go.", "Bob is level, 1 hand to go.", "Cid is 4 behind, 1 hand to go."),
    ),
    (FIXED_8, tally_of((5, 5), hands=8), ("Ann and Cid need to get ahead.", "Bob and Dee need to get ahead.")),
    # Sets that lose, and a moon.
    (
        ("setback-21", {"max_sets": 3}),
        tally_of((5, 3), sets=(2, 1)),
        (
            "Ann and Cid need 16 more, and the bid. One more set loses the game.",
            "Bob and Dee need 18 more, and the bid.",
        ),
    ),
    (
        ("ten-point-52", {}),
        tally_of((40, -3)),
        ("Ann and Cid need 12 more. A moon wins too.", "Bob and Dee need 55 more. A moon only brings the score to 0."),
    ),
]


@pytest.mark.parametrize(("game", "tally", "sentences"), NEEDS)
def test_what_each_side_needs(game: tuple[str, dict[str, Any]], tally: Tally, sentences: tuple[str, ...]) -> None:
    """Before a hand, the board says for each side what it needs to win."""
    table = table_of(game[0], len(tally.totals), game[1])
    names = side_names(table, NAMES)
    assert tuple(say_all(messages, names) for messages in explain.needs(table, tally)) == sentences


ENDS: list[tuple[tuple[str, dict[str, Any]], Tally, dict[str, Any], str]] = [
    (
        BID_21,
        tally_of((18, 12)),
        {"bidder": 0, "bid": 3, "taken": [3, 1]},
        "Ann and Cid bid 3, made it, have 21 and lead by 8.",
    ),
    (
        BID_21,
        tally_of((22, 21)),
        {"bidder": 2, "bid": 2, "taken": [3, 0]},
        "Ann and Cid bid 2, made it, have 25 and lead by 4.",
    ),
    (
        BID_21,
        tally_of((19, 8, 3)),
        {"bidder": 0, "bid": 2, "taken": [2, 1, 0]},
        "Ann bid 2, made it, has 21 and leads by 12.",
    ),
    (
        ("setback-21", {"go_out": "take"}),
        tally_of((24, 8)),
        {"bidder": 0, "bid": 2, "taken": [1, 3]},
        "Ann and Cid took the bid, have 22 and lead by 11.",
    ),
    (
        ("bowers-12", {}),
        tally_of((9, 6)),
        {"bidder": 0, "bid": 3, "taken": [3, 2]},
        "Ann and Cid made the bid and have 12.",
    ),
    (
        ("bowers-12", {}),
        tally_of((9, 11)),
        {"bidder": 0, "bid": 3, "taken": [3, 2]},
        "Ann and Cid made the bid and have 12: the bidder goes out first, even against 13.",
    ),
    (
        ("bowers-12", {}),
        tally_of((9, 6)),
        {"bidder": 1, "bid": 4, "taken": [3, 2]},
        "Ann and Cid have 12, the most of anyone at 12 or above.",
    ),
    (
        ("setback-7", {}),
        tally_of((6, 5)),
        {"bidder": 1, "bid": 2, "taken": [1, 2]},
        "Bob made the bid and has 7: the bidder goes out first, even against 7.",
    ),
    (
        ("setback-7", {}),
        tally_of((1, 6, 1)),
        {"bidder": 0, "bid": 3, "taken": [1, 2, 0]},
        "Bob has 8, the most of anyone at 7 or above.",
    ),
    (
        ("setback-7-pitch", {}),
        tally_of((0, 6)),
        {"bidder": 0, "bid": "pitch", "taken": [4, 0]},
        "Ann made a pitch from 0: that wins the game at once.",
    ),
    (
        ("setback-7", {"finish": "highest"}),
        tally_of((6, 3)),
        {"bidder": 1, "bid": 2, "taken": [1, 3]},
        "Ann has 7, the highest at 7 or above.",
    ),
    (LEAD_2, tally_of((6, 3)), {"bidder": 0, "bid": 2, "taken": [3, 1]}, "Ann has 9, at 7 or above, and leads by 5."),
    (
        ("setback-7", {"finish": "highest", "tie": "bidder"}),
        tally_of((6, 5)),
        {"bidder": 1, "bid": 2, "taken": [1, 2]},
        "Level at 7: the tie goes to the bidder, Bob.",
    ),
    (
        ("somerset-66", {}),
        tally_of((70, 70), level=True),
        {"bidder": 1, "bid": 20, "taken": [14, 10]},
        "Ann and Cid have 84, the highest after the tie-break hand.",
    ),
    (
        FIXED_8,
        tally_of((5, 3), hands=7),
        {"bidder": 1, "bid": 2, "taken": [2, 2]},
        "Ann and Cid have 7, the most after 8 hands.",
    ),
    (
        ("setback-21", {"max_sets": 3}),
        tally_of((5, 3), sets=(2, 1)),
        {"bidder": 0, "bid": 4, "taken": [3, 1]},
        "Ann and Cid were set 3 times and lose.",
    ),
    (
        ("ten-point-52", {}),
        tally_of((10, 4)),
        {"bidder": 0, "bid": "moon", "taken": [10, 0]},
        "Ann and Cid shot the moon from 10: that wins the game at once.",
    ),
    (
        ("ten-point-52", {}),
        tally_of((10, 4)),
        {"bidder": 0, "bid": "moon", "taken": [9, 1]},
        "Ann and Cid called the moon and failed: Bob and Dee win.",
    ),
]


@pytest.mark.parametrize(("game", "before", "hand", "sentence"), ENDS)
def test_why_a_game_ended(game: tuple[str, dict[str, Any]], before: Tally, hand: dict[str, Any], sentence: str) -> None:
    """The page of a finished game names the rule that decided, with the numbers it looked at."""
    table = table_of(game[0], len(before.totals), game[1])
    played = read_hand(table, hand, dealer=3 % table.players)
    after, _ = add_hand(table, before, played)
    assert after.outcome is not None
    message = explain.why_over(table, after.outcome, before.totals, after, played)
    assert say(message, side_names(table, NAMES)) == sentence


GOES_ON: list[tuple[tuple[str, dict[str, Any]], Tally, dict[str, Any], str | None]] = [
    (BID_21, tally_of((18, 12)), {"bidder": 0, "bid": 2, "taken": [2, 1]}, None),
    (
        BID_21,
        tally_of((19, 12)),
        {"bidder": 1, "bid": 2, "taken": [2, 2]},
        "Ann and Cid have 21, but did not have the bid: play goes on.",
    ),
    (
        BID_21,
        tally_of((19, 20)),
        {"bidder": 0, "bid": 2, "taken": [2, 0]},
        "21 to 20 is a lead of 1, and it takes 2: play goes on.",
    ),
    (
        BID_21,
        tally_of((19, 20)),
        {"bidder": 0, "bid": 2, "taken": [2, 1]},
        "Level at 21: nobody is ahead, so play goes on.",
    ),
    (BID_21, tally_of((21, 17)), {"bidder": 0, "bid": 2, "taken": [1, 3]}, None),
    (
        BID_21,
        tally_of((25, 12)),
        {"bidder": 0, "bid": 2, "taken": [1, 3]},
        "Ann and Cid have 23, but did not make the bid: play goes on.",
    ),
    (
        ("pitch-11", {}),
        tally_of((10, 10, 3)),
        {"bidder": 2, "bid": 2, "taken": [1, 1, 1]},
        "Level at 11: nobody is ahead, so play goes on.",
    ),
    (
        ("somerset-66", {}),
        tally_of((60, 58)),
        {"bidder": 1, "bid": 12, "taken": [11, 13]},
        "Level at 71: one more hand, and then the highest score wins.",
    ),
    (
        FIXED_8,
        tally_of((5, 5), hands=7),
        {"bidder": 1, "bid": 2, "taken": [2, 2]},
        "Level at 7 after the last hand: play goes on until somebody is ahead.",
    ),
]


@pytest.mark.parametrize(("game", "before", "hand", "sentence"), GOES_ON)
def test_why_a_game_goes_on(
    game: tuple[str, dict[str, Any]], before: Tally, hand: dict[str, Any], sentence: str | None
) -> None:
    """When somebody stands at the target and the game goes on, the board says why; else it says nothing."""
    table = table_of(game[0], len(before.totals), game[1])
    played = read_hand(table, hand, dealer=3 % table.players)
    after, _ = add_hand(table, before, played)
    assert after.outcome is None
    message = explain.why_not_over(table, after, played)
    assert (message and say(message, side_names(table, NAMES))) == sentence


EFFECTS: list[tuple[tuple[str, dict[str, Any]], Tally, dict[str, Any], str]] = [
    (
        BID_21,
        tally_of((4, 12)),
        {"bidder": 1, "bid": 3, "taken": [2, 2]},
        "Set! Bob and Dee lose 3: from 12 to 9. Ann and Cid score 2: from 4 to 6.",
    ),
    (BID_21, tally_of((11, 9)), {"bidder": 0, "bid": 2, "taken": [3, 0]}, "Ann and Cid make 3: from 11 to 14."),
    (
        BID_21,
        tally_of((1, 0, 2)),
        {"bidder": 0, "bid": 4, "taken": [3, 1, 0]},
        "Set! Ann loses 4: from 1 to −3. Bob scores 1: from 0 to 1.",
    ),
    (
        ("setback-7-pitch", {}),
        tally_of((-2, 3)),
        {"bidder": 0, "bid": "pitch", "taken": [4, 0]},
        "Ann makes the pitch: from −2 to 2.",
    ),
    (
        ("setback-7-pitch", {}),
        tally_of((2, 3)),
        {"bidder": 0, "bid": "pitch", "taken": [3, 1]},
        "Set! The pitch failed: Ann loses 4, from 2 to −2. Bob scores 1: from 3 to 4.",
    ),
    (
        ("somerset-66", {}),
        tally_of((16, 16, 0, 0, 0)),
        {"bidder": 0, "bid": 14, "taken": [12, 10], "partner": 1},
        "Set! Ann loses 4: from 16 to 12. Bob loses 4 too: from 16 to 12. "
        "Cid scores 10: from 0 to 10. Dee scores 10: from 0 to 10. Eve scores 10: from 0 to 10.",
    ),
    (
        ("somerset-66", {}),
        tally_of((0, 0, 0, 0, 0)),
        {"bidder": 0, "bid": 14, "taken": [22, 0], "partner": 1},
        "Ann makes 22: from 0 to 22. Bob makes 22 too: from 0 to 22.",
    ),
    (("bowers-12", {}), tally_of((1, 2)), {"passed": True}, "Everyone passed: nobody scores."),
]


@pytest.mark.parametrize(("game", "before", "hand", "sentence"), EFFECTS)
def test_what_a_hand_does(game: tuple[str, dict[str, Any]], before: Tally, hand: dict[str, Any], sentence: str) -> None:
    """Before a hand is saved the page says what will happen, the bidder first."""
    table = table_of(game[0], len(before.totals), game[1])
    played = read_hand(table, hand, dealer=3 % table.players)
    after, scored = add_hand(table, before, played)
    assert say_all(explain.effects(table, before, after, played, scored), side_names(table, NAMES)) == sentence
