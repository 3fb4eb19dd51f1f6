"""A table names a test for each statement of the source texts. This file has those tests that fit in no other file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.rules.bidding import hear, legal_calls
from scorekeeper.rules.cards import count_cards
from scorekeeper.rules.hands import allowed_trumps, read_hand
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.scoring import new_tally, score_hand
from scorekeeper.rules.table import Table, set_table
from tests.rules.corpus_cases import cases
from tests.rules.refusals import code_of
from tests.support.each import for_each

TESTS = Path(__file__).parent.parent
TEXT = (Path(__file__).parent / "SOURCES.md").read_text("utf-8")
ROWS = re.findall(r"^\| “(.+)” \| (.+) \| (.+) \|$", TEXT, re.MULTILINE)
IDS = {case["id"] for case in cases()}


def table_of(preset: str, players: int = 4) -> Table:
    return set_table(PRESETS[preset], players)


@for_each(("quote", "held_by"), [(quote, held_by) for quote, _, held_by in ROWS])
def test_every_statement_is_held_by_a_test_that_exists(quote: str, held_by: str) -> None:
    """For each statement of the source texts, the table names worked cases or tests, and all of them exist.

    Worked cases are named by their ids, and tests by file and function.
    """
    names = re.findall(r"`([^`]+)`", held_by)
    assert names, quote
    for name in names:
        if "::" not in name:
            assert name in IDS, name
            continue
        file, function = name.split("::")
        assert f"\ndef {function}(" in (TESTS / file).read_text("utf-8"), name


def test_the_table_is_whole() -> None:
    """Every line of the table of statements is read, so no line is ignored because of a mistake in its format."""
    assert len(ROWS) == sum(line.startswith("| “") for line in TEXT.splitlines()) > 100


def test_low_is_the_lowest_trump_in_play() -> None:
    """The point Low goes to the side with the lowest trump in play, even if that isn't the two.

    Source text 000 says: "the 2 of trump may not be in play, so it is the lowest trump played that matters".
    """
    count = count_cards(table_of("setback-21"), "H", [["AH", "5H", "2S"], ["4H", "9H"]], bidding_side=0)
    assert (count.points["high"], count.points["low"], count.points["jack"]) == (0, 1, None)


@pytest.mark.parametrize("preset", ["setback-21", "pitch-11"])
@pytest.mark.parametrize("calls", [[1], [5], [3, 3], [3, 2], ["pass", 2, 2]])
def test_a_bid_beats_the_last_one_or_is_no_bid(preset: str, calls: list[Any]) -> None:
    """A bid that isn't higher than the bid before is refused.

    Source text 000 says: "must either bid higher than the previous bid or pass". Source text 003 says: "must bid higher
    than the current bid".
    """
    assert code_of(lambda: hear(table_of(preset), 3, calls)) == "call_illegal"


@pytest.mark.parametrize("standing", [2, 3, 4])
def test_the_dealer_of_pitch_matches_and_never_raises(standing: int) -> None:
    """The dealer of Pitch may only pass or match the highest bid.

    Source text 003 says: "the dealer may Pass or submit a bid at the current bid level".
    """
    table = table_of("pitch-11")
    assert legal_calls(table, hear(table, 3, [standing, "pass", "pass"])) == ("pass", standing)


def test_a_hand_has_at_least_high_and_low() -> None:
    """A hand has at least two points, for High and Low.

    Source text 003 says: "There are always 2 points awarded for each game".
    """
    table = table_of("pitch-11")
    assert code_of(lambda: read_hand(table, {"bidder": 0, "bid": 2, "taken": [1, 0]}, dealer=3)) == "points_total"
    assert read_hand(table, {"bidder": 0, "bid": 2, "taken": [1, 1]}, dealer=3).taken == (1, 1)


def test_meeting_the_bid_exactly_makes_it() -> None:
    """A side that takes exactly as many points as it bid makes its bid.

    Source text 003 says: "enough points during the game to either equal or exceed their original bid".
    """
    table = table_of("pitch-11")
    for took, made in ((2, False), (3, True), (4, True)):
        hand = read_hand(table, {"bidder": 0, "bid": 3, "taken": [took, 4 - took]}, dealer=3)
        assert score_hand(table, new_tally(table), hand).made is made


def test_trump_is_one_of_the_seven_suits_or_none() -> None:
    """Trump in Some'R'Set is one of seven suits or no trump. Under Horsley Rules, it must be one of the suits.

    Source text 004 says: "The suits are 0's, 2's, 4's, 6's, 8's, 10's, and 12's".
    """
    seven = ("0", "2", "4", "6", "8", "10", "12")
    assert allowed_trumps(table_of("somerset-66")) == (*seven, "none")
    assert allowed_trumps(table_of("horsley-66")) == seven
