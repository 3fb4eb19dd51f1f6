"""Show a game to watchers. The pages need no cookies, and cost almost nothing while the game is unchanged."""

from __future__ import annotations

import io
from dataclasses import replace

import segno
from flask import Response, render_template, url_for

from scorekeeper.games import queries
from scorekeeper.games.presenters.board import board_page
from scorekeeper.games.presenters.social_card import card_of
from scorekeeper.games.presenters.social_image import draw
from scorekeeper.games.views.blueprint import bp
from scorekeeper.games.views.odds_ahead import prepare_odds
from scorekeeper.web.rate_limit import COSTLY, asker, spend
from scorekeeper.web.shared import shared


@bp.get("/watch/<game_id>")
def watch(game_id: str) -> Response:
    def drawn(_version: str) -> str:
        snapshot = queries.snapshot_of(game_id, None)
        if snapshot.league:
            # This page is drawn again when the game changes, not when its night is closed or reopened.
            snapshot = replace(snapshot, league=replace(snapshot.league, closed=False))
        prepare_odds(snapshot)
        return render_template("games/board.html", page=board_page(snapshot))

    return shared(queries.watched_board, game_id, draw=drawn)


@bp.get("/watch/<game_id>/score.png")
def picture(game_id: str) -> Response:
    """Return a picture (PNG) of the score, for link previews and group chats."""

    def drawn(_version: str) -> bytes:
        spend(COSTLY, asker())  # not if the browser has it already
        return draw(card_of(board_page(queries.snapshot_of(game_id, None))))

    response = shared(queries.watched_version, game_id, draw=drawn)
    response.mimetype = "image/png"
    response.vary.add("Accept-Language")
    return response


@bp.get("/watch/<game_id>/code.svg")
def watch_code(game_id: str) -> Response:
    """Return a QR code (SVG) of the address for watching the game."""
    queries.watched_version(game_id)
    drawn = io.BytesIO()
    address = url_for("games.watch", game_id=game_id, _external=True)
    segno.make(address, micro=False).save(drawn, kind="svg", scale=4, border=4, light="#fff", xmldecl=False)
    return Response(drawn.getvalue(), mimetype="image/svg+xml")
