"""Whether other phones can open the addresses that a page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import request

from scorekeeper.i18n.catalog import N_, _

if TYPE_CHECKING:
    from flask import Flask

LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))
ONLY_HERE = N_(
    "Only this computer can open that address. Start the score book with --lan, and open it here, too, by the address "
    "that it then shows for phones."
)


def only_here() -> str:
    """Return what stands in the way of other phones, empty where nothing does."""
    return _(ONLY_HERE) if urlsplit(request.host_url).hostname in LOOPBACK else ""


def connect(app: Flask) -> None:
    """Let the templates of `app` say it."""
    app.add_template_global(only_here)
