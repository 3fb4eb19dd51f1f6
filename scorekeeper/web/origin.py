"""Only our own pages may change something: the browser says where a form comes from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flask import abort, request

from scorekeeper.i18n.catalog import _
from scorekeeper.web.request_log import refused_because

if TYPE_CHECKING:
    from flask import Flask

ORIGIN = re.compile(r"https?://(?:[^/?#\s@\[\]:]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]+)?")
"""What browsers write there, but for "null"."""
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


def connect(app: Flask) -> None:
    """Answer 403 to every request of `app` that would change something and comes from another site."""
    app.before_request(refuse_foreign_forms)


def refuse_foreign_forms() -> None:
    """Abort with 403 unless the request is safe, comes from our own pages, or its sender does not say.

    `Sec-Fetch-Site` is the browser's own word, but browsers send it to https and localhost only; in a hall with
    plain http it is `Origin`. A client without either is no browser, and the form token must do.
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
