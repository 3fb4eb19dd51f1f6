"""Pages that are the same for everybody: made once for each change, and cheap to ask for while nothing changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from flask import Response, make_response, request

from scorekeeper.web.assets import current_version
from scorekeeper.web.locale import page_language
from scorekeeper.web.request_log import PATH, ROUTE

SHARED = "scorekeeper.shared"
"""Key in the ASGI scope of a request: the `Shared` that its page was made from."""


class Look(NamedTuple):
    """A cheap question about the data: another answer means that a page made from it is out of date."""

    ask: Callable[..., str]
    arguments: tuple[object, ...]


class Shared(NamedTuple):
    """What a page depends on, and how the log and the figures name the request for it."""

    look: Look
    version: str
    route: str
    path: str


def shared(ask: Callable[..., str], *arguments: object, draw: Callable[[str], str | bytes]) -> Response:
    """Return the page that `draw` makes of its version, or 304 to a browser that has it already.

    `ask(*arguments)` gives the version of the page. It is asked before the page is drawn, so that a page is never
    taken for newer than it is, and by the server whenever it answers with the same page again (`server.shared_pages`).
    What it raises where there is nothing to see any more is raised here.
    """
    version = ask(*arguments)
    scope = request.environ.get("asgi.scope")
    if scope is not None:
        route, path = request.environ[ROUTE], request.environ[PATH]
        scope[SHARED] = Shared(Look(ask, arguments), version, route, path)
    etag = f"{version}-{page_language()}-{current_version()}"
    response = Response(status=304) if request.if_none_match.contains_weak(etag) else make_response(draw(version))
    response.set_etag(etag, weak=True)
    # Whoever stands between may keep it, but asks each time.
    response.headers["Cache-Control"] = "public, no-cache"
    return response
