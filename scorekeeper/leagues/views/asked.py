"""What requests for a league's pages have in common."""

from __future__ import annotations

import re

from flask import Response, abort, make_response, request

from scorekeeper.games.forms import TAP_ID
from scorekeeper.language import _
from scorekeeper.rules.violation import RuleViolation


def digits(text: str, most: int = 3) -> int | None:
    """Return the number that `text` is in at most `most` digits, None where it is none."""
    told = text.strip()
    return int(told) if told.isascii() and told.isdigit() and len(told) <= most else None


def tap_id() -> str:
    """Return the id of the tap that sent this form; 422 where it has none."""
    told = request.form.get("client_id", "")
    if not re.match(TAP_ID, told):
        abort(422, description=_("That form was not whole. Nothing was changed."))
    return told


def chosen(field: str) -> str:
    """Return what was chosen in a field; raises `RuleViolation` where nothing was."""
    told = request.form.get(field, "")
    if not told:
        raise RuleViolation("choice_missing", "Choose one first. Nothing was changed.", field=field)
    return told


def kept_nowhere(page: str, status: int = 200) -> Response:
    """Return a page that no cache keeps: names of accounts, or words that open something, stand on it."""
    response = make_response(page, status)
    response.headers["Cache-Control"] = "no-store"
    return response
