"""How the board reaches a phone: as a page of its own, or as the part of it that changes on a page that stays."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Response, make_response, redirect, render_template, request, stream_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.accounts.devices import this_device
from scorekeeper.games import queries
from scorekeeper.games.pages import BoardPage
from scorekeeper.games.presenters.board import board_page

PART = "X-Part"
"""Header by which a page asks for a part of the next one (static/js/games/board.js), and that part says it is one.

A whole board says "page": what answers in its place, a login page of the Wi-Fi, is not kept (static/sw.js).
"""
REST = "<!--rest-->"
"""Stands below the score in that part."""


def to_board(public_id: str) -> AnyResponse:
    """Return the way to the board of a game; to a page that stays, the board itself: one way less through bad air."""
    if stays():
        return shown(board_page(queries.snapshot_of(public_id, this_device())))
    return redirect(url_for("games.board", game_id=public_id), 303)


def shown(page: BoardPage, status: int = 200) -> Response:
    """Return the board with that status; to a page that stays, only its title and what stands in its `main`.

    That part goes in two pieces, the score first: it is on the screen while the rest is being made.
    """
    if not stays():
        response = make_response(render_template("games/board.html", page=page, part=False), status)
        response.headers[PART] = "page"
        return response
    response = Response(_in_two(stream_template("games/board.html", page=page, part=True)), status)
    response.headers[PART] = "main"
    return response


def _in_two(pieces: Iterator[str]) -> Iterator[str]:
    """Yield what stands above `REST`, and then all the rest."""
    text: list[str] = []
    for piece in pieces:
        text.append(piece)
        if REST in piece:
            yield "".join(text)
            text = []
    yield "".join(text)


def stays() -> bool:
    """Return whether the page that sent this stays on the screen and puts in only what changed."""
    return request.headers.get(PART) == "main"
