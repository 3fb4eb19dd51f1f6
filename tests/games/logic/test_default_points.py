"""The app guesses who won each point of a hand. The guesses don't contradict each other and are seldom far off."""

from __future__ import annotations

from collections import Counter
from itertools import islice, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.logic.dealt_guesses import GUESSES
from scorekeeper.games.logic.default_points import (
    ENOUGH,
    NOBODY,
    OPEN,
    OURS,
    WHOLE,
    best_guess,
    learned_guesses,
    likely_points,
    outcome_of,
    table_key,
)
from scorekeeper.leagues.transfer.demo_data import deals
from scorekeeper.rules.hands import allowed_points, read_hand
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import with_options
from scorekeeper.rules.table import Table, set_table, table_at
from tests.support.each import for_each

TABLES = [
    table_at(rules, seating)
    for rules in PRESETS.values()
    for seating in rules.seatings
    if rules.categories and rules.has_bids
]
SETBACK = set_table(PRESETS["setback-21"], 4)
BOWERS = set_table(PRESETS["bowers-12"], 4)
OUTCOMES = st.dictionaries(
    st.sampled_from(["".join(owners) for owners in product("01n", repeat=4)]), st.integers(1, 50), min_size=1
)


def _worth(table: Table, guess: str, owner: str = OURS) -> int:
    return sum(each.value for each, letter in zip(table.rules.categories, guess, strict=True) if letter == owner)


@for_each("table", TABLES)
def test_every_table_has_a_possible_guess_for_every_bid(table: Table) -> None:
    """For every game and every bid, the guessed winners are possible, and they let the bidder make the bid.

    A point for which there is no guess counts as one that the bidder's side may have won.
    """
    guesses = GUESSES[table_key(table)].split()
    assert len(guesses) == table.most
    for bidder, bid in product(range(table.players), table.bids):
        owners = likely_points(table, bidder, bid)
        assert all(owner in allowed_points(table)[key] for key, owner in owners.items())
        values = {each.key: each.value for each in table.rules.categories}
        ours = sum(values[key] for key, owner in owners.items() if owner == table.party_of(bidder))
        assert ours + sum(values[key] for key in values if key not in owners) >= (bid if isinstance(bid, int) else 4)
        assert ours > 0


def test_a_low_bid_in_bowers_does_not_guess_that_the_bidder_takes_everything() -> None:
    for bid in (1, 2, 3):
        guess = GUESSES[table_key(BOWERS)].split()[bid - 1]
        assert OPEN in guess
        assert _worth(BOWERS, guess) < BOWERS.most


def test_not_every_point_is_guessed_for_a_bid_that_needs_fewer() -> None:
    """Even if the bidder's side usually takes every point, one is left open, unless the bid is at most one lower."""
    outcomes = {"00000": 60, "00n00": 30, "00100": 10}
    assert best_guess(outcomes, 3, (1,) * 5) == "00-00"
    assert best_guess(outcomes, 4, (1,) * 5) == "00000"


def test_no_jack_is_guessed_unless_the_bid_needs_it() -> None:
    """The guess is that nobody had the jack of trump, except after a bid of 4, which needs the jack.

    Four players hold fewer than half of the cards, so the jack is usually not dealt.
    """
    assert likely_points(SETBACK, 1, 3) == {"high": 1, "low": 1, "jack": None, "game": 1}
    assert likely_points(SETBACK, 1, 4) == {"high": 1, "low": 1, "jack": 1, "game": 1}


def test_a_pitch_takes_every_point() -> None:
    table = set_table(PRESETS["setback-7-pitch"], 5)
    assert set(likely_points(table, 3, "pitch").values()) == {3}


def test_the_owner_of_low_matters() -> None:
    """If the point Low goes to the side that captures the lowest trump, the guess is that the bidder's side won Low.

    If it goes to the player who was dealt the lowest trump, that is rather the opponent of two.
    """
    captured, dealt = (set_table(with_options(PRESETS["setback-21"], {"low": low}), 2) for low in ("captured", "dealt"))
    assert likely_points(captured, 0, 2)["low"] == 0
    assert likely_points(dealt, 0, 2)["low"] == 1


def test_no_guesses_for_totals() -> None:
    """The game Some'R'Set has no guesses, because its players enter only how many points each side took."""
    assert likely_points(set_table(PRESETS["somerset-66"], 4), 0, 12) == {}


