"""Pages to import players and past results, with a preview first."""

from __future__ import annotations

import csv
from dataclasses import replace
from datetime import UTC, datetime

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.i18n.catalog import spoken
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.people import service
from scorekeeper.leagues.people.queries import people_page
from scorekeeper.leagues.transfer import undo
from scorekeeper.leagues.transfer.forms import PlayersForm, ResultsForm
from scorekeeper.leagues.transfer.import_players import choices_of, newcomers, with_names
from scorekeeper.leagues.transfer.layouts import EXAMPLES
from scorekeeper.leagues.transfer.pages import BroughtPage
from scorekeeper.leagues.transfer.past_nights import bring_in_past
from scorekeeper.leagues.transfer.past_page import left_behind, results_import_page, with_results
from scorekeeper.leagues.transfer.past_reading import PastSeason, read_past
from scorekeeper.leagues.transfer.queries import people_import_page, with_people
from scorekeeper.leagues.transfer.spreadsheet import sheets_of, text_of
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.csv_cells import csv_file
from scorekeeper.web.rate_limit import TABLES, limited, one_at_a_time


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
        page = replace(page, text=text, sheet=sheet.name, sheets=tuple(sheets) if len(sheets) > 1 else ())
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
        page = replace(page, text=text)
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
        page, status = replace(page, error=spoken(violation.message)), 422
    return make_response(render_template("leagues/transfer/import.html", page=page), status)


@bp.post("/leagues/<league_id>/imports/<import_id>/removal")
def undo_import(league_id: str, import_id: str) -> AnyResponse:
    """Undo an import: delete everything that it added to the league."""
    undo.undo_import(league=league_id, brought_in=import_id, device=this_device() or "")
    return redirect(url_for("leagues.league", league_id=league_id), 303)
