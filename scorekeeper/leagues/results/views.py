"""Draw the first ranks of a night as a picture, in the same size and style as the picture of a game's score.

Read-only views of the results of a night: page, CSV and picture; and the points by night of a season.
"""

import io
from functools import lru_cache

from flask import Response, render_template
from msgspec import Struct
from werkzeug.exceptions import ServiceUnavailable

from scorekeeper.games.presenters.social_image import (
    BRASS,
    CARD,
    FINER,
    INK,
    KEPT,
    ON_FELT,
    ON_FELT_2,
    SIZE,
    Pen,
    drawable,
    felt,
)
from scorekeeper.i18n.catalog import _
from scorekeeper.insight.odds import SolvingError
from scorekeeper.leagues.core.access import NoSuchLeagueError
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.results.best_games import best_games_page, best_games_version, games_of
from scorekeeper.leagues.results.grid import grid_csv, part_names, results_csv, results_xlsx, season_grid
from scorekeeper.leagues.results.pages import NightResults
from scorekeeper.leagues.results.queries import night_results
from scorekeeper.leagues.standings.night_snapshot import night_version
from scorekeeper.web.rate_limit import COSTLY, NEW_ODDS, asker, one_at_a_time, spend
from scorekeeper.web.shared import shared

ROWS = 5


class ResultCard(Struct, frozen=True):
    """The contents of a picture of results; each of `rows` is (rank, name, score).

    Equal contents share one cached picture.
    """

    league: str
    night: str
    headline: str
    rows: tuple[tuple[str, str, str], ...]
    line: str


def card_of(page: NightResults) -> ResultCard:
    """Return the contents of the picture of a night's results."""
    ranked = page.tables[0].ranked[:ROWS] if page.tables else ()
    lines = [(f"{line.rank}", line.name, line.score[0]) for line in ranked]
    if page.matches:
        lines = [("", f"{match.home} – {match.away}", match.shown) for match in page.matches[:ROWS]]
    # A name in letters that the font lacks would be a row of boxes: the rest of the picture says enough.
    rows = tuple(line for line in lines if drawable(line[1]))
    headline = page.about if drawable(page.about) else page.label
    return ResultCard(
        league=page.league if drawable(page.league) else "",
        night=_("Night %(number)s", number=page.number),
        headline=headline or page.title,
        rows=rows,
        line=page.day if page.final else page.status,
    )


@lru_cache(KEPT)
def draw(card: ResultCard) -> bytes:
    """Draw `card` and return the PNG data. The picture has the size `SIZE`."""
    picture = felt()
    pen = Pen(picture)
    wide, high = SIZE
    pen.text(40, 46, "♠", 40, BRASS, 60, anchor="lm")
    pen.text(92, 46, card.league, 34, ON_FELT_2, 780, anchor="lm")
    pen.text(wide - 40, 46, card.night, 34, ON_FELT_2, 280, anchor="rm")
    pen.text(wide / 2, 122, card.headline, 66, BRASS, 1120)
    top, height = 178, 74
    for number, (rank, name, score) in enumerate(card.rows):
        y = top + number * height
        pen.box(40, y, wide - 80, height - 8, 14, CARD)
        middle = y + (height - 8) / 2
        pen.text(64, middle, rank, 38, INK, 70, anchor="lm")
        pen.text(140, middle, name, 38, INK, 800, anchor="lm")
        pen.text(wide - 64, middle, score, 40, INK, 160, anchor="rm")
    pen.text(wide / 2, high - 40, card.line, 32, ON_FELT, 1120)
    out = io.BytesIO()
    picture.reduce(FINER).save(out, "PNG", compress_level=6)
    return out.getvalue()


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
    """Draw the page. Calculating the chances by rules that this process doesn't know takes up to 5 seconds."""
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
