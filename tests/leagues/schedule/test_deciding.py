"""When a game ends in each format, and who wins: after a bell, with a tie at the bell, or after a number of hands."""

from __future__ import annotations

import pytest

from scorekeeper.leagues.schedule.formats import FORMATS
from scorekeeper.leagues.schedule.formats.night import Stand, read_options
from scorekeeper.rules.phrase import RuleViolation

GOING = Stand(points=(12, 9), hands=5)
DONE = Stand(points=(21, 14), hands=9, over=True, winner=0)
MID_HAND = Stand(points=(12, 9), hands=5, bell=True, open_hand=True)
AT_BELL = Stand(points=(9, 12), hands=5, bell=True)
LEVEL = Stand(points=(12, 12), hands=5, bell=True)
LEVEL_MID_HAND = Stand(points=(12, 12), hands=5, bell=True, open_hand=True)
NOT_BEGUN = Stand(points=(0, 0), hands=0, bell=True)
EIGHT = Stand(points=(15, 17), hands=8)
EIGHT_LEVEL = Stand(points=(17, 17), hands=8)
THREE_ALONE = Stand(points=(5, 7, 7), hands=6, bell=True)
ENDED_WITHOUT = Stand(points=(3, 3), hands=2, over=True)


@pytest.mark.parametrize("key", FORMATS)
def test_a_dealt_hand_is_finished_after_the_bell_in_every_format(key: str) -> None:
    form = FORMATS[key]
    for stand, state, winner in (
        (GOING, "playing", None),
        (DONE, "won", 0),
        (MID_HAND, "playing", None),
        (LEVEL_MID_HAND, "playing", None),
        (AT_BELL, "won", 1),
        (ENDED_WITHOUT, "level", None),
    ):
        verdict = form.counts(stand, form.options)
        assert (verdict.state, verdict.winner) == (state, winner), stand
    assert form.counts(MID_HAND, form.options).why == "Finishing the last hand"


@pytest.mark.parametrize(
    ("key", "state"),
    [
        ("to_target", "level"),
        ("fixed_hands", "level"),
        ("timed", "playing"),
        ("progressive", "playing"),
        ("round_robin", "level"),
        ("knockout", "playing"),
    ],
)
def test_a_tie_at_the_bell(key: str, state: str) -> None:
    form = FORMATS[key]
    for stand in (LEVEL, NOT_BEGUN, THREE_ALONE):
        verdict = form.counts(stand, form.options)
        assert (verdict.state, verdict.winner) == (state, None)
    assert form.counts(LEVEL, form.options).why == (
        "Tied: one more hand" if state == "playing" else "Tied at the end, no winner"
    )


def test_after_one_more_hand_the_leader_has_won() -> None:
    timed = FORMATS["timed"]
    assert timed.counts(Stand(points=(12, 14), hands=6, bell=True), timed.options).winner == 1


def test_a_league_can_let_a_timed_game_end_tied() -> None:
    assert FORMATS["timed"].counts(LEVEL, {"minutes": 30, "one_more": 0}).state == "level"


def test_a_fixed_number_of_hands() -> None:
    form = FORMATS["fixed_hands"]
    eight = read_options(form, {})
    assert eight == {"hands": 8, "one_more": 0}
    assert form.counts(EIGHT, eight).winner == 1
    assert form.counts(EIGHT, {"hands": 9, "one_more": 0}).state == "playing"
    assert form.counts(EIGHT_LEVEL, eight).state == "level"
    assert form.counts(EIGHT_LEVEL, eight | {"one_more": 1}).state == "playing"
    assert form.counts(Stand(points=(18, 17), hands=9), eight | {"one_more": 1}).winner == 0


def test_settings_are_checked_against_their_limits() -> None:
    assert read_options(FORMATS["timed"], {"minutes": 20}) == {"minutes": 20, "one_more": 1}
    assert read_options(FORMATS["knockout"], {}) == {"third": 0, "reseed": 0}
    for key, given in (("timed", {"minutes": 4}), ("timed", {"one_more": True}), ("to_target", {"hands": 8})):
        with pytest.raises(RuleViolation) as caught:
            read_options(FORMATS[key], given)
        assert caught.value.field == next(iter(given))
    with pytest.raises(RuleViolation, match="Minutes per round: enter 5 to 180"):
        read_options(FORMATS["timed"], {"minutes": 181})


def test_every_format_has_its_key_and_a_description() -> None:
    for key, form in FORMATS.items():
        assert form.key == key
        assert form.line.endswith(".")
        assert all(option.least <= option.default <= option.most for option in form.settings)
    assert [key for key, form in FORMATS.items() if form.teams] == ["round_robin", "knockout"]
    assert [key for key, form in FORMATS.items() if not form.ahead] == ["progressive", "knockout"]
