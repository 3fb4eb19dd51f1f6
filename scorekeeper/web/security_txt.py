"""Where somebody who finds a weakness can say so: `/.well-known/security.txt`, as RFC 9116 has it."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from flask import Response, abort, current_app

from scorekeeper.web.locale import LANGUAGES

if TYPE_CHECKING:
    from flask import Flask

GOOD_FOR = timedelta(days=180)
"""How long who reads it may rely on it."""


def connect(app: Flask) -> None:
    """Answer there once `app.config["CONTACT"]` says whom to write to; until then there is nothing."""
    app.add_url_rule("/.well-known/security.txt", view_func=security_txt)


def security_txt() -> Response:
    """Say whom to write to, in which languages, and until when that holds."""
    contact: str = current_app.config["CONTACT"]
    if not contact:
        abort(404)
    until = datetime.combine(datetime.now(UTC).date() + GOOD_FOR, time(), UTC)
    lines = (
        f"Contact: {contact}",
        f"Expires: {until:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(LANGUAGES)}",
    )
    return Response("".join(f"{line}\n" for line in lines), mimetype="text/plain")
