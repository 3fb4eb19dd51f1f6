"""The form to enter a final score, at a league night or at home."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, takewhile
from typing import Any

from wtforms import Field, HiddenField, SelectField

from scorekeeper.games.logic.final_scores import AnswerNeeded, answer_labels
from scorekeeper.i18n.catalog import spoken
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.forms import AppForm, printable
from scorekeeper.web.text import whole_number


class PointsField(Field):
    """The typed points of all sides, as strings. A field "points" has the inputs "points-0", "points-1" and so on."""

    def process(self, formdata: Any, *args: Any, **how: Any) -> None:
        """Parse the posted points of all sides. If none are posted, keep the initial points."""
        super().process(None, *args, **how)
        names = takewhile(formdata.__contains__, map(self.name_of, count())) if formdata else ()
        self.data = tuple(printable(formdata[name]).strip().replace("−", "-") for name in names) or self.data

    def name_of(self, side: int) -> str:
        """Return the name of the input for a side."""
        return f"{self.name}-{side}"

    def text(self, side: int) -> str:
        """Return the text in the input for a side; empty if there is none."""
        return self.data[side] if side < len(self.data) else ""

    def is_missing(self, side: int) -> bool:
        """Return whether the input for a side is empty or not a number."""
        return _points(self.text(side)) is None

    def first_wrong(self) -> int | None:
        """Return the side below whose input the error of this field is shown, or None if it has no error."""
        return next(filter(self.is_missing, range(len(self.data))), None) if self.errors else None


def _points(text: str) -> int | None:
    """Return the points in a typed string, or None if it is empty or not a number."""
    return whole_number(text.strip(), 4, signed=True)


def numbers(texts: Sequence[str]) -> tuple[int, ...]:
    """Return the points of each side, from the typed strings `texts`.

    Raises `RuleViolation` if a string is empty or not a number.
    """
    points = tuple(number for text in texts if (number := _points(text)) is not None)
    if not texts or len(points) < len(texts):
        raise RuleViolation("points_missing", "Enter points for every side.")
    return points


class FinalScoreForm(AppForm):
    """The form to enter the final score of a game without hands.

    `ending` is the user's answer about how the game ended. `asked` is the score that was entered when the page asked
    about this.
    """

    totals = PointsField(name="points", default=())
    asked = HiddenField(default="")
    ending = SelectField()

    def refused(self, violation: RuleViolation, sides: Sequence[str]) -> str:
        """Show an error on the form and return "", if there is a place for it there. Otherwise, return its message.

        An `AnswerNeeded` error is a question with its answers. Missing points, and points that aren't a number, are
        shown at their inputs. `sides` are the names of the sides.
        """
        if violation.code == "points_missing" and None in map(_points, self.totals.data):
            self.totals.errors = [spoken(violation.message)]
            return ""
        if not isinstance(violation, AnswerNeeded):
            return spoken(violation.message)
        self.refuse(self.ending.name, spoken(violation.message))
        self.ending.choices = dict(answer_labels(violation, sides))
        return ""

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the points by side. Raises `RuleViolation` if a side's points are missing or not a number."""
        return numbers(self.totals.data)

    @property
    def answer(self) -> str:
        """Return the user's answer about how the game ended.

        Return "" if the user gave no answer, or answered for a different score than the posted one.
        """
        return (self.ending.data or "") if self.asked.data == ",".join(self.totals.data) else ""
