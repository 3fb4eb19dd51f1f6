"""Check the keys and parameters of messages about a game in cases that the other tests of messages don't cover."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.rules import explain
from scorekeeper.rules.explain import Message
from scorekeeper.rules.hands import read_hand
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import Hand, Outcome, Tally, add_hand
from scorekeeper.rules.table import Table, set_table

MADE = {"bidder": 0, "bid": 3, "taken": [3, 1]}
SET = {"bidder": 1, "bid": 4, "taken": [2, 2]}


def table_of(preset: str = "setback-21", players: int = 4, **options: Any) -> Table:
    return set_table(with_options(PRESETS[preset], options), players)


def play(table: Table, before: Tally, hand: dict[str, Any]) -> tuple[Tally, Hand]:
    played = read_hand(table, hand, dealer=table.players - 1)
    after, _ = add_hand(table, before, played)
    return after, played


def keys_of(needs: tuple[tuple[Message, ...], ...]) -> list[list[str]]:
    return [[message.key for message in messages] for messages in needs]


def told_of(messages: tuple[Message, ...]) -> list[tuple[str, Any]]:
    return [(each.key, each.params.get("side", each.params.get("both"))) for each in messages]


def test_nobody_needs_anything_once_the_game_is_over() -> None:
    """Once the game is over, `needs` returns one empty tuple for each side."""
    for sides, players in ((2, 4), (3, 3)):
        over = Tally((21,) + (0,) * (sides - 1), (0,) * sides, 6, outcome=Outcome(0, "bid_out"))
        assert explain.needs(table_of(players=players), over) == ((),) * sides


@pytest.mark.parametrize(
    ("options", "totals", "key"),
    [
        # 3 to go and 1 spare: with 18 against them the others can come to 19, and 21 is 2 ahead.
        ({}, (18, 18), "need.bid_out"),
        ({}, (18, 19), "need.bid_out_lead"),
        # More to go than a hand has: nothing is spare in it.
        ({}, (16, 19), "need.bid_out"),
        ({}, (16, 20), "need.bid_out_lead"),
        # At the target: a bid of 2 made leaves 2 to the others, so a lead of 2 holds.
        ({}, (21, 19), "need.bid"),
        ({}, (21, 20), "need.bid_lead"),
        # With a bid of 1 the others could take 3: a lead of 4 is needed now.
        ({"bid_min": 1, "forced_bid": None}, (25, 21), "need.bid"),
        ({"bid_min": 1, "forced_bid": None}, (24, 21), "need.bid_lead"),
        # Bids from 3 gain on the others; a called partner gains as much, so the lead is asked for now.
        ({"bid_min": 3, "forced_bid": 3}, (22, 20), "need.bid"),
        ({"bid_min": 3, "forced_bid": 3}, (22, 21), "need.bid_lead"),
        ({"go_out": "take"}, (25, 0), "need.take_lead"),
        ({"win_by": 1}, (18, 19), "need.bid_out"),
        ({"win_by": 1}, (18, 20), "need.bid_out_lead"),
    ],
)
def test_a_lead_is_asked_for_exactly_where_the_bid_alone_may_not_give_it(
    options: dict[str, Any], totals: tuple[int, int], key: str
) -> None:
    """A side is told that it needs a lead if it might make its bid, reach the target and still not win.

    In these games, a side wins only with a margin, and the other side might take so many points that the margin is too
    small.
    """
    table = table_of(**options)
    first, _ = explain.needs(table, Tally(totals, (0, 0), 9))
    gap = 21 - totals[0]
    params = {"side": 0, "gap": gap, "win_by": table.rules.win_by, "target": 21}
    assert first == (Message(key, params),)


@pytest.mark.parametrize(
    ("totals", "key"),
    [
        # 7 wins by 2: with 4 to go nothing of a hand is spare, and 5 against them still is 2 behind.
        ((3, 5), "need.points"),
        ((3, 6), "need.points_lead"),
        # 1 to go leaves 3 to the others.
        ((6, 2), "need.points"),
        ((6, 3), "need.points_lead"),
        # More to go than a hand has.
        ((0, 5), "need.points"),
        ((0, 6), "need.points_lead"),
        ((7, 6), "need.lead"),
    ],
)
def test_a_win_by_two_asks_for_the_lead_where_it_is_in_doubt(totals: tuple[int, int], key: str) -> None:
    """If a side must win by 2, it is told that it needs a lead whenever it may reach the target with a smaller one.

    The target is 7 in this test, for the highest and for a bidder who goes out first.
    """
    for options in ({"finish": "highest", "win_by": 2}, {"finish": "bidder_first", "bidder_lead": 2}):
        first, _ = explain.needs(table_of("setback-7", 2, **options), Tally(totals, (0, 0), 9))
        assert first == (Message(key, {"side": 0, "gap": 7 - totals[0], "win_by": 2}),)


def test_the_highest_of_the_level_asks_for_more_only_in_a_hand_that_decides() -> None:
    """If the next hand is played only to decide a tie, both sides are told that it decides the game.

    With the option `tie_break_round` set to "threshold", the winner of that hand must also reach the target. Both sides
    are then told how many points they need.
    """
    level = Tally((60, 40), (0, 0), 9, level=True)
    decides, threshold = table_of("somerset-66"), table_of("somerset-66", tie_break_round="threshold")
    assert keys_of(explain.needs(decides, level)) == [["need.decides"]] * 2
    assert keys_of(explain.needs(threshold, level)) == [["need.points"]] * 2
    assert keys_of(explain.needs(decides, level._replace(level=False))) == [["need.points"]] * 2


def test_a_target_that_another_has_reached_is_not_enough() -> None:
    """If both sides may reach the target in the next hand, a side is told that points alone may not be enough.

    This includes the case in which the other side has already reached the target. Otherwise, the message says only how
    many points the side needs.
    """
    first = table_of("setback-7", 2)
    highest = table_of("setback-7", 2, finish="highest")
    for other, contested in ((4, False), (5, True), (7, True), (8, True)):
        tally = Tally((5, other), (0, 0), 9)
        key = "need.points_contested" if contested else "need.points"
        assert explain.needs(first, tally)[0] == (Message(key, {"side": 0, "gap": 2}),)
        key = "need.points_ahead" if contested else "need.points"
        assert explain.needs(highest, tally)[0][0].key == key


@pytest.mark.parametrize("total", [7, 8])
def test_at_the_target_and_beyond_it_no_more_points_are_asked_for(total: int) -> None:
    """A side that has reached the target isn't told to score more points.

    Depending on the rules, the message says instead that the side must be ahead, make a bid, or lead by enough.
    """
    tally = Tally((total, total), (0, 0), 9)
    for options, key in (({}, "need.ahead_or_bid"), ({"finish": "highest"}, "need.ahead")):
        table = table_of("setback-7", 2, **options)
        assert keys_of(explain.needs(table, tally)) == [[key]] * 2
    by_two = table_of("setback-7", 2, finish="highest", win_by=2)
    assert keys_of(explain.needs(by_two, tally)) == [["need.lead"]] * 2
    bid_out = table_of("setback-21", 2, target=7)
    assert keys_of(explain.needs(bid_out, tally)) == [["need.bid_lead"]] * 2


def test_a_pitch_wins_from_nought_and_the_last_set_is_told_once() -> None:
    """A side with zero or more points is told that a pitch wins the game.

    A side below zero is told that a pitch only adds points. If one more set would lose the game, the side is warned
    about being set.
    """
    table = table_of("setback-7-pitch", 2, max_sets=3)
    tally = Tally((0, -1), (2, 1), 5)
    special = [["need.pitch_wins", "need.last_set"], ["need.pitch_scores"]]
    assert [messages[1:] for messages in keys_of(explain.needs(table, tally))] == special
    assert all(message.params["side"] == side for side, of in enumerate(explain.needs(table, tally)) for message in of)


def test_after_the_last_of_a_number_of_hands_only_being_ahead_counts() -> None:
    """With a fixed number of hands, a side is told how many hands are left and whether it is ahead, behind or tied.

    When all these hands have been played, a side is told only that it must be ahead.
    """
    table = table_of(finish="fixed_hands", hands_limit=8)

    def needs(totals: tuple[int, int], hands: int) -> list[tuple[Message, ...]]:
        return list(explain.needs(table, Tally(totals, (0, 0), hands)))

    assert needs((5, 3), 7) == [
        (Message("need.hands_leads", {"side": 0, "lead": 2, "left": 1}),),
        (Message("need.hands_behind", {"side": 1, "lead": 2, "left": 1}),),
    ]
    ahead, behind = Message("need.hands_leads", {"side": 0, "lead": 1, "left": 2}), "need.hands_behind"
    assert needs((4, 3), 6) == [(ahead,), (Message(behind, {"side": 1, "lead": 1, "left": 2}),)]
    assert needs((4, 4), 6)[1] == (Message("need.hands_level", {"side": 1, "lead": 0, "left": 2}),)
    for played in (8, 9):
        assert needs((4, 4), played) == [(Message("need.ahead", {"side": side}),) for side in range(2)]


# Why a game is over.


def test_a_hand_that_ends_a_game_is_told_with_all_it_looked_at() -> None:
    """The message about the end of a game contains everything that decided the end.

    The message has the winner, the winner's score before and after the hand, the lead, the best other score, and the
    bid.
    """
    table = table_of()
    after, hand = play(table, Tally((18, 12), (0, 1), 8), MADE)
    assert after.outcome == Outcome(0, "bid_out")
    assert explain.why_over(table, after.outcome, (18, 12), after, hand) == Message(
        "over.bid_out",
        {"target": 21, "hands": 9, "win_by": 2, "side": 0, "total": 21, "lead": 8, "was": 18, "rest": 13}
        | {"bid": 3, "bidder": 0},
    )


def test_the_best_of_the_others_is_the_best_of_all_of_them() -> None:
    """With three sides, the winner's lead in the message is measured against the better of the other two."""
    table = table_of("setback-7", 3)
    hand = {"bidder": 0, "bid": 3, "taken": [1, 2, 1]}
    after, played = play(table, Tally((4, 6, 5), (0, 0, 0), 8), hand)
    assert after.outcome
    message = explain.why_over(table, after.outcome, (4, 6, 5), after, played)
    told = {key: message.params[key] for key in ("side", "total", "lead", "was", "rest", "bidder")}
    assert (message.key, told) == (
        "over.most",
        {"side": 1, "total": 8, "lead": 2, "was": 6, "rest": 6, "bidder": 0},
    )


