"""Pages that other websites show in a frame: no script, no form, no cookie. Nothing else may be framed."""

from __future__ import annotations

from flask import Response, render_template

from scorekeeper.leagues.core.blueprint import bp
from scorekeeper.leagues.publishing.queries.club import club_page, club_version
from scorekeeper.web.headers import let_be_framed
from scorekeeper.web.shared import shared


@bp.get("/embed/<club>/standings")
def embed_standings(club: str) -> Response:
    return _embedded("leagues/publishing/embed_standings.html", club)


def _embedded(template: str, club: str) -> Response:
    def draw(version: str) -> str:
        return render_template(template, page=club_page(club, version))

    response = shared(club_version, club, draw=draw)
    let_be_framed()
    return response
