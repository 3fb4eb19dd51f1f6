"""The phone that started a game may score it: a cookie with a long random word, of which we keep only a hash."""

from __future__ import annotations

import re
from datetime import timedelta

from flask import Response, g

from scorekeeper.db.tokens import hash_of, new_secret
from scorekeeper.web.cookies import sent_cookie, set_cookie

COOKIE = "scorekeeper_device"
"""On HTTPS it has another name (`web.cookies.name_here`), and only that one counts there.

The other could be planted by a program on another port, under a name beside ours, or by anybody on the way of one
request by http; a word that somebody planted is one that they know too. So a phone that goes from http to HTTPS is
another phone there: not even a signed word tells whose phone it was given to.
"""
ISSUED = re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")
"""What `new_secret` gives; anything else is no word of ours."""
LASTS = timedelta(days=400)
"""The longest that browsers keep a cookie; it starts anew with each game."""

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
"""Part of a user agent to the name of the browser; the first that fits, for most claim to be others as well."""
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
    """Return the hash that stands for this phone, or None for one that never started a game."""
    secret = g.get("fresh_device") or _sent()
    return hash_of(secret) if secret else None


def known_device() -> str:
    """Return the hash that stands for this phone; a phone without one gets it with the response (`send_device`)."""
    secret = _sent() or g.get("fresh_device") or new_secret()
    g.fresh_device = secret
    return hash_of(secret)


def send_device(response: Response) -> Response:
    """Return `response` with the cookie, where this request needed one."""
    secret = g.get("fresh_device")
    if secret:
        set_cookie(response, COOKIE, secret, LASTS)
    return response


def agent_words(user_agent: str) -> str:
    """Return the browser and the system of a `User-Agent`: "Firefox, Windows"; empty where it says neither.

    That is enough for its owner to know a device again, and no more.
    """
    told = user_agent[:400]
    found = [next((name for part, name in table if part in told), "") for table in (BROWSERS, SYSTEMS)]
    return ", ".join(filter(None, found))


def _sent() -> str | None:
    """The word that the phone sent; on plain http anybody on the way could have made the other name up."""
    sent = sent_cookie(COOKIE)
    return sent if ISSUED.fullmatch(sent) else None
