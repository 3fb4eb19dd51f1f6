"""Give each request an id, and report it to the log and metrics without tokens.

Addresses that let their holder do something are secret, and refused requests are logged with the network only.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING
from urllib.parse import quote

from flask import request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from flask import Flask

log = logging.getLogger("scorekeeper.requests")
refusals = logging.getLogger("scorekeeper.refused")

REQUEST_ID = "scorekeeper.request_id"
ROUTE = "scorekeeper.route"
PATH = "scorekeeper.path"
"""Keys in the WSGI environment: the id, the route with its arguments' names ("" for none), and the path to log."""
GOOD_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
"""Form of a request id that a proxy may send."""
ARGUMENT = re.compile(r"<(?:[^:<>]+:)?([a-z_]+)>")
SECRET_ARGUMENTS = {"code", "key", "secret", "token", "word"}
"""Route arguments that are tokens."""
UNKNOWN = "(no such page)"
"""In place of an unknown path: it may be a mistyped token."""
SECRET = re.compile(
    r"(/score/|/account/opening/|/invitations/|/nights/[^/\s?#\"]+/cards/[0-9]+/|/leagues/[^/\s?#\"]+/direct/"
    r"|/t/|/table/join/|/mail/[a-z]+/|/me/[^/\s?#\"]+/(?:calendar/)?)[^\s/?#\"]+"
)
"""Paths that end in a token: score link, link to a home table, account link, invitation, table card and its short
address, link that hands a league over, link in a mail, personal link and calendar."""

WHY = "scorekeeper.refused"
REFUSED = {400: "bad request", 403: "not allowed", 429: "too often"}
"""Statuses of refused requests: not allowed, too many, or a foreign form."""
WRONG_LINK = "wrong link"


def connect(app: Flask) -> None:
    """Give each request of `app` an id and report it to `app.config["REQUEST_LOG"]` and `app.extensions["metrics"]`.

    Connect before the proxy middleware, so that its client address is used here, too.
    """
    app.config.setdefault("REQUEST_LOG", False)
    app.before_request(note_route)
    inner: Any = told(app, app.wsgi_app, believe_ids=app.config["PROXIES"] > 0)
    app.wsgi_app = inner  # type: ignore[method-assign]


def told(app: Flask, answer: WSGIApplication, *, believe_ids: bool) -> WSGIApplication:
    """Wrap the WSGI application `answer`: give each request and response an id, and report it to log and metrics."""

    def answer_and_tell(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        began = time.perf_counter()
        number = environ[REQUEST_ID] = id_for(environ.get("HTTP_X_REQUEST_ID", ""), believe=believe_ids)
        statuses = []

        def start(status: str, headers: list[tuple[str, str]], *failed: Any) -> Any:
            statuses.append(int(status[:3]))
            return start_response(status, [*headers, ("X-Request-Id", number)], *failed)

        body = answer(environ, start)
        if statuses:
            tell(app, environ, statuses[-1], time.perf_counter() - began)
        return body

    return answer_and_tell


def tell(app: Flask, environ: WSGIEnvironment, status: int, seconds: float) -> None:
    """Report a finished request to the request log and the metrics, if they are on."""
    if app.config["REQUEST_LOG"]:
        write(environ, status, seconds)
    if is_refusal(environ, status):
        write_refusal(environ, status)
    count: Callable[[str, str, int, float], None] | None = app.extensions.get("metrics")
    if count:
        count(environ.get(ROUTE, ""), environ["REQUEST_METHOD"], status, seconds)


def id_for(given: str, *, believe: bool) -> str:
    """Return the id that a trusted proxy gave the request, else a new one of 16 digits."""
    return given if believe and GOOD_ID.fullmatch(given) else new_id()


def new_id() -> str:
    """Return 16 hexadecimal digits."""
    return secrets.token_hex(8)


def note_route() -> None:
    """Remember the route and the path of this request for the log."""
    request.environ[ROUTE] = request.url_rule.rule if request.url_rule else ""
    request.environ[PATH] = path_for_log()


def path_for_log() -> str:
    """Return the path of the request without tokens and without the query."""
    if request.url_rule is None:
        return UNKNOWN
    given = request.view_args or {}

    def one(found: re.Match[str]) -> str:
        name = found[1]
        return "..." if name in SECRET_ARGUMENTS else quote(str(given.get(name, "")), safe="/")

    return ARGUMENT.sub(one, request.url_rule.rule)


def is_secret(path: str) -> bool:
    """Return whether `path` contains a token that lets its holder do something."""
    return SECRET.match(path) is not None or path.startswith("/score/")


def without_secrets(text: str) -> str:
    """Return `text`, an address or a log line, with dots in place of tokens."""
    return SECRET.sub(r"\1...", text)


def network(address: str) -> str:
    """Return the network of an address, like "192.0.2.0/24" or "2001:db8:1::/48"; "" if it isn't an address."""
    try:
        known = ip_address(address)
    except ValueError:
        return ""
    if isinstance(known, IPv6Address):
        known = known.ipv4_mapped or known
    return str(ip_network((str(known), 24 if known.version == 4 else 48), strict=False))


def refused_because(why: str) -> None:
    """Remember for the log the reason why this request is refused: fixed words, never input."""
    request.environ[WHY] = why


def is_refusal(environ: WSGIEnvironment, status: int) -> bool:
    """Return whether the request was refused, or its token was wrong, which may be a guess."""
    return WHY in environ or status in REFUSED or (status == 404 and is_secret(environ.get("PATH_INFO", "")))


def write_refusal(environ: WSGIEnvironment, status: int) -> None:
    """Log a refused request, with the network in place of the address."""
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
    """Log a request."""
    told = {
        "request": environ[REQUEST_ID],
        "client": environ.get("REMOTE_ADDR", ""),
        "method": environ["REQUEST_METHOD"],
        "path": environ.get(PATH, UNKNOWN),
        "status": status,
        "milliseconds": round(seconds * 1000, 1),
    }
    log.info("%(client)s %(method)s %(path)s %(status)s %(milliseconds)s ms", told, extra={"told": told})
