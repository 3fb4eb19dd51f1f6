"""Somebody's account is deleted, with all that it is to leagues."""

from __future__ import annotations

from flask import redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.sessions import NotSignedInError
from scorekeeper.accounts.views.requests import freshly_signed_in, signed_out, this_caller
from scorekeeper.i18n.catalog import spoken
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.requests import kept_nowhere
from scorekeeper.leagues.members import account_deletion
from scorekeeper.leagues.members.deletion_queries import leaving_page
from scorekeeper.rules.violation import RuleViolation


@bp.get("/account/deletion")
def ask_to_leave() -> AnyResponse:
    """Say first what it will do; who is not freshly signed in is asked to be."""
    try:
        page = leaving_page(freshly_signed_in().account)
    except NotSignedInError:
        return _to_door()
    return kept_nowhere(render_template("leagues/leaving.html", page=page))


@bp.post("/account/deletion")
def leave() -> AnyResponse:
    try:
        account = freshly_signed_in().account
    except NotSignedInError:
        return _to_door()
    try:
        account_deletion.delete_account(account=account, caller=this_caller())
    except RuleViolation as violation:
        page = leaving_page(account, spoken(violation.message))
        return kept_nowhere(render_template("leagues/leaving.html", page=page), 422)
    return signed_out(done="deleted")


def _to_door() -> AnyResponse:
    return redirect(url_for("accounts.sign_in", back=url_for("leagues.ask_to_leave")), 303)