@given(OUTCOMES, st.integers(1, 4))
def test_a_guess_holds_together(outcomes: dict[str, int], bid: int) -> None:
    """A guess calculated from earlier hands agrees with at least one of these hands in which the bid was made.

    If the bid was never made, the guess agrees with a hand in which the bidder's side wins all points. If the guess has
    a winner for every point, no other combination of winners was more than twice as frequent in the earlier hands.
    """
    hands = sum(outcomes.values())
    guess = best_guess(outcomes, bid, (1, 1, 1, 1))
    made = [each for each in outcomes if each.count(OURS) >= bid] or [OURS * 4]
    agreeing = [each for each in made if all(told in (OPEN, owner) for told, owner in zip(guess, each, strict=True))]
    assert agreeing
    if OPEN not in guess:
        assert outcomes.get(guess, 0) * WHOLE >= max(outcomes.values())
    usual = sorted((each.count(OURS) for each, times in outcomes.items() for _ in range(times)), reverse=True)
    assert guess.count(OURS) <= max(bid, usual[(hands + 1) // 2 - 1], min(each.count(OURS) for each in made))


def test_a_common_hand_is_guessed_where_an_open_point_would_take_more_taps() -> None:
    """A guess has a winner for every point if it then needs fewer taps to correct than a guess with an open point.

    In this example of 23 hands, a guess with an open point would need at least 49 taps in all. If each point were
    guessed separately, the guess would be a combination of winners that rarely occurs.
    """
    outcomes = {"00nn": 7, "1010": 1, "n011": 6, "1000": 9}
    guess = best_guess(outcomes, 2, (1, 1, 1, 1))
    needed = sum(
        times * sum(told != owner for told, owner in zip(guess, each, strict=True)) for each, times in outcomes.items()
    )
    assert OPEN not in guess
    assert needed < 49


@given(OUTCOMES)
def test_a_certain_outcome_is_guessed(outcomes: dict[str, int]) -> None:
    sure = max(outcomes, key=lambda each: (each.count(OURS), each))
    many = {**outcomes, sure: 1000 * sum(outcomes.values())}
    assert best_guess(many, max(sure.count(OURS), 1), (1, 1, 1, 1)) == (sure if OURS in sure else OURS * 3 + OPEN) or (
        OURS not in sure
    )


def test_own_hands_count_once_there_are_enough() -> None:
    """After `ENOUGH` hands with the same bid and the same winners, the guess for that bid has these winners.

    With fewer such hands, the guess for that bid stays the same. Guesses for other bids never change.
    """
    told = {"bidder": 1, "bid": 2, "points": {"high": 1, "low": 0, "jack": 0, "game": 1}}
    hands = [read_hand(SETBACK, told, dealer=3)] * ENOUGH
    assert learned_guesses(SETBACK, hands[1:]) == {}
    learned = learned_guesses(SETBACK, hands)
    assert learned == {2: "0110"}
    assert likely_points(SETBACK, 2, 2, learned) == {"high": 0, "low": 1, "jack": 1, "game": 0}
    assert likely_points(SETBACK, 2, 3, learned) == likely_points(SETBACK, 2, 3)


@pytest.mark.parametrize(
    ("preset", "most"),
    [("setback-21", 1.4), ("pitch-11", 1.5), ("bowers-12", 1.8), ("smear-52", 4.0), ("ten-point-52", 4.0)],
)
def test_dealt_hands_need_few_taps(preset: str, most: float) -> None:
    """For new random hands of simple players, correcting the guess takes at most `most` taps per hand on average.

    Each point that is guessed wrong or left open needs one tap. The guesses weren't calculated from these hands.
    """
    table = set_table(PRESETS[preset], PRESETS[preset].seatings[0].players)
    taps = Counter[int]()
    for hand in islice(deals(table, Random(7)), 150):
        likely = likely_points(table, hand["bidder"], hand["bid"])
        taps[sum(key not in likely or likely[key] != owner for key, owner in hand["points"].items())] += 1
    assert sum(count * hands for count, hands in taps.items()) / taps.total() <= most


def test_outcomes_are_relative_to_the_bidder() -> None:
    table = set_table(PRESETS["pitch-11"], 3)
    assert outcome_of(table, 2, {"high": 2, "low": 0, "jack": None, "game": 1}) == f"{OURS}1{NOBODY}2"
