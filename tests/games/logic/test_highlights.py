"""Highlights of small games equal those worked out by hand, and those of random games agree with the score sheet."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.games.logic.highlights import (
    BigSet,
    ChartPoint,
    Comeback,
    LeadChange,
    Moments,
    Run,
    moments,
    standings,
)
from scorekeeper.games.logic.score_chart import HEIGHT, MOST_POINTS, WIDTH, race, thinned
from scorekeeper.rules import events as ev
from scorekeeper.rules.game import Game
from scorekeeper.rules.hands import read_hand
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import evolve, replay
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.table import set_table
from tests.rules.random_play import play as random_record

if TYPE_CHECKING:
    from collections.abc import Sequence

PASSED: dict[str, Any] = {"passed": True}


def hand(bidder: int, bid: int, *taken: int) -> dict[str, Any]:
    """Return a hand as a dict. `bidder` is a seat from 0, and `taken` has the points of each side in order."""
    return {"bidder": bidder, "bid": bid, "taken": list(taken)}


def game(
    hands: Sequence[dict[str, Any] | ev.Event],
    preset: str = "setback-21",
    players: int = 4,
    first_dealer: int = 0,
    **options: Any,
) -> Game:
    """Return the state of a game after `hands`. Each of these is a dict made by `hand`, or any event of a game.

    `options` are house rules that differ from those of `preset`.
    """
    rules = with_options(PRESETS[preset], options)
    table = set_table(rules, players)
    now = replay([ev.GameStarted(rules, tuple(range(players)), table.sides, first_dealer)])
    for each in hands:
        if isinstance(each, dict):
            what = read_hand(table, each, dealer=now.dealer)
            now = evolve(now, ev.HandThrownIn(what) if what.thrown_in else ev.HandScored(what))
        else:
            now = evolve(now, each)
    return now


def told(*arguments: Any, **options: Any) -> Moments:
    """Make a game with `game(*arguments, **options)`, and return its highlights."""
    return moments(game(*arguments, **options))


def test_highlights_of_a_game() -> None:
    """All highlights are right for an example game that was worked out by hand.

    In this game, Ann and Cid lead, are set and fall behind, and come back from six points down to win.
    """
    played = game(
        [
            hand(0, 2, 3, 1),  # 3 to 1
            hand(0, 4, 2, 2),  # set: -1 to 3
            hand(1, 2, 1, 3),  # 0 to 6
            hand(2, 2, 2, 2),  # 2 to 8
            hand(0, 4, 4, 0),  # 6 to 8
            hand(2, 3, 3, 0),  # 9 to 8
            hand(1, 3, 2, 2),  # set: 11 to 5
        ],
        target=11,
        win_by=1,
        finish="highest",
    )
    assert [standing.totals for standing in standings(played)] == [
        (0, 0), (3, 1), (-1, 3), (0, 6), (2, 8), (6, 8), (9, 8), (11, 5)
    ]  # fmt: skip
    assert moments(played) == Moments(
        lead_changes=(LeadChange(2, 1), LeadChange(6, 0)),
        only_leader=None,
        all_the_way=False,
        biggest_set=BigSet(2, 0, 4, 4, 0),
        longest_run=Run(0, 3, 4, 6),
        comeback=Comeback(3, 0, 6),
    )


NOTHING = Moments((), None, all_the_way=False, biggest_set=None, longest_run=None, comeback=None)


def test_a_tie_is_no_lead_change() -> None:
    """The lead changes only when another side gets ahead, not when a side ties."""
    level = told([hand(0, 2, 3, 1), hand(1, 2, 1, 3), hand(0, 2, 2, 1)])
    assert (level.lead_changes, level.only_leader, level.all_the_way) == ((), 0, False)
    ahead = told([hand(0, 2, 3, 1), hand(1, 2, 1, 2), hand(0, 2, 2, 1)])
    assert (ahead.only_leader, ahead.all_the_way) == (0, True)
    passed = told([hand(0, 2, 3, 1), hand(1, 2, 1, 3), hand(1, 2, 1, 2)])
    assert (passed.lead_changes, passed.only_leader) == ((LeadChange(3, 1),), None)


def test_no_leader_in_a_tied_game() -> None:
    """A game that is tied after every hand has no side that led all the way."""
    assert told([hand(0, 2, 2, 2), hand(1, 2, 2, 2)]).only_leader is None
    assert told([]) == NOTHING


def test_biggest_set_counts_equal_ones() -> None:
    """The highlight of the biggest set says how many other sets cost the same number of points."""
    found = told([hand(0, 3, 2, 2), hand(1, 4, 1, 3), hand(2, 4, 3, 1), hand(3, 2, 3, 1)])
    assert found.biggest_set == BigSet(2, 1, 4, 4, 1)


def test_cost_of_a_set() -> None:
    """In Some'R'Set, a set costs twice as many points as were missing from the bid.

    In a game whose scores can't go below zero, a set at a score of 0 costs nothing and is no highlight.
    """
    double = told([hand(0, 15, 10, 14)], "somerset-66")
    assert double.biggest_set == BigSet(1, 0, 10, 15, 0)
    assert told([hand(0, 4, 2, 2)], negative="floor_zero").biggest_set is None


def test_a_streak_ends_with_a_set_of_the_side() -> None:
    """A side's streak of made bids ends when the side is set.

    Bids of other sides and thrown-in hands don't end the streak. A single made bid is no streak.
    """
    rules: dict[str, Any] = {"forced_bid": None, "target": 99}
    run = told([hand(0, 2, 2, 2), PASSED, hand(1, 2, 4, 0), hand(2, 2, 2, 2), hand(0, 4, 0, 4)], **rules)
    assert run.longest_run == Run(0, 2, 1, 4)
    assert told([hand(0, 2, 2, 2), hand(0, 4, 0, 4), hand(0, 2, 2, 2)], **rules).longest_run is None


def test_a_called_partner_is_set_too() -> None:
    """If a bidder with a called partner doesn't make the bid, the chart marks both players as set.

    The highlights of the biggest set and the longest streak name only the bidder.
    """
    called = {"bidder": 0, "bid": 10, "partner": 2}
    played = game(
        [called | {"taken": [4, 18]}, called | {"taken": [12, 10]}, called | {"taken": [12, 10]}], "somerset-66", 5
    )
    assert [standing.was_set for standing in standings(played)] == [(), (0, 2), (), ()]
    assert moments(played).biggest_set == BigSet(1, 0, 12, 10, 0)
    assert moments(played).longest_run == Run(0, 2, 2, 3)


def test_adjustments_belong_to_the_hand_before_them() -> None:
    """On the chart, an adjustment is part of the hand before it, or of the start of the game if no hand came before.

    A side that gets ahead through an adjustment counts as leading.
    """
    played = game([ev.ScoreAdjusted(1, 5, "a handicap"), hand(0, 2, 4, 0), ev.ScoreAdjusted(1, -2, "a revoke")])
    assert standings(played) == (ChartPoint(0, (0, 5)), ChartPoint(1, (4, 3)))
    assert moments(played).lead_changes == (LeadChange(1, 0),)


def test_hands_that_do_not_count_are_left_out() -> None:
    """The chart leaves out deleted hands and hands after the end of the game.

    Hands can be after the end if a change of rules made the game end earlier.
    """
    won = game([hand(0, 4, 4, 0), hand(1, 4, 0, 4), hand(1, 4, 0, 4)], target=5, win_by=1)
    assert len(standings(won)) == 4
    ended = evolve(won, ev.RulesChanged(with_options(won.table.rules, {"target": 4})))
    assert [line.after_end for line in ended.lines] == [False, True, True]
    assert standings(ended) == (ChartPoint(0, (0, 0)), ChartPoint(1, (4, 0)))
    struck = evolve(won, ev.HandVoided(2))
    assert [(standing.hand, standing.totals) for standing in standings(struck)] == [
        (0, (0, 0)),
        (1, (0, 4)),
        (2, (0, 8)),
    ]


@pytest.mark.parametrize(
    ("ending", "comes_back"),
    [
        ([hand(0, 4, 4, 0)] * 3, True),
        ([hand(0, 4, 4, 0)], None),
        ([ev.GameConceded(0)], False),
        ([hand(0, 4, 4, 0), ev.GameConceded(0)], False),
        ([ev.GameAbandoned()], False),
    ],
    ids=["won", "running", "conceded", "conceded when still behind", "stopped"],
)
def test_a_comeback_is_won_by_points(ending: list[Any], comes_back: bool | None) -> None:
    """A side that was behind makes a comeback only if it wins by points.

    If the other side concedes, that is no comeback.
    """
    found = told([hand(1, 4, 0, 4), hand(1, 3, 1, 3), *ending], target=12, win_by=1)
    assert (found.comeback == Comeback(2, 0, 6)) is bool(comes_back)
    assert (found.comeback is None) is not bool(comes_back)


def test_one_hand_behind_is_no_comeback() -> None:
    """A win isn't called a comeback if the winner was never behind by more points than one hand has."""
    assert told([hand(1, 4, 0, 4), *[hand(0, 4, 4, 0)] * 2], target=8, win_by=1).comeback is None


