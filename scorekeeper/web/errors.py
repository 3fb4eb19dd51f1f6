"""Show error pages that say what went wrong, whether anything was saved, and what to do next."""

import secrets
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, make_response, render_template, request
from flask_wtf.csrf import CSRFError
from msgspec import Struct, structs
from sqlalchemy.exc import InterfaceError, OperationalError
from werkzeug.exceptions import BadHost, HTTPException

from scorekeeper.db.outages import (
    FileGoneError,
    MaintenanceError,
    OtherVersionError,
    UncertainCommitError,
    is_outage,
    is_read_only,
)
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.web.extensions import end_session
from scorekeeper.web.headers import UnknownName
from scorekeeper.web.request_log import path_for_log, refused_because


class Way(Struct, frozen=True):
    """A link on an error page: its label and its address."""

    label: str
    address: str


class Problem(Struct, frozen=True):
    """The English text of an error page."""

    heading: str
    says: str
    """What happened, in one sentence."""
    advice: str
    """What to do next; empty if `says` already contains it."""


class ShownError(Struct, frozen=True):
    """All that an error page shows. It is kept in an address (`error_answers`), so it must not hold a secret."""

    problem: Problem
    status: int
    number: str = ""
    """Number of the error's log entry, or "" if nothing was logged."""
    back: str = ""
    """Path of the page to go back to, or "" if it is unknown."""
    on: Way | None = None
    """An additional link, shown before the links back."""


class ErrorPage(Response):
    """A response that is an error page."""

    def __init__(self, page: str, told: ShownError) -> None:
        super().__init__(page, told.status)
        self.told = told


PROBLEMS = {
    400: Problem(
        N_("That didn't go through"),
        N_("The page sent something we couldn't read."),
        N_("Go back and try again."),
    ),
    403: Problem(
        N_("You can't do that from this phone"),
        N_("This phone doesn't have permission. Use the phone that started the game."),
        "",
    ),
    404: Problem(N_("Page not found"), N_("There's nothing at this address."), N_("Check the address and try again.")),
    405: Problem(
        N_("Wrong address"), N_("This page opens only from another page."), N_("Go back to the page you came from.")
    ),
    409: Problem(N_("The game has moved on"), N_("Someone else just changed the game."), N_("See how it stands now.")),
    413: Problem(
        N_("Too much at once"),
        N_("That's more than one page can send. Nothing was saved."),
        N_("Go back and shorten it."),
    ),
    422: Problem(
        N_("That doesn't work"), N_("The rules don't allow that. Nothing was saved."), N_("Go back and check it.")
    ),
    429: Problem(
        N_("Slow down"),
        N_("Too many requests from here."),
        N_("Wait a moment, then go back and try again. Nothing was saved."),
    ),
    500: Problem(
        N_("Something went wrong"),
        N_("It's our mistake, not yours. Nothing was saved."),
        N_("Go back and try again. Everything saved earlier is safe."),
    ),
    503: Problem(
        N_("The server is busy"),
        N_("It can't use its database right now. Nothing was saved."),
        N_(
            "Go back and try again in a moment. If that doesn't help, ask the person who runs the server to check "
            "whether its disk is full."
        ),
    ),
}
"""Maps HTTP statuses to the texts of their error pages. Any other status has the text of 400 or 500."""

FORM_TOO_OLD = Problem(
    N_("Please send that again"),
    N_("The page was out of date. Nothing was saved."),
    N_("Go back, reload the page and enter it again. If this keeps happening, allow cookies for this site."),
)

UNKNOWN_NAME = Problem(
    N_("Unknown address"),
    N_("Scorekeeper doesn't know the name in this address."),
    N_(
        "Use the address that Scorekeeper printed when it started. The person who runs the server can add this name "
        "to its settings."
    ),
)

FILE_GONE = Problem(
    N_("The database file is gone"),
    N_("Nothing was saved. Someone moved, deleted or replaced the file on the server."),
    N_("Tell the person who runs the server not to stop it. OPERATING.md explains how to get the file back."),
)

OTHER_VERSION = Problem(
    N_("This server is out of date"),
    N_("Nothing was saved. A newer version has changed the database."),
    N_("Go back and try again in a minute. If that doesn't help, the person who runs this server must update it."),
)

READ_ONLY = Problem(
    N_("Nothing can be saved right now"),
    N_("The database is taking no changes at the moment. Nothing was saved, but you can still look."),
    N_("Go back and try again in a minute. Phones keep their hands and send them later."),
)

MAINTENANCE = Problem(
    N_("Saving is paused"),
    N_("The person who runs this server is working on it. You can still look."),
    N_("Nothing was saved. Go back and try again later. Phones keep their hands and send them later."),
)

UNCERTAIN = Problem(
    N_("This may have been saved"),
    N_("The connection to the database was lost at the last moment."),
    N_("Go back, reload the page and look. If the change isn't there, make it again."),
)

