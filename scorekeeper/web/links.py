"""Build addresses of this server for links in page models and templates, and QR codes of these addresses."""

import io
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

import segno
from flask import Flask, current_app, has_request_context, request
from markupsafe import Markup
from werkzeug.routing import IntegerConverter

from scorekeeper.i18n.catalog import N_, _

T = TypeVar("T")

LARGEST = 2**31 - 1
"""Largest number in a column of integers in PostgreSQL."""
REMEMBERED = 4096
"""Maximum number of addresses in the cache. A page for scoring a game has about thirty, mostly the same ones."""
PLAIN = (str, int)
"""Types of `url_for` arguments with which an address is cached.

With an argument of any other type, the address isn't cached. For example, True equals 1, but gives another address.
"""
SITE = "scorekeeper.site"
"""Key in a request's environ of the files for which the page is made (`leagues.publishing.files.Site`), if any."""
QUIET = 4
"""Width of the white border of a QR code in squares, as ISO/IEC 18004 requires."""
LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))
ONLY_HERE = N_(
    "Other phones can't open Scorekeeper's links yet. Ask the person who set up Scorekeeper to start it with --lan at "
    "the end of the command. Then open this page again."
)
NO_NETWORK = N_(
    "Other phones can't open Scorekeeper's links yet, because this computer isn't on a network. Connect it to the "
    "Wi-Fi that the phones use. Then open this page again."
)


class AddressedFlask(Flask):
    """A Flask application whose whole addresses can be opened by other devices, where the server is on a network.

    Otherwise, a desk that was opened at 127.0.0.1, on the computer that runs the server, would print table cards and
    invitations that no phone can open.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known = lru_cache(REMEMBERED)(self._address)

    def url_for(self, endpoint: str, **values: Any) -> str:
        """Return the address of a page, as `Flask.url_for` does, but never one with 127.0.0.1 if there is another.

        Addresses are cached by their arguments.
        """
        given = {key: value for key, value in values.items() if value is not None}
        is_plain = all(key[0] != "_" and type(value) in PLAIN for key, value in given.items())
        if is_plain and endpoint[0] != "." and has_request_context():
            return self.known(request.root_path, endpoint, *given.items())
        made = super().url_for(endpoint, **values)
        parts = urlsplit(made)
        network = network_origin() if parts.hostname in LOOPBACK else ""
        return network + made.partition(parts.netloc)[2] if network else made

    def _address(self, _mounted_at: str, endpoint: str, *values: tuple[str, Any]) -> str:
        return super().url_for(endpoint, **dict(values))


class PageLink(NamedTuple):
    """A link in a page model. `url_for` makes the address from `endpoint` and `values`.

    The key `_anchor` in `values` is the fragment of the address.
    """

    endpoint: str
    values: Mapping[str, str | int]


class Number(IntegerConverter):
    """A converter for `<int:…>` in routes. Numbers too large for the database get 404."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"max": LARGEST, **kwargs})


def connect(app: Flask) -> None:
    """Use `Number` in routes that are added to `app` from now on.

    Templates get the functions `url_for`, `only_here`, `is_file` and `has_address`, and the filter `address`. In a page
    that becomes a file, `url_for` leads to other files.
    """
    app.url_map.converters["int"] = Number
    app.add_template_global(link_to, "url_for")
    app.add_template_global(only_here)
    app.add_template_global(is_file)
    app.add_template_global(has_address)
    app.add_template_filter(address)


def link_to(endpoint: str, **values: Any) -> str:
    """Return what `flask.url_for` returns, or where the file is if the requested page becomes a file, too."""
    # `flask.url_for` does the same, with four arguments more to look at.
    made: str = request.environ[SITE].link(endpoint, values) if is_file() else current_app.url_for(endpoint, **values)
    return made


def address(link: PageLink) -> str:
    """Return the address of the page to which `link` points."""
    return link_to(link.endpoint, **link.values)


def is_file() -> bool:
    """Return whether the page becomes a file, which has no settings, forms and search (`scorekeeper publish`)."""
    return has_request_context() and SITE in request.environ


def once(key: Hashable, make: Callable[[], T]) -> T:
    """Return `make()`, which runs only once for each `key` while pages become files."""
    if not is_file():
        return make()
    made: dict[Hashable, T] = request.environ[SITE].made
    if key not in made:
        made[key] = make()
    return made[key]


def has_address() -> bool:
    """Return whether the page's own address is known, which isn't so for files on a USB stick."""
    return not is_file() or bool(request.environ[SITE].address)


def only_here() -> str:
    """Return a warning that only this computer can open the links of a page, or "" if phones can open them, too."""
    if urlsplit(request.host_url).hostname not in LOOPBACK or network_origin():
        return ""
    return _(NO_NETWORK if current_app.config.get("LAN") else ONLY_HERE)


def network_origin() -> str:
    """Return the beginning of this server's address on its network, such as "http://192.0.2.2:8000".

    Of several addresses, it is the one that phones most likely reach. Return "" if the server isn't on a network.
    `NETWORK` in the app's configuration finds it out, since the addresses may change while the server runs.
    """
    find = current_app.config.get("NETWORK")
    origin: str = find() if find else ""
    return origin


def code_of(address: str, border: int = QUIET) -> Markup:
    """Return a QR code of `address`, or of another text, as an SVG that fills its container.

    `border` is the width of the margin in squares. A text that isn't ASCII, such as the name of a Wi-Fi, says that it
    is UTF-8 (ECI 26). Without that, jsQR 1.4.0 reads "Café" as an empty text, and zbar 0.23.92 reads "Évangéline" with
    Chinese letters.
    """
    drawn = io.BytesIO()
    other = not address.isascii()
    segno.make(address, micro=False, encoding="utf-8" if other else None, eci=other).save(
        drawn, kind="svg", border=border, light="#fff", xmldecl=False, svgns=False, omitsize=True
    )
    return Markup(drawn.getvalue().decode())  # noqa: S704 -- made here, of squares only
