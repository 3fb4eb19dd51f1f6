"""Pages of open clubs (public leagues): the list, a club, its seasons.

The pages are the same for all readers and use no cookies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.core.requests import digits
from scorekeeper.leagues.publishing.picture import about_season, night_card, season_card
from scorekeeper.leagues.publishing.queries.club import (
    MovedClubError,
    club_list,
    club_night_version,
    club_page,
    club_version,
    season_of_club,
)
from scorekeeper.leagues.publishing.queries.night import night_of_club
from scorekeeper.leagues.results import picture
from scorekeeper.web.links import code_of, only_here
from scorekeeper.web.rate_limit import COSTLY, asker, spend
from scorekeeper.web.shared import shared

LONGEST_SEARCH = 40


@bp.errorhandler(MovedClubError)
def moved(error: MovedClubError) -> AnyResponse:
    """Redirect from a former address of a club to the same page under its current address."""
    where: dict[str, Any] = {**(request.view_args or {}), "club": error.slug}
    asked = request.query_string.decode("ascii", "ignore")
    return redirect(url_for(request.endpoint or "", **where) + (f"?{asked}" if asked else ""), 301)


@bp.get("/clubs")
def clubs() -> str:
    search = request.args.get("q", "")[:LONGEST_SEARCH]
    page = club_list(search, digits(request.args.get("page", "")) or 1)
    return render_template("leagues/publishing/clubs.html", page=page, search=search)


@bp.get("/clubs/<club>")
def club(club: str) -> Response:
    def draw(version: str) -> str:
        page = club_page(club, version)
        about = "" if page.current is None else about_season(page.current)
        return render_template("leagues/publishing/club.html", page=page, about=about)

    return shared(club_version, club, draw=draw)


@bp.get("/clubs/<club>/seasons/<int:season>")
def club_season(club: str, season: int) -> Response:
    def draw(version: str) -> str:
        page = season_of_club(club, season, version)
        return render_template("leagues/publishing/season.html", page=page, about=about_season(page))

    return shared(club_version, club, draw=draw)


@bp.get("/clubs/<club>/seasons/<int:season>/nights/<int:night>")
def club_night(club: str, season: int, night: int) -> Response:
    def draw(version: str) -> str:
        page = night_of_club(club, season, night, version)
        return render_template("leagues/publishing/night.html", page=page)

    return shared(club_night_version, club, season, night, draw=draw)


@bp.get("/clubs/<club>/seasons/<int:season>/picture.png")
def club_season_picture(club: str, season: int) -> Response:
    """Return the standings of a season as a picture, for link previews."""
    return _picture(
        lambda version: picture.draw(season_card(season_of_club(club, season, version))),
        shared_by=(club_version, club),
    )


@bp.get("/clubs/<club>/seasons/<int:season>/nights/<int:night>/picture.png")
def club_night_picture(club: str, season: int, night: int) -> Response:
    """Return the results of a night as a picture, for link previews."""
    return _picture(
        lambda version: picture.draw(night_card(night_of_club(club, season, night, version))),
        shared_by=(club_night_version, club, season, night),
    )


def _picture(drawn: Callable[[str], bytes], *, shared_by: tuple[Any, ...]) -> Response:
    """Return a PNG picture, which is drawn once for each version and language and then cached for all readers.

    `shared_by` has a function, followed by its arguments. The function returns a version, which changes whenever the
    picture changes. `drawn` is called with that version, and returns the PNG file.
    """

    def paid(version: str) -> bytes:
        spend(COSTLY, asker())  # not if the browser or the cache has it already
        return drawn(version)

    response = shared(*shared_by, draw=paid)
    response.mimetype = "image/png"
    response.vary.add("Accept-Language")
    return response


@bp.get("/clubs/<club>/poster")
def poster(club: str) -> Response:
    """Show a poster for printing, with the club's address as a QR code."""
    url = url_for("leagues.club", club=club, _external=True)

    def draw(version: str) -> str:
        page = club_page(club, version)
        return render_template(
            "leagues/publishing/poster.html", page=page, url=url, code=code_of(url), note=only_here()
        )

    return shared(club_version, club, draw=draw)