def test_a_final_score_has_no_chart() -> None:
    """A game with only a final score has no chart and no highlights, because no earlier scores are known."""
    paper = game([ev.ResultEntered((21, 14))])
    assert standings(paper) == ()
    assert moments(paper) == NOTHING
    assert race(paper, standings(paper)) is None


def test_the_chart_starts_with_the_first_hand() -> None:
    assert race(game([]), standings(game([]))) is None
    one = game([hand(0, 2, 3, 1)])
    drawing = race(one, standings(one))
    assert drawing is not None
    assert [line.path.count("L") for line in drawing.lines] == [1, 1]
    assert [tick.value for tick in drawing.hands] == [1]


def test_when_the_target_is_drawn() -> None:
    """The chart has a line for the target score only if that score is near the scores of the game.

    A game with a fixed number of hands has no such line.
    """
    hands = [hand(0, 2, 3, 1)]
    drawn = {
        name: race(made, standings(made))
        for name, made in {
            "near": game(hands),
            "far": game(hands, target=999_999),
            "hands": game(hands, finish="fixed_hands", hands_limit=9, win_by=1),
        }.items()
    }
    assert {name: drawing is not None and drawing.target_y is not None for name, drawing in drawn.items()} == {
        "near": True,
        "far": False,
        "hands": False,
    }


