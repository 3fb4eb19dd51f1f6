"""Set and read cookies: for this host only, hidden from scripts and, on HTTPS pages, sent over HTTPS only."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from flask import request
from flask.sessions import SecureCookieSessionInterface

if TYPE_CHECKING:
    from flask import Flask
    from flask.sessions import SessionMixin
    from werkzeug.wrappers import Response


def name_here(name: str) -> str:
    """Return the name of the cookie: on HTTPS with a prefix that browsers accept from this host only."""
    return f"__Host-{name}" if request.is_secure else name


def sent_cookie(name: str) -> str:
    """Return the value that the phone sent, "" if it has no such cookie."""
    return request.cookies.get(name_here(name), "")


def set_cookie(response: Response, name: str, value: str, lasts: timedelta) -> None:
    """Set the cookie to `value`; it must also work in a hall without HTTPS."""
    response.set_cookie(
        name_here(name), value, max_age=lasts, path="/", secure=request.is_secure, httponly=True, samesite="Lax"
    )


class DeviceSessions(SecureCookieSessionInterface):
    """Sessions that outlive the browser; their cookie is sent over HTTPS only if the page uses HTTPS.

    Flask would send the cookie of a `permanent` session with each response; this one is sent only when it changes. It
    is signed with HMAC-SHA-256, while Flask still uses SHA-1.
    """

    digest_method = staticmethod(hashlib.sha256)

    def get_cookie_name(self, app: Flask) -> str:
        """Return the name of the cookie."""
        return name_here(super().get_cookie_name(app))

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime:
        """Return when the cookie expires: long after the browser is closed, so that the phone can still score."""
        return datetime.now(UTC) + app.permanent_session_lifetime

    def get_cookie_secure(self, app: Flask) -> bool:
        """Return whether the request used HTTPS; in a hall without it the cookie must work, too."""
        return request.is_secure
