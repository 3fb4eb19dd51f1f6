"""Forms for house rules, with one field "rule-<option>" for each option."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorekeeper.games.forms import number
from scorekeeper.games.forms.base import SeenForm, TextsField
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.ruleset import Ruleset, with_points
from scorekeeper.web.forms import AppForm

POINTS = "points"
SHOWN_POINTS = "shown-points"
"""Name of the hidden field with the points of a hand as the page showed them, so that a change can be noticed."""


class HouseRulesForm(AppForm):
    """Choose the house rules of a game."""

    rules = TextsField(frozenset((SHOWN_POINTS,)), ("rule-",), several=frozenset((f"rule-{POINTS}",)))

    def options(self, preset: Ruleset) -> dict[str, Any]:
        """Return the options in the form that differ from `preset`. Their values are not checked yet."""
        return option_values(self.rules.data, preset)


class ChangeRulesForm(SeenForm, HouseRulesForm):
    """Change the house rules of a game in progress."""


def option_values(fields: Mapping[str, str], preset: Ruleset) -> dict[str, Any]:
    """Return the options in a form's "rule-…" fields that differ from `preset`, by option name.

    A value that cannot be read is kept as text, so that the rules refuse it. If the player changed the points of
    a hand but not the highest bid, the highest bid is left out, because it follows from the points.
    """
    given: dict[str, Any] = {}
    for field, text in fields.items():
        key = field.removeprefix("rule-")
        if key != field and key in OPTIONS:
            given[key] = _option(key, text.strip())
    base = game_with(preset, given)
    given |= {POINTS: base.points} if OPTIONS[POINTS].allows(given.get(POINTS)) else {}
    shown = game_with(preset, {POINTS: _option(POINTS, fields.get(SHOWN_POINTS, base.points))})
    if shown.points != base.points and given.get("bid_max") == shown.bid_max:
        del given["bid_max"]
    usual = {key: getattr(preset if key == POINTS else base, key) for key in given}
    return {key: value for key, value in given.items() if value != usual[key] or type(value) is not type(usual[key])}


def game_with(preset: Ruleset, options: Mapping[str, Any]) -> Ruleset:
    """Return `preset` with the points of a hand that are chosen in `options`.

    If `options` has no valid choice of points, or the game has no such choice, `preset` is returned unchanged.
    """
    points = options.get(POINTS, "")
    return with_points(preset, points) if OPTIONS[POINTS].allows(points) and preset.usual_points else preset


def _option(key: str, text: str) -> Any:
    option = OPTIONS[key]
    if option.several:
        told = option.joined(text.split())
        return told if len(told.split()) == len(text.split()) else text
    if option.values:
        return next((choice for choice in option.values if option_text(choice) == text), text)
    return None if option.nullable and not text else number(text)


def option_text(value: Any) -> str:
    """Return the value of an option as it is sent in a form: "yes", "no", a number or text, or "" for None."""
    if value is None:
        return ""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
