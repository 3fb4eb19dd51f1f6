"""The cookie by which a phone is known again."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from flask import request
from flask.sessions import SecureCookieSessionInterface

if TYPE_CHECKING:
    from flask import Flask
    from flask.sessions import SessionMixin


class DeviceSessions(SecureCookieSessionInterface):
    """Sessions that outlive the browser, and that travel encrypted where the page does.

    Flask would send the cookie of a `permanent` session with every response; this one is sent when it changes. It is
    signed with HMAC-SHA-256, where Flask still takes SHA-1.
    """

    digest_method = staticmethod(hashlib.sha256)

    def get_cookie_name(self, app: Flask) -> str:
        """Return the name of the cookie: on https browsers take one that begins so from this host alone."""
        name = super().get_cookie_name(app)
        return f"__Host-{name}" if request.is_secure else name

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime:
        """Return when the cookie ends: a phone that closed its browser must still be able to score."""
        return datetime.now(UTC) + app.permanent_session_lifetime

    def get_cookie_secure(self, app: Flask) -> bool:
        """Return True on https: in a hall without it, the cookie must work too."""
        return request.is_secure
