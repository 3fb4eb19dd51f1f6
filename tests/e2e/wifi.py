"""A simulated Wi-Fi access point, which can connect a phone to different servers or a login page, or to nothing."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

LOGIN = b"<!doctype html><title>Welcome to the hall</title><main><h1>Sign in to use the Wi-Fi</h1></main>"


class Wifi:
    """An access point that forwards connections from the address `url` to a server.

    A test can change the server with `lead_to`. The address stays the same.
    """

    def __init__(self, to: str) -> None:
        self.to = to
        self.loses_answers = False
        self.lag = 0.0
        """Seconds that every 100 bytes take to reach the phone."""
        self.lines: set[socket.socket] = set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def lead_to(self, url: str) -> None:
        """Cut off open connections, and forward new ones to the server at `url`.

        If `url` is "", new connections reach no server.
        """
        self.to = url
        for line in list(self.lines):
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Take the access point down."""
        self.lead_to("")
        self.listener.close()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self._carry, args=self.listener.accept()[:1], daemon=True).start()

    def _carry(self, phone: socket.socket) -> None:
        where = urlsplit(self.to)
        with phone, contextlib.suppress(OSError), socket.create_connection((where.hostname, where.port)) as server:
            self.lines |= {phone, server}
            back = threading.Thread(target=_pump, args=(server, phone, self), daemon=True)
            back.start()
            _pump(phone, server)
            back.join()
            self.lines -= {phone, server}


def _pump(source: socket.socket, sink: socket.socket, air: Wifi | None = None) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            size = 100 if air and air.lag else len(data)
            for start in range(0, len(data), size):
                if air is not None:
                    time.sleep(air.lag)
                if air is None or not air.loses_answers:
                    sink.sendall(data[start : start + size])
    for end in (source, sink):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def wifi(to: str) -> Iterator[Wifi]:
    """Yield an access point that forwards connections to the server at `to`."""
    air = Wifi(to)
    try:
        yield air
    finally:
        air.close()


class _Portal(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(LOGIN)))
        self.end_headers()
        self.wfile.write(LOGIN)

    do_GET = do_POST = answer  # noqa: N815  what the base class calls

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def captive_portal() -> Iterator[str]:
    """Yield the address of a server that answers every request with 200 and a login page."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Portal)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
