"""Pages to import players and past results, with a preview first.

Pages to make a league from a phone's home table, with a preview first.

Pages to back up a league as a file, to import such a file, and to hand a league over to another device.
"""

import csv
from datetime import UTC, datetime
from typing import Any

from flask import Response, abort, current_app, make_response, redirect, render_template, request, url_for
from msgspec import structs
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import known_device, this_account, this_device
from scorekeeper.games.views.our_table import ONLY_LOOKS
from scorekeeper.games.views.start import TableWay, table_way
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.leagues.core.access import NoSuchLeagueError, demand, head_of, league_at
from scorekeeper.leagues.core.blueprint import bp, kept_nowhere
from scorekeeper.leagues.core.roles import Role
from scorekeeper.leagues.members import service as members_service
from scorekeeper.leagues.members.views import put_in_account
from scorekeeper.leagues.people import service
from scorekeeper.leagues.people.queries import people_page
from scorekeeper.leagues.transfer import league_file, undo
from scorekeeper.leagues.transfer.archive import pack, read_archive
from scorekeeper.leagues.transfer.forms import (
    LeagueFileForm,
    PlayersForm,
    ResultsForm,
    TableChoiceForm,
    TableLeagueForm,
)
from scorekeeper.leagues.transfer.home_league import league_from_table
from scorekeeper.leagues.transfer.home_table import (
    HomePlan,
    LooksOnlyError,
    NoHomeTableError,
    home_league_page,
    plan_of,
)
from scorekeeper.leagues.transfer.layouts import EXAMPLES
from scorekeeper.leagues.transfer.names import choices_of, newcomers, with_names
from scorekeeper.leagues.transfer.past_nights import bring_in_past
from scorekeeper.leagues.transfer.past_page import left_behind, results_import_page, with_results
from scorekeeper.leagues.transfer.past_reading import PastSeason, read_past
from scorekeeper.leagues.transfer.queries import BroughtPage, people_import_page, with_people
from scorekeeper.leagues.transfer.spreadsheet import sheets_of, text_of
from scorekeeper.rules.phrase import Phrase, RuleViolation
from scorekeeper.web.csv_cells import csv_file
from scorekeeper.web.extensions import db
from scorekeeper.web.links import PageLink
from scorekeeper.web.rate_limit import LEAGUE_FILES, LEAGUE_IMPORTS, NEW_LEAGUES, TABLES, costly, limited, one_at_a_time
from scorekeeper.web.text import plain_words


@bp.route("/leagues/<league_id>/people/import", methods=["GET", "POST"])
@limited(TABLES)
def import_people(league_id: str) -> AnyResponse:
    page = people_import_page(league_id, this_device())
    return _shown(page) if request.method == "GET" else _people_sent(league_id, page)


@one_at_a_time
def _people_sent(league_id: str, page: BroughtPage) -> AnyResponse:
    form = PlayersForm()
    try:
        text = text_of(form.data_sent)
        sheets = {sheet.name: sheet for sheet in sheets_of(text)}
        sheet = sheets.get(form.sheet.data or "") or next(iter(sheets.values()))
        page = structs.replace(page, text=text, sheet=sheet.name, sheets=tuple(sheets) if len(sheets) > 1 else ())
        known = people_page(league_id, this_device()).names
        lines = newcomers(sheet.text, known)
        choices = choices_of(lines, known, form.names.data)
        lines = with_names(lines, choices)
        new = [line.told for line in lines if line.state == "new"]
        # Preview again if more players are new than were shown, or if it isn't said who somebody is.
        if not form.confirmed.data or len(new) > form.new.data or any(line.state == "asked" for line in lines):
            return _shown(with_people(page, lines, choices))
        service.add_people(league=league_id, people=new, device=this_device() or "", imported=True)
    except RuleViolation as violation:
        return _shown(page, violation)
    there = sum(line.state == "there" for line in lines)
    return redirect(url_for("leagues.people", league_id=league_id, added=len(new), there=there), 303)


@bp.route("/seasons/<season_id>/results/import", methods=["GET", "POST"])
@limited(TABLES)
def import_results(season_id: str) -> AnyResponse:
    page, season = results_import_page(season_id, this_device())
    return _shown(page) if request.method == "GET" else _results_sent(season_id, page, season)


