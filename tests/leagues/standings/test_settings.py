"""The settings of a season: plain JSON both ways, and a sentence for whatever cannot be."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from scorekeeper.leagues.standings.settings import StandingSettings
from scorekeeper.leagues.standings.ties import TIE_BREAKS
from scorekeeper.rules.violation import RuleViolation
from tests.leagues.standings.random_seasons import any_settings


def test_settings_come_back_from_json() -> None:
    for seed in range(50):
        settings = any_settings(Random(seed))
        assert StandingSettings.from_json(json.loads(json.dumps(settings.to_json()))) == settings


def test_nothing_said_is_as_usual() -> None:
    assert StandingSettings.from_json({}) == StandingSettings()


@pytest.mark.parametrize(
    ("data", "field", "sentence"),
    [
        ([], None, "The settings must be a JSON object."),
        ({"colour": 1}, "colour", "There is no setting called “colour”."),
        ({"order": "luck"}, "order", "“order” must be one of these: per_game, points, wins."),
        ({"order": ["wins"]}, "order", "“order” must be one of these: per_game, points, wins."),
        ({"min_games": -1}, "min_games", "“min_games” must be a whole number from 0 to 1000."),
        ({"drop_nights": True}, "drop_nights", "“drop_nights” must be a whole number from 0 to 100."),
        ({"bye_points": 2.0}, "bye_points", "“bye_points” must be a whole number from 0 to 1000."),
        ({"bye_wins": 1}, "bye_wins", "“bye_wins” must be true or false."),
        ({"handicap_percent": 101}, "handicap_percent", "“handicap_percent” must be a whole number from 0 to 100."),
        ({"ties": "wins"}, "ties", "“ties” must be a list of at most 5."),
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
def test_what_cannot_be_is_said(data: Any, field: str | None, sentence: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        StandingSettings.from_json(data)
    assert (refused.value.field, refused.value.message) == (field, sentence)
