"""A league is put into the account of its director."""

from __future__ import annotations

from flask import redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.who import this_actor
from scorekeeper.leagues import keeping
from scorekeeper.leagues.views.blueprint import bp


@bp.post("/leagues/<league_id>/account")
def keep_in_account(league_id: str) -> AnyResponse:
    keeping.keep_in_account(league=league_id, actor=this_actor())
    return redirect(url_for("leagues.league", league_id=league_id), 303)
