"""Define the blueprint of the account pages, and helpers for their requests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from flask import Blueprint, Response, current_app, g, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.audit_log import Caller
from scorekeeper.accounts.credentials import SHORTEST
from scorekeeper.accounts.devices import agent_words, known_device, send_device
from scorekeeper.accounts.passwords import turn
from scorekeeper.accounts.sessions import NotSignedInError, SignedIn, note_use, send_session, this_session
from scorekeeper.db.tokens import CODE_LENGTH
from scorekeeper.web.form_answers import forget
from scorekeeper.web.rate_limit import PASSWORDS, PASSWORDS_BY_NETWORK, spend, surroundings
from scorekeeper.web.request_log import network
from scorekeeper.web.settings_page import nearest_page

bp = Blueprint("accounts", __name__)
bp.after_app_request(note_use)
bp.after_request(send_session)
bp.after_request(send_device)


@bp.context_processor
def told() -> dict[str, int | bool]:
    """Return the variables that every account template gets: `shortest_password`, `code_length` and `overheard`.

    `shortest_password` is the fewest characters of a password, and `code_length` is the length of a printed code.
    `overheard` is true if others on the network could read the request, because it was sent without HTTPS.
    """
    host = request.host.rsplit(":", 1)[0]
    here = host in {"localhost", "127.0.0.1", "[::1]"}  # requests to this machine itself don't cross a network
    return {
        "shortest_password": SHORTEST,
        "code_length": CODE_LENGTH,
        "overheard": not (request.is_secure or here),
    }


@bp.after_request
def keep_nowhere(response: Response) -> Response:
    """Tell all caches not to store `response`, because account pages show codes and links. Return `response`."""
    response.headers["Cache-Control"] = "no-store"
    return response


def this_caller() -> Caller:
    """Return what the account log stores about this request. If the device has no token, the response sets one."""
    session = this_session()
    return Caller(
        device=known_device(),
        agent=agent_words(request.headers.get("User-Agent", "")),
        network=network(request.remote_addr or ""),
        session=None if session is None else session.id,
    )


def signed_in() -> SignedIn:
    """Return the session of this request. Raises `NotSignedInError` if nobody is signed in."""
    session = this_session()
    if session is None:
        raise NotSignedInError
    return session


def freshly_signed_in() -> SignedIn:
    """Return the session of this request, if its sign-in is recent enough to change the account.

    Raises `NotSignedInError` if nobody is signed in, or the sign-in is too old.
    """
    session = signed_in()
    if not session.fresh(datetime.now(UTC)):
        raise NotSignedInError
    return session


def keep_session(secret: str) -> None:
    """Make the response set the session cookie to the token `secret`, or delete the cookie if `secret` is empty."""
    g.new_account_session = secret


def signed_out(done: str = "here") -> AnyResponse:
    """Redirect to the sign-in page, and delete the session cookie and the browser's cached pages.

    `done` is a key of `sign_in.DONE`, which has the message for the sign-in page. The browser's local storage isn't
    cleared, because it may hold hands that haven't been sent yet.
    """
    keep_session("")
    forget()
    response = redirect(url_for("accounts.sign_in", done=done), 303)
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


def sign_up_is_open() -> bool:
    """Return whether anyone may create an account on this server."""
    return bool(current_app.config["SIGN_UP"])


@contextmanager
def strangers_turn() -> Iterator[None]:
    """Count a password attempt on an unknown device, and occupy a place for hashing inside the `with` block.

    Attempts from each network have a limit, and all unknown devices together have another limit. If no place for
    hashing is free, the attempt counts only toward the limit of its network. Aborts with 429 if a limit is exceeded.
    Raises `BusyError` if no place is free.
    """
    spend(PASSWORDS_BY_NETWORK, surroundings())
    with turn():
        spend(PASSWORDS, "")
        yield


def way_on(back: str) -> str:
    """Return the address of the page to show next: `back`, or its nearest parent that is a page of this app.

    If `back` is empty, the result is the address of the account page.
    """
    return nearest_page(back) if back else url_for("accounts.mine")
