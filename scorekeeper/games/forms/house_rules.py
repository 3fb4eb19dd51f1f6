"""The forms that choose house rules: whatever options there are, each under its own name on the page."""

from __future__ import annotations

from typing import Any

from scorekeeper.games.forms import option_values
from scorekeeper.games.forms.tap import SeenForm, TextsField
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
