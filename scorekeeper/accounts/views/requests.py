"""Blueprint of the account pages, and helpers for their requests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from flask import Blueprint, Response, current_app, g, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.audit_log import Caller
from scorekeeper.accounts.credentials import SHORTEST
from scorekeeper.accounts.devices import agent_words, known_device, send_device
from scorekeeper.accounts.passkeys import Site, site_of
from scorekeeper.accounts.passwords import turn
from scorekeeper.accounts.sessions import NotSignedInError, SignedIn, note_use, send_session, this_session
from scorekeeper.db.tokens import CODE_LENGTH
from scorekeeper.web.rate_limit import PASSWORDS, PASSWORDS_BY_NETWORK, spend, surroundings
from scorekeeper.web.request_log import network
from scorekeeper.web.settings_page import nearest_page

bp = Blueprint("accounts", __name__)
bp.after_app_request(note_use)
bp.after_request(send_session)
bp.after_request(send_device)


@bp.context_processor
def told() -> dict[str, int | bool]:
    """Return the values for all account templates."""
    host = request.host.rsplit(":", 1)[0]
    here = host in {"localhost", "127.0.0.1", "[::1]"}  # requests to this machine itself don't cross a network
    return {
        "shortest_password": SHORTEST,
        "code_length": CODE_LENGTH,
        "overheard": not (request.is_secure or here),
    }


@bp.after_request
def keep_nowhere(response: Response) -> Response:
    """Turn off caching for `response`, because these pages show codes and links, and return it."""
    response.headers["Cache-Control"] = "no-store"
    return response


def this_caller() -> Caller:
    """Return the `Caller` of the request; a new device gets a token with the response."""
    session = this_session()
    return Caller(
        device=known_device(),
        agent=agent_words(request.headers.get("User-Agent", "")),
        network=network(request.remote_addr or ""),
        session=None if session is None else session.id,
    )


def signed_in() -> SignedIn:
    """Return the session of this request. Raises `NotSignedInError`."""
    session = this_session()
    if session is None:
        raise NotSignedInError
    return session


def freshly_signed_in() -> SignedIn:
    """Return the session if the sign-in is recent enough to change the account. Raises `NotSignedInError`."""
    session = signed_in()
    if not session.fresh(datetime.now(UTC)):
        raise NotSignedInError
    return session


def keep_session(secret: str) -> None:
    """Set the session cookie to `secret` with the response; delete the cookie if it is empty."""
    g.new_account_session = secret


def signed_out(done: str = "here") -> AnyResponse:
    """Delete the cookie, redirect to the sign-in page with the message `done`, and clear the browser's page cache.

    Keep its storage, which holds hands waiting to be sent.
    """
    keep_session("")
    response = redirect(url_for("accounts.sign_in", done=done), 303)
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


def this_site() -> Site | None:
    """Return the site for passkeys, None if they don't work at this address."""
    return site_of(request.host, secure=request.is_secure)


def sign_up_is_open() -> bool:
    """Return whether sign-up is open to everyone."""
    return bool(current_app.config["SIGN_UP"])


@contextmanager
def strangers_turn() -> Iterator[None]:
    """Hold a place to hash or check a stranger's password, and count the attempt.

    Raises `BusyError` if no place is free; such an attempt isn't counted in the total.
    """
    spend(PASSWORDS_BY_NETWORK, surroundings())
    with turn():
        spend(PASSWORDS, "")
        yield


def way_on(back: str) -> str:
    """Return `back` if it is the address of one of our pages, else the account page."""
    return nearest_page(back) if back else url_for("accounts.mine")
