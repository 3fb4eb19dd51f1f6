"""Pages to back up a league as a file, and to hand it over to another device."""

from __future__ import annotations

from flask import Response, current_app, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.leagues.core.access import demand, league_at
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.header import head_of
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.members import ownership
from scorekeeper.leagues.transfer.archive import pack, read_archive
from scorekeeper.web.extensions import db
from scorekeeper.web.rate_limit import costly


@bp.get("/leagues/<league_id>/archive.zip")
@costly
def archive(league_id: str) -> Response:
    """Send the league as a file, for owners only, because it has the notes on people."""
    session = db.session()
    demand(league_at(session, league_id), this_device(), Role.OWNER)
    told = read_archive(session, league_id)
    # Packing many seasons may take longer than the idle limit of a PostgreSQL transaction.
    session.rollback()
    response = make_response(pack(told))
    response.headers["Content-Type"] = "application/zip"
    response.headers["Content-Disposition"] = f'attachment; filename="league-{league_id}.zip"'
    return response


@bp.route("/leagues/<league_id>/direct/<word>", methods=["GET", "POST"])
def direct(league_id: str, word: str) -> AnyResponse:
    """Ask first, because programs that preview links open them too."""
    key = str(current_app.secret_key)
    if request.method == "POST":
        ownership.take_over(league=league_id, word=word, key=key, device=known_device())
        return redirect(url_for("leagues.league", league_id=league_id), 303)
    row = ownership.checked(db.session(), league_id, word, key)
    return make_response(
        render_template("leagues/members/take_over.html", league=head_of(row, this_device()), word=word)
    )
