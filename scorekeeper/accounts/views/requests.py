"""The blueprint of the pages of directors, and what their requests have in common."""

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


def this_caller() -> Caller:
    """Return who asks; a device that has no word of its own yet gets one with the response."""
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
    """Return the session, if it began so recently that the account may be changed. Raises `NotSignedInError`."""
    session = signed_in()
    if not session.fresh(datetime.now(UTC)):
        raise NotSignedInError
    return session


def keep_session(secret: str) -> None:
    """Let the response carry the cookie for `secret`; without one, take it away."""
    g.new_account_session = secret


def signed_out(done: str = "here") -> AnyResponse:
    """Take the cookie away and lead to the door, which says what was `done`; what the browser kept of pages goes too.

    Not what it stores: hands that wait for a signal are there.
    """
    keep_session("")
    response = redirect(url_for("accounts.sign_in", done=done), 303)
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


def this_site() -> Site | None:
    """Return where passkeys work, None if this address is not such a place."""
    return site_of(request.host, secure=request.is_secure)


def sign_up_is_open() -> bool:
    """Return whether anybody may sign up."""
    return bool(current_app.config["SIGN_UP"])


@contextmanager
def strangers_turn() -> Iterator[None]:
    """Hold a place to hash or check the password of somebody who is not known yet, counted with all who are not.

    Whoever finds no place is not counted with them. Raises `BusyError`.
    """
    spend(PASSWORDS_BY_NETWORK, surroundings())
    with turn():
        spend(PASSWORDS, "")
        yield


def way_on(back: str) -> str:
    """Return `back` if it is a page of ours, else the page of the account."""
    return nearest_page(back) if back else url_for("accounts.mine")
