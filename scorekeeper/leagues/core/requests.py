"""Help read requests for league pages and respond to them."""

from __future__ import annotations

from flask import Response, abort, make_response

from scorekeeper.games.forms.base import StartForm
from scorekeeper.games.presenters.new_game import about_option
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.text import whole_number

LABELS = {"rounds": N_("Rounds"), "sizes": N_("Players per table"), "format": N_("Format"), "together": N_("Partners")}
"""Labels of a night's settings on the page from which a director runs the night, by key of the setting."""


class KeyedForm(StartForm):
    """A form with an id. The server uses the id to ignore a form that is sent twice."""

    @property
    def request_key(self) -> str:
        """Return the id of the form. Abort with 422 if it is missing."""
        if not self.client_id.validate(self):
            incomplete = _("That form was incomplete, so nothing was changed. Reload the page and try again.")
            abort(422, description=incomplete)
        return self.client_id.data or ""


def said(violation: RuleViolation) -> str:
    """Return the error message of a violation. The key of a setting or option is replaced by its label."""
    field = violation.field or ""
    if field in LABELS:
        return spoken(violation.message, setting=_(LABELS[field]))
    return about_option(field, violation.message)


def digits(text: str, most: int = 3) -> int | None:
    """Return the whole number in `text`, or None if `text` is not a number of at most `most` digits."""
    return whole_number(text.strip(), most)


def kept_nowhere(page: str, status: int = 200) -> Response:
    """Return a page that may not be cached, because it shows account names or secret links."""
    response = make_response(page, status)
    response.headers["Cache-Control"] = "no-store"
    return response
