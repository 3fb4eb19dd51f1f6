"""The page for who only looks: it knows no cookie, and an unchanged game costs next to nothing."""

from __future__ import annotations

import io
from collections.abc import Callable

import segno
from flask import Response, make_response, render_template, request, url_for

from scorekeeper.games import queries
from scorekeeper.games.board import board_page
from scorekeeper.games.card import card_of
from scorekeeper.games.drawing import draw
from scorekeeper.games.views.blueprint import bp
from scorekeeper.web.assets import current_version
from scorekeeper.web.limits import COSTLY, asker, spend
from scorekeeper.web.locale import page_language


@bp.get("/watch/<game_id>")
def watch(game_id: str) -> Response:
    def draw() -> str:
        return render_template("games/board.html", page=board_page(queries.snapshot_of(game_id, None)))

    return shared(queries.watched_board(game_id), draw)


def shared(version: object, draw: Callable[[], str | bytes]) -> Response:
    """Return a page that is the same for everybody: what `draw` returns, or 304 to who has this version already."""
    etag = f"{version}-{page_language()}-{current_version()}"
    response = Response(status=304) if request.if_none_match.contains_weak(etag) else make_response(draw())
    response.set_etag(etag, weak=True)
    # Whoever stands between may keep it, but asks each time.
    response.headers["Cache-Control"] = "public, no-cache"
    return response


@bp.get("/watch/<game_id>/score.png")
def picture(game_id: str) -> Response:
    """The score as a picture, for the preview of a link and for the group chat."""

    def drawn() -> bytes:
        spend(COSTLY, asker())  # not for who has it already
        return draw(card_of(board_page(queries.snapshot_of(game_id, None))))

    response = shared(queries.watched_version(game_id), drawn)
    response.mimetype = "image/png"
    response.vary.add("Accept-Language")
    return response


@bp.get("/watch/<game_id>/code.svg")
def watch_code(game_id: str) -> Response:
    """A QR code of the address where the game is watched."""
    queries.watched_version(game_id)
    drawn = io.BytesIO()
    address = url_for("games.watch", game_id=game_id, _external=True)
    segno.make(address, micro=False).save(drawn, kind="svg", scale=4, border=4, light="#fff", xmldecl=False)
    return Response(drawn.getvalue(), mimetype="image/svg+xml")
