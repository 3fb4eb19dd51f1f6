"""The phone that started a game may score it: a cookie with a long random word, of which we keep only a hash."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from flask import Response, g, request

COOKIE = "scorekeeper_device"
LASTS = timedelta(days=400)
"""The longest that browsers keep a cookie; it starts anew with each game."""


def this_device() -> str | None:
    """Return the hash that stands for this phone, or None for one that never started a game."""
    fresh: str | None = g.get("fresh_device")
    secret = fresh or request.cookies.get(COOKIE)
    return _hash(secret) if secret else None


def known_device() -> str:
    """Return the hash that stands for this phone; a phone without one gets it with the response (`send_device`)."""
    secret = request.cookies.get(COOKIE) or g.get("fresh_device") or secrets.token_urlsafe(32)
    g.fresh_device = secret
    return _hash(secret)


def send_device(response: Response) -> Response:
    """Return `response` with the cookie, where this request needed one."""
    secret = g.get("fresh_device")
    if secret:
        response.set_cookie(
            COOKIE, secret, max_age=LASTS, httponly=True, secure=request.is_secure, samesite="Lax", path="/"
        )
    return response


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
