"""Run the real server in a thread of the test's process, with the test's own app."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn

from scorekeeper.server.request_body import WholeRequests
from scorekeeper.server.shared_pages import SharedPages
from scorekeeper.server.worker import configured, in_threads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask


@contextmanager
def served(app: Flask, threads: int = 8) -> Iterator[int]:
    """Serve `app` as `scorekeeper serve` does, and yield the port."""
    listener = socket.create_server(("127.0.0.1", 0))
    pages: Any = SharedPages(in_threads(app, threads), app)
    server = uvicorn.Server(configured(WholeRequests(pages)))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        until = time.monotonic() + 20
        while not server.started:
            assert time.monotonic() < until
            time.sleep(0.01)
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(timeout=30)
        pages.looker.shutdown()


def heard(line: socket.socket) -> bytes:
    """Return all data received on the socket `line` until the other side closes the connection."""
    pieces = []
    try:
        while piece := line.recv(65536):
            pieces.append(piece)
    except ConnectionResetError:
        pass
    return b"".join(pieces)
