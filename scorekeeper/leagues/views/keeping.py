"""A league is put into the account of its director."""

from __future__ import annotations

from flask import redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts import sessions
from scorekeeper.accounts.sessions import this_session
from scorekeeper.accounts.views.asked import keep_session
from scorekeeper.accounts.who import this_actor
from scorekeeper.leagues import keeping
from scorekeeper.leagues.views.blueprint import bp


@bp.post("/leagues/<league_id>/account")
def keep_in_account(league_id: str) -> AnyResponse:
    gained = keeping.keep_in_account(league=league_id, actor=this_actor())
    session = this_session()
    if session is not None and gained:
        keep_session(sessions.renew(session_id=session.id))
    return redirect(url_for("leagues.league", league_id=league_id), 303)