OUT_OF_ORDER: dict[type[Exception], Problem] = {
    FileGoneError: FILE_GONE,
    OtherVersionError: OTHER_VERSION,
    MaintenanceError: MAINTENANCE,
    UncertainCommitError: UNCERTAIN,
}
"""Maps exception classes of the database layer to the texts of their error pages."""

RETRY_SECONDS = "2"

API = "/api/"
"""Beginning of the paths where errors are JSON, as programs expect."""

LAST_RESORT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{0.heading}</title></head>
<body><main id="main"><h1>{0.heading}</h1><p>{0.says}</p><p>{0.advice}</p>
<p><a href="/">All games</a></p></main></body></html>
"""


def connect(app: Flask) -> None:
    """Show our error pages for all errors of `app`."""
    app.register_error_handler(HTTPException, expected)
    app.register_error_handler(CSRFError, form_too_old)
    app.register_error_handler(UnknownName, unknown_name)
    app.register_error_handler(Exception, unforeseen)


def expected(error: HTTPException) -> Response:
    """Return the page for an HTTP error. A description passed to `abort` replaces the page's first sentence."""
    status = error.code or 500
    problem = PROBLEMS.get(status) or PROBLEMS[500 if status >= 500 else 400]
    if error.description and error.description != type(error).description:
        problem = structs.replace(problem, says=error.description)
    response = _answer(problem, status)
    for name, value in error.get_headers(request.environ):
        if name.lower() not in {"content-type", "content-length"}:
            response.headers.set(name, value)
    return response


def form_too_old(_error: CSRFError) -> Response:
    """Return the page for a form that has no token, a wrong token, or the token of another session."""
    refused_because("form without its token")
    return _answer(FORM_TOO_OLD, 400)


def unknown_name(_error: UnknownName) -> Response:
    """Return the page for a request with a host name that isn't ours. For an invalid name, the page is plain text."""
    refused_because("unknown host")
    if isinstance(request.routing_exception, BadHost):  # such a page can't contain links
        return make_response(LAST_RESORT.format(UNKNOWN_NAME), 400)
    return _answer(UNKNOWN_NAME, 400)


def unforeseen(error: Exception) -> Response:
    """Log an unexpected `error`, and return an error page that shows only the number of the log entry.

    If the database doesn't answer or refuses to write, the page says so. In tests, any other `error` is raised again.
    """
    if isinstance(error, OperationalError | InterfaceError) or is_outage(error):
        return out_of_order(error)
    if current_app.testing:
        raise error
    return _answer(PROBLEMS[500], 500, log(error))


def out_of_order(error: Exception) -> Response:
    """Log a database error and return the page for it, with status 503.

    In maintenance mode, nothing is logged, and the page has the operator's sentence if there is one.
    """
    if not isinstance(error, MaintenanceError):
        log(error)
    end_session()  # the page may run queries itself
    usual = READ_ONLY if is_read_only(error) else PROBLEMS[503]
    problem = next((page for kind, page in OUT_OF_ORDER.items() if isinstance(error, kind)), usual)
    if isinstance(error, MaintenanceError) and error.because:
        problem = structs.replace(problem, says=error.because)
    response = _answer(problem, 503)
    response.headers["Retry-After"] = RETRY_SECONDS
    return response


def _answer(problem: Problem, status: int, number: str = "") -> Response:
    """Return the page for `problem`, as `error_page` does. Below `API`, return its sentence as JSON instead."""
    if not request.path.startswith(API):
        return error_page(problem, status, number)
    response = make_response({"error": _(problem.says)}, status)
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


def log(error: Exception) -> str:
    """Log `error` with its traceback and a new number. Return the number, eight hex digits."""
    number = secrets.token_hex(4)
    current_app.logger.error("Error %s: %s %s", number, request.method, path_for_log(), exc_info=error)
    return number


def error_page(problem: Problem, status: int, number: str = "", on: Way | None = None) -> Response:
    """Return the page for `problem` with this `status`.

    `number` is the number of the error's log entry, or "" if nothing was logged. `on` is an additional link, shown
    before the links back, or None.
    """
    return page_of(ShownError(problem, status, number, way_back(), on))


def page_of(told: ShownError) -> ErrorPage:
    """Return the page that shows `told`, in the reader's language."""
    problem = told.problem
    try:
        shown = Problem(_(problem.heading), _(problem.says), problem.advice and _(problem.advice))
        page = render_template("web/error.html", problem=shown, number=told.number, back=told.back, on=told.on)
    except Exception as error:
        if current_app.testing:
            raise
        log(error)
        page = LAST_RESORT.format(problem)
    return ErrorPage(page, told)


def way_back() -> str:
    """Return the path of the page that sent this request, or "" if it is unknown or not a page of this server."""
    try:
        came_from = urlsplit(request.referrer or "")
    except ValueError:  # an unclosed bracket
        return ""
    if came_from.netloc != request.host or came_from.path[:1] != "/" or came_from.path[:2] == "//":
        return ""
    path = came_from.path + (f"?{came_from.query}" if came_from.query else "")
    return "" if came_from.path == request.path and request.method == "GET" else path
