"""Views of the teams of a season, its playoffs, and the matches of a night."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from flask import Response, make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.i18n.catalog import spoken
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.seasons.views import CSV, XLSX, download
from scorekeeper.leagues.teams import forms, playoffs, service
from scorekeeper.leagues.teams.queries import playoffs_page, teams_page
from scorekeeper.leagues.teams.team_standings import standings_csv, standings_xlsx
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.rate_limit import costly


@bp.get("/seasons/<season_id>/teams")
def teams(season_id: str) -> str:
    return _teams(season_id)


@bp.post("/seasons/<season_id>/teams")
def add_team(season_id: str) -> AnyResponse:
    return _save(season_id, None)


@bp.post("/seasons/<season_id>/teams/<squad_id>")
def change_team(season_id: str, squad_id: str) -> AnyResponse:
    return _save(season_id, squad_id)


def _save(season_id: str, squad: str | None) -> AnyResponse:
    form = forms.SquadForm()
    tap, device = form.request_key, this_device() or ""

    def act() -> None:
        if squad is not None and form.remove.data:
            service.remove_squad(season=season_id, squad=squad, device=device)
            return
        name, division = form.name.data or "", form.division.data or ""
        service.save_squad(
            season=season_id, squad=squad, name=name, division=division, players=form.names, device=device, tap=tap
        )

    return _saved(season_id, squad or "new", act, form)


@bp.post("/seasons/<season_id>/matches")
def make_matches(season_id: str) -> AnyResponse:
    twice = forms.MatchesForm().twice.data != ""
    return _saved(
        season_id, "matches", lambda: service.make_matches(season=season_id, double=twice, device=this_device() or "")
    )


def _saved(season_id: str, part: str, act: Callable[[], Any], form: forms.SquadForm | None = None) -> AnyResponse:
    """Save a change by calling `act`, and redirect to the page of teams.

    On `RuleViolation`, show the page of teams with the error message and the entries of `form`. `part` says next to
    which form the message is shown (see `TeamsPage.part`).
    """
    try:
        act()
    except RuleViolation as violation:
        return make_response(_teams(season_id, error=spoken(violation.message), part=part, form=form), 422)
    return redirect(url_for("leagues.teams", season_id=season_id), 303)


def _teams(season_id: str, *, error: str = "", part: str = "", form: forms.SquadForm | None = None) -> str:
    page = teams_page(season_id, this_device(), error=error, part=part)
    return render_template(
        "leagues/teams/teams.html",
        page=page,
        typed=form,
        empty=forms.SquadForm(formdata=None),
        matches=forms.MatchesForm(formdata=None),
    )


@bp.get("/seasons/<season_id>/teams.csv")
@costly
def teams_as_csv(season_id: str) -> Response:
    return download(standings_csv(season_id), CSV, f"teams-{season_id}.csv")


@bp.get("/seasons/<season_id>/teams.xlsx")
@costly
def teams_as_xlsx(season_id: str) -> Response:
    return download(standings_xlsx(season_id), XLSX, f"teams-{season_id}.xlsx")


@bp.get("/seasons/<season_id>/playoffs")
def playoffs_of(season_id: str) -> str:
    return render_template("leagues/teams/playoffs.html", page=playoffs_page(season_id, this_device()))


@bp.post("/seasons/<season_id>/playoffs")
def start_playoffs(season_id: str) -> AnyResponse:
    """Start the playoffs or, if fixed teams play, their next round.

    Then redirect to the page from which the new night is run.
    """
    form = forms.PlayoffForm()
    day, reason = form.day.data or datetime.now(UTC).date(), form.reason.data or ""
    try:
        night = playoffs.start_playoffs(
            season=season_id, day=day, device=this_device() or "", reason=reason, pairs=form.pairs
        )
    except RuleViolation as violation:
        page = playoffs_page(season_id, this_device(), error=spoken(violation.message))
        return make_response(render_template("leagues/teams/playoffs.html", page=page), 422)
    return redirect(url_for("leagues.desk", night_id=night), 303)
