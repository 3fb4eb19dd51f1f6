"""The blueprint of the pages of directors."""

from __future__ import annotations

from flask import Blueprint, Response, request

from scorekeeper.accounts.devices import send_device
from scorekeeper.accounts.passwords import SHORTEST
from scorekeeper.accounts.sessions import note_use, send_session
from scorekeeper.accounts.tokens import CODE_LENGTH

bp = Blueprint("accounts", __name__)
bp.after_app_request(note_use)
bp.after_request(send_session)
bp.after_request(send_device)


@bp.context_processor
def told() -> dict[str, int | bool]:
    """Return what every page of directors may say."""
    host = request.host.rsplit(":", 1)[0]
    here = host in {"localhost", "127.0.0.1", "[::1]"}  # what is sent to this machine itself leaves it nowhere
    return {
        "shortest_password": SHORTEST,
        "code_length": CODE_LENGTH,
        "overheard": not (request.is_secure or here),
    }


@bp.after_request
def keep_nowhere(response: Response) -> Response:
    """Return `response` so that no cache keeps it: codes and addresses stand on these pages."""
    response.headers["Cache-Control"] = "no-store"
    return response
