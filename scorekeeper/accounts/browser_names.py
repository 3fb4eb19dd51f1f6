"""What a device is called, by what its browser says of itself: enough for its owner to know it again, and no more."""

from __future__ import annotations

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


def agent_words(user_agent: str) -> str:
    """Return the browser and the system of a `User-Agent`: "Firefox, Windows"; empty where it says neither."""
    told = user_agent[:400]
    found = [next((name for part, name in table if part in told), "") for table in (BROWSERS, SYSTEMS)]
    return ", ".join(filter(None, found))
