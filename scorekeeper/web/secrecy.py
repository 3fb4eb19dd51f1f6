"""Addresses that are secrets: who has one may do something. They are kept out of logs, caches and referrers."""

from __future__ import annotations

import re

PATHS = "/score/"
"""What comes below is secret."""

HEADERS = {
    "Cache-Control": "no-store",
    # Not `no-referrer`: with it browsers send `Origin: null`, and our own forms would look foreign.
    "Referrer-Policy": "strict-origin",
    "X-Robots-Tag": "noindex",
}
"""Headers of every response below `PATHS`, errors as well."""

_SECRET = re.compile(rf"({re.escape(PATHS)})[^\s/?#\"]+")


def without_secrets(text: str) -> str:
    """Return `text`, an address or a line for a log, with dots for what is secret in it."""
    return _SECRET.sub(r"\1...", text)