def test_a_side_that_was_set_too_often_is_told_with_its_sets() -> None:
    """If a game ends because a side lost too many bids, the message names that side and how many it lost."""
    table = table_of(max_sets=3)
    after, hand = play(table, Tally((5, 9), (1, 2), 8), SET)
    assert after.outcome == Outcome(0, "max_sets")
    message = explain.why_over(table, after.outcome, (5, 9), after, hand)
    assert (message.key, message.params["other"], message.params["sets"]) == ("over.max_sets", 1, 3)
    assert message.params["side"] == 0


def test_a_moon_that_failed_names_who_called_it() -> None:
    """The message about a failed moon names the side that called the moon, and the other side wins the game."""
    table = table_of("ten-point-52")
    after, hand = play(table, Tally((5, 9), (0, 0), 3), {"bidder": 1, "bid": "moon", "taken": [1, 9]})
    assert after.outcome == Outcome(0, "moon_failed")
    message = explain.why_over(table, after.outcome, (5, 9), after, hand)
    assert (message.key, message.params["other"], message.params["bid"]) == ("over.moon_failed", 1, "moon")


@pytest.mark.parametrize(
    ("before", "taken", "winner", "key"),
    [
        ((4, 5, 1), [0, 1, 9], 1, "over.moon_failed.best"),
        # The side that failed still has more than the others, and has lost all the same.
        ((4, 5, 40), [0, 1, 9], 1, "over.moon_failed.best"),
        ((4, 5, 1), [1, 0, 9], None, "over.moon_failed.tied"),
    ],
)
def test_of_three_sides_the_highest_other_wins_on_a_failed_moon(
    before: tuple[int, ...], taken: list[int], winner: int | None, key: str
) -> None:
    """After a failed moon, the higher of the other two sides wins; if they are tied, nobody wins (RULES 8)."""
    table = set_table(PRESETS["ten-point-52"], 6, [[0, 3], [1, 4], [2, 5]])
    after, hand = play(table, Tally(before, (0, 0, 0), 3), {"bidder": 5, "bid": "moon", "taken": taken})
    assert after.outcome == Outcome(winner, "moon_failed")
    message = explain.why_over(table, after.outcome, before, after, hand)
    assert (message.key, message.params["other"], message.params.get("side")) == (key, 2, winner)


