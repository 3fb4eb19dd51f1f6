"""`/healthz` and `/readyz`: for the program that watches over this one. No cookie, no secret, no page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, current_app

from scorekeeper.ops.readiness import looker_of

if TYPE_CHECKING:
    from flask import Flask


def connect(app: Flask) -> None:
    """Answer both in `app`."""
    app.add_url_rule("/healthz", view_func=healthz)
    app.add_url_rule("/readyz", view_func=readyz)


def healthz() -> Response:
    """Say that this process answers: if it does not, start it anew."""
    return _plain("ok\n", 200)


def readyz() -> Response:
    """Say for database, migrations and disk whether all is well; 503 where it is not: send nobody here now."""
    found = looker_of(current_app).look()
    lines = "".join(f"{what}: {'ok' if is_well else 'failed'}\n" for what, is_well in found.items())
    return _plain(lines, 200 if all(found.values()) else 503)


def _plain(text: str, status: int) -> Response:
    return Response(text, status, {"Cache-Control": "no-store"}, mimetype="text/plain")
