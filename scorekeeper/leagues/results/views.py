"""Read-only views of the results of a night: page, CSV and picture; and the points by night of a season."""

from __future__ import annotations

from flask import Response, render_template
from werkzeug.exceptions import ServiceUnavailable

from scorekeeper.i18n.catalog import _
from scorekeeper.insight.solved import SolvingError
from scorekeeper.leagues.core.access import NoSuchLeagueError
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.results.best_games import best_games_page, best_games_version, games_of
from scorekeeper.leagues.results.export import grid_csv, part_names, results_csv, results_xlsx
from scorekeeper.leagues.results.grid import season_grid
from scorekeeper.leagues.results.picture import card_of, draw
from scorekeeper.leagues.results.queries import night_results
from scorekeeper.leagues.standings.night_snapshot import night_version
from scorekeeper.web.rate_limit import COSTLY, NEW_ODDS, asker, one_at_a_time, spend
from scorekeeper.web.shared import shared

CSV = "text/csv; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@bp.get("/nights/<night_id>/results")
def results(night_id: str) -> Response:
    """Return the page of a night's results. The page sets no cookie and is cached until the night changes."""

    def drawn(version: str) -> str:
        page = night_results(night_id)
        return render_template("leagues/results/results.html", page=page, files=part_names(page), version=version)

    return shared(night_version, night_id, draw=drawn)


@bp.get("/nights/<night_id>/results/games")
def best_games(night_id: str) -> Response:
    """Return the games of a night, sorted by how far the chances of winning moved. It is cached like the results."""
    return shared(best_games_version, night_id, draw=lambda _version: _best_games(night_id))


@one_at_a_time
def _best_games(night_id: str) -> str:
    """Draw the page. Calculating the chances by rules that this process doesn't know takes up to 2.5 seconds."""
    spend(COSTLY, asker())
    games = games_of(night_id)
    for _table in games.unsolved:
        spend(NEW_ODDS, "all")
    try:
        page = best_games_page(games)
    except SolvingError:
        raise ServiceUnavailable(
            _("The app is calculating at the moment. Load this page again in a few seconds."), retry_after=2
        ) from None
    return render_template("leagues/results/best_games.html", page=page)


@bp.get("/nights/<night_id>/results.csv")
def results_as_csv(night_id: str) -> Response:
    """Return the ranking that decides the prizes as a CSV file."""
    return _csv(night_id, "", f"results-{night_id}.csv")


@bp.get("/nights/<night_id>/results/<part>.csv")
def results_part_as_csv(night_id: str, part: str) -> Response:
    """Return one table of the results as a CSV file. `part` is one of the keys of `part_names`."""
    return _csv(night_id, part, f"results-{night_id}-{part}.csv")


def _csv(night_id: str, part: str, name: str) -> Response:
    def drawn(_version: str) -> bytes:
        file = results_csv(night_results(night_id), part)
        if file is None:
            raise NoSuchLeagueError
        return file

    response = shared(night_version, night_id, draw=drawn)
    response.vary.add("Accept-Language")
    return _file(response, name)


@bp.get("/nights/<night_id>/results.xlsx")
def results_as_xlsx(night_id: str) -> Response:
    """Return the results as an Excel workbook with a sheet for each table."""

    def drawn(_version: str) -> bytes:
        spend(COSTLY, asker())  # not if the browser has it already
        return results_xlsx(night_results(night_id))

    response = shared(night_version, night_id, draw=drawn)
    response.vary.add("Accept-Language")
    return _file(response, f"results-{night_id}.xlsx", XLSX)


@bp.get("/nights/<night_id>/results.png")
def results_picture(night_id: str) -> Response:
    """Return the first ranks of a night as a picture, for link previews and group chats."""

    def drawn(_version: str) -> bytes:
        spend(COSTLY, asker())  # not if the browser has it already
        return draw(card_of(night_results(night_id)))

    response = shared(night_version, night_id, draw=drawn)
    response.mimetype = "image/png"
    response.vary.add("Accept-Language")
    return response


@bp.get("/seasons/<season_id>/<who>/nights.csv")
def points_by_night(season_id: str, who: str) -> Response:
    """Return the points on each night of the season as a CSV file. `who` is "people" or "partners"."""
    return _file(Response(grid_csv(season_grid(season_id, who))), f"nights-{season_id}-{who}.csv")


def _file(response: Response, name: str, kind: str = CSV) -> Response:
    response.headers["Content-Type"] = kind
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
