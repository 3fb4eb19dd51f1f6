"""Addresses in pages: a board has thirty, most of them those of the last time it was drawn."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from flask import has_request_context, request

if TYPE_CHECKING:
    from flask import Flask

REMEMBERED = 4096
PLAIN = (str, int, type(None))
"""Types of which two values that are equal are written alike; True is 1, and is written otherwise."""


def connect(app: Flask) -> None:
    """Let `url_for` in the templates of `app` remember addresses on this server by what they are made of."""

    @lru_cache(REMEMBERED)
    def address(_mounted_at: str, endpoint: str, *values: tuple[str, Any]) -> str:
        return app.url_for(endpoint, **dict(values))

    def url_for(endpoint: str, **values: Any) -> str:
        """Return what `flask.url_for` returns."""
        known = has_request_context() and endpoint[0] != "."
        if known and all(key[0] != "_" and type(value) in PLAIN for key, value in values.items()):
            return address(request.root_path, endpoint, *values.items())
        return app.url_for(endpoint, **values)

    app.add_template_global(url_for)
