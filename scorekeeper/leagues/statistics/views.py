"""Views of a player's page, and of a season with other rules."""

from flask import make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.statistics.queries import other_rules_page, person_page, resolved
from scorekeeper.web.rate_limit import costly, one_at_a_time


@bp.get("/people/<person_id>")
def person(person_id: str) -> AnyResponse:
    season, night = (request.args.get(key, "") for key in ("season", "night"))
    now = resolved(person_id)
    if now != person_id:
        return redirect(url_for("leagues.person", person_id=now, season=season or None), 302)
    page = person_page(person_id, this_device(), season, night)
    return make_response(render_template("leagues/statistics/person.html", page=page))


@bp.get("/seasons/<season_id>/other-rules")
@costly
@one_at_a_time
def other_rules(season_id: str) -> str:
    """Show how the games of a season, or of one of its nights, would have ended with other rules."""
    page = other_rules_page(season_id, this_device(), request.args.get("night", ""))
    return render_template("leagues/statistics/other_rules.html", page=page)
