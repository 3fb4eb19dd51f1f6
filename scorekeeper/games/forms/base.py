"""Base forms of a game: the id that makes a repeated request harmless, and the version that the page showed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from flask import request
from wtforms import Field, HiddenField, StringField
from wtforms.validators import InputRequired, Regexp

from scorekeeper.db.tokens import derived_id
from scorekeeper.games.forms import REQUEST_ID
from scorekeeper.games.logic.request_key import request_key
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.forms import AppForm, printable
from scorekeeper.web.text import whole_number

VERSION = r"[1-9][0-9]{0,6}\Z"
"""Up to ten million events; a longer number would fit in no column."""
UNTOLD = ("csrf_token", "seen", "sure", "again")
"""Fields that do not count when a repeated request is compared."""


class TextsField(Field):
    """Texts by field name: of the fields in `names`, and of those that start with one of `starts`."""

    data: dict[str, str]

    def __init__(
        self, names: frozenset[str] = frozenset(), starts: tuple[str, ...] = (), *, raw: bool = False, **other: Any
    ) -> None:
        super().__init__(**other)
        self.names = names
        self.starts = starts
        self.shown: Callable[[str], str] = str if raw else printable

    def process(self, formdata: Any, data: object = None, extra_filters: object = None) -> None:
        """Store the submitted texts of this form's fields; of several with the same name, the first."""
        self.process_errors = []
        sent: Mapping[str, str] = formdata or {}
        self.data = {
            key: self.shown(text) for key, text in sent.items() if key in self.names or key.startswith(self.starts)
        }


class StartForm(AppForm):
    """Send a request that starts a game."""

    client_id = HiddenField(validators=[InputRequired(), Regexp(REQUEST_ID)])

    def key(self, content: bytes = b"") -> str:
        """Return the request key, which depends on all fields sent and on the `content` of a file."""
        fields = [(key, value) for key, value in request.form.items(multi=True) if key not in UNTOLD]
        return request_key(str(self.client_id.data), json.dumps([request.path, fields]).encode() + content)

    @property
    def game_id(self) -> str:
        """Return the id of the game that this form starts. A phone that gets no answer computes the same id."""
        told = sorted(f"{key}={value}" for key, value in request.form.items(multi=True) if key != "csrf_token")
        return derived_id("\n".join((request.path, *told)))


class GameForm(StartForm):
    """Send a request about a game, with the version of the game that the page showed."""

    version = HiddenField(validators=[InputRequired(), Regexp(VERSION)])


class SeenForm(GameForm):
    """Change a saved score once its effect was reviewed: `seen` is the `choice_digest` that the review sent."""

    seen = HiddenField()


def text_field(**options: Any) -> Any:
    """Return a field for a text that a page can show; its data is None if nothing was sent."""
    return StringField(filters=[lambda text: text and printable(text)], **options)


def number_in(field: Field) -> int:
    """Return the number chosen in a field; raises `RuleViolation` if none was."""
    number = whole_number(field.data or "")
    if number is None:
        raise RuleViolation("choice_missing", "Make a choice first. Nothing was changed.", field=field.name)
    return number
