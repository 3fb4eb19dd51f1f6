"""Send the board to a phone, either as a whole page or as only the part that changes on an open page."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Response, make_response, redirect, render_template, request, stream_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.pages import BoardPage
from scorekeeper.games.presenters.board import board_page
from scorekeeper.games.views.odds_ahead import prepare_odds

PART = "X-Part"
"""Header with which an open page asks for only the part that changes (static/js/games/board.js).

The response has this header, too. Its value is "page" if the response is the whole board. By this value, static/sw.js
tells a board, which it may store, from a Wi-Fi login page.
"""
REST = "<!--rest-->"
"""Marks the place in the HTML of the board where the score ends and the rest begins."""


def to_board(public_id: str) -> AnyResponse:
    """Return a redirect to the board of a game.

    If the request was sent by an open page, return the board itself. This saves a round trip.
    """
    if stays():
        snapshot = queries.snapshot_of(public_id, this_device())
        prepare_odds(snapshot)
        return shown(board_page(snapshot))
    return redirect(url_for("games.board", game_id=public_id), 303)


def shown(page: BoardPage, status: int = 200) -> Response:
    """Return the board as a response with the given status.

    If the request was sent by an open page, the response has only the title and the content of `<main>`. That content
    is sent in two pieces. The score is in the first piece, so that it is visible while the rest is rendered.
    """
    if not stays():
        response = make_response(render_template("games/board.html", page=page, part=False), status)
        response.headers[PART] = "page"
        return response
    response = Response(_in_two(stream_template("games/board.html", page=page, part=True)), status)
    response.headers[PART] = "main"
    return response


def _in_two(pieces: Iterator[str]) -> Iterator[str]:
    """Yield the text in `pieces` as two parts. The first part has everything through the marker `REST`."""
    text: list[str] = []
    for piece in pieces:
        text.append(piece)
        if REST in piece:
            yield "".join(text)
            text = []
    yield "".join(text)


def stays() -> bool:
    """Return whether the request was sent by an open page, which replaces only the content of `<main>`."""
    return request.headers.get(PART) == "main"
