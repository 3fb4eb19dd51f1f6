"""Forms for planning nights, for answers, and for personal links."""

from datetime import date
from typing import Any

from wtforms import (
    BooleanField,
    DateField,
    HiddenField,
    IntegerField,
    SelectField,
    SelectMultipleField,
    StringField,
    TimeField,
)

from scorekeeper.i18n.catalog import N_
from scorekeeper.leagues.calendar.settings import ANSWER_NOTE_LENGTH as REPLY_LENGTH
from scorekeeper.leagues.calendar.settings import NOTE_LENGTH, PLACE_LENGTH, Details, GivenAnswer
from scorekeeper.leagues.core.blueprint import KeyedForm, digits
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.forms import AppForm, at_most, printable

EVERY = {
    "0": N_("just once"),
    "1": N_("every week"),
    "2": N_("every 2 weeks"),
    "3": N_("every 3 weeks"),
    "4": N_("every 4 weeks"),
}
"""Choices for the weeks between the nights of a series, by form value."""


def _text(label: str, most: int, **more: Any) -> StringField:
    keys = {"maxlength": most, "dir": "auto", "autocomplete": "off"}
    return StringField(label, default="", filters=[printable], render_kw={**keys, **more})


class DetailsForm(AppForm):
    """The form for the date, time, place and note of a planned night."""

    day = DateField(N_("Date"), render_kw={"required": True})
    starts = TimeField(N_("Starts at"), format=["%H:%M", "%H:%M:%S"])
    place = _text(N_("Place"), PLACE_LENGTH)
    note = _text(N_("Note"), NOTE_LENGTH)
    another = BooleanField()

    @property
    def told(self) -> Details:
        """Return the details entered in the form.

        Raises `RuleViolation` if the date is missing or the time is malformed.
        """
        day = self.day.data
        if day is None:
            raise RuleViolation("day", "Choose a date.", field="day")
        if self.starts.raw_data and any(self.starts.raw_data) and self.starts.data is None:
            raise RuleViolation("starts", "Write the time as 19:00.", field="starts")
        at = self.starts.data
        starts = None if at is None else at.hour * 60 + at.minute
        return Details(day=day, starts=starts, place=self.place.data or "", note=self.note.data or "")


class PlanForm(KeyedForm, DetailsForm):
    """The form to plan one night or a series of nights.

    The dates of a series are first shown for review, so that the director can deselect some of them.
    """

    every = SelectField(N_("Repeat"), choices=EVERY, default="0")
    count = IntegerField(N_("Number of nights"), render_kw={"min": 1, "max": 60, "inputmode": "numeric"})
    until = DateField(N_("Or last date"))
    zone = StringField(
        N_("Time zone"),
        filters=[printable, str.strip, at_most(60)],
        render_kw={"maxlength": 60, "autocomplete": "off", "spellcheck": "false", "list": "zones"},
    )
    reviewed = BooleanField()
    days = SelectMultipleField()

    @property
    def weeks(self) -> int:
        """Return the number of weeks between two nights, or 0 for a single night."""
        return digits(self.every.data or "", 1) or 0

    @property
    def nights(self) -> int | None:
        """Return the number of nights, or None if the field is empty.

        Raises `RuleViolation` if the field has anything but a number above 0.
        """
        if self.count.raw_data and any(self.count.raw_data) and not self.count.data:
            raise RuleViolation("count", "Enter a number of nights.", field="count")
        number: int | None = self.count.data
        if number is not None and number < 1:
            raise RuleViolation("count", "Enter a number of nights.", field="count")
        return number

    @property
    def ticked(self) -> list[date]:
        """Return the dates of a series that the director left selected. Malformed dates are left out."""
        return [day for text in self.days.data or () if (day := _date(text)) is not None]


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


class StateForm(AppForm):
    """The form to cancel, restore or delete a planned night."""

    state = HiddenField(default="")


class AnswerForm(AppForm):
    """The form for a player's answer about a planned night. `says` is the value of the button that was pressed."""

    planned = HiddenField(default="")
    person = SelectField()
    says = HiddenField(default="")
    sub = _text(N_("Substitute"), 40)
    note = StringField(
        N_("Note"),
        default="",
        filters=[printable],
        render_kw={"maxlength": REPLY_LENGTH, "dir": "auto", "autocomplete": "off"},
    )

    @property
    def told(self) -> GivenAnswer:
        """Return the answer in the form, unchecked."""
        return GivenAnswer(self.says.data or "", self.sub.data or "", self.note.data or "")


class LinkPeopleForm(AppForm):
    """The form to make or revoke personal links.

    The form has the public ids of the players. If it has none, links are made for all active players, or revoked for
    everybody.
    """

    person = SelectMultipleField()
