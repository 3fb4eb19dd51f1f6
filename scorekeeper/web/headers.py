"""The headers that every response carries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import request

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
"""By https only: browsers take it nowhere else, and complain about it in the console."""

STAY_ENCRYPTED = {"Strict-Transport-Security": "max-age=31536000"}
"""For a name on the internet, whose certificates are no matter of ours.

Not with the certificates of a house: one that goes back to plain http would lock its phones out for a year. Nothing is
said of names below this one, which may belong to other programs.
"""

SECRET = {
    "Cache-Control": "no-store",
    # Not `no-referrer`, as above.
    "Referrer-Policy": "strict-origin",
    "X-Robots-Tag": "noindex",
}
"""At an address that is a secret: who has it may do something. Errors as well."""


def connect(app: Flask) -> None:
    """Add `HEADERS` to every response of `app`, and keep pages out of shared caches."""
    app.after_request(add_headers)


def add_headers(response: Response) -> Response:
    """Return `response` with the headers; a page that says nothing of caching is asked for anew each time."""
    response.headers.update(HEADERS)
    if request.is_secure:
        response.headers.update(ALONE)
    if request.is_secure and hosts.is_named_on_the_internet():
        response.headers.update(STAY_ENCRYPTED)
    if is_secret(request.path):
        response.headers.update(SECRET)
    response.headers.setdefault("Cache-Control", "private, no-cache")
    return response
