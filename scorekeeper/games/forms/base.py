"""Base classes of a game's forms. Each form has an id, so that sending the form twice saves only once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from flask import request
from wtforms import Field, HiddenField, StringField
from wtforms.validators import InputRequired, Regexp

from scorekeeper.db.tokens import derived_id
from scorekeeper.games.forms import REQUEST_ID
from scorekeeper.games.logic.request_key import request_key
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.forms import AppForm, printable
from scorekeeper.web.locale import EVENING
from scorekeeper.web.text import whole_number

VERSION = r"[1-9][0-9]{0,6}\Z"
"""Pattern of a game's version, which is the number of the game's events.

The pattern allows at most seven digits, so that the number fits its database column.
"""
MOST_OFFSET = 20 * 60
"""Largest number of minutes, positive or negative, that `offset_in` accepts."""
UNTOLD = ("csrf_token", "seen", "sure", "again")
"""Fields that are left out when a request is compared with an earlier request of the same id."""


class TextsField(Field):
    """A form field that collects several fields of the request into one dict, from their names to their values.

    A field of the request is collected if its name is in `names` or begins with one of `starts`. If a name is in
    `several`, all values sent under that name are joined with spaces.
    """

    data: dict[str, str]

    def __init__(
        self,
        names: frozenset[str] = frozenset(),
        starts: tuple[str, ...] = (),
        *,
        several: frozenset[str] = frozenset(),
        raw: bool = False,
        **other: Any,
    ) -> None:
        super().__init__(**other)
        self.names = names
        self.starts = starts
        self.several = several
        self.shown: Callable[[str], str] = str if raw else printable

    def process(self, formdata: Any, data: object = None, extra_filters: object = None) -> None:
        """Store the values from the request that belong to this field.

        If a name was sent several times, only the first value counts, except for the names in `several`.
        """
        self.process_errors = []
        sent: Mapping[str, str] = formdata or {}
        self.data = {
            key: self.shown(" ".join(formdata.getlist(key)) if key in self.several else text)
            for key, text in sent.items()
            if key in self.names or key.startswith(self.starts)
        }


class StartForm(AppForm):
    """Base of the forms that start a game."""

    client_id = HiddenField(validators=[InputRequired(), Regexp(REQUEST_ID)])

    def key(self, content: bytes = b"") -> str:
        """Return the request key, which is made of the id in the form, the fields sent, and `content`.

        `content` is the uploaded file, if any. The fields in `UNTOLD` are ignored. If a second request has the same id
        but other fields or another file, the second request gets a different key.
        """
        fields = [(key, value) for key, value in request.form.items(multi=True) if key not in UNTOLD]
        return request_key(str(self.client_id.data), json.dumps([request.path, fields]).encode() + content)

    @property
    def game_id(self) -> str:
        """Return the id of the game that this form starts.

        A phone that gets no response calculates the same id itself.
        """
        told = sorted(f"{key}={value}" for key, value in request.form.items(multi=True) if key != "csrf_token")
        return derived_id("\n".join((request.path, *told)))


class GameForm(StartForm):
    """Base of the forms that change a game. Each form sends the version of the game that its page showed."""

    version = HiddenField(validators=[InputRequired(), Regexp(VERSION)])


class SeenForm(GameForm):
    """Base of the forms for changes that the player reviews before saving.

    `seen` is "" in the first request. The review page then sends the same choices again, with a digest of these choices
    in `seen` (see `choice_digest`).
    """

    seen = HiddenField()


def text_field(**options: Any) -> Any:
    """Return a form field for text. Control characters in the text are replaced with spaces.

    The field's data is None if nothing was sent.
    """
    return StringField(filters=[lambda text: text and printable(text)], **options)


def number_in(field: Field) -> int:
    """Return the number chosen in a form field. Raises `RuleViolation` if none was chosen."""
    number = whole_number(field.data or "")
    if number is None:
        raise RuleViolation("choice_missing", "Make a choice first. Nothing was changed.", field=field.name)
    return number


def offset_in(text: str | None) -> timedelta:
    """Return the offset of the phone's local time from UTC, less 5 hours, since a day here ends at 5 in the morning.

    `text` is the offset in minutes, as a script wrote it into the form. For any other text, as from a phone without
    JavaScript, the result is minus `EVENING`.
    """
    minutes = whole_number(text or "", 4, signed=True)
    return -EVENING if minutes is None or abs(minutes) > MOST_OFFSET else timedelta(minutes=minutes)