SEATINGS = [
    (preset, seating.players, rules)
    for preset, rules in PRESETS.items()
    for seating in rules.seatings
    if preset in ("setback-21", "somerset-66", "setback-7-pitch", "ten-point-52", "smear-52")
]


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(SEATINGS), st.integers(0, 10_000), st.integers(0, 40), st.sampled_from([None, 60, 999_999]))
def test_any_game_has_true_highlights_and_a_chart_within_its_canvas(
    seating: tuple[str, int, Any], seed: int, most: int, target: int | None
) -> None:
    """The highlights of any random game agree with its score sheet, and the chart stays within its edges."""
    preset, players, _ = seating
    options = {} if target is None else {"target": target}
    table = set_table(with_options(PRESETS[preset], options), players)
    record = random_record(table, seed, most)
    played = game(record["hands"], preset, players, record["first_dealer"], **options)
    way = standings(played)
    assert way[-1].totals == played.tally.totals
    assert [standing.hand for standing in way] == list(range(len(played.hands) + 1))
    found = moments(played)
    sheet = {line.number: line for line in played.hands}
    for change in found.lead_changes:
        assert way[change.hand].leader == change.side
    assert all(before.side != after.side for before, after in pairwise(found.lead_changes))
    if found.only_leader is not None:
        assert {standing.leader for standing in way} <= {found.only_leader, None}
        assert all(standing.totals[found.only_leader] == max(standing.totals) for standing in way)
    assert found.all_the_way == (found.only_leader is not None and None not in {each.leader for each in way[1:]})
    if found.biggest_set is not None:
        assert sheet[found.biggest_set.hand].delta[found.biggest_set.side] == -found.biggest_set.cost
        assert min(min(line.delta) for line in played.hands if line.made is False) >= -found.biggest_set.cost
    if found.longest_run is not None:
        assert 2 <= found.longest_run.bids <= found.longest_run.last - found.longest_run.first + 1
        assert sheet[found.longest_run.first].made
        assert sheet[found.longest_run.last].made
    if found.comeback is not None:
        assert played.outcome is not None
        assert played.outcome.winner == found.comeback.side == way[-1].leader
    drawing = race(played, way)
    assert (drawing is None) is (not played.hands)
    if drawing is not None:
        places = [place for line in drawing.lines for place in line.path[1:].split("L")]
        assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= HEIGHT for x, y in map(str.split, places))
        heights = sorted(line.label_y for line in drawing.lines)
        assert all(below - above > 13 for above, below in pairwise(heights))
        assert 0 <= heights[0] <= heights[-1] <= HEIGHT


@settings(max_examples=25, deadline=None)
@given(
    st.builds(
        lambda scores, times: scores * times,
        st.lists(st.integers(-50, 50), min_size=2, max_size=150),
        st.integers(1, 12),
    )
)
def test_a_thinned_line_keeps_its_ends_and_extremes(scores: list[int]) -> None:
    """A chart line is reduced to at most `MOST_POINTS` points.

    The reduced line keeps its order, its ends, its highest and its lowest point.
    """
    kept = thinned(scores)
    assert len(kept) <= MOST_POINTS
    assert kept == sorted(set(kept))
    assert (kept[0], kept[-1]) == (0, len(scores) - 1)
    assert (min(scores), max(scores)) == (min(scores[i] for i in kept), max(scores[i] for i in kept))
