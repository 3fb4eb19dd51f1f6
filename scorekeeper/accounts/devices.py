"""Recognize a phone by a cookie with a random token, of which only a hash is stored.

Identify who makes a request: the device, and the director who is signed in on it.
"""

import re
from datetime import timedelta

from flask import Response, g, has_request_context
from msgspec import Struct

from scorekeeper.accounts.sessions import this_session
from scorekeeper.db.tokens import hash_of, new_secret
from scorekeeper.web.settings import sent_cookie, set_cookie

COOKIE = "scorekeeper_device"
"""Name of the cookie over HTTP. Over HTTPS, the cookie has another name (`web.cookies.name_here`), and only it counts.

A program on another port, a sibling domain, or anyone who intercepts an HTTP request could set a cookie with the plain
name, and would then know the token. So a phone that moves from HTTP to HTTPS gets a new token and counts as a new
phone. Signing the tokens wouldn't help, because a signature doesn't show which phone received a token.
"""
ISSUED = re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")
"""Pattern of the tokens from `new_secret`. Cookies with any other text are ignored."""
LASTS = timedelta(days=400)
"""How long the cookie lasts: as long as browsers allow. Each new game renews it."""

BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari/", "Safari"),
)
"""Part of a `User-Agent` header and the browser's name; the first match counts, as headers name several."""
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("CrOS", "Chromebook"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)


def this_device() -> str | None:
    """Return the hash of this phone's token, or None if the phone has no token yet."""
    secret = g.get("fresh_device") or _sent()
    return hash_of(secret) if secret else None


def known_device() -> str:
    """Return the hash of this phone's token.

    If the phone has no token yet, this makes one, and `send_device` later sends that token with the response.
    """
    secret = _sent() or g.get("fresh_device") or new_secret()
    g.fresh_device = secret
    return hash_of(secret)


def send_device(response: Response) -> Response:
    """Set the device cookie in `response` if this request made or renewed the token. Return `response`."""
    secret = g.get("fresh_device")
    if secret:
        set_cookie(response, COOKIE, secret, LASTS)
    return response


def agent_words(user_agent: str) -> str:
    """Return the browser and system from a `User-Agent` header, like "Firefox, Windows".

    The result is "" if the header names neither a known browser nor a known system. Directors recognize their devices
    by this text. Nothing else from the header is stored.
    """
    told = user_agent[:400]
    found = [next((name for part, name in table if part in told), "") for table in (BROWSERS, SYSTEMS)]
    return ", ".join(filter(None, found))


def _sent() -> str | None:
    """Return the device token in the request's cookie, or None if there is no valid token."""
    sent = sent_cookie(COOKIE)
    return sent if ISSUED.fullmatch(sent) else None


class Actor(Struct, frozen=True):
    """The device and the account that make a request."""

    device: str | None
    """Hash of the device's token; None for a device without a token (`devices.this_device`)."""
    account: int | None
    """Id of the account that is signed in on the device; None if nobody is signed in."""


def this_account() -> int | None:
    """Return the id of the account that is signed in with this request's session cookie, or None.

    The session is read from the database once per request, so a session that was ended on another device doesn't count.
    Pages that are the same for everyone (`web.settings.SHARED`) must not call this.
    """
    session = this_session()
    return None if session is None else session.account


def account_at_hand() -> int | None:
    """Return the id of the account that is signed in, or None if nobody is signed in.

    Unlike `this_account`, this function can be called outside a request. The result is then None.
    """
    return this_account() if has_request_context() else None


def this_actor() -> Actor:
    """Return the device and account of this request."""
    return Actor(this_device(), this_account())
