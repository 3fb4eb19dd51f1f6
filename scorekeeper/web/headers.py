"""Set the security headers of all responses."""

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


def connect(app: Flask) -> None:
    """Add `HEADERS` to each response of `app`, and keep pages out of shared caches."""
    app.after_request(add_headers)


def add_headers(response: Response) -> Response:
    """Return `response` with the security headers; by default a browser must revalidate a page each time."""
    response.headers.update(HEADERS)
    if request.is_secure:
        response.headers.update(ALONE)
    if request.is_secure and hosts.is_named_on_the_internet():
        response.headers.update(STAY_ENCRYPTED)
    if is_secret(request.path):
        response.headers.update(SECRET)
    response.headers.setdefault("Cache-Control", "private, no-cache")
    return response
