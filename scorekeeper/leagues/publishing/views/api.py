"""The feed of a club, and the API, version 1: read-only, without cookies, for programs and scripts of any website."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from flask import Response, abort, render_template, request, url_for

from scorekeeper.leagues.calendar.feed import calendar_file
from scorekeeper.leagues.core.access import NoSuchLeagueError
from scorekeeper.leagues.core.blueprint import bp, digits
from scorekeeper.leagues.publishing import api
from scorekeeper.leagues.publishing.api import LAST_PAGE, description
from scorekeeper.leagues.publishing.queries.club import (
    club_list,
    club_night_version,
    club_page,
    club_version,
    clubs_version,
    nights_of_club,
    schedule_of_club,
    season_of_club,
)
from scorekeeper.leagues.publishing.queries.night import club_calendar, feed_page, night_of_club
from scorekeeper.web.headers import let_be_read_anywhere
from scorekeeper.web.shared import shared

PAGE = 50
"""Number of items on one page of a list."""
A_DAY = "86400"
JSON = "application/json"


@bp.after_request
def allow_conditional_requests(response: Response) -> Response:
    """Let scripts of other websites send `If-None-Match`, by adding headers to CORS preflight responses of the API."""
    if request.method == "OPTIONS" and (request.endpoint or "").startswith("leagues.api_"):
        let_be_read_anywhere()
        response.headers["Access-Control-Allow-Methods"] = "GET"
        response.headers["Access-Control-Allow-Headers"] = "If-None-Match"
        response.headers["Access-Control-Max-Age"] = A_DAY
    return response


@bp.get("/clubs/<club>/feed.atom")
def club_feed(club: str) -> Response:
    """Return the feed of a club (Atom, RFC 4287)."""
    let_be_read_anywhere()

    def draw(_version: str) -> str:
        return render_template("leagues/publishing/feed.xml", page=feed_page(club))

    return _typed(shared(club_version, club, draw=draw), "application/atom+xml")


@bp.get("/clubs/<club>/calendar.ics")
def club_calendar_file(club: str) -> Response:
    """Return the calendar of a club (iCalendar, RFC 5545)."""
    let_be_read_anywhere()
    page = url_for("leagues.club", club=club, _external=True)

    def draw(_version: str) -> bytes:
        return calendar_file(*club_calendar(club), lambda _night: page)

    return _typed(shared(club_version, club, draw=draw), "text/calendar")


@bp.get("/api/1/openapi.json")
def api_description() -> Response:
    let_be_read_anywhere()
    server = url_for("leagues.api_clubs", _external=True).removesuffix("/clubs")
    return Response(_written(description(server)), mimetype=JSON)


@bp.get("/api/1/clubs")
def api_clubs() -> Response:
    return _answer(clubs_version, (), lambda _version: api.clubs_answer(club_list("", _page(), PAGE)))


@bp.get("/api/1/clubs/<club>")
def api_club(club: str) -> Response:
    return _answer(club_version, (club,), lambda version: api.club_answer(club_page(club, version)))


@bp.get("/api/1/clubs/<club>/schedule")
def api_schedule(club: str) -> Response:
    return _answer(club_version, (club,), lambda _version: api.schedule_answer(schedule_of_club(club)))


@bp.get("/api/1/clubs/<club>/seasons")
def api_seasons(club: str) -> Response:
    return _answer(club_version, (club,), lambda version: api.seasons_answer(club_page(club, version)))


@bp.get("/api/1/clubs/<club>/seasons/<int:season>/standings")
def api_standings(club: str, season: int) -> Response:
    return _answer(club_version, (club,), lambda version: api.standings_answer(season_of_club(club, season, version)))


@bp.get("/api/1/clubs/<club>/seasons/<int:season>/nights")
def api_nights(club: str, season: int) -> Response:
    return _answer(
        club_version, (club,), lambda _version: api.nights_answer(nights_of_club(club, season, _page(), PAGE))
    )


@bp.get("/api/1/clubs/<club>/seasons/<int:season>/nights/<int:night>")
def api_results(club: str, season: int, night: int) -> Response:
    return _answer(
        club_night_version,
        (club, season, night),
        lambda version: api.results_answer(night_of_club(club, season, night, version)),
    )


@bp.get("/api/1/clubs/<club>/seasons/<int:season>/nights/<int:night>/games")
def api_games(club: str, season: int, night: int) -> Response:
    return _answer(
        club_night_version,
        (club, season, night),
        lambda version: api.games_answer(night_of_club(club, season, night, version)),
    )


def _page() -> int:
    """Return the number of the page that was asked for. Abort with 400 if it isn't one from 1 to `LAST_PAGE`."""
    number = digits(request.args.get("page", "1"), len(str(LAST_PAGE)))
    if not number or number > LAST_PAGE:
        abort(400, description=f"page must be a whole number from 1 to {LAST_PAGE}.")
    return number


def _answer(ask: Callable[..., str], about: tuple[object, ...], read: Callable[[str], Mapping[str, Any]]) -> Response:
    """Return a JSON response of the API.

    `ask` is called with the arguments `about`. It returns a version, which changes whenever the data changes. `read` is
    called with that version, and returns the data to send. If the client already has that version, the status is 304.
    If there is no such club, season or night, the status is 404, and the body has an error message as JSON.
    """
    let_be_read_anywhere()
    try:
        response = shared(ask, *about, draw=lambda version: _written(read(version)))
    except NoSuchLeagueError:
        gone = {"error": "No open club, season or night is at this address."}
        return Response(_written(gone), 404, {"Access-Control-Allow-Origin": "*"}, JSON)
    return _typed(response, JSON)


def _typed(response: Response, kind: str) -> Response:
    response.mimetype = kind
    response.vary.add("Accept-Language")
    response.headers["Access-Control-Expose-Headers"] = "ETag"
    return response


def _written(answer: Mapping[str, Any]) -> str:
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
