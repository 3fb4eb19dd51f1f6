"""Games of which only the final score is known: who won, and when the app has to ask the players."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import permutations, product
from typing import Any

import pytest

from scorekeeper.rules.final_score import (
    ENDED_BY,
    check_ending,
    endings_for,
    fewest_points,
    judge_final,
    winners_for,
)
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import leaders_of
from scorekeeper.rules.table import Table, set_table, table_at
from tests.rules import judge
from tests.rules.refusals import code_of, refusal_of
from tests.support.each import for_each

SETS_COST_DOUBLE = {"finish": "highest", "max_sets": 3, "set_penalty": "double_shortfall"}
PITCH_7 = {"special_bid": "pitch", "win_by": 1, "finish": "bidder_first"}


def table_of(preset: str, players: int = 4, alone: bool = False, **options: Any) -> Table:
    sides = [[seat] for seat in range(players)] if alone else None
    return set_table(with_options(PRESETS[preset], options), players, sides)


@for_each(
    ("preset", "players", "options", "totals", "status", "candidates"),
    [
        # 003: "reaches 11 or more points and was the winning bidder and won their bid".
        ("pitch-11", 4, {}, (11, 7), "decided", (0,)),
        ("pitch-11", 4, {}, (11, 12), "ask", (0, 1)),
        ("pitch-11", 3, {}, (11, 12, 3), "ask", (0, 1)),
        ("pitch-11", 4, {}, (11, 11), "ask", (0, 1)),
        # Of the four points 13 took at least 3: too few are left for 11 to have made a bid of 2.
        ("pitch-11", 4, {}, (11, 13), "decided", (1,)),
        ("pitch-11", 4, {}, (12, 13), "question", ()),
        ("pitch-11", 4, {}, (9, 7), "question", ()),
        ("pitch-11", 4, {"bidder_lead": 2}, (11, 12), "question", ()),
        ("pitch-11", 4, {"bidder_lead": 2}, (13, 11), "decided", (0,)),
        ("pitch-11", 4, {}, (30, 7), "question", ()),
        ("bowers-12", 4, {}, (12, 12), "ask", (0, 1)),
        # 000: "they must win by at least 2 points".
        ("setback-21", 4, {}, (21, 14), "decided", (0,)),
        ("setback-21", 4, {}, (22, 25), "decided", (1,)),
        ("setback-21", 4, {}, (21, 20), "question", ()),
        ("setback-21", 4, {}, (21, 21), "question", ()),
        ("setback-21", 4, {}, (11, 12), "question", ()),
        ("setback-21", 4, {"max_sets": 3}, (11, 12), "ask", (0, 1)),
        ("setback-21", 4, {"lose_at_minus": 11}, (11, -11), "decided", (0,)),
        ("setback-21", 4, {"lose_at_minus": 11}, (11, -10), "question", ()),
        ("setback-21", 4, {"lose_at_minus": 11}, (11, -15), "question", ()),
        ("setback-21", 4, {"lose_at_minus": 11}, (-11, -11), "question", ()),
        ("setback-21", 3, {"lose_at_minus": 11}, (5, -12, 3), "decided", (0,)),
        ("setback-21", 3, {"lose_at_minus": 11}, (5, -12, 5), "question", ()),
        ("setback-21", 4, {"negative": "floor_zero"}, (21, -2), "question", ()),
        ("setback-21", 4, {"negative": "floor_zero"}, (21, 0), "decided", (0,)),
        # Short by 1 costs 2 here. Before such a set, 19 had won, 18 had not.
        ("setback-21", 4, SETS_COST_DOUBLE, (18, 5), "ask", (0, 1)),
        ("setback-21", 4, SETS_COST_DOUBLE, (19, 5), "ask", (0,)),
        ("setback-21", 4, {"special_bid": "pitch"}, (21, 14), "decided", (0,)),
        # 002: a pitch "if won, ends the game instantly".
        ("setback-7-pitch", 3, {}, (4, 6, 0), "ask", (0, 1)),
        ("setback-7-pitch", 3, {}, (4, 3, 2), "ask", (0,)),
        ("setback-7-pitch", 3, {}, (3, 3, 2), "question", ()),
        ("setback-7-pitch", 3, {}, (7, 5, 2), "decided", (0,)),
        ("setback-7-pitch", 3, {}, (7, 5, 7), "ask", (0, 1, 2)),
        ("setback-7-pitch", 3, {"pitch_test": "tricks"}, (7, 5, 2), "ask", (0, 1)),
        ("setback-7", 3, {}, (4, 6, 0), "question", ()),
        # 004: "the highest score after the next tie-breaking round wins".
        ("somerset-66", 4, {}, (66, 61), "decided", (0,)),
        ("somerset-66", 4, {}, (66, 66), "question", ()),
        ("somerset-66", 4, {}, (66, 81), "decided", (1,)),
        ("smear-52", 4, {}, (53, 53), "ask", (0, 1)),
        ("smear-52", 4, {}, (53, 52), "decided", (0,)),
        ("ten-point-52", 4, {}, (52, 47), "decided", (0,)),
        ("ten-point-52", 4, {}, (30, 41), "ask", (0, 1)),
        ("ten-point-52", 4, {}, (30, 45), "ask", (1,)),
        ("setback-21", 4, {"finish": "fixed_hands", "hands_limit": 8}, (14, 9), "decided", (0,)),
        ("setback-21", 4, {"finish": "fixed_hands", "hands_limit": 8}, (9, 9), "question", ()),
        ("setback-21", 4, {"finish": "fixed_hands", "hands_limit": 8}, (40, 9), "question", ()),
        ("setback-21", 4, {"finish": "highest", "win_by": 2}, (22, 21), "question", ()),
        ("somerset-66", 4, {"win_by": 2}, (67, 66), "decided", (0,)),
        ("somerset-66", 4, {"win_by": 2, "tie_break_round": "threshold"}, (67, 66), "question", ()),
        # The last point lifts a side from 13 by at most 3, by 5 where a hung jack scores that much, and by 1 where
        # only a jack turned up scores, and a hung jack no more than another.
        ("all-fours-14", 4, {}, (16, 9), "decided", (0,)),
        ("all-fours-14", 4, {}, (17, 9), "question", ()),
        ("all-fours-14", 4, {"hang_jack": 5}, (18, 9), "decided", (0,)),
        ("all-fours-14", 4, {"hang_jack": 5}, (19, 9), "question", ()),
        ("all-fours-14", 4, {"hang_jack": 1, "turned_up_points": "jack"}, (14, 9), "decided", (0,)),
        ("all-fours-14", 4, {"hang_jack": 1, "turned_up_points": "jack"}, (15, 9), "question", ()),
    ],
)
def test_a_final_score_decides_or_is_asked_about_or_questioned(
    preset: str, players: int, options: dict[str, Any], totals: tuple[int, ...], status: str, candidates: Any
) -> None:
    """A final score shows the winner, leaves several possible winners, or is questioned.

    A final score is questioned if no game can end that way.
    """
    verdict = judge_final(table_of(preset, players, **options), totals)
    assert (verdict.status, verdict.candidates) == (status, candidates)
    assert (verdict.why is not None) == (status == "question")
    assert verdict.winner == (candidates[0] if status == "decided" else None)


@pytest.mark.parametrize(
    ("preset", "totals", "why"),
    [
        ("setback-21", (11, 12), "Nobody has reached 21."),
        ("setback-21", (21, 21), "It's tied at 21, so the game isn't over."),
        ("setback-21", (20, 21), "21 to 20 is only 1 ahead, and you must win by 2."),
        ("pitch-11", (3, 40), "By these rules, no game can end 40 to 3."),
    ],
)
def test_a_question_says_why_the_score_cannot_be_final(preset: str, totals: tuple[int, ...], why: str) -> None:
    assert judge_final(table_of(preset), totals).why == why


def test_without_a_winner_the_table_is_asked_for_one() -> None:
    """A final score without a winner is refused with a message that asks for the winner.

    If the game ended because time ran out, the message says that the side ahead wins.
    """
    table = table_of("pitch-11")

    def why(ended_by: str) -> str:
        refusal = refusal_of(partial(check_ending, table, (9, 8), None, ended_by))
        assert refusal is not None
        return refusal.message

    assert why("target") == "Choose the winner. Only a game that ran out of time or was called off has none."
    assert why("time") == "When time runs out, the side ahead wins."


@pytest.mark.parametrize("ours", range(5))
def test_the_fewest_points_of_a_last_hand_with_a_called_partner(ours: int) -> None:
    """`fewest_points` returns the smallest total of a last hand in which each player scores at least a given number.

    The test compares the result with every split of the points and every called partner, including none. The bidder and
    the partner score what they took together. Each defender scores what the defenders took together.
    """
    table = table_at(PRESETS["call-partner-pitch"], PRESETS["call-partner-pitch"].seatings[0])
    for others in product(range(4), repeat=table.players - 1):
        enough = [
            took + rest
            for took, rest in product(range(12), repeat=2)
            for partner in (None, *range(len(others)))
            if took >= ours and all((took if seat == partner else rest) >= needs for seat, needs in enumerate(others))
        ]
        assert fewest_points(table, ours, others) == min(enough), others


def test_time_gives_the_game_to_the_side_ahead_and_a_tie_to_nobody_or_one_of_them() -> None:
    table = table_of("setback-21")
    assert winners_for(table, (11, 12), "time") == (1,)
    assert winners_for(table, (12, 12), "time") == (0, 1, None)
    assert winners_for(table, (11, 12), "conceded") == (0, 1)
    assert winners_for(table, (11, 12), "agreed") == (0, 1, None)


def test_how_a_game_can_have_ended_names_the_rules_own_ways_first() -> None:
    table = table_of("setback-7-pitch", 3)
    assert endings_for(table, (4, 6, 0), 0) == ("pitch", "conceded", "agreed")
    assert endings_for(table, (7, 6, 0), 0) == ("target", "pitch", "conceded", "time", "agreed")
    assert endings_for(table, (6, 6, 0), None) == ("time", "agreed")


@for_each(
    ("preset", "totals", "winner", "ended_by", "code"),
    [
        ("pitch-11", (11, 12), 0, "target", None),
        ("pitch-11", (11, 12), 1, "target", None),
        ("pitch-11", (10, 12), 0, "target", "ended_by"),
        ("pitch-11", (10, 12), 0, "agreed", "winner_decided"),
        ("pitch-11", (10, 12), 0, "conceded", "winner_decided"),
        ("pitch-11", (9, 8), 1, "conceded", None),
        ("pitch-11", (9, 8), 0, "pitch", "ended_by"),
        ("pitch-11", (9, 8), 0, "moon", "ended_by"),
        ("pitch-11", (9, 8), 0, "max_sets", "ended_by"),
        ("pitch-11", (9, 8), 0, "lose_at", "ended_by"),
        ("pitch-11", (9, 8), 1, "time", "ended_by"),
        ("pitch-11", (9, 8), None, "target", "ended_by"),
        ("pitch-11", (9, 8), None, "agreed", None),
        # 21 as a defender plays on, and may concede.
        ("setback-21", (21, 14), 1, "conceded", None),
        ("setback-21", (21, 14), 1, "agreed", "winner_decided"),
        ("setback-7-pitch", (4, 6), 0, "pitch", None),
        ("setback-7-pitch", (3, 6), 0, "pitch", "ended_by"),
        ("ten-point-52", (30, 41), 0, "moon", None),
    ],
)
def test_what_a_table_says_of_the_end_must_be_possible(
    preset: str, totals: tuple[int, int], winner: int | None, ended_by: str, code: str | None
) -> None:
    table = table_of(preset, 2 if preset == "setback-7-pitch" else 4)
    said = partial(check_ending, table, totals, winner, ended_by)
    assert code_of(said) == code


# Against every game there is: small targets, every hand from every score that is not over, by the judge's own rules.

BOX = 5
SMALL: list[tuple[str, int, dict[str, Any]]] = [
    ("pitch-11", 2, {"target": 4}),
    ("pitch-11", 2, {"target": 4, "bid_min": 1, "forced_bid": 1}),
    ("pitch-11", 2, {"target": 3, "negative": "floor_zero"}),
    ("pitch-11", 2, {"target": 4, "special_bid": "pitch"}),
    ("pitch-11", 2, {"target": 4, "special_bid": "pitch", "pitch_test": "tricks"}),
    ("pitch-11", 2, {"target": 4, "special_bid": "moon"}),
    ("pitch-11", 2, {"target": 4, "max_sets": 2}),
    ("pitch-11", 2, {"target": 4, "max_sets": 2, "negative": "floor_zero"}),
    ("pitch-11", 2, {"target": 4, "special_bid": "pitch", "slam": True}),
    ("setback-21", 2, {"target": 4, "finish": "highest", "special_bid": "pitch", "slam": True}),
    ("setback-21", 2, {"target": 4}),
    ("setback-21", 2, {"target": 4, "go_out": "take", "win_by": 1}),
    ("setback-21", 2, {"target": 4, "special_bid": "pitch"}),
    ("setback-21", 2, {"target": 4, "finish": "highest", "win_by": 2}),
    ("setback-21", 2, {"target": 4, "finish": "highest", "tie": "bidder"}),
    ("setback-21", 2, {"target": 4, "finish": "highest", "tie": "one_more_hand", "win_by": 2}),
    ("setback-21", 2, {"target": 4, "finish": "highest", "win_by": 2, "max_sets": 2}),
    ("setback-21", 2, {"target": 4, "finish": "highest", "special_bid": "pitch"}),
    ("setback-21", 2, {"finish": "fixed_hands", "hands_limit": 2}),
    ("pitch-11", 2, {"target": 4, "defenders_score": False}),
    ("pitch-11", 2, {"target": 4, "made_scores": "bid"}),
    ("setback-21", 2, {"target": 4, "finish": "highest", "win_by": 1, "defenders_score": False}),
    ("pitch-11", 2, {"target": 4, "bid_min": 0, "forced_bid": 0}),
    ("pitch-11", 2, {"target": 4, "bidder_lead": 2}),
    ("pitch-11", 2, {"target": 4, "bidder_lead": 1, "special_bid": "pitch"}),
    ("pitch-11", 2, {"target": 4, "lose_at_minus": 2}),
    ("setback-21", 2, {"target": 4, "lose_at_minus": 1}),
    ("setback-21", 2, {"target": 4, "finish": "highest", "win_by": 2, "lose_at_minus": 2}),
    ("setback-21", 3, {"target": 3, "lose_at_minus": 1}),
    ("setback-21", 3, {"target": 3, "finish": "highest", "special_bid": "moon", "lose_at_minus": 2}),
    ("pitch-11", 3, {"target": 3}),
    ("pitch-11", 3, {"target": 3, "defenders_score": False}),
    ("setback-7-pitch", 3, {"target": 3}),
    ("setback-21", 3, {"target": 3, "finish": "highest", "tie": "one_more_hand"}),
    ("setback-21", 3, {"target": 3, "finish": "bidder_first", "special_bid": "moon"}),
    ("setback-21", 3, {"target": 3, "finish": "highest", "special_bid": "moon"}),
]

Score = tuple[int, ...]


def shares(most: int, sides: int) -> Iterator[Score]:
    return (taken for taken in product(range(most + 1), repeat=sides) if 2 <= sum(taken) <= most)


def slams(options: dict[str, Any], bid: Any, bidder: int, most: int, sides: int) -> list[Score]:
    """Return a list with one possible result of a hand: each side's points if the bidder takes all tricks of a pitch.

    The list is empty if the bid isn't a pitch, or if taking all tricks gives no extra point. `most` is the most points
    of a hand without the extra point.
    """
    made = tuple((most + 1) * (side == bidder) for side in range(sides))
    return [made] if bid == "pitch" and options["slam"] else []


def endings_of(options: dict[str, Any], most: int, sides: int) -> dict[Score, set[int | None]]:
    """Return a dict that maps each final score near the target to the set of sides that can win with that score.

    The scores are found by playing all possible hands. If None is in the set, a game can end with that score and
    without a winner.
    """
    bids: list[Any] = list(range(options["bid_min"], options["bid_max"] + 1))
    bids += [] if options["special_bid"] == "none" else [options["special_bid"]]
    hands = [
        {"bidder": bidder, "bid": bid, "took": taken, "tricks": tricks}
        for bidder in range(sides)
        for bid in bids
        for taken in [*shares(most, sides), *slams(options, bid, bidder, most, sides)]
        for tricks in ((0, 4) if bid == "pitch" and options["pitch_test"] == "tricks" else (4,))
    ]
    orders = list(permutations(range(sides))) if sides > 2 else [tuple(range(sides))]
    start: tuple[Any, ...] = ((0,) * sides, (0,) * sides, False, 0)
    seen, todo = {start}, [start]
    ends: dict[Score, set[int | None]] = {}
    while todo:
        score, sets, extra, played = todo.pop()
        for hand in hands:
            after = judge.step(options, most, list(score), list(sets), played, extra, hand)
            totals = tuple(after.score)
            if after.over:
                for order in orders:
                    place = None if after.winner is None else order.index(after.winner)
                    ends.setdefault(tuple(totals[side] for side in order), set()).add(place)
            elif all(-BOX <= total <= options["target"] + BOX for total in totals):
                counts = tuple(after.times_set) if options["max_sets"] else (0,) * sides
                if sides > 2:
                    # The judge treats all sides alike, so one order of the same scores stands for all.
                    totals, counts = zip(*sorted(zip(totals, counts, strict=True)), strict=True)
                hands_played = min(played + 1, options["hands_limit"] or 0)
                state = (totals, counts, after.extra_hand, hands_played)
                if state not in seen:
                    seen.add(state)
                    todo.append(state)
    return ends


@for_each(("preset", "sides", "options"), SMALL, parts=12)
def test_a_final_score_says_what_every_game_played_to_the_end_says(
    preset: str, sides: int, options: dict[str, Any]
) -> None:
    """The app finds each side that can win with a final score, and questions a score with which no game can end.

    The judge plays all hands from all scores to find out who can win. If the option `finish` is "bid_out", a side that
    leads by enough is assumed to have won.
    """
    rules = judge.BOOK[preset] | options
    if sides == 2 and preset == "pitch-11":
        table = set_table(with_options(PRESETS[preset], options), 4)
    else:
        table = set_table(with_options(PRESETS[preset], options), sides, [[seat] for seat in range(sides)])
    ends = endings_of(rules, 4, sides)
    exact = sides == 2 and not rules["max_sets"] and rules["special_bid"] == "none" and rules["tie"] != "one_more_hand"
    wider = 0
    for totals in product(range(-3, rules["target"] + 5), repeat=sides):
        able = ends.get(totals, set())
        verdict = judge_final(table, totals)
        told = set(verdict.candidates)
        assert (verdict.status == "question") == (not told)
        if rules["finish"] == "bid_out" and verdict.status == "decided":
            assert verdict.winner == leaders_of(totals)[0]
            assert verdict.winner in able, totals
            continue
        assert able - {None} <= told, (totals, verdict, able)
        nobody = [way for way in ("moon", "lose_at") if None in winners_for(table, totals, way)]
        assert None not in able or nobody, totals
        assert verdict.status != "decided" or (len(told) == 1 and None not in able)
        wider += told != able - {None}
    # Three sides level above the target, and sets that a score leaves no room for, are asked about once too often.
    assert wider <= (4 if exact else 30)
    assert ends


@for_each("preset", PRESETS, parts=2)
def test_whatever_is_told_fits_how_it_is_told(preset: str) -> None:
    """For each side that may have won, the first ending that the app offers follows the rules and is accepted.

    If no game can end with a score, the ending "by agreement" is offered for each side and for a game without a winner.
    """
    table = set_table(PRESETS[preset], PRESETS[preset].seatings[0].players)
    target = PRESETS[preset].target
    near = [-3, 0, 4, target - 1, target, target + 1, target + 2]
    for totals in product(near, repeat=min(len(table.sides), 3)):
        full = (*totals, *(0,) * (len(table.sides) - len(totals)))
        verdict = judge_final(table, full)
        for side in verdict.candidates:
            way = endings_for(table, full, side)[0]
            assert way not in ("conceded", "time", "agreed")
            check_ending(table, full, side, way)
        for ended_by in ENDED_BY:
            assert set(winners_for(table, full, ended_by)) <= {*range(len(full)), None}
        if verdict.status == "question":
            assert all("agreed" in endings_for(table, full, side) for side in (*range(len(full)), None))
