"""Games in which the bidder calls a partner (RULES 7): seatings, points of both parties, winners and final scores."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.rules import commands as c
from scorekeeper.rules import events as ev
from scorekeeper.rules.cards import count_cards
from scorekeeper.rules.explain import why_not_over
from scorekeeper.rules.final_score import judge_final, winners_for
from scorekeeper.rules.parts import Seating
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import read_record, write_record
from scorekeeper.rules.replay import advance, replay
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.scoring import Hand, Tally
from scorekeeper.rules.table import Table, set_table, table_at

GAME = "call-partner-pitch"
FIVE = Seating(5, "called")


def table_of(preset: str = GAME, **options: Any) -> Table:
    return table_at(with_options(PRESETS[preset], options), FIVE)


def record(preset: str, options: dict[str, Any], *hands: dict[str, Any], players: int = 5) -> dict[str, Any]:
    return {
        "format": "scorekeeper-game/1",
        "ruleset": {"preset": preset, "options": options},
        "players": ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"][:players],
        "first_dealer": players - 1,
        "hands": list(hands),
    }


def test_five_play_alone_unless_the_option_says_that_a_partner_is_called() -> None:
    """In Ten-point Pitch, five players play alone unless the option `called_partner` is on.

    So a record from before the option existed has no called partner. Choosing a seating with a called partner turns the
    option on.
    """
    usual = PRESETS["ten-point-52"]
    called = with_options(usual, {"called_partner": True})
    assert [set_table(rules, 5).called for rules in (usual, called)] == [False, True]
    assert not set_table(called, 4).called
    assert table_at(usual, FIVE).rules == called
    assert table_at(called, Seating(5, "alone")).rules == usual


def test_without_the_option_some_games_have_no_five_players() -> None:
    usual = PRESETS["seven-point"]
    with pytest.raises(RuleViolation, match="2, 3, 4 or 6 players, not 5"):
        set_table(usual, 5)
    assert table_at(usual, FIVE).called


def test_a_partner_in_a_hand_says_that_one_is_called() -> None:
    """If a hand in a record has a partner, the game gets the option `called_partner`, even if the record lacks it.

    When the app writes the record again, this option is included.
    """
    hand = {"bidder": 0, "bid": 6, "taken": [7, 3], "partner": 2}
    read = read_record(record("ten-point-52", {}, hand))
    assert read.totals == ((7, 3, 7, 3, 3),)
    written = write_record(read.table, read.names, read.first_dealer, read.hands)
    assert written["ruleset"] == {"preset": "ten-point-52", "options": {"called_partner": True}}
    assert read_record(written).totals == read.totals
    with pytest.raises(RuleViolation, match="no called partner"):
        read_record(record("ten-point-52", {}, hand | {"taken": [7, 3]}, players=4))


@pytest.mark.parametrize("preset", ["setback-21", "somerset-66", GAME])
def test_the_option_is_refused_where_the_seating_leaves_no_choice(preset: str) -> None:
    with pytest.raises(RuleViolation, match="the seating decides that"):
        with_options(PRESETS[preset], {"called_partner": True})


def test_a_change_of_house_rules_keeps_the_called_partner() -> None:
    """A change of the house rules keeps the called partner, although the form of house rules has no field for it."""
    table = table_of("ten-point-52")
    started = ev.GameStarted(table.rules, tuple(range(5)), table.sides, 0)
    game = replay([started])
    game = replay([started, *c.decide(game, c.ChangeRules(with_options(PRESETS["ten-point-52"], {"target": 32})))])
    assert game.table.called
    assert game.table.rules.target == 32


def test_the_cards_of_the_two_parties_are_counted() -> None:
    """With a called partner, the captured cards show which of two parties has each point, except for the point Two.

    The two parties are the bidder with the partner, and all other players. The point Two belongs to the party of the
    player who was dealt the two of trumps.
    """
    cards = [["AH", "JH", "TH"], ["JD", "RJ", "BJ", "3H"]]
    table = table_of()
    assert count_cards(table, "H", cards, bidding_side=0).points == {
        "ace": 0,
        "jack": 0,
        "off_jack": 1,
        "high_joker": 1,
        "low_joker": 1,
        "ten": 0,
        "three": 1,
    }
    hand = {"bidder": 3, "bid": 5, "partner": 1, "trump": "H", "captured": cards, "points": {"two": 0}}
    assert read_record(record(GAME, {}, hand)).totals == ((6, -5, 6, -5, 6),)


def test_the_parties_and_not_the_seats_own_the_points() -> None:
    points = dict.fromkeys(("ace", "jack", "off_jack", "high_joker", "low_joker", "ten", "two", "three"), 2)
    with pytest.raises(RuleViolation, match="must go to a side of this table"):
        read_record(record(GAME, {}, {"bidder": 0, "bid": 4, "partner": None, "points": points}))


def test_only_the_bidder_can_bid_out() -> None:
    """A called partner who reaches the target and is ahead doesn't win by bidding out; only the bidder can."""
    table = table_of(finish="bid_out")
    hand = {"bidder": 0, "bid": 5, "taken": [6, 4], "partner": 1}
    commands: list[c.Command] = [c.AdjustScore(1, 40, "a head start"), c.EnterHand(hand)]
    game = replay([ev.GameStarted(table.rules, tuple(range(5)), table.sides, 4)])
    for command in commands:
        game = advance(game, c.decide(game, command))
    assert game.tally.totals == (6, 46, 4, 4, 4)
    assert not game.over
    told = why_not_over(table, game.tally, Hand(4, 0, 5, (6, 4), partner=1))
    assert told is not None
    assert told.key == "on.defender"


@pytest.mark.parametrize(
    ("totals", "candidates"),
    [
        ((43, 47, 17, 13, 13), (0, 1)),  # the bidder or the partner who leads
        ((45, 45, 45, 3, 3), (0, 1, 2)),  # two of them tied before, or a defender with as many
        ((43, 60, 3, 3, 3), (1,)),  # 60 was over before any last hand
    ],
)
def test_a_final_score_knows_that_a_partner_scores_as_much_as_the_bidder(
    totals: tuple[int, ...], candidates: tuple[int, ...]
) -> None:
    assert judge_final(table_of(), totals).candidates == candidates


def test_a_failed_moon_is_lost_for_the_partner_too() -> None:
    """If only the final score of a game with a failed moon is known, each of the three highest players may have won.

    Neither the bidder nor the partner can win after a failed moon, and a final score doesn't name them. Here Dee is
    first, Cid second and Bob third. Cid won if Dee failed. Bob won if Dee and Cid were the bidder and the partner.
    """
    table = table_of(special_bid="moon")
    assert winners_for(table, (-3, 4, 8, 12, 2), "moon") == (1, 2, 3)


def test_needs_count_with_what_a_partner_gets() -> None:
    """A player is told that they need a lead to win if a called partner could reach the target in the same hand.

    The bidder and the partner score the same points. Here two players need 6 more points each, and a hand has 10.
    """
    from scorekeeper.rules.explain import needs

    table = table_of(finish="bid_out")
    told = needs(table, Tally((36, 36, 0, 0, 0), (0,) * 5))
    assert [each[0].key for each in told[:2]] == ["need.bid_out_lead"] * 2
