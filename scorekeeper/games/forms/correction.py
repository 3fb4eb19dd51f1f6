"""Forms that change a score later: adjustments, and decisions about a hand that two phones entered differently."""

from __future__ import annotations

from wtforms import HiddenField, StringField

from scorekeeper.games.forms import read_points
from scorekeeper.games.forms.base import GameForm, SeenForm, text_field
from scorekeeper.rules.commands import AdjustScore
from scorekeeper.rules.violation import RuleViolation


class AdjustForm(SeenForm):
    """Add points to a side's score, or subtract them."""

    side = text_field()
    sign = text_field()
    points = text_field()
    reason = text_field()

    @property
    def choices(self) -> dict[str, str]:
        """Return the values entered in the form, by field name, in the order side, sign, points, reason."""
        return {field.name: field.data or "" for field in (self.side, self.sign, self.points, self.reason)}

    def command(self) -> AdjustScore:
        """Return the command that adjusts the score; raises `RuleViolation` if no side was chosen."""
        side, sign, points, reason = self.choices.values()
        if not side:
            raise RuleViolation("side_missing", "Choose whose score to change.", field="side")
        change = read_points(points)
        return AdjustScore(
            int(side) if side in tuple("0123456") else -1, -abs(change) if sign == "-" else change, reason
        )


class SettleReportForm(GameForm):
    """Settle a dispute about a hand that two phones entered differently."""

    how = HiddenField(default="")
    reason = StringField(default="")
