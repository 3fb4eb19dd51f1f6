"""Set the security headers of all responses."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import g, request

from scorekeeper.web import hosts
from scorekeeper.web.request_log import is_secret

if TYPE_CHECKING:
    from flask import Flask, Response

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
    if request.is_secure and hosts.is_named_on_the_internet():
        response.headers.update(STAY_ENCRYPTED)
    if is_secret(request.path):
        response.headers.update(SECRET)
    response.headers.setdefault("Cache-Control", "private, no-cache")
    return response
