"""The standings of a season: looked at, handed on as files; a season closed and opened again."""

from __future__ import annotations

from flask import Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games.forms import plain
from scorekeeper.i18n.catalog import spoken
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.seasons import service
from scorekeeper.leagues.standings.export import standings_csv, standings_xlsx
from scorekeeper.leagues.standings.queries import rows_to_hand_on, season_page
from scorekeeper.rules.violation import RuleViolation
from scorekeeper.web.rate_limit import costly

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@bp.get("/seasons/<season_id>")
def season(season_id: str) -> str:
    return render_template("leagues/season.html", page=season_page(season_id, this_device()))


@bp.get("/seasons/<season_id>/<who>.csv")
def standings_as_csv(season_id: str, who: str) -> Response:
    rows, names, _title = rows_to_hand_on(season_id, who)
    return _file(standings_csv(rows, names), "text/csv; charset=utf-8", f"standings-{season_id}-{who}.csv")


@bp.get("/seasons/<season_id>/<who>.xlsx")
@costly
def standings_as_xlsx(season_id: str, who: str) -> Response:
    rows, names, title = rows_to_hand_on(season_id, who)
    return _file(standings_xlsx(rows, names, title), XLSX, f"standings-{season_id}-{who}.xlsx")


@bp.post("/seasons/<season_id>/closing")
def close_season(season_id: str) -> AnyResponse:
    try:
        service.close_season(season=season_id, device=this_device() or "")
    except RuleViolation as violation:
        return _again(season_id, violation)
    return redirect(url_for("leagues.season", season_id=season_id), 303)


@bp.post("/seasons/<season_id>/reopening")
def reopen_season(season_id: str) -> AnyResponse:
    try:
        reason = plain(request.form).get("reason", "").strip()
        if not reason:
            raise RuleViolation("reason_missing", "Say why the season is opened again.", field="reason")
        service.reopen_season(season=season_id, device=this_device() or "", reason=reason)
    except RuleViolation as violation:
        return _again(season_id, violation)
    return redirect(url_for("leagues.season", season_id=season_id), 303)


def _again(season_id: str, violation: RuleViolation) -> AnyResponse:
    page = season_page(season_id, this_device(), error=spoken(violation.message))
    return make_response(render_template("leagues/season.html", page=page), 422)


def _file(content: bytes, kind: str, name: str) -> Response:
    response = make_response(content)
    response.headers["Content-Type"] = kind
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
