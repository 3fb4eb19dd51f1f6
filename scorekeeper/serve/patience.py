"""Whoever begins a request and does not go on with it, or does not take the answer, holds a thread for a while only.

A phone that loses its signal half way through does so, and whoever wants to keep everybody else out.
"""

from __future__ import annotations

import io
import socket
import time
from typing import TYPE_CHECKING

from gunicorn.http.errors import NoMoreData

from scorekeeper.config import MAX_REQUEST_BYTES

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

    from gunicorn.workers.gthread import TConn

SECONDS_TO_SEND = 20
"""How long a request may take to come, all of it."""
SECONDS_TO_TAKE = 120
"""How long whoever asked may take to hear the answer: what lies on the way already is no longer ours to wait for."""


class Patience:
    """The connections that a thread waits for, and until when."""

    def __init__(self) -> None:
        self._until: dict[TConn, float] = {}

    def hear(self, conn: TConn) -> None:
        """Wait for a request of `conn`."""
        self._until[conn] = time.monotonic() + SECONDS_TO_SEND

    def tell(self, conn: TConn) -> None:
        """Wait for `conn` to take the answer."""
        self._until[conn] = time.monotonic() + SECONDS_TO_TAKE

    def end(self, conn: TConn) -> None:
        """Wait no more: it is done, or never will be."""
        self._until.pop(conn, None)

    def hang_up(self) -> None:
        """Let those that took too long find that nothing more comes or goes. Their threads close them."""
        now = time.monotonic()
        for conn, until in list(self._until.items()):
            # Whoever takes it out is first: of a request that came just now nobody hangs up.
            if until < now and self._until.pop(conn, None) is not None:
                try:
                    socket.socket.shutdown(conn.sock, socket.SHUT_RDWR)  # not the shutdown of TLS, which would wait
                except OSError:
                    continue


def read_whole(environ: WSGIEnvironment) -> None:
    """Read what is sent with a request, but for more than a form may have: that is refused unread."""
    length = int(environ.get("CONTENT_LENGTH") or MAX_REQUEST_BYTES + 1)
    if length > MAX_REQUEST_BYTES and environ.get("CONTENT_LENGTH"):
        return
    try:
        sent = environ["wsgi.input"].read(length)
    except NoMoreData:
        sent = b""
    environ["wsgi.input"] = io.BytesIO(sent)
