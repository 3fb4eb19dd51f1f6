"""Cookies of this program: for this host alone and encrypted where the page is, and out of the reach of scripts."""

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
    """Return what the cookie is called here: on HTTPS browsers take one that begins so from this host alone."""
    return f"__Host-{name}" if request.is_secure else name


def sent_cookie(name: str) -> str:
    """Return what the phone sent in the cookie, empty where it has none."""
    return request.cookies.get(name_here(name), "")


def set_cookie(response: Response, name: str, value: str, lasts: timedelta) -> None:
    """Let the phone that gets `response` keep `value`; in a hall without HTTPS the cookie must work too."""
    response.set_cookie(
        name_here(name), value, max_age=lasts, path="/", secure=request.is_secure, httponly=True, samesite="Lax"
    )


class DeviceSessions(SecureCookieSessionInterface):
    """Sessions that outlive the browser, and that travel encrypted where the page does.

    Flask would send the cookie of a `permanent` session with every response; this one is sent when it changes. It is
    signed with HMAC-SHA-256, where Flask still takes SHA-1.
    """

    digest_method = staticmethod(hashlib.sha256)

    def get_cookie_name(self, app: Flask) -> str:
        """Return the name of the cookie."""
        return name_here(super().get_cookie_name(app))

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime:
        """Return when the cookie ends: a phone that closed its browser must still be able to score."""
        return datetime.now(UTC) + app.permanent_session_lifetime

    def get_cookie_secure(self, app: Flask) -> bool:
        """Return True on https: in a hall without it, the cookie must work too."""
        return request.is_secure