@one_at_a_time
def _results_sent(season_id: str, page: BroughtPage, season: PastSeason) -> AnyResponse:
    form = ResultsForm()
    if example := EXAMPLES.get(form.layout.data or ""):
        head, *lines = csv.reader(example[1].splitlines())
        return _file(csv_file(head, lines), f"{form.layout.data}.csv")
    today = datetime.now(UTC).astimezone().date()
    try:
        text, said = text_of(form.data_sent), form.said
        page = structs.replace(page, text=text)
        past = read_past(text, season, said, today)
        if form.download.data:
            return _file(csv_file(*left_behind(past)), "lines-left.csv")
        # Preview again if more lines are wrong or more players new than were shown, or a question has no answer.
        if not form.confirmed.data or not past.is_agreed(said):
            shown = with_results(page, past, said, season)
            return _shown(shown, status=422 if form.confirmed.data and past.asks else 200)
        bring_in_past(season=season_id, text=text, device=this_device() or "", said=said, today=today)
    except RuleViolation as violation:
        return _shown(page, violation)
    return redirect(url_for("leagues.season", season_id=season_id), 303)


def _file(data: bytes, name: str) -> AnyResponse:
    response = make_response(data)
    response.headers["Content-Type"] = "text/csv; charset=utf-8"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _shown(page: BroughtPage, violation: RuleViolation | None = None, status: int = 200) -> AnyResponse:
    if violation is not None:
        page, status = structs.replace(page, error=spoken(violation.message)), 422
    return make_response(render_template("leagues/transfer/import.html", page=page), status)


@bp.post("/leagues/<league_id>/imports/<import_id>/removal")
def undo_import(league_id: str, import_id: str) -> AnyResponse:
    """Undo an import: delete everything that it added to the league."""
    undo.undo_import(league=league_id, brought_in=import_id, device=this_device() or "")
    return redirect(url_for("leagues.league", league_id=league_id), 303)


@table_way
def to_league() -> TableWay:
    """Return the button that makes a league from a home table, for the sharing page of that table."""
    return TableWay(_("Start a league from this table"), PageLink("leagues.table_to_league", {}))


@bp.get("/table/league")
@costly
def table_to_league() -> AnyResponse:
    choice = TableChoiceForm(formdata=request.args).rules.data or ""
    plan = _plan(choice)
    return _page(plan, choice, TableLeagueForm(formdata=None, data={"name": plan.name}))


@bp.post("/table/leagues")
@limited(NEW_LEAGUES)
def make_table_league() -> AnyResponse:
    form = TableLeagueForm()
    choice, tap = str(form.rules.data or ""), form.request_key
    try:
        if not (form.name.data or "").strip():
            raise RuleViolation("name_missing", _("Enter a name for the league."), field="name")
        made = league_from_table(
            name=form.name.data or "",
            choice=choice,
            seen=str(form.seen.data or ""),
            order=str(form.order.data),
            device=known_device(),
            client_id=tap,
        )
    except RuleViolation as violation:
        return _page(_plan(choice), choice, form, spoken(violation.message), 422)
    except (NoHomeTableError, LooksOnlyError):
        _plan(choice)
        raise
    return _made(made)


def _made(league_id: str) -> AnyResponse:
    """Save a new league of this device to the account that is signed in, if any, and redirect to the league's page."""
    if this_account() is not None:
        put_in_account(league_id)
    return redirect(url_for("leagues.league", league_id=league_id), 303)


def _plan(choice: str) -> HomePlan:
    try:
        return plan_of(db.session(), this_device(), choice)
    except NoHomeTableError:
        abort(404, description=_("This phone has no table yet. Start a game first."))
    except LooksOnlyError:
        abort(403, description=_(ONLY_LOOKS))


def _page(plan: HomePlan, choice: str, form: Any, error: str = "", status: int = 200) -> AnyResponse:
    page = home_league_page(plan, choice, error)
    return make_response(render_template("leagues/transfer/home_league.html", page=page, form=form), status)


@bp.get("/leagues/<league_id>/archive.zip")
@costly
def archive(league_id: str) -> Response:
    """Send the league as a file. Only owners can download this file, because it includes the notes on people."""
    session = db.session()
    row = league_at(session, league_id)
    demand(row, this_device(), Role.OWNER)
    told, league = read_archive(session, league_id), row.name
    # Packing many seasons may take longer than the idle limit of a PostgreSQL transaction.
    session.rollback()
    response = make_response(pack(told))
    response.headers["Content-Type"] = "application/zip"
    name = f"{plain_words(league) or 'league'}-{datetime.now(UTC):%Y-%m-%d}.zip"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@bp.route("/leagues/<league_id>/direct/<word>", methods=["GET", "POST"])
def direct(league_id: str, word: str) -> AnyResponse:
    """Hand a league over to the phone that opened this link, after a page that asks for confirmation.

    `word` is the token in the link. Without that page, the link preview of a chat program could take the league over.
    """
    key = str(current_app.secret_key)
    if request.method == "POST":
        members_service.take_over(league=league_id, word=word, key=key, device=known_device())
        return redirect(url_for("leagues.league", league_id=league_id), 303)
    row = members_service.checked(db.session(), league_id, word, key)
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
        return _made(league)
    return kept_nowhere(render_template("leagues/transfer/league_file_found.html", file=file, id=file_id))
