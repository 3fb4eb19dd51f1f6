"""Pages to import players and past results, with a preview first."""

from __future__ import annotations

from dataclasses import replace

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.i18n.catalog import spoken
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.people import service
from scorekeeper.leagues.people.queries import people_page
from scorekeeper.leagues.transfer.forms import ResultsForm, SpreadsheetForm
from scorekeeper.leagues.transfer.import_players import newcomers
from scorekeeper.leagues.transfer.import_results import past_results
from scorekeeper.leagues.transfer.pages import BroughtPage
from scorekeeper.leagues.transfer.past_nights import bring_in_past
from scorekeeper.leagues.transfer.queries import people_import_page, results_import_page, with_people, with_results
from scorekeeper.leagues.transfer.spreadsheet import text_of
from scorekeeper.rules.violation import RuleViolation


@bp.route("/leagues/<league_id>/people/import", methods=["GET", "POST"])
def import_people(league_id: str) -> AnyResponse:
    page = people_import_page(league_id, this_device())
    if request.method == "GET":
        return _shown(page)
    form = SpreadsheetForm()
    try:
        text = text_of(form.data_sent)
        page = replace(page, text=text)
        lines = newcomers(text, people_page(league_id, this_device()).names)
        if not form.confirmed.data:
            return _shown(with_people(page, lines))
        new = [line.told for line in lines if line.state == "new"]
        service.add_people(league=league_id, people=new, device=this_device() or "")
    except RuleViolation as violation:
        return _shown(page, violation)
    there = sum(line.state == "there" for line in lines)
    return redirect(url_for("leagues.people", league_id=league_id, added=len(new), there=there), 303)


@bp.route("/seasons/<season_id>/results/import", methods=["GET", "POST"])
def import_results(season_id: str) -> AnyResponse:
    page, rules, after, stops = results_import_page(season_id, this_device())
    if request.method == "GET":
        return _shown(page)
    form = ResultsForm()
    order, without, answers = form.date_order, form.without.data, form.answers.data
    try:
        text = text_of(form.data_sent)
        page = replace(page, text=text)
        lines = past_results(text, rules, after, order=order, answers=answers, stops=stops)
        # Preview again if there are more wrong lines than were shown, or questions without an answer.
        asks = any(line.asked for line in lines)
        if not form.confirmed.data or asks or without < sum(bool(line.problem) for line in lines):
            names = people_page(page.league.id, this_device()).names
            shown = with_results(page, lines, names, order)
            return _shown(shown, status=422 if asks and form.confirmed.data else 200)
        bring_in_past(
            season=season_id, text=text, device=this_device() or "", order=order, without=without, answers=answers
        )
    except RuleViolation as violation:
        return _shown(page, violation)
    return redirect(url_for("leagues.season", season_id=season_id), 303)


def _shown(page: BroughtPage, violation: RuleViolation | None = None, status: int = 200) -> AnyResponse:
    if violation is not None:
        page, status = replace(page, error=spoken(violation.message)), 422
    return make_response(render_template("leagues/transfer/import.html", page=page), status)