@pytest.mark.parametrize(
    ("totals", "winner", "key"),
    [
        ((52, 9, 3), 0, "over.final.moon"),
        ((40, 41, 9), 1, "over.final.moon.missed"),
        ((41, 41, 9), None, "over.final.moon.tied"),
    ],
)
def test_a_final_score_says_whether_the_moon_was_made(totals: tuple[int, ...], winner: int | None, key: str) -> None:
    """If only a final score is known and a moon ended the game, the message says whether the winner made the moon.

    A winner below the target didn't make the moon, so another side must have failed (RULES 8).
    """
    table = set_table(PRESETS["ten-point-52"], 6, [[0, 3], [1, 4], [2, 5]])
    message = explain.why_over(table, Outcome(winner, "final.moon"), totals, Tally(totals, (0, 0, 0), 0), None)
    assert (message.key, message.params.get("side")) == (key, winner)


def test_a_game_that_no_hand_ended_speaks_of_no_bid() -> None:
    """The message about a conceded game mentions no bid if there were no hands or the last hand was thrown in."""
    table = table_of("bowers-12")
    tally = Tally((5, 9), (0, 0), 3)
    for hand in (None, Hand(3)):
        message = explain.why_over(table, Outcome(1, "conceded"), (5, 9), tally, hand)
        assert message.key == "over.conceded"
        assert message.params["side"] == 1
        assert message.params["other"] == 0
        assert not {"bid", "bidder", "sets", "score"} & set(message.params)


