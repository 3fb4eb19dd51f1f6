"""Read-only views of the results of a night: page, CSV and picture; and the points by night of a season."""

from __future__ import annotations

from flask import Response, render_template

from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.results.export import grid_csv, results_csv
from scorekeeper.leagues.results.grid import season_grid
from scorekeeper.leagues.results.picture import card_of, draw
from scorekeeper.leagues.results.queries import night_results
from scorekeeper.leagues.standings.night_snapshot import night_version
from scorekeeper.web.rate_limit import COSTLY, asker, spend
from scorekeeper.web.shared import shared

CSV = "text/csv; charset=utf-8"


@bp.get("/nights/<night_id>/results")
def results(night_id: str) -> Response:
    """Return a cookie-free page, shared by all visitors until the night changes."""

    def drawn(version: str) -> str:
        return render_template("leagues/results/results.html", page=night_results(night_id), version=version)

    return shared(night_version, night_id, draw=drawn)


@bp.get("/nights/<night_id>/results.csv")
def results_as_csv(night_id: str) -> Response:
    response = shared(night_version, night_id, draw=lambda _version: results_csv(night_results(night_id)))
    response.vary.add("Accept-Language")
    return _file(response, f"results-{night_id}.csv")


@bp.get("/nights/<night_id>/results.png")
def results_picture(night_id: str) -> Response:
    """Return the first ranks as a picture, for link previews and group chats."""

    def drawn(_version: str) -> bytes:
        spend(COSTLY, asker())  # not if the browser has it already
        return draw(card_of(night_results(night_id)))

    response = shared(night_version, night_id, draw=drawn)
    response.mimetype = "image/png"
    response.vary.add("Accept-Language")
    return response


@bp.get("/seasons/<season_id>/<who>/nights.csv")
def points_by_night(season_id: str, who: str) -> Response:
    """Return the points of "people" or "partners" on each night of the season."""
    return _file(Response(grid_csv(season_grid(season_id, who))), f"nights-{season_id}-{who}.csv")


def _file(response: Response, name: str) -> Response:
    response.headers["Content-Type"] = CSV
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
