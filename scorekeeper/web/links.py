"""Addresses of this server: links in page models, the `url_for` of templates, and an address as a code for a camera."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import flask
import segno
from flask import has_request_context, request
from markupsafe import Markup
from werkzeug.routing import IntegerConverter

from scorekeeper.i18n.catalog import N_, _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask

LARGEST = 2**31 - 1
"""The largest number that PostgreSQL keeps in an integer."""
REMEMBERED = 4096
"""Addresses that are kept: a board has thirty, most of them those of the last time it was drawn."""
PLAIN = (str, int, type(None))
"""Types of which two values that are equal are written alike; True is 1, and is written otherwise."""
QUIET = 4
"""Squares of white around a code that its standard (ISO/IEC 18004) asks for."""
LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))
ONLY_HERE = N_(
    "Other phones can't open this yet. Restart Scorekeeper with --lan and, here too, use the address it prints."
)


class PageLink(NamedTuple):
    """A link in a page model: which page, as `url_for` is asked for it; `_anchor` in `values` is the place on it."""

    endpoint: str
    values: Mapping[str, str | int]


class Number(IntegerConverter):
    """`<int:…>` in a route: none that a database cannot hold. At an address with a larger one there is nothing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"max": LARGEST, **kwargs})


def connect(app: Flask) -> None:
    """Let routes of `app` that are added from now on take such numbers only, and templates ask for addresses.

    `url_for` there remembers addresses on this server by what they are made of.
    """

    @lru_cache(REMEMBERED)
    def known(_mounted_at: str, endpoint: str, *values: tuple[str, Any]) -> str:
        return app.url_for(endpoint, **dict(values))

    def url_for(endpoint: str, **values: Any) -> str:
        """Return what `flask.url_for` returns."""
        is_known = has_request_context() and endpoint[0] != "."
        if is_known and all(key[0] != "_" and type(value) in PLAIN for key, value in values.items()):
            return known(request.root_path, endpoint, *values.items())
        return app.url_for(endpoint, **values)

    app.url_map.converters["int"] = Number
    app.add_template_global(url_for)
    app.add_template_global(only_here)
    app.add_template_filter(address)


def address(link: PageLink) -> str:
    """Return the address of a page on this server."""
    return flask.url_for(link.endpoint, **link.values)  # type: ignore[arg-type]


def only_here() -> str:
    """Return what keeps other phones from opening the addresses that a page shows, empty where nothing does."""
    return _(ONLY_HERE) if urlsplit(request.host_url).hostname in LOOPBACK else ""


def code_of(address: str, border: int = QUIET) -> Markup:
    """Return the address as a QR code: an SVG element as large as its place, `border` squares of white around it."""
    drawn = io.BytesIO()
    segno.make(address, micro=False).save(
        drawn, kind="svg", border=border, light="#fff", xmldecl=False, svgns=False, omitsize=True
    )
    return Markup(drawn.getvalue().decode())  # noqa: S704 -- drawn here, of squares