def test_an_abandoned_game_has_nobody_to_speak_of() -> None:
    """The message about an abandoned game has no winner, total or lead."""
    tally = Tally((5, 9), (0, 0), 3)
    message = explain.why_over(table_of(), Outcome(None, "abandoned"), (5, 9), tally, None)
    assert message == Message("over.abandoned", {"target": 21, "hands": 3, "win_by": 2})


@pytest.mark.parametrize(("winner", "key"), [(0, "over.final"), (None, "over.final.level")])
def test_a_paper_result_is_told_by_its_score(winner: int | None, key: str) -> None:
    """For a game with only a final score, the message has that score, and the winning side unless there was a tie."""
    score = (9, 4) if winner == 0 else (9, 9)
    tally = Tally(score, (0, 0), outcome=Outcome(winner, "final"))
    message = explain.why_over(table_of(), Outcome(winner, "final"), (0, 0), tally, None)
    assert (message.key, message.params["score"]) == (key, score)
    assert ("side" in message.params) == (winner is not None)


@pytest.mark.parametrize(("totals", "shade"), [((12, 11), ""), ((12, 12), ".against"), ((12, 13), ".against")])
def test_the_bidder_goes_out_against_what_others_have(totals: tuple[int, int], shade: str) -> None:
    """The message about a win by the bidding side has a different key if the other side has at least as many points."""
    tally = Tally(totals, (0, 0), 9)
    message = explain.why_over(table_of("bowers-12"), Outcome(0, "bidder_first"), (9, 9), tally, None)
    assert message.key == f"over.bidder_first{shade}"


