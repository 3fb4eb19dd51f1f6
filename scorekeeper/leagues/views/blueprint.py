"""The blueprint of all pages of leagues, and what they answer when something is not there or not allowed."""

from __future__ import annotations

from flask import Blueprint, Response
from werkzeug.exceptions import Forbidden, NotFound, UnprocessableEntity

from scorekeeper.accounts.devices import send_device
from scorekeeper.language import N_, _, spoken
from scorekeeper.leagues.access import NoSuchLeagueError, NotDirectorError
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.errors import expected

bp = Blueprint("leagues", __name__)
bp.after_request(send_device)

GONE = N_("There is no league page at this address. See if it was typed right.")
NOT_DIRECTOR = N_("Only the director of this league can do that. Use the computer or phone that made the league.")


@bp.errorhandler(NoSuchLeagueError)
def no_such_league(error: NoSuchLeagueError) -> Response:
    return expected(NotFound(description=_(GONE)))


@bp.errorhandler(NotDirectorError)
def not_director(error: NotDirectorError) -> Response:
    return expected(Forbidden(description=_(NOT_DIRECTOR)))


@bp.errorhandler(RuleViolation)
def refused(violation: RuleViolation) -> Response:
    return expected(UnprocessableEntity(description=spoken(violation.message)))
