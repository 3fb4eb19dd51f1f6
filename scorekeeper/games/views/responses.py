"""Send the board to a phone: as a page, or as the part that changes on an open page."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Response, make_response, redirect, render_template, request, stream_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.pages import BoardPage
from scorekeeper.games.presenters.board import board_page

PART = "X-Part"
"""Header with which an open page asks for the changed part (static/js/games/board.js), also in the answer.

A whole board has the value "page", so that the phone does not store a Wi-Fi login page instead (static/sw.js).
"""
REST = "<!--rest-->"
"""Marks the end of the score in that part."""


def to_board(public_id: str) -> AnyResponse:
    """Redirect to the board of a game; for an open page return the board itself, which saves a round trip."""
    if stays():
        return shown(board_page(queries.snapshot_of(public_id, this_device())))
    return redirect(url_for("games.board", game_id=public_id), 303)


def shown(page: BoardPage, status: int = 200) -> Response:
    """Return the board with that status; for an open page only the title and the content of `main`.

    The content is sent in two pieces, the score first, which shows while the rest is being rendered.
    """
    if not stays():
        response = make_response(render_template("games/board.html", page=page, part=False), status)
        response.headers[PART] = "page"
        return response
    response = Response(_in_two(stream_template("games/board.html", page=page, part=True)), status)
    response.headers[PART] = "main"
    return response


def _in_two(pieces: Iterator[str]) -> Iterator[str]:
    """Yield the text up to `REST`, then the rest."""
    text: list[str] = []
    for piece in pieces:
        text.append(piece)
        if REST in piece:
            yield "".join(text)
            text = []
    yield "".join(text)


def stays() -> bool:
    """Return whether an open page, which replaces only the changed part, sent this request."""
    return request.headers.get(PART) == "main"
