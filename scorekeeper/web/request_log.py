"""Every request has an id, and is told to the log and the metrics where they are wanted: never with what is secret.

Secret are addresses by which somebody may do something; and of who asks only the network is kept.
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
"""Keys in the WSGI environment: the id, the route with its arguments' names ("" where there is none), and the path
that a log may hold."""
GOOD_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
"""What a proxy may call a request."""
ARGUMENT = re.compile(r"<(?:[^:<>]+:)?([a-z_]+)>")
SECRET_ARGUMENTS = {"code", "key", "secret", "token", "word"}
"""Arguments of routes by which somebody is let in."""
UNKNOWN = "(no such page)"
"""Stands for an address that leads nowhere: it may be a secret one that was typed wrong."""
SECRET = re.compile(
    r"(/score/|/account/opening/|/invitations/|/nights/[^/\s?#\"]+/cards/[0-9]+/|/leagues/[^/\s?#\"]+/direct/)[^\s/?#\"]+"
)
"""A score link, what opens an account, an invitation, the card of a table, and what hands a league over: what comes
last is secret.
"""

WHY = "scorekeeper.refused"
REFUSED = {400: "bad request", 403: "not allowed", 429: "too often"}
"""Answers to who may not do something, does it too often, or sends a form that is not of a page of ours."""
WRONG_LINK = "wrong link"


def connect(app: Flask) -> None:
    """Give every request of `app` an id and let it be told: `app.config["REQUEST_LOG"]`, `app.extensions["metrics"]`.

    Connected before the proxies, whose word on who asked then counts here too.
    """
    app.config.setdefault("REQUEST_LOG", False)
    app.before_request(note_route)
    inner: Any = told(app, app.wsgi_app, believe_ids=app.config["PROXIES"] > 0)
    app.wsgi_app = inner  # type: ignore[method-assign]


def told(app: Flask, answer: WSGIApplication, *, believe_ids: bool) -> WSGIApplication:
    """Return `answer` with an id for each request, in its answer too, and with whoever wants to know told of it."""

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
    """Tell the log and the figures, where they are wanted, how a request was answered."""
    if app.config["REQUEST_LOG"]:
        write(environ, status, seconds)
    if is_refusal(environ, status):
        write_refusal(environ, status)
    count: Callable[[str, str, int, float], None] | None = app.extensions.get("metrics")
    if count:
        count(environ.get(ROUTE, ""), environ["REQUEST_METHOD"], status, seconds)


def id_for(given: str, *, believe: bool) -> str:
    """Return the id that a proxy gave the request, where proxies are believed, else a new one of 16 digits."""
    return given if believe and GOOD_ID.fullmatch(given) else new_id()


def new_id() -> str:
    """Return 16 hexadecimal digits."""
    return secrets.token_hex(8)


def note_route() -> None:
    """Keep for the end of the request where it leads, and what of its path a log may hold."""
    request.environ[ROUTE] = request.url_rule.rule if request.url_rule else ""
    request.environ[PATH] = path_for_log()


def path_for_log() -> str:
    """Return the path of the request without what is secret, and without what follows a question mark."""
    if request.url_rule is None:
        return UNKNOWN
    given = request.view_args or {}

    def one(found: re.Match[str]) -> str:
        name = found[1]
        return "..." if name in SECRET_ARGUMENTS else quote(str(given.get(name, "")), safe="/")

    return ARGUMENT.sub(one, request.url_rule.rule)


def is_secret(path: str) -> bool:
    """Return whether the address `path` is a secret: who has it may do something."""
    return SECRET.match(path) is not None or path.startswith("/score/")


def without_secrets(text: str) -> str:
    """Return `text`, an address or a line for a log, with dots for what is secret in it."""
    return SECRET.sub(r"\1...", text)


def network(address: str) -> str:
    """Return the network of an address, as "192.0.2.0/24" or "2001:db8:1::/48"; empty for what is no address."""
    try:
        known = ip_address(address)
    except ValueError:
        return ""
    if isinstance(known, IPv6Address):
        known = known.ipv4_mapped or known
    return str(ip_network((str(known), 24 if known.version == 4 else 48), strict=False))


def refused_because(why: str) -> None:
    """Keep for the log that this request is refused, and why: some words of ours, never what was sent."""
    request.environ[WHY] = why


def is_refusal(environ: WSGIEnvironment, status: int) -> bool:
    """Return whether somebody was refused; with a secret address that opens nothing too: it may have been guessed."""
    return WHY in environ or status in REFUSED or (status == 404 and is_secret(environ.get("PATH_INFO", "")))


def write_refusal(environ: WSGIEnvironment, status: int) -> None:
    """Write a line to the log of what was refused, with no more of the address than its network."""
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
    """Write a line to the log of requests."""
    told = {
        "request": environ[REQUEST_ID],
        "client": environ.get("REMOTE_ADDR", ""),
        "method": environ["REQUEST_METHOD"],
        "path": environ.get(PATH, UNKNOWN),
        "status": status,
        "milliseconds": round(seconds * 1000, 1),
    }
    log.info("%(client)s %(method)s %(path)s %(status)s %(milliseconds)s ms", told, extra={"told": told})
