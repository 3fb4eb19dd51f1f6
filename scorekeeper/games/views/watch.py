"""The page for who only looks: it knows no cookie, and an unchanged game costs next to nothing."""

from __future__ import annotations

from flask import Response, make_response, render_template, request

from scorekeeper.games import queries
from scorekeeper.games.board import board_page
from scorekeeper.games.views.blueprint import bp
from scorekeeper.web.assets import current_version


@bp.get("/watch/<game_id>")
def watch(game_id: str) -> Response:
    etag = f"{queries.version_of(game_id)}-{current_version()}"
    if request.if_none_match.contains_weak(etag):
        response = Response(status=304)
    else:
        page = board_page(queries.snapshot_of(game_id, None))
        response = make_response(render_template("games/board.html", page=page))
    response.set_etag(etag, weak=True)
    # Whoever stands between may keep it, but asks each time: it is the same for everybody.
    response.headers["Cache-Control"] = "public, no-cache"
    return response
