"""Somebody's account is deleted, with all that it is to leagues."""

from __future__ import annotations

from flask import redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.refusal import NotSignedInError
from scorekeeper.accounts.views.asked import freshly_signed_in, signed_out, this_caller
from scorekeeper.language import spoken
from scorekeeper.leagues import leaving
from scorekeeper.leagues.queries.leaving import leaving_page
from scorekeeper.leagues.views.asked import kept_nowhere
from scorekeeper.leagues.views.blueprint import bp
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
        leaving.delete_account(account=account, caller=this_caller())
    except RuleViolation as violation:
        page = leaving_page(account, spoken(violation.message))
        return kept_nowhere(render_template("leagues/leaving.html", page=page), 422)
    return signed_out(done="deleted")


def _to_door() -> AnyResponse:
    return redirect(url_for("accounts.sign_in", back=url_for("leagues.ask_to_leave")), 303)