# Why it goes on.


def test_nothing_is_explained_once_the_game_is_over_or_when_nobody_bid() -> None:
    """If the game is over or the last hand had no bid, no message says why the game goes on."""
    over, hand = play(table_of(), Tally((18, 12), (0, 0), 8), MADE)
    assert explain.why_not_over(table_of(), over, hand) is None
    assert explain.why_not_over(table_of("bowers-12"), Tally((12, 12), (0, 0), 8), Hand(3)) is None


def test_a_lead_that_is_too_short_is_told_with_its_numbers() -> None:
    """If a lead is too small to win, the message has the leading side, its lead and the lead that it needs."""
    after, hand = play(table_of(), Tally((19, 20), (0, 0), 8), {"bidder": 0, "bid": 2, "taken": [2, 0]})
    assert explain.why_not_over(table_of(), after, hand) == Message(
        "on.lead", {"side": 0, "total": 21, "rest": 20, "lead": 1, "win_by": 2, "target": 21}
    )


@pytest.mark.parametrize(
    ("totals", "key"), [((20, 18), None), ((21, 19), "on.set"), ((21, 20), "on.lead"), ((21, 21), "on.level")]
)
def test_the_first_reason_that_keeps_the_game_going_is_told(totals: tuple[int, int], key: str | None) -> None:
    """As long as no side has reached the target, no message says why the game goes on.

    If a side has reached the target, the reason is the first that applies: a tie, a lead that is too small, or a bid
    that wasn't made.
    """
    hand = Hand(3, 0, 4, (2, 2))
    message = explain.why_not_over(table_of(), Tally(totals, (0, 0), 9), hand)
    assert (message.key if message else None) == key


def test_a_called_partner_that_leads_was_set_not_a_defender() -> None:
    """If a bid is lost and the called partner leads, the message says that the partner didn't make the bid.

    If a defender leads, the message says that the defender didn't have the bid.
    """
    table = table_of("somerset-66", 5, finish="bid_out", target=20)
    tally = Tally((10, 25, 0, 0, 0), (0,) * 5, 9)
    hand = {"bidder": 0, "bid": 12, "taken": [11, 11]}
    for partner, key in ((1, "on.set"), (2, "on.defender")):
        played = read_hand(table, hand | {"partner": partner}, dealer=4)
        message = explain.why_not_over(table, tally, played)
        assert message
        assert (message.key, message.params["side"]) == (key, 1)


def test_before_the_last_of_a_number_of_hands_nothing_is_explained() -> None:
    """In a game of eight hands, a tie after the eighth hand is given as the reason why the game goes on.

    After the seventh hand, no reason is given.
    """
    table = table_of(finish="fixed_hands", hands_limit=8)
    hand = Hand(3, 0, 2, (2, 2))
    found = [explain.why_not_over(table, Tally((5, 5), (0, 0), hands), hand) for hands in (7, 8, 9)]
    level = Message("on.hands_level", {"total": 5})
    assert found == [None, level, level]


# What a hand does.


def test_what_a_hand_does_is_told_for_the_bidder_first_and_for_who_scores() -> None:
    """The messages about a hand start with the bidding side and leave out defenders without points.

    In these messages, the points that a set costs have no minus sign.
    """
    table = table_of(players=3)
    before = Tally((4, 1, 7), (0, 0, 0), 3)
    played = read_hand(table, {"bidder": 1, "bid": 4, "taken": [3, 0, 0]}, dealer=2)
    after, scored = add_hand(table, before, played)
    assert explain.effects(table, before, after, played, scored) == (
        Message("hand.set", {"side": 1, "points": 4, "was": 1, "total": -3}),
        Message("hand.scores", {"side": 0, "points": 3, "was": 4, "total": 7}),
    )


