"""Send challenges to the script `static/js/accounts/passkey.js`, and check the signed responses, as JSON.

The challenge is stored in the browser's signed cookie, and each answer works only once.
"""

from __future__ import annotations

from datetime import UTC, datetime

from flask import abort, jsonify, request, session, url_for
from werkzeug.exceptions import TooManyRequests
from werkzeug.wrappers import Response

from scorekeeper.accounts import passkeys
from scorekeeper.accounts.credentials import Refused
from scorekeeper.accounts.forms import PasskeyForm
from scorekeeper.accounts.passkeys import CHALLENGE_LASTS, Site, does_not_fit, new_challenge
from scorekeeper.accounts.views.requests import bp, freshly_signed_in, keep_session, this_caller, this_site, way_on
from scorekeeper.i18n.catalog import N_
from scorekeeper.web.errors import expected
from scorekeeper.web.rate_limit import MINUTE, Limit, limited, surroundings

PASSKEYS = Limit("passkeys", 30, MINUTE, N_("Too many passkey attempts from here."))
"""Limit for each client (`asker`). It protects the server from too much work; passkeys can't be guessed."""
PASSKEYS_BY_NETWORK = Limit("passkeys-network", 90, MINUTE, PASSKEYS.says)
"""Limit for each network (`surroundings`): each refused passkey is a database write, which delays scoring phones."""
KEPT_IN = "passkey"
"""Key of the challenge in the browser's session cookie."""


@bp.post("/account/passkeys/options")
@limited(PASSKEYS)
def options_to_add() -> Response:
    """Return the options for making a passkey for the account that is signed in, as JSON."""
    account = freshly_signed_in().account
    return jsonify(passkeys.options_to_add(account, _ask(), _site()))


@bp.post("/account/passkeys")
@limited(PASSKEYS)
def add_passkey() -> Response:
    """Store the passkey that the browser made.

    Return the address of the next page as JSON. If the passkey is refused, return the reason with status 422.
    """
    account = freshly_signed_in().account
    try:
        passkeys.add_passkey(account=account, answer=_answer(), challenge=_asked(), site=_site(), caller=this_caller())
    except Refused as refused:
        return _no(refused)
    return jsonify(to=url_for("accounts.mine", done="passkey"))


@bp.post("/account/sign-in/passkey/options")
@limited(PASSKEYS)
def options_to_sign_in() -> Response:
    """Return the options for signing in with a passkey, as JSON. The options name no account."""
    return jsonify(passkeys.options_to_sign_in(_ask(), _site()))


@bp.post("/account/sign-in/passkey")
@limited(PASSKEYS)
@limited(PASSKEYS_BY_NETWORK, by=surroundings)
def sign_in_with_passkey() -> Response:
    """Sign in with a passkey.

    Return the address of the next page as JSON. If the passkey is refused, return the reason with status 422.
    """
    try:
        secret = passkeys.sign_in_with_passkey(answer=_answer(), challenge=_asked(), site=_site(), caller=this_caller())
    except Refused as refused:
        return _no(refused)
    keep_session(secret)
    return jsonify(to=way_on(PasskeyForm().back.data))


@bp.errorhandler(TooManyRequests)
def too_often(error: TooManyRequests) -> Response:
    """Return status 429 with the time to wait before the next attempt.

    The answer is JSON if the script sent the request, and otherwise a page.
    """
    if request.accept_mimetypes.best != "application/json":
        return expected(error)
    response = jsonify(says=error.description)
    response.status_code = 429
    response.headers.extend([each for each in error.get_headers() if each[0] == "Retry-After"])
    return response


def _site() -> Site:
    site = this_site()
    if site is None:
        abort(404)
    return site


def _ask() -> str:
    challenge = new_challenge()
    session[KEPT_IN] = [challenge, int((datetime.now(UTC) + CHALLENGE_LASTS).timestamp())]
    return challenge


def _asked() -> str:
    challenge, until = session.pop(KEPT_IN, ("", 0))
    if datetime.now(UTC).timestamp() > until:
        raise does_not_fit()
    return str(challenge)


def _answer() -> str:
    return PasskeyForm().answer.data or ""


def _no(refused: Refused) -> Response:
    response = jsonify(says=refused.says)
    response.status_code = 422
    return response
