"""A league is put into the account of its director."""

from __future__ import annotations

from flask import redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts import sessions
from scorekeeper.accounts.actor import this_actor
from scorekeeper.accounts.sessions import this_session
from scorekeeper.accounts.views.requests import keep_session
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.members import league_account


@bp.post("/leagues/<league_id>/account")
def keep_in_account(league_id: str) -> AnyResponse:
    gained = league_account.keep_in_account(league=league_id, actor=this_actor())
    session = this_session()
    if session is not None and gained:
        keep_session(sessions.renew(session_id=session.id))
    return redirect(url_for("leagues.league", league_id=league_id), 303)
