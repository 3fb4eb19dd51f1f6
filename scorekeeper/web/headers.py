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
"""Sent over https only: elsewhere browsers ignore it and complain in the console."""

STAY_ENCRYPTED = {"Strict-Transport-Security": "max-age=31536000"}
"""For internet names, whose certificates aren't ours.

Not with a house's own certificates: a house that goes back to plain http would lock its phones out for a year.
Subdomains aren't included; they may belong to other programs.
"""

SECRET = {
    "Cache-Control": "no-store",
    # Not `no-referrer`, as above.
    "Referrer-Policy": "strict-origin",
    "X-Robots-Tag": "noindex",
}
"""For addresses that contain a token, including their errors."""


FRAMED = {
    "Content-Security-Policy": (
        # "*" means websites only, and some people try their page as a file first.
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors * file:"
    ),
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Referrer-Policy": "no-referrer",
}
"""For the few pages that other websites may show in a frame: they run nothing, and nothing can be sent from them."""

READ_ANYWHERE = {"Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*"}
"""For feeds and the API: scripts of other websites may read them, without cookies."""


def let_be_framed() -> None:
    """Let other websites show the response of this request in a frame. An error page stays out of frames."""
    g.more_headers = FRAMED


def let_be_read_anywhere() -> None:
    """Let scripts of other websites read the response of this request."""
    g.more_headers = READ_ANYWHERE


def connect(app: Flask) -> None:
    """Add `HEADERS` to each response of `app`, and keep pages out of shared caches."""
    app.after_request(add_headers)


def add_headers(response: Response) -> Response:
    """Return `response` with the security headers; by default a browser must revalidate a page each time."""
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
