"""The blueprint of all pages of leagues, and what they answer when something is not there or not allowed."""

from __future__ import annotations

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound, UnprocessableEntity

from scorekeeper.accounts.devices import send_device
from scorekeeper.accounts.sessions import send_session
from scorekeeper.language import N_, _, spoken
from scorekeeper.leagues.access import NoSuchLeagueError, NotAllowedError
from scorekeeper.leagues.roles import Role
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.errors import Problem, error_page, expected

bp = Blueprint("leagues", __name__)
bp.after_request(send_session)
bp.after_request(send_device)

NOTES = frozenset(
    f"leagues.{view}"
    for view in ("people", "person", "change_person", "merge_person", "make_anonymous", "person_file", "archive")
)
"""Where the director sees what nobody else may: notes on people."""


@bp.after_request
def keep_notes_nowhere(response: Response) -> Response:
    """Return `response` so that no cache keeps what a director reads about people."""
    if request.endpoint in NOTES:
        response.headers["Cache-Control"] = "no-store"
    return response


GONE = N_("There is no league page at this address.")
WAY_ON = N_("Use the computer or phone that made the league, or sign in to your account.")
NOT_ALLOWED = {
    role: Problem(N_("Not from this phone"), says, WAY_ON)
    for role, says in (
        (Role.HELPER, N_("Only the helpers and directors of this league can do that.")),
        (Role.DIRECTOR, N_("Only a director of this league can do that.")),
        (Role.OWNER, N_("Only an owner of this league can do that.")),
    )
}


@bp.errorhandler(NoSuchLeagueError)
def no_such_league(error: NoSuchLeagueError) -> Response:
    return expected(NotFound(description=_(GONE)))


@bp.errorhandler(NotAllowedError)
def not_allowed(error: NotAllowedError) -> Response:
    return error_page(NOT_ALLOWED[error.need], 403)


@bp.errorhandler(RuleViolation)
def refused(violation: RuleViolation) -> Response:
    return expected(UnprocessableEntity(description=spoken(violation.message)))
