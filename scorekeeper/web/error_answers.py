"""Give each error page that answers a form an address that GET can open, so that Back and reload show the page again.

Form pages get such an address from `form_answers`, which needs the database and a cookie. An error page must do without
both: they may be what is missing. So everything that it shows is in its address, encrypted, and the redirect leads to
the page of the form with that in its query. After an hour, the same address shows the plain page.
"""

from __future__ import annotations

import hmac
import json
import zlib
from base64 import urlsafe_b64encode
from dataclasses import asdict
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from cryptography.fernet import Fernet, InvalidToken
from flask import request

from scorekeeper.web.errors import ErrorPage, Problem, ShownError, Way, page_of
from scorekeeper.web.extensions import installation_key
from scorekeeper.web.form_answers import LASTS, PROBLEM, address_of_form, is_sent_by_browser
from scorekeeper.web.request_log import OUTCOME

if TYPE_CHECKING:
    from flask import Flask, Response

LONGEST = 4_000
"""Most characters in an encrypted page. One with more text stays where it is, since long addresses are refused."""
WAIT = "Retry-After"


def connect(app: Flask) -> None:
    """Redirect from the forms of `app` to their error pages.

    Connect this after `form_answers`, so that it sees a response first.
    """
    app.before_request(error_again)
    app.after_request(leave_form)


def leave_form(response: Response) -> Response:
    """If `response` is an error page for a form that a browser sent, turn it into a redirect to the page's address.

    Scripts and programs, which don't ask for HTML by name, get the page itself. The log and the metrics still have the
    status of the error.
    """
    if not isinstance(response, ErrorPage) or not is_sent_by_browser():
        return response
    told = json.dumps([asdict(response.told), response.headers.get(WAIT, "")])
    token = _cipher().encrypt(zlib.compress(told.encode())).decode()
    if len(token) > LONGEST:
        return response
    request.environ[OUTCOME] = response.status_code
    address = address_of_form()
    response.status_code = HTTPStatus.SEE_OTHER
    response.location = f"{address}{'&' if '?' in address else '?'}{urlencode({PROBLEM: token})}"
    response.set_data(b"")
    response.headers.remove(WAIT)
    response.headers.remove("Allow")
    return response


def error_again() -> Response | None:
    """Return the error page that is in this request's address, or None if there is none or if it is too old."""
    token = request.args.get(PROBLEM, "")
    if request.method != "GET" or not token:
        return None
    try:
        text = zlib.decompress(_cipher().decrypt(token.encode(), ttl=int(LASTS.total_seconds())))
    except InvalidToken:
        return None
    told, wait = json.loads(text)
    problem, on = Problem(**told.pop("problem")), told.pop("on")
    response = page_of(ShownError(problem, on=Way(**on) if on else None, **told))
    if wait:
        response.headers[WAIT] = wait
    # The error was reported when the form was sent.
    request.environ[OUTCOME] = HTTPStatus.OK.value
    response.headers["X-Part"] = "answer"
    return response


def _cipher() -> Fernet:
    """Return what encrypts error pages."""
    return Fernet(urlsafe_b64encode(hmac.digest(installation_key().encode(), PROBLEM.encode(), "sha256")))
