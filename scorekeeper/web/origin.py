"""Accept changes only from forms of our own pages, and treat HEAD requests as GET."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from flask import Request, abort, request

from scorekeeper.i18n.catalog import _
from scorekeeper.web.request_log import refused_because

if TYPE_CHECKING:
    from flask import Flask

ORIGIN = re.compile(r"https?://(?:[^/?#\s@\[\]:]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]+)?")
"""Pattern of an `Origin` header other than "null"."""
SAFE_METHODS = {"GET", "OPTIONS"}


class HeadAsGet(Request):
    """A request that reports the method "GET" for a HEAD request. So a view can detect a form by `method != "GET"`.

    Flask still answers HEAD without the body, and CSRF protection still treats it as safe.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.method == "HEAD":
            self.method = "GET"


def connect(app: Flask) -> None:
    """Answer 403 to each request to `app` that changes something and comes from another site."""
    app.request_class = HeadAsGet
    app.before_request(refuse_foreign_forms)


def refuse_foreign_forms() -> None:
    """Abort with 403 if a request that may change something comes from another site.

    Browsers send the header `Sec-Fetch-Site` to https and localhost only. On plain http, browsers send the header
    `Origin`. A client that sends neither header isn't a browser, so only the form token is checked. A request with an
    invalid `Origin` gets 400.
    """
    if request.method in SAFE_METHODS:
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if origin not in {None, "null"} and not ORIGIN.fullmatch(origin or ""):
        refused_because("no origin of a page")
        abort(400)
    if site is not None:
        own = site in {"same-origin", "none"}
    else:
        own = origin is None or origin in {f"https://{request.host}", f"{request.scheme}://{request.host}"}
    if not own:
        refused_because("form of another site")
        abort(403, description=_("That form came from another site, so nothing was changed."))
