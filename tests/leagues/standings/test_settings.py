"""The settings for a season's standings, which are stored as JSON and refused with a message if a value is invalid."""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from scorekeeper.games.logic.statistics.hands import Unit
from scorekeeper.leagues.standings import ties
from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.ties import TIE_BREAKS, Contest
from scorekeeper.rules.phrase import RuleViolation
from tests.leagues.standings.random_seasons import any_settings

RULE = [Contest, Sequence[Unit]]
"""Types of a tie-breaker's parameters, by which the test finds tie-breakers in the module."""


def test_settings_round_trip_through_json() -> None:
    for seed in range(50):
        settings = any_settings(Random(seed))
        assert StandingSettings.from_json(json.loads(json.dumps(settings.to_json()))) == settings


def test_every_tie_breaker_can_be_chosen() -> None:
    """Each tie-breaker function in the module `ties` is registered with `@tie_break`, so that seasons can use it.

    The test recognizes tie-breaker functions by the types of their parameters.
    """
    rules = {
        name
        for name, function in inspect.getmembers(ties, inspect.isfunction)
        if [each.annotation for each in inspect.signature(function).parameters.values()] == RULE
    }
    # A rule that only puts leaders first belongs to a tie-breaker.
    rules -= {each.leaders.__name__ for each in TIE_BREAKS.values() if each.leaders}
    assert rules == set(TIE_BREAKS), f"put `@tie_break(Phrase(…))` above {', '.join(rules - set(TIE_BREAKS))}"


def test_missing_settings_have_their_defaults() -> None:
    assert StandingSettings.from_json({}) == StandingSettings()


def test_a_stored_season_is_ranked_as_before() -> None:
    """A season stored without a newer setting keeps the order that it showed; the next season gets the new default."""
    stored = {key: value for key, value in StandingSettings(met_all=True).to_json().items() if key != "reapply"}
    assert not StandingSettings.from_json(stored).reapply
    assert StandingSettings.for_new(stored).reapply


@pytest.mark.parametrize(
    ("data", "field", "sentence"),
    [
        ([], None, "These settings can't be read. Reload the page and try again."),
        ({"color": 1}, "color", "There is no setting called “color”."),
        ({"order": "luck"}, "order", "“order” must be one of these: per_game, points, wins."),
        ({"order": ["wins"]}, "order", "“order” must be one of these: per_game, points, wins."),
        ({"min_games": -1}, "min_games", "“min_games” must be a whole number from 0 to 1000."),
        ({"drop_nights": True}, "drop_nights", "“drop_nights” must be a whole number from 0 to 100."),
        ({"bye_points": 2.0}, "bye_points", "“bye_points” must be a whole number from 0 to 1000."),
        ({"bye_wins": 1}, "bye_wins", "“bye_wins” must be yes or no."),
        ({"handicap_percent": 101}, "handicap_percent", "“handicap_percent” must be a whole number from 0 to 100."),
        ({"ties": "wins"}, "ties", "“ties” can have at most 5 entries."),
        (
            {"ties": ["wins", "draw", "wins"]},
            "ties",
            "The same tie-breaker is chosen twice. Choose each one only once.",
        ),
        (
            {"ties": ["height"]},
            "ties",
            f"“ties” must be one of these: {', '.join(TIE_BREAKS)}.",
        ),
    ],
)
def test_invalid_settings_are_refused(data: Any, field: str | None, sentence: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        StandingSettings.from_json(data)
    assert (refused.value.field, refused.value.message) == (field, sentence)
