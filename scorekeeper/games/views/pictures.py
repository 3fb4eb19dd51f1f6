"""Send pictures of scores to the phones that keep score. `views.watch` has the pictures for watchers."""

from __future__ import annotations

from flask import make_response, render_template, request
from werkzeug.wrappers import Response

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.presenters import evening_image
from scorekeeper.games.presenters.board import board_page
from scorekeeper.games.presenters.social_card import card_of
from scorekeeper.games.presenters.social_image import draw
from scorekeeper.games.store.access import AccessLevel
from scorekeeper.games.views.blueprint import bp
from scorekeeper.web.rate_limit import costly


@bp.get("/games/<game_id>/score.png")
@costly
def own_picture(game_id: str) -> Response:
    """Return a picture (PNG) of the score for a phone that may score. This works even if watching is turned off."""
    snapshot = queries.snapshot_of(game_id, this_device(), needs=AccessLevel.SCORES)
    return picture_response(draw(card_of(board_page(snapshot))))


@bp.get("/games/<game_id>/evening")
def evening(game_id: str) -> str:
    """Show the games of the evening on which a game was played, with a picture and a message to share."""
    return render_template("games/evening.html", page=queries.evening_of(game_id, this_device()))


@bp.get("/games/<game_id>/evening.png")
@costly
def evening_picture(game_id: str) -> Response:
    return picture_response(evening_image.draw(evening_image.card_of(queries.evening_of(game_id, this_device()))))


def picture_response(png: bytes) -> Response:
    """Return a response with a PNG that only this phone may cache.

    If the phone has the PNG already, the response is 304.
    """
    response = make_response(png)
    response.mimetype = "image/png"
    response.headers["Cache-Control"] = "private, no-cache"
    response.add_etag()
    return response.make_conditional(request)
