"""Forms for house rules, with one field "rule-<option>" for each option."""

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
        """Return the options that differ from `preset`; the rules check their values."""
        return option_values(self.rules.data, preset)


class ChangeRulesForm(SeenForm, HouseRulesForm):
    """Change the house rules of a game in progress."""


def option_values(fields: Mapping[str, str], preset: Ruleset) -> dict[str, Any]:
    """Return the options in a form's "rule-…" fields that differ from the preset.

    A value that cannot be read stays a text, which the rules refuse.
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
    """Return the form value of an option."""
    if value is None:
        return ""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
