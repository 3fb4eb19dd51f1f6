"""The phone that started a game may score it: a cookie with a long random word, of which we keep only a hash."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from flask import Response, g, request

COOKIE = "scorekeeper_device"
HOST_COOKIE = f"__Host-{COOKIE}"
"""Its name on HTTPS: browsers take one that begins so from this host alone, and encrypted.

A phone that has the other name only, from plain http or an older score book, gets this one too and stays the same
phone. The other is left to it: the same score book may be open by http as well.
"""
LASTS = timedelta(days=400)
"""The longest that browsers keep a cookie; it starts anew with each game."""


def this_device() -> str | None:
    """Return the hash that stands for this phone, or None for one that never started a game."""
    secret = g.get("fresh_device") or _sent()
    return _hash(secret) if secret else None


def known_device() -> str:
    """Return the hash that stands for this phone; a phone without one gets it with the response (`send_device`)."""
    secret = _sent() or g.get("fresh_device") or secrets.token_urlsafe(32)
    g.fresh_device = secret
    return _hash(secret)


def send_device(response: Response) -> Response:
    """Return `response` with the cookie, where this request needed one or the phone has it under the other name only.

    A page that is the same for everybody goes without.
    """
    secret = g.get("fresh_device")
    if not secret and request.is_secure and HOST_COOKIE not in request.cookies and not response.cache_control.public:
        secret = request.cookies.get(COOKIE)
    if secret:
        name = HOST_COOKIE if request.is_secure else COOKIE
        response.set_cookie(
            name, secret, max_age=LASTS, httponly=True, secure=request.is_secure, samesite="Lax", path="/"
        )
    return response


def _sent() -> str | None:
    """The word that the phone sent; on plain http anybody on the way could have made the other name up."""
    host = request.cookies.get(HOST_COOKIE) if request.is_secure else None
    return host or request.cookies.get(COOKIE)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
