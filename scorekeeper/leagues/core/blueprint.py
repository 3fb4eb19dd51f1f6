"""Help read requests for league pages and respond to them.

Define the blueprint of all league pages, and their error pages.
"""

from flask import Blueprint, Response, abort, make_response, request, url_for
from werkzeug.exceptions import NotFound, UnprocessableEntity

from scorekeeper.accounts.devices import send_device
from scorekeeper.accounts.sessions import send_session, this_session
from scorekeeper.games.forms.base import StartForm
from scorekeeper.games.presenters.new_game import about_option
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.leagues.core.access import NoSuchLeagueError, NotAllowedError, TurnedOffError
from scorekeeper.leagues.core.roles import Role
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.web.errors import Problem, Way, error_page, expected, way_back
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


bp = Blueprint("leagues", __name__)
bp.after_request(send_session)
bp.after_request(send_device)

NOTES = frozenset(
    f"leagues.{view}"
    for view in ("people", "person", "change_person", "merge_person", "make_anonymous", "person_file", "archive")
)
"""Endpoints of the pages on which owners see notes on people."""


@bp.after_request
def keep_notes_nowhere(response: Response) -> Response:
    """Keep browsers from caching pages that show notes on people."""
    if request.endpoint in NOTES:
        response.headers["Cache-Control"] = "no-store"
    return response


GONE = N_("There's no league page at this address.")
WAY_ON = N_("Use the device that created the league, or sign in to your account.")
SIGNED_IN = N_("Your account can't do this. Ask an owner of the league to invite you.")
NEEDS = {
    Role.HELPER: N_("Only this league's helpers, directors and owners can do that."),
    Role.DIRECTOR: N_("Only a director of this league can do that."),
    Role.OWNER: N_("Only an owner of this league can do that."),
}


@bp.errorhandler(NoSuchLeagueError)
def no_such_league(error: NoSuchLeagueError) -> Response:
    return expected(NotFound(description=_(GONE)))


@bp.errorhandler(NotAllowedError)
def not_allowed(error: NotAllowedError) -> Response:
    """Return a 403 error page. If the reader is not signed in, the page has a link to sign in and return.

    The link helps a director whose session ended in the middle of a night.
    """
    says = NEEDS[error.need]
    if this_session() is not None:
        return error_page(Problem(N_("You can't do that with this account"), says, SIGNED_IN), 403)
    back = request.path if request.method == "GET" else way_back() or request.path
    door = Way(_("Sign in"), url_for("accounts.sign_in", back=back))
    return error_page(Problem(N_("You can't do that from this phone"), says, WAY_ON), 403, on=door)


@bp.errorhandler(TurnedOffError)
def turned_off(error: TurnedOffError) -> Response:
    """Return a 403 error page with the reason that the operator gave."""
    says = _("The person who runs this server turned this league off: %(reason)s", reason=error.because)
    return error_page(Problem(N_("This league is turned off"), says, N_("You can still read and download it.")), 403)


@bp.errorhandler(RuleViolation)
def refused(violation: RuleViolation) -> Response:
    return expected(UnprocessableEntity(description=said(violation)))
