"""Recognize a phone by a cookie with a random token, of which only a hash is stored."""

from __future__ import annotations

import re
from datetime import timedelta

from flask import Response, g

from scorekeeper.db.tokens import hash_of, new_secret
from scorekeeper.web.cookies import sent_cookie, set_cookie

COOKIE = "scorekeeper_device"
"""Name of the cookie; on HTTPS it has another name (`web.cookies.name_here`), and only that one counts.

The plain name could be planted by a program on another port, a sibling domain, or anyone who intercepts one http
request, and they would then know the token. So a phone that moves from http to HTTPS is a new phone there; even a
signed token wouldn't show to whom it was given.
"""
ISSUED = re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")
"""Form of the tokens from `new_secret`; anything else isn't ours."""
LASTS = timedelta(days=400)
"""The longest that browsers keep a cookie; each new game renews it."""

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
"""Part of a user agent, to the browser's name; the first match counts, since most claim to be others as well."""
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
    """Return the hash of this phone's token, or None if it never started a game."""
    secret = g.get("fresh_device") or _sent()
    return hash_of(secret) if secret else None


def known_device() -> str:
    """Return the hash of this phone's token; a new phone gets a token with the response (`send_device`)."""
    secret = _sent() or g.get("fresh_device") or new_secret()
    g.fresh_device = secret
    return hash_of(secret)


def send_device(response: Response) -> Response:
    """Return `response`, with the cookie if this request made a token."""
    secret = g.get("fresh_device")
    if secret:
        set_cookie(response, COOKIE, secret, LASTS)
    return response


def agent_words(user_agent: str) -> str:
    """Return the browser and system of a `User-Agent`, like "Firefox, Windows"; "" if it names neither.

    That is enough for owners to recognize a device, and no more.
    """
    told = user_agent[:400]
    found = [next((name for part, name in table if part in told), "") for table in (BROWSERS, SYSTEMS)]
    return ", ".join(filter(None, found))


def _sent() -> str | None:
    """Return the token that the phone sent. On plain http the HTTPS name doesn't count: anyone could have set it."""
    sent = sent_cookie(COOKIE)
    return sent if ISSUED.fullmatch(sent) else None
