"""Addresses that are secrets: who has one may do something. They are kept out of logs, caches and referrers."""

from __future__ import annotations

import re

_SECRET = re.compile(
    r"(/score/|/account/opening/|/invitations/|/nights/[^/\s?#\"]+/cards/[0-9]+/|/leagues/[^/\s?#\"]+/direct/)[^\s/?#\"]+"
)
"""A score link, what opens an account, an invitation, the card of a table, and what hands a league over: what comes
last is secret.
"""

HEADERS = {
    "Cache-Control": "no-store",
    # Not `no-referrer`: with it browsers send `Origin: null`, and our own forms would look foreign.
    "Referrer-Policy": "strict-origin",
    "X-Robots-Tag": "noindex",
}
"""Headers of every response at such an address, errors as well."""


def is_secret(path: str) -> bool:
    """Return whether the address `path` is a secret."""
    return _SECRET.match(path) is not None or path.startswith("/score/")


def without_secrets(text: str) -> str:
    """Return `text`, an address or a line for a log, with dots for what is secret in it."""
    return _SECRET.sub(r"\1...", text)
