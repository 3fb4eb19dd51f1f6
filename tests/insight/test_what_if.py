"""Games replayed with other rules, against the judge (a second implementation) and against changing a game's rules."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

from hypothesis import given

from scorekeeper.insight.what_if import (
    OtherRule,
    PlayedHands,
    TimeLimit,
    compare,
    ending,
    other_rules,
    played_hands,
    time_limits,
)
from scorekeeper.rules.events import Event, GameStarted, HandScored, RulesChanged, ScoreAdjusted
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.record import read_record, write_rules
from scorekeeper.rules.replay import advance, replay
from scorekeeper.rules.ruleset import differing, with_options
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import Table, set_table, table_at
from tests.rules import judge
from tests.rules.random_play import play
from tests.rules.strategies import tables as random_tables
from tests.support.each import for_each

GAMES_EACH = 2
SETBACK = set_table(PRESETS["setback-21"], 4)


def tables() -> list[Table]:
    """Return every table at which an official game can be played."""
    return [table_at(rules, seating) for rules in PRESETS.values() for seating in rules.seatings]


def rule_of(table: Table, option: str, value: object) -> Table:
    """Return the table of the only rule that replays games at `table` with this `value` of an option."""
    (found,) = [each.table for each in other_rules(table) if (each.option, each.value) == (option, value)]
    return found


@for_each("table", tables(), parts=4)
def test_the_judge_agrees_with_every_ending(table: Table) -> None:
    """For each other rule, the judge ends the same hands after the same hand, with the same scores and winner."""
    rules = list(other_rules(table))
    for seed in range(GAMES_EACH):
        raw = play(table, seed, most=40)
        record = read_record(json.loads(json.dumps(raw)))
        played = PlayedHands((0,) * len(table.sides), tuple((hand, None) for hand in record.hands))
        for other in [OtherRule("", None, table), *rules]:
            ruling = judge.rule_record({**raw, "ruleset": write_rules(other.table.rules)}, record)
            end = ending(other.table, played)
            assert (end.tally.outcome is not None) == ruling.over, other
            assert (end.tally.outcome.winner if end.tally.outcome else None) == ruling.winner, other
            assert list(end.tally.totals) == list(ruling.totals[end.hands - 1]), other
            if ruling.over:
                earlier = replace(record, hands=record.hands[: end.hands - 1])
                assert not judge.rule_record({**raw, "ruleset": write_rules(other.table.rules)}, earlier).over, other


@for_each("seed", range(20))
def test_replaying_equals_changing_the_rules_of_the_game(seed: int) -> None:
    """Adjustments count where they were made: before the first hand, after a hand, and after the end of the game."""
    chance = Random(seed)
    table = chance.choice(tables())
    record = read_record(json.loads(json.dumps(play(table, seed, most=12))))
    log: list[Event] = [GameStarted(table.rules, tuple(range(1, table.players + 1)), table.sides, record.first_dealer)]
    for hand in (None, *record.hands):
        log += [HandScored(hand)] if hand else []
        for _ in range(chance.randrange(3)):
            log.append(ScoreAdjusted(chance.randrange(len(table.sides)), chance.choice((-2, 1, 3)), "agreed"))
    game = replay(log)
    played = played_hands(game)
    assert ending(table, played).tally == game.tally
    for other in other_rules(table):
        changed = advance(game, [RulesChanged(other.table.rules)])
        end = ending(other.table, played)
        assert end.tally == changed.tally, other
        assert end.hands == max((line.number for line in changed.counted), default=0), other


@given(random_tables())
def test_each_rule_changes_one_option_that_matters(table: Table) -> None:
    """Besides the named option, only options that lost their effect may go back to their usual value."""
    usual = PRESETS[table.rules.preset]
    for each in other_rules(table):
        assert getattr(each.table.rules, each.option) == each.value != getattr(table.rules, each.option)
        told = differing(usual, each.table.rules)
        kept = differing(usual, table.rules)
        assert all(told[key] == kept[key] for key in told if key != each.option)
        assert (each.table.sides, each.table.bids) == (table.sides, table.bids)
        assert each.table.rules.categories == table.rules.categories
        lost = {key for key in kept if key not in told and key != each.option}
        assert not lost or each.option in ("finish", "negative", "tie"), lost


def test_at_every_official_table_there_are_other_rules() -> None:
    for table in tables():
        tried = [(each.option, each.value) for each in other_rules(table)]
        assert len(set(tried)) == len(tried) > 0, table


def test_no_target_is_tried_if_the_number_of_hands_is_fixed() -> None:
    rules = with_options(PRESETS["setback-21"], {"finish": "fixed_hands", "hands_limit": 8})
    assert "target" not in {each.option for each in other_rules(set_table(rules, 4))}


OURS, THEIRS = Hand(0, 0, 4, (4, 0)), Hand(0, 1, 4, (0, 4))


def played(*hands: Hand) -> tuple[Table, PlayedHands]:
    """Return these hands as a game of `setback-21`, with the deal going around from seat 0."""
    dealt = (hand._replace(dealer=number % 4) for number, hand in enumerate(hands))
    return SETBACK, PlayedHands((0, 0), tuple((hand, None) for hand in dealt))


def test_games_are_compared() -> None:
    """Of three games that are over, side 0 won two. With 15 as the target, it would have won all of them.

    In the hand that everyone passed, nothing is played. The fourth game is not over.
    """
    passed = Hand(0)
    told = {
        (each.option, each.value): each
        for each in compare(
            [
                played(*[OURS] * 6),
                played(passed, *[OURS] * 6),
                played(*[OURS] * 4, *[THEIRS] * 6),
                played(*[OURS] * 5),
            ]
        )
    }
    own, low, high = told["", None], told["target", 15], told["target", 31]
    assert (own.games, own.another, own.nobody, own.undecided, own.hands, own.dealer_won) == (3, 0, 0, 0, 22, 2)
    assert (low.games, low.another, low.nobody, low.undecided, low.hands, low.dealer_won) == (3, 1, 0, 0, 12, 3)
    assert (high.games, high.another, high.nobody, high.undecided, high.hands, high.dealer_won) == (3, 0, 0, 3, 22, 0)
    assert (own.longest, low.longest) == (10, 4)
    assert next(iter(told)) == ("", None)
    assert compare([played(*[OURS] * 5)]) == ()


def test_a_game_that_nobody_wins_has_no_different_winner() -> None:
    """At −11 or lower a side loses, and if all others tie, nobody wins."""
    table = set_table(PRESETS["pitch-11"], 3)
    hands = [Hand(0, 0, 4, (0, 1, 1))] * 3 + [Hand(0, 1, 4, (0, 4, 0))] * 3
    (told,) = [
        each
        for each in compare([(table, PlayedHands((0, 0, 0), tuple((hand, None) for hand in hands)))])
        if each.option == "lose_at_minus"
    ]
    assert (told.games, told.another, told.nobody, told.undecided) == (1, 0, 1, 0)


def test_a_time_limit_stops_the_longest_games() -> None:
    """Of four games, a limit of six hands stops the one of ten: the sides are tied then, but side 1 won in the end."""
    short = played(OURS, OURS, OURS, OURS, OURS, OURS)
    long = played(OURS, THEIRS, OURS, THEIRS, OURS, THEIRS, OURS, THEIRS, *[THEIRS] * 2)
    assert time_limits([short, short, short, long]) == (TimeLimit(6, 1, 0, 1), TimeLimit(10, 0, 0, 0))
    assert time_limits([played(OURS)]) == ()


def test_win_by_2_leaves_a_close_game_open() -> None:
    """At 21 to 20, a game that ends without win by 2 isn't over with it."""
    table = set_table(with_options(PRESETS["setback-21"], {"win_by": 1}), 4)
    hands = [*[Hand(0, 0, 4, (4, 0)), Hand(0, 1, 4, (0, 4))] * 5, Hand(0, 0, 2, (1, 0)), Hand(0, 0, 3, (3, 0))]
    played = PlayedHands((0, 0), tuple((hand, None) for hand in hands))
    assert ending(table, played).tally.totals == (21, 20)
    assert ending(table, played).tally.outcome is not None
    assert ending(rule_of(table, "win_by", 2), played).tally.outcome is None


def test_a_lower_target_ends_the_game_earlier() -> None:
    played = PlayedHands((0, 0), tuple((Hand(0, 0, 4, (4, 0)), None) for _ in range(6)))
    end = ending(rule_of(SETBACK, "target", 15), played)
    assert (end.hands, end.tally.totals) == (4, (16, 0))
    assert end.tally.outcome is not None
    assert end.tally.outcome.winner == 0


def test_a_value_that_nobody_can_play_by_is_not_tried() -> None:
    """A limit on sets only works with two sides, and a game without bids has no rules about bids."""
    three = set_table(PRESETS["pitch-11"], 3)
    assert "max_sets" not in {each.option for each in other_rules(three)}
    assert "max_sets" in {each.option for each in other_rules(SETBACK)}
    all_fours = table_at(PRESETS["all-fours-14"], PRESETS["all-fours-14"].seatings[0])
    assert not [each for each in other_rules(all_fours) if OPTIONS[each.option].bidding]
