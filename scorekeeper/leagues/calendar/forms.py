"""Forms for planning nights, for answers, and for personal links."""

from __future__ import annotations

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
from scorekeeper.leagues.calendar.details import NOTE_LENGTH, Details
from scorekeeper.leagues.calendar.replies import NOTE_LENGTH as REPLY_LENGTH
from scorekeeper.leagues.calendar.replies import GivenAnswer
from scorekeeper.leagues.calendar.settings import PLACE_LENGTH
from scorekeeper.leagues.core.requests import KeyedForm, digits
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.forms import AppForm, at_most, printable

EVERY = {
    "0": N_("just once"),
    "1": N_("every week"),
    "2": N_("every 2 weeks"),
    "3": N_("every 3 weeks"),
    "4": N_("every 4 weeks"),
}
"""Weeks between the nights of a series."""


def _text(label: str, most: int, **more: Any) -> StringField:
    keys = {"maxlength": most, "dir": "auto", "autocomplete": "off"}
    return StringField(label, default="", filters=[printable], render_kw={**keys, **more})


class DetailsForm(AppForm):
    """When and where a night is."""

    day = DateField(N_("Date"), render_kw={"required": True})
    starts = TimeField(N_("Starts at"), format=["%H:%M", "%H:%M:%S"])
    place = _text(N_("Place"), PLACE_LENGTH)
    note = _text(N_("Note"), NOTE_LENGTH)
    another = BooleanField()

    @property
    def told(self) -> Details:
        """Return the details. Raises `RuleViolation` without a date, or for a malformed time."""
        day = self.day.data
        if day is None:
            raise RuleViolation("day", "Choose a date.", field="day")
        if self.starts.raw_data and any(self.starts.raw_data) and self.starts.data is None:
            raise RuleViolation("starts", "Write the time as 19:00.", field="starts")
        at = self.starts.data
        starts = None if at is None else at.hour * 60 + at.minute
        return Details(day=day, starts=starts, place=self.place.data or "", note=self.note.data or "")


class PlanForm(KeyedForm, DetailsForm):
    """Plan one night, or a series; the dates of a series are shown first, to be unticked."""

    every = SelectField(N_("Repeat"), choices=EVERY, default="0")
    count = IntegerField(N_("Number of nights"), render_kw={"min": 1, "max": 60, "inputmode": "numeric"})
    until = DateField(N_("Or until"))
    zone = StringField(
        N_("Time zone"),
        filters=[printable, str.strip, at_most(60)],
        render_kw={"maxlength": 60, "autocomplete": "off", "spellcheck": "false", "list": "zones"},
    )
    reviewed = BooleanField()
    days = SelectMultipleField()

    @property
    def weeks(self) -> int:
        """Return the weeks between two nights, 0 for a single night."""
        return digits(self.every.data or "", 1) or 0

    @property
    def nights(self) -> int | None:
        """Return the number of nights, None if it wasn't given. Raises `RuleViolation`."""
        if self.count.raw_data and any(self.count.raw_data) and not self.count.data:
            raise RuleViolation("count", "Enter a number of nights.", field="count")
        number: int | None = self.count.data
        if number is not None and number < 1:
            raise RuleViolation("count", "Enter a number of nights.", field="count")
        return number

    @property
    def ticked(self) -> list[date]:
        """Return the dates that are still ticked; malformed ones are left out."""
        return [day for text in self.days.data or () if (day := _date(text)) is not None]


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


class StateForm(AppForm):
    """Cancel, restore or delete a planned night."""

    state = HiddenField(default="")


class AnswerForm(AppForm):
    """Answer whether a player comes to a planned night; the button sends the answer as `says`."""

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
        """Return the answer."""
        return GivenAnswer(self.says.data or "", self.sub.data or "", self.note.data or "")


class LinkPeopleForm(AppForm):
    """The people whose links are made or revoked, by public id; everybody if none is named."""

    person = SelectMultipleField()
