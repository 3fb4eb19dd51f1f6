"""Form for settling up: how, and for which stakes."""

from __future__ import annotations

from collections.abc import Mapping

from scorekeeper.games.forms.base import TextsField
from scorekeeper.rules.money import USES
from scorekeeper.web.forms import AppForm

NAMES = frozenset({"method", "currency", *(rate for rates in USES.values() for rate in rates)})


class StakesForm(AppForm):
    """Settle up after a game or an evening."""

    inputs = TextsField(NAMES)

    @property
    def stakes(self) -> Mapping[str, str]:
        """Return the inputs that were sent, as text."""
        stakes: Mapping[str, str] = self.inputs.data
        return stakes
