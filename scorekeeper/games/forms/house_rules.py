"""The forms that choose house rules: whatever options there are, each under its own name on the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorekeeper.games.forms import number
from scorekeeper.games.forms.base import SeenForm, TextsField
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.ruleset import Ruleset
from scorekeeper.web.forms import AppForm


class HouseRulesForm(AppForm):
    """Choose the house rules of a game."""

    rules = TextsField(starts=("rule-",))

    def options(self, preset: Ruleset) -> dict[str, Any]:
        """Return the options that differ from `preset`; whether they can be is for the rules to say."""
        return option_values(self.rules.data, preset)


class ChangeRulesForm(SeenForm, HouseRulesForm):
    """Play a game on by other house rules."""


def option_values(fields: Mapping[str, str], preset: Ruleset) -> dict[str, Any]:
    """Return the house rules that a form's `rule-…` fields name and that differ from the preset.

    A value that cannot be read is kept as it is, so that the rules refuse it by name.
    """
    options: dict[str, Any] = {}
    for field, text in fields.items():
        key = field.removeprefix("rule-")
        if key == field or key not in OPTIONS:
            continue
        value = _option(key, text.strip())
        if value != getattr(preset, key) or type(value) is not type(getattr(preset, key)):
            options[key] = value
    return options


def _option(key: str, text: str) -> Any:
    option = OPTIONS[key]
    if option.values:
        return next((choice for choice in option.values if option_text(choice) == text), text)
    return None if option.nullable and not text else number(text)


def option_text(value: Any) -> str:
    """Return an option's value as a form carries it."""
    if value is None:
        return ""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
