"""The door without encryption: a phone that does not trust us yet learns there how to, and all others are sent on."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from waitress.server import create_server

from scorekeeper.web.trust import ASKED, AT_THE_DOOR, SENT

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterable
    from wsgiref.types import StartResponse, WSGIEnvironment

    from flask import Flask

THREADS = 4


def open_door(app: Flask, listener: socket.socket) -> None:
    """Answer on `listener` in a thread of this process, until it ends; see `web.trust` for what is answered.

    Several processes may share the listener: whoever comes first answers.
    """
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # that somebody waits a moment is no news

    def at_the_door(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ[AT_THE_DOOR] = ASKED
        if environ["REQUEST_METHOD"] not in {"GET", "HEAD", "OPTIONS"}:
            environ |= {AT_THE_DOOR: SENT, "REQUEST_METHOD": "GET", "PATH_INFO": "/trust"}
        return app(environ, start_response)

    server = create_server(at_the_door, sockets=[listener], threads=THREADS, channel_timeout=30)
    threading.Thread(target=server.run, name="door", daemon=True).start()
