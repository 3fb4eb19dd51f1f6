"""What requests for a league's pages have in common."""

from __future__ import annotations

from flask import Response, abort, make_response

from scorekeeper.games.forms.base import StartForm
from scorekeeper.games.presenters.new_game import about_option
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.text import whole_number

LABELS = {"rounds": N_("Rounds"), "sizes": N_("Players at a table"), "format": N_("Format"), "together": N_("Partners")}
"""What the desk calls the settings of a night."""


class KeyedForm(StartForm):
    """A form with an id of its own, so that sending it twice does nothing twice."""

    @property
    def request_key(self) -> str:
        """Return that id; 422 where it has none."""
        if not self.client_id.validate(self):
            abort(422, description=_("That form was not whole. Nothing was changed."))
        return self.client_id.data or ""


def said(violation: RuleViolation) -> str:
    """Return what is wrong, with a setting or an option called as its reader knows it."""
    field = violation.field or ""
    if field in LABELS:
        return spoken(violation.message, setting=_(LABELS[field]))
    return about_option(field, violation.message)


def digits(text: str, most: int = 3) -> int | None:
    """Return the number that `text` is in at most `most` digits, None where it is none."""
    return whole_number(text.strip(), most)


def kept_nowhere(page: str, status: int = 200) -> Response:
    """Return a page that no cache keeps: names of accounts, or words that open something, stand on it."""
    response = make_response(page, status)
    response.headers["Cache-Control"] = "no-store"
    return response
