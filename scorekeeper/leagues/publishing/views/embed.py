"""Pages that other websites may show in a frame, without scripts, forms or cookies. No other page may be framed."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, render_template

from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.publishing.queries.club import club_page, club_version, schedule_of_club
from scorekeeper.leagues.publishing.queries.night import last_night_page
from scorekeeper.web.headers import let_be_framed
from scorekeeper.web.shared import shared


@bp.get("/embed/<club>/standings")
def embed_standings(club: str) -> Response:
    return _embedded(
        club, lambda version: render_template("leagues/publishing/embed_standings.html", page=club_page(club, version))
    )


@bp.get("/embed/<club>/last-night")
def embed_last_night(club: str) -> Response:
    return _embedded(
        club, lambda _version: render_template("leagues/publishing/embed_last_night.html", page=last_night_page(club))
    )


@bp.get("/embed/<club>/schedule")
def embed_schedule(club: str) -> Response:
    return _embedded(
        club, lambda _version: render_template("leagues/publishing/embed_schedule.html", page=schedule_of_club(club))
    )


def _embedded(club: str, draw: Callable[[str], str]) -> Response:
    response = shared(club_version, club, draw=draw)
    let_be_framed()
    return response
