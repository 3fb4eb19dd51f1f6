"""Mark pages that are the same for everyone, so that the server makes each version of them once."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from flask import Response, make_response, request

from scorekeeper.web.assets import current_version
from scorekeeper.web.locale import page_language
from scorekeeper.web.rate_limit import PAGES, spend, surroundings
from scorekeeper.web.request_log import PATH, ROUTE

SHARED = "scorekeeper.shared"
"""Key in a request's ASGI scope for the `Shared` of its page."""

FIRST = "scorekeeper.first"
"""Key in a request's ASGI scope for whether its page is open to all and the server has no older version of it.

Making it then counts for the client. Pages that changed don't: how often they do isn't up to who reads them.
"""


class Look(NamedTuple):
    """A cheap query for the current version of a page; if the version has changed, the cached page is out of date."""

    ask: Callable[..., str]
    arguments: tuple[object, ...]


class Shared(NamedTuple):
    """The data the server needs to reuse a page.

    `look` asks for the page's current version, `version` is that of the cached page, and `route` and `path` are for the
    log and metrics.
    """

    look: Look
    version: str
    route: str
    path: str


def shared(ask: Callable[..., str], *arguments: object, draw: Callable[[str], str | bytes]) -> Response:
    """Return the page that `draw` makes from its version, or 304 if the browser has it.

    `ask(*arguments)` returns the version. It runs before the page is drawn, so that no page counts as newer than it is,
    and again whenever the server reuses the page (`server.shared_pages`). Its exceptions are raised here. Aborts
    with 429 for a client who asked for too many pages that weren't cached.
    """
    scope = request.environ.get("asgi.scope")
    if scope is not None and scope.get(FIRST):
        spend(PAGES, surroundings())
    version = ask(*arguments)
    if scope is not None:
        route, path = request.environ[ROUTE], request.environ[PATH]
        scope[SHARED] = Shared(Look(ask, arguments), version, route, path)
    etag = f"{version}-{page_language()}-{current_version()}"
    response = Response(status=304) if request.if_none_match.contains_weak(etag) else make_response(draw(version))
    response.set_etag(etag, weak=True)
    # Proxies may cache it, but must revalidate each time.
    response.headers["Cache-Control"] = "public, no-cache"
    return response
