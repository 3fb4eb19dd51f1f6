"""Check the host and the origin of requests, and set the security headers of responses.

Refuse requests under host names that aren't ours.

A stranger could point their domain at an address in the local network. On a phone that opens a page of that domain,
the page could then do all that our own pages can ("DNS rebinding"). Such an attack needs a name that exists on the
internet. So IP addresses and local names such as "hall-pc" are always accepted. Names on the internet are accepted only
if the operator set them.
Flask's `TRUSTED_HOSTS` doesn't handle addresses.

Set the security headers of all responses.

Accept changes only from forms of our own pages, and treat HEAD requests as GET.
"""

import ipaddress
import re
import socket
from http import HTTPStatus
from typing import Any

from flask import Flask, Request, Response, abort, current_app, g, request
from werkzeug.exceptions import BadRequest

from scorekeeper.i18n.catalog import _
from scorekeeper.web.links import is_file
from scorekeeper.web.request_log import is_secret, refused_because

HOME_NAMES = ("localhost", "local", "lan", "home.arpa", "internal")
"""Last parts of names that nobody can own on the internet."""


ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*)")
"""Pattern of a request target that contains its host, as clients send it to proxies."""


class UnknownName(BadRequest):
    """The host name of the request isn't one of ours."""


def connect_hosts(app: Flask) -> None:
    """Answer 400 to each request to `app` whose host name is neither local nor in `app.config["HOSTS"]`."""
    app.config["HOSTS"] = frozenset(app.config["HOSTS"]) | {socket.gethostname().lower()}
    app.before_request(refuse_unknown_names)


def refuse_unknown_names() -> None:
    """Raise `UnknownName` if the request names a host that isn't ours, no host, or two different hosts.

    The files that `scorekeeper publish` makes are for another host.
    """
    if not is_file() and not (is_known(request.host) and names_one_host()):
        raise UnknownName


def names_one_host() -> bool:
    """Return whether the request names exactly one host.

    HTTP/1.1 requires a `Host` header. If the request line also has a host, both hosts must be the same.
    """
    environ = request.environ
    if "HTTP_HOST" not in environ and environ.get("SERVER_PROTOCOL") == "HTTP/1.1":
        return False
    # The request target as sent, under the names that servers use; others give only PATH_INFO.
    asked = [str(environ.get(name, "")) for name in ("RAW_URI", "REQUEST_URI", "PATH_INFO")]
    named = [found[1] for each in asked if (found := ABSOLUTE.match(each))]
    return all(name.lower() == request.host.lower() for name in named)


def is_known(host: str) -> bool:
    """Return whether `host`, a `Host` header, has an IP address, a local name or an internet name of this server."""
    name = name_of(host)
    return is_of_a_house(name) or name in current_app.config["HOSTS"]


def is_named_on_the_internet() -> bool:
    """Return whether the request uses one of this server's internet names."""
    name = name_of(request.host)
    return name in current_app.config["HOSTS"] and not is_of_a_house(name)


def is_of_a_house(name: str) -> bool:
    """Return whether `name` is an IP address, or a name such as "hall-pc" that doesn't exist on the internet."""
    if is_address(name):
        return True
    return bool(name) and ("." not in name or any(name.endswith(f".{home}") for home in HOME_NAMES))


def is_address(name: str) -> bool:
    """Return whether `name` is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def name_of(host: str) -> str:
    """Return the host name or address in `host`, in lower case and without the port."""
    return re.sub(r":[0-9]*\Z", "", host).strip("[]").rstrip(".").lower()


HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    # Not `no-referrer`: with it browsers send `Origin: null`, and our own forms would look foreign.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}

ALONE = {"Cross-Origin-Opener-Policy": "same-origin"}
"""Header that is sent over https only: over plain http, browsers ignore it and log a warning in the console."""

STAY_ENCRYPTED = {"Strict-Transport-Security": "max-age=31536000"}
"""Header that tells browsers to open this server only over https for a year.

It is sent only over https and under one of this server's names on the internet. It isn't sent with certificates of
`--tls`. Otherwise, if the operator later went back to plain http, phones
could no longer open the app. Subdomains aren't included, because they may belong to other programs.
"""

SECRET = {
    "Cache-Control": "no-store",
    # Not `no-referrer`, as above.
    "Referrer-Policy": "strict-origin",
    "X-Robots-Tag": "noindex",
}
"""Headers for addresses that contain a token, also for their error pages."""


FRAMED = {
    "Content-Security-Policy": (
        # "*" means websites only, and some people try their page as a file first.
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors * file:"
    ),
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Referrer-Policy": "no-referrer",
}
"""Headers for the few pages that other websites may show in a frame; these pages have no scripts and no forms."""

READ_ANYWHERE = {"Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*"}
"""Headers for feeds and the API, which scripts of other websites may read, without cookies."""


def let_be_framed() -> None:
    """Allow other websites to show the response to this request in a frame. Error pages still can't be framed."""
    g.more_headers = FRAMED


def let_be_read_anywhere() -> None:
    """Allow scripts of other websites to read the response to this request. Error pages still can't be read."""
    g.more_headers = READ_ANYWHERE


def connect(app: Flask) -> None:
    """Add the security headers to each response of `app`, and keep pages out of shared caches."""
    app.after_request(add_headers)


def add_headers(response: Response) -> Response:
    """Add the security headers to `response` and return it.

    Browsers must revalidate the page each time, unless the view set another `Cache-Control`.
    """
    response.headers.update(HEADERS)
    if response.status_code < HTTPStatus.BAD_REQUEST:
        response.headers.update(g.get("more_headers", {}))
    if request.is_secure:
        response.headers.update(ALONE)
    if request.is_secure and is_named_on_the_internet():
        response.headers.update(STAY_ENCRYPTED)
    if is_secret(request.path):
        response.headers.update(SECRET)
    response.headers.setdefault("Cache-Control", "private, no-cache")
    return response


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


def connect_origin(app: Flask) -> None:
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
