"""The forms that change a score afterwards: points outside the hands, what two phones differ on.

A hand is corrected by the form that writes it down (`forms.hand.HandForm`).
"""

from __future__ import annotations

from wtforms import HiddenField, StringField

from scorekeeper.games.forms import read_points
from scorekeeper.games.forms.base import GameForm, SeenForm, text_field
from scorekeeper.rules.commands import AdjustScore
from scorekeeper.rules.violation import RuleViolation


class AdjustForm(SeenForm):
    """Give a side points, or take them away."""

    side = text_field()
    sign = text_field()
    points = text_field()
    reason = text_field()

    @property
    def told(self) -> dict[str, str]:
        """Return what was chosen, by field."""
        return {field.name: field.data or "" for field in (self.side, self.sign, self.points, self.reason)}

    def command(self) -> AdjustScore:
        """Return what adjusts the score; raises `RuleViolation` where no side was chosen."""
        side, sign, points, reason = self.told.values()
        if not side:
            raise RuleViolation("side_missing", "Say whose score it is.", field="side")
        change = read_points(points)
        return AdjustScore(
            int(side) if side in tuple("0123456") else -1, -abs(change) if sign == "-" else change, reason
        )


class SettleReportForm(GameForm):
    """Settle what two phones say of a hand."""

    how = HiddenField(default="")
    reason = StringField(default="")
