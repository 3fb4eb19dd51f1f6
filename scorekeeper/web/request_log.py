"""Give each request an id, and report it to the log and metrics without revealing tokens.

Addresses that let anyone who has them do something are secret. A refused request is logged with the client's network
only.
"""

import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any
from urllib.parse import quote
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, request

log = logging.getLogger("scorekeeper.requests")
refusals = logging.getLogger("scorekeeper.refused")

REQUEST_ID = "scorekeeper.request_id"
ROUTE = "scorekeeper.route"
PATH = "scorekeeper.path"
"""`REQUEST_ID`, `ROUTE` and `PATH` are keys in the WSGI environment.

Their values are the request's id, its route with the names of its arguments ("" for none), and the path to log.
"""
OUTCOME = "scorekeeper.outcome"
"""Key in the WSGI environment: the status to report if it isn't the one that is sent, because of a redirect."""
GOOD_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
"""Pattern of a request id that is accepted from a proxy."""
ARGUMENT = re.compile(r"<(?:[^:<>]+:)?([a-z_]+)>")
SECRET_ARGUMENTS = {"code", "key", "secret", "token", "word"}
"""Names of route arguments that are tokens."""
UNKNOWN = "(no such page)"
"""Text logged in place of a path without a page, since it may be a mistyped token."""
SECRET = re.compile(
    r"(/score/|/account/opening/|/invitations/|/nights/[^/\s?#\"]+/cards/[0-9]+/|/leagues/[^/\s?#\"]+/direct/"
    r"|/t/|/table/join/|/mail/[a-z]+/|/me/[^/\s?#\"]+/(?:calendar/)?)[^\s/?#\"]+"
)
"""Pattern of paths that end in a token.

They are: score link, account link, invitation, table card and its short address, link that hands a league over, link to
a home table, link in a mail, personal link and calendar.
"""

WHY = "scorekeeper.refused"
REFUSED = {400: "bad request", 403: "not allowed", 429: "too often"}
"""Maps the HTTP statuses of refused requests to the reason to log if no other reason is known."""
WRONG_LINK = "wrong link"


def connect(app: Flask) -> None:
    """Give each request to `app` an id, and report it to the request log and the metrics if these are on.

    Call this before the proxy middleware is added, so that the log has the client address that the middleware finds.
    """
    app.config.setdefault("REQUEST_LOG", False)
    app.before_request(note_route)
    inner: Any = told(app, app.wsgi_app, believe_ids=app.config["PROXIES"] > 0)
    app.wsgi_app = inner  # type: ignore[method-assign]


def told(app: Flask, answer: WSGIApplication, *, believe_ids: bool) -> WSGIApplication:
    """Wrap the WSGI application `answer` so that each request gets an id and is reported to the log and metrics.

    With `believe_ids`, a request keeps the id that a proxy gave it.
    """

    def answer_and_tell(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        began = time.perf_counter()
        number = environ[REQUEST_ID] = id_for(environ.get("HTTP_X_REQUEST_ID", ""), believe=believe_ids)
        statuses = []

        def start(status: str, headers: list[tuple[str, str]], *failed: Any) -> Any:
            statuses.append(int(status[:3]))
            return start_response(status, [*headers, ("X-Request-Id", number)], *failed)

        body = answer(environ, start)
        if statuses:
            tell(app, environ, environ.get(OUTCOME, statuses[-1]), time.perf_counter() - began)
        return body

    return answer_and_tell


def tell(app: Flask, environ: WSGIEnvironment, status: int, seconds: float) -> None:
    """Report a finished request to the request log and the metrics if these are on. A refused request is always logged.

    `seconds` is how long the request took.
    """
    if app.config["REQUEST_LOG"]:
        write(environ, status, seconds)
    if is_refusal(environ, status):
        write_refusal(environ, status)
    count: Callable[[str, str, int, float], None] | None = app.extensions.get("metrics")
    if count:
        count(environ.get(ROUTE, ""), environ["REQUEST_METHOD"], status, seconds)


def id_for(given: str, *, believe: bool) -> str:
    """Return the request id `given` if `believe` is true and the id is valid. Otherwise return a new id."""
    return given if believe and GOOD_ID.fullmatch(given) else new_id()


def new_id() -> str:
    """Return a new request id, 16 random hex digits."""
    return secrets.token_hex(8)


def note_route() -> None:
    """Store the route and the path of this request for the log."""
    request.environ[ROUTE] = request.url_rule.rule if request.url_rule else ""
    request.environ[PATH] = path_for_log()


def path_for_log() -> str:
    """Return the path of this request, with dots in place of tokens and without the query."""
    if request.url_rule is None:
        return UNKNOWN
    given = request.view_args or {}

    def one(found: re.Match[str]) -> str:
        name = found[1]
        return "..." if name in SECRET_ARGUMENTS else quote(str(given.get(name, "")), safe="/")

    return ARGUMENT.sub(one, request.url_rule.rule)


def is_secret(path: str) -> bool:
    """Return whether `path` contains a secret token, which gives access to anyone who has it."""
    return SECRET.match(path) is not None or path.startswith("/score/")


def without_secrets(text: str) -> str:
    """Return `text`, an address or a log line, with dots in place of secret tokens."""
    return SECRET.sub(r"\1...", text)


def network(address: str) -> str:
    """Return the network of an IP address, like "192.0.2.0/24" or "2001:db8:1::/48", or "" if `address` is invalid."""
    try:
        known = ip_address(address)
    except ValueError:
        return ""
    if isinstance(known, IPv6Address):
        known = known.ipv4_mapped or known
    return str(ip_network((str(known), 24 if known.version == 4 else 48), strict=False))


def refused_because(why: str) -> None:
    """Store for the log why this request is refused. `why` is always a fixed text, never user input."""
    request.environ[WHY] = why


def is_refusal(environ: WSGIEnvironment, status: int) -> bool:
    """Return whether the request was refused, or had a wrong token in its path, which may be a guess."""
    return WHY in environ or status in REFUSED or (status == 404 and is_secret(environ.get("PATH_INFO", "")))


def write_refusal(environ: WSGIEnvironment, status: int) -> None:
    """Log a refused request. The client's address is replaced by its network."""
    told = {
        "request": environ[REQUEST_ID],
        "why": environ.get(WHY) or REFUSED.get(status, WRONG_LINK),
        "network": network(environ.get("REMOTE_ADDR", "")),
        "method": environ["REQUEST_METHOD"],
        "path": environ.get(PATH, UNKNOWN),
        "status": status,
    }
    refusals.warning("Refused (%(why)s): %(network)s %(method)s %(path)s %(status)s", told, extra={"told": told})


def write(environ: WSGIEnvironment, status: int, seconds: float) -> None:
    """Log a finished request. `seconds` is how long the request took."""
    told = {
        "request": environ[REQUEST_ID],
        "client": environ.get("REMOTE_ADDR", ""),
        "method": environ["REQUEST_METHOD"],
        "path": environ.get(PATH, UNKNOWN),
        "status": status,
        "milliseconds": round(seconds * 1000, 1),
    }
    log.info("%(client)s %(method)s %(path)s %(status)s %(milliseconds)s ms", told, extra={"told": told})
