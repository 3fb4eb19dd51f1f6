"""The blueprint of all pages of leagues, and what they answer when something is not there or not allowed."""

from __future__ import annotations

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound, UnprocessableEntity

from scorekeeper.accounts.devices import send_device
from scorekeeper.language import N_, _, spoken
from scorekeeper.leagues.access import NoSuchLeagueError, NotDirectorError
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.errors import Problem, error_page, expected

bp = Blueprint("leagues", __name__)
bp.after_request(send_device)

GONE = N_("There is no league page at this address.")
NOT_DIRECTOR = Problem(
    N_("Not from this phone"),
    N_("Only the director of this league can do that."),
    N_("Use the computer or phone that made the league."),
)


@bp.errorhandler(NoSuchLeagueError)
def no_such_league(error: NoSuchLeagueError) -> Response:
    return expected(NotFound(description=_(GONE)))


@bp.errorhandler(NotDirectorError)
def not_director(error: NotDirectorError) -> Response:
    return error_page(NOT_DIRECTOR, 403)


@bp.errorhandler(RuleViolation)
def refused(violation: RuleViolation) -> Response:
    return expected(UnprocessableEntity(description=spoken(violation.message)))
