"""Build addresses of this server: links in page models, `url_for` for templates, and QR codes."""

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
"""Size of the cache: a board has thirty addresses, mostly the same as last time."""
PLAIN = (str, int, type(None))
"""Types for which equal values look alike in an address; True equals 1 but looks different."""
QUIET = 4
"""White squares around a QR code, as ISO/IEC 18004 requires."""
LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))
ONLY_HERE = N_(
    "Other phones can't open this yet. Ask the person who set up Scorekeeper to let phones in (command: scorekeeper "
    "--lan). The computer that runs Scorekeeper then shows a new address. Open that address on this device, too."
)


class PageLink(NamedTuple):
    """A link in a page model: the arguments of `url_for`; `_anchor` in `values` is the fragment."""

    endpoint: str
    values: Mapping[str, str | int]


class Number(IntegerConverter):
    """Converter for `<int:…>` that rejects numbers too large for a database, so that they give 404."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"max": LARGEST, **kwargs})


def connect(app: Flask) -> None:
    """Use `Number` in routes added from now on, and give templates `url_for` and the helpers here.

    `url_for` caches addresses by their arguments.
    """

    @lru_cache(REMEMBERED)
    def known(_mounted_at: str, endpoint: str, *values: tuple[str, Any]) -> str:
        return app.url_for(endpoint, **dict(values))

    def url_for(endpoint: str, **values: Any) -> str:
        """Return the address, as `flask.url_for` does."""
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
    """Return a sentence that warns that only this computer can open this server's address; "" if other phones can."""
    return _(ONLY_HERE) if urlsplit(request.host_url).hostname in LOOPBACK else ""


def code_of(address: str, border: int = QUIET) -> Markup:
    """Return `address` as a QR code: an SVG that fills its container, with `border` white squares around it."""
    drawn = io.BytesIO()
    segno.make(address, micro=False).save(
        drawn, kind="svg", border=border, light="#fff", xmldecl=False, svgns=False, omitsize=True
    )
    return Markup(drawn.getvalue().decode())  # noqa: S704 -- made here, of squares only
