"""Set and read cookies that only this host gets, that scripts can't read, and that HTTPS pages send over HTTPS only."""

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
    """Return the name of the cookie `name` for this request. On HTTPS, the name has the prefix `__Host-`.

    Browsers let only this host set a cookie with that prefix.
    """
    return f"__Host-{name}" if request.is_secure else name


def sent_cookie(name: str) -> str:
    """Return the value of the cookie `name` in this request, or "" if the phone sent no such cookie."""
    return request.cookies.get(name_here(name), "")


def set_cookie(response: Response, name: str, value: str, lasts: timedelta) -> None:
    """Set a cookie in `response` that expires after the time `lasts`. If set over HTTPS, it is sent over HTTPS only."""
    response.set_cookie(
        name_here(name), value, max_age=lasts, path="/", secure=request.is_secure, httponly=True, samesite="Lax"
    )


class DeviceSessions(SecureCookieSessionInterface):
    """Stores Flask's session in a cookie that isn't deleted when the browser is closed.

    On HTTPS, the cookie is sent over HTTPS only. Flask sends the cookie of a `permanent` session with each response,
    but this class sends the cookie only after a change. The cookie is signed with HMAC-SHA-256, while Flask's default
    is SHA-1.
    """

    digest_method = staticmethod(hashlib.sha256)

    def get_cookie_name(self, app: Flask) -> str:
        """Return the name of the session cookie for this request, which is different on HTTPS (see `name_here`)."""
        return name_here(super().get_cookie_name(app))

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime:
        """Return when the session cookie expires.

        The cookie lasts long, so that a phone can still keep score after its browser was closed.
        """
        return datetime.now(UTC) + app.permanent_session_lifetime

    def get_cookie_secure(self, app: Flask) -> bool:
        """Return whether the browser is told to send the session cookie only over HTTPS.

        The result is False for a plain-http request, because many halls use the app without HTTPS.
        """
        return request.is_secure
