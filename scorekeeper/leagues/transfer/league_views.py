"""Pages to back up a league as a file, to import such a file, and to hand a league over to another device."""

from __future__ import annotations

from flask import Response, current_app, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, this_device
from scorekeeper.i18n.catalog import spoken
from scorekeeper.leagues.core.access import NoSuchLeagueError, demand, league_at
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.header import head_of
from scorekeeper.leagues.core.requests import kept_nowhere
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.members import ownership
from scorekeeper.leagues.transfer import league_file
from scorekeeper.leagues.transfer.archive import pack, read_archive
from scorekeeper.leagues.transfer.forms import LeagueFileForm
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.extensions import db
from scorekeeper.web.rate_limit import LEAGUE_FILES, LEAGUE_IMPORTS, costly, limited


@bp.get("/leagues/<league_id>/archive.zip")
@costly
def archive(league_id: str) -> Response:
    """Send the league as a file. Only owners can download this file, because it includes the notes on people."""
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
    """Hand a league over to the phone that opened this link, after a page that asks for confirmation.

    `word` is the token in the link. Without that page, the link preview of a chat program could take the league over.
    """
    key = str(current_app.secret_key)
    if request.method == "POST":
        ownership.take_over(league=league_id, word=word, key=key, device=known_device())
        return redirect(url_for("leagues.league", league_id=league_id), 303)
    row = ownership.checked(db.session(), league_id, word, key)
    return make_response(
        render_template("leagues/members/take_over.html", league=head_of(row, this_device()), word=word)
    )


@bp.route("/leagues/import", methods=["GET", "POST"])
@limited(LEAGUE_FILES)
def import_league() -> AnyResponse:
    """Read the summary of an uploaded league file, and save the file until it is imported."""
    if request.method == "GET":
        return make_response(render_template("leagues/transfer/league_file.html", wrong=""))
    device = known_device()
    try:
        data = LeagueFileForm().data_sent
        if not data:
            raise RuleViolation("league_file_none", "Choose a league file (.zip).")
        file = league_file.look_into(data)
        if league_file.is_here(file):
            message = Phrase("The league “%(name)s” is already on this server.", name=file.name)
            raise RuleViolation("league_here", message)
        key = league_file.keep(device=device, data=data, file=file)
    except RuleViolation as violation:
        page = render_template("leagues/transfer/league_file.html", wrong=spoken(violation.message))
        return make_response(page, 422)
    return redirect(url_for("leagues.import_kept", file_id=key), 303)


@bp.route("/leagues/import/<file_id>", methods=["GET", "POST"])
@limited(LEAGUE_IMPORTS)
def import_kept(file_id: str) -> AnyResponse:
    """Show the summary of an uploaded file on GET, and import it on POST."""
    device, config = this_device() or "", current_app.config
    file = league_file.kept(device=device, key=file_id)
    if file is None:
        raise NoSuchLeagueError
    if request.method == "POST":
        league = league_file.import_kept(
            config["INSTANCE"],
            device,
            file_id,
            database=config["SQLALCHEMY_DATABASE_URI"],
            secret=str(current_app.secret_key),
        )
        return redirect(url_for("leagues.league", league_id=league), 303)
    return kept_nowhere(render_template("leagues/transfer/league_file_found.html", file=file, id=file_id))
