"""Remember which leagues a phone has visited, list them on the home page, and remove them from the list."""

from __future__ import annotations

from flask import Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games.views.home_parts import HomePart, home_part
from scorekeeper.leagues.core.access import league_at
from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.publishing.forms import ForgetForm
from scorekeeper.leagues.publishing.queries.club import club_version
from scorekeeper.leagues.publishing.queries.home import home_clubs
from scorekeeper.leagues.publishing.visited import CLUB, keep_visited, visited_here
from scorekeeper.web.extensions import db

AN_HOUR = "private, max-age=3600"


@home_part
def clubs_part() -> HomePart:
    """Return the part of the home page with the leagues that this phone has visited and the open clubs."""
    return HomePart("leagues/publishing/_home.html", home_clubs(visited_here(), this_device()))


@bp.get("/visited/leagues/<league_id>")
def league_visited(league_id: str) -> Response:
    league_at(db.session(), league_id)
    return _visited(league_id)


@bp.get("/visited/clubs/<club>")
def club_visited(club: str) -> Response:
    club_version(club)
    return _visited(CLUB + club)


@bp.post("/visited/removal")
def forget_visited() -> AnyResponse:
    """Remove a league from this phone's list of visited leagues."""
    response = redirect(url_for("games.home"), 303)
    gone = ForgetForm().token.data
    keep_visited(response, [mark for mark in visited_here() if mark != gone])
    return response


def _visited(mark: str) -> Response:
    """Return an empty response that puts a league or club first in the phone's list of visited leagues.

    `mark` identifies the league or club, as in `visited_here`. Browsers cache the response for an hour, or until the
    list changes. A request from a page of another site changes nothing.
    """
    # The list is in a cookie: once it changes, the cached response is not used again.
    response = Response(status=204, headers={"Cache-Control": AN_HOUR, "Vary": "Cookie"})
    known = visited_here()
    ours = request.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
    if ours and known[:1] != [mark]:
        keep_visited(response, [mark, *known])
    return response
