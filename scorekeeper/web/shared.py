"""Mark pages that are the same for everyone, so that the server makes each version of a page only once.

Keep parts of pages that are the same in many pages, such as a line of a score sheet.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from flask import Flask, Response, make_response, request
from jinja2.runtime import Macro

from scorekeeper.web.assets import current_version
from scorekeeper.web.links import is_file
from scorekeeper.web.locale import page_language
from scorekeeper.web.rate_limit import PAGES, spend, surroundings
from scorekeeper.web.request_log import PATH, ROUTE

SHARED = "scorekeeper.shared"
"""Key in a request's ASGI scope; the value is the `Shared` of its page."""

FIRST = "scorekeeper.first"
"""Key in a request's ASGI scope.

The value is True for a page of an open club (a league with public pages) if the cache has no older version of the page.
Making such a page counts toward the client's limit. Making a new version of a cached page doesn't count, since readers
don't cause changes.
"""


class Look(NamedTuple):
    """A function, with its arguments, that returns the version string of a page.

    The string changes whenever the content of the page changes. If it differs from the string that was stored with the
    cached page, the cached page is outdated. The function needs only a few short queries.
    """

    ask: Callable[..., str]
    arguments: tuple[object, ...]


class Shared(NamedTuple):
    """Data with which the server decides whether it can send a cached page again.

    `look` returns the version string that the page has now. `version` is the version string that the page had when it
    was cached. `route` and `path` are for the log and metrics.
    """

    look: Look
    version: str
    route: str
    path: str


def shared(ask: Callable[..., str], *arguments: object, draw: Callable[[str], str | bytes]) -> Response:
    """Return a page that is the same for everyone, or 304 if the browser already has the page in its current version.

    `ask(*arguments)` returns the version, a string that changes whenever the content of the page changes.
    `draw(version)` makes the page. `ask` runs before `draw`, so that no page gets a version newer than its content.
    `ask` runs again each time before the server sends the page from the cache.

    Exceptions of `ask` are raised here. Aborts with 429 if a client asked for too many pages that weren't cached.
    """
    scope = request.environ.get("asgi.scope")
    if scope is not None and scope.get(FIRST):
        spend(PAGES, surroundings())
    version = "" if is_file() else ask(*arguments)  # a file doesn't watch for changes, and is written if it changed
    if scope is not None:
        route, path = request.environ[ROUTE], request.environ[PATH]
        scope[SHARED] = Shared(Look(ask, arguments), version, route, path)
    etag = f"{version}-{page_language()}-{current_version()}"
    response = Response(status=304) if request.if_none_match.contains_weak(etag) else make_response(draw(version))
    response.set_etag(etag, weak=True)
    # Proxies may cache it, but must revalidate each time.
    response.headers["Cache-Control"] = "public, no-cache"
    return response


PARTS = 2_000
"""Maximum number of parts of pages in memory. A board has about twenty, of half a kilobyte each."""


def connect(app: Flask) -> None:
    """Give the templates of `app` the function `kept`."""
    app.add_template_global(kept)


def kept(macro: Macro, *values: object) -> str:
    """Return what `macro` writes for `values`, from memory if it wrote that before.

    The macro must come from another file (`{% from … import %}`), so that it knows only its values. What it writes may
    also depend on the reader's language and on addresses, but not on the phone, its settings or its form token.
    """
    if is_file():
        return macro(*values)
    return _written(macro, page_language(), request.root_path, *values)


@lru_cache(PARTS)
def _written(macro: Macro, _language: str, _mounted_at: str, *values: object) -> str:
    return macro(*values)