def test_a_set_that_costs_nothing_is_told_all_the_same() -> None:
    """If scores can't fall below zero, a side that is set at zero is told that it loses nothing."""
    table = table_of(negative="floor_zero")
    before = Tally((0, 3), (0, 0), 3)
    after, hand = play(table, before, {"bidder": 0, "bid": 4, "taken": [3, 0]})
    _, scored = add_hand(table, before, hand)
    assert explain.effects(table, before, after, hand, scored) == (
        Message("hand.set_nothing", {"side": 0, "total": 0}),
    )


@pytest.mark.parametrize(
    ("totals", "told"),
    [
        ((9, 0), [("hand.set", 0)]),
        ((0, 9), [("hand.set_nothing", 0), ("hand.loses", 1)]),
        ((0, 0), [("hand.set_nothing", 0)]),
        ((9, 9), [("hand.both_set", (0, 1))]),
        ((9, 1), [("hand.set", 0), ("hand.loses", 1)]),
    ],
)
def test_a_called_partner_whom_a_set_costs_nothing_is_not_told(
    totals: tuple[int, int], told: list[tuple[str, Any]]
) -> None:
    """If scores can't fall below zero, a called partner gets no message about a set that costs the partner nothing.

    A partner who loses as much as the bidder shares the bidder's message.
    """
    table = table_of("somerset-66", 5, negative="floor_zero")
    before = Tally((*totals, 0, 0, 0), (0,) * 5, 3)
    after, hand = play(table, before, {"bidder": 0, "bid": 22, "taken": [21, 1], "partner": 1})
    _, scored = add_hand(table, before, hand)
    found = told_of(explain.effects(table, before, after, hand, scored))
    assert found == [*told, ("hand.others", None)]


def test_a_moon_that_adds_nothing_is_told_as_made() -> None:
    """If a side is already above the target, a moon that it makes adds no points, but is still reported as made."""
    table = table_of("ten-point-52", finish="bid_out")
    before = Tally((60, 55), (0, 0), 9)
    after, hand = play(table, before, {"bidder": 0, "bid": "moon", "taken": [10, 0]})
    _, scored = add_hand(table, before, hand)
    assert explain.effects(table, before, after, hand, scored) == (
        Message("hand.made_moon", {"side": 0, "points": 0, "was": 60, "total": 60}),
    )


def test_a_called_partner_is_told_after_the_bidder() -> None:
    """A message about a bidder and a called partner names the bidder first, whatever their seats are.

    The next message is about all defenders together.
    """
    table = table_of("somerset-66", 5)
    before = Tally((0,) * 5, (0,) * 5)
    hand = {"bidder": 3, "bid": 14, "taken": [12, 10], "partner": 1}
    played = read_hand(table, hand, dealer=4)
    after, scored = add_hand(table, before, played)
    messages = explain.effects(table, before, after, played, scored)
    assert told_of(messages) == [
        ("hand.both_set", (3, 1)),
        ("hand.others", None),
    ]


def test_a_pitch_is_told_by_its_name() -> None:
    """The message about a side that bid a pitch names the pitch, and the other messages don't."""
    table = table_of("setback-7-pitch", 2)
    before = Tally((-2, 3), (0, 0))
    for taken, key in (([4, 0], "hand.made_call"), ([3, 1], "hand.set_call")):
        after, hand = play(table, before, {"bidder": 0, "bid": "pitch", "taken": taken})
        _, scored = add_hand(table, before, hand)
        first, *rest = explain.effects(table, before, after, hand, scored)
        assert (first.key, first.params["call"]) == (key, "pitch")
        assert all("call" not in message.params for message in rest)
