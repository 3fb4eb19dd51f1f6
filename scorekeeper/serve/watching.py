"""gunicorn's threads, with a short way for a hall of phones that ask whether a watched game is still as it was.

A phone that watches asks every few seconds in the very same words, and mostly the answer is the same too: 304. That
answer is remembered word for word with the board it speaks of, and given at once, without parsing, a thread or the
application, for as long as a look at the database says that this board stands. Everything else goes the long way.
"""

from __future__ import annotations

import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from gunicorn.util import http_date
from gunicorn.workers.gthread import TConn, ThreadWorker

from scorekeeper.extensions import db
from scorekeeper.games.unchanged import Board, Glance, board_of
from scorekeeper.operating.requests import new_id
from scorekeeper.serve.patience import Patience, read_whole
from scorekeeper.serve.refusing import Discreet

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

LONGEST = 4096
"""Bytes of a request that is remembered."""
MOST = 4096
"""Requests that each process remembers."""
ASKS = re.compile(rb"GET /watch/[^ ]+ HTTP/1\.1\r\n(?:[!-9;-~]+:[^\r\n]*\r\n)+\r\n")
"""One whole request for a watched game, and nothing after it."""
MORE = re.compile(
    rb"\r\n(?:connection|content-length|expect|transfer-encoding|upgrade):(?! *keep-alive\r)", re.IGNORECASE
)
"""A request that has a body, or wants something else of the connection than that it stays."""


class Remembered(NamedTuple):
    """An answer 304: of which board it speaks, and its headers."""

    board: Board
    headers: bytes


class Memory:
    """What was answered with 304, by the bytes of the request; the oldest is forgotten first."""

    def __init__(self) -> None:
        self.answers: dict[bytes, Remembered] = {}
        self.lock = threading.Lock()

    def keep(self, asked: bytes, path: str, headers: Iterable[tuple[str, str]]) -> None:
        """Remember the answer, if it speaks of a watched board and gives no cookie."""
        told = {name.lower(): value for name, value in headers}
        board = board_of(path, told.get("etag", ""))
        if board is None or "set-cookie" in told:
            return
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers if name != "X-Request-Id")
        with self.lock:
            self.answers.pop(asked, None)
            self.answers[asked] = Remembered(board, lines.encode("latin-1"))
            if len(self.answers) > MOST:
                del self.answers[next(iter(self.answers))]


class WatchingWorker(ThreadWorker):
    """The worker of `forking.run_gunicorn`."""

    def load_wsgi(self) -> None:
        """Load the application, and listen to what it answers."""
        super().load_wsgi()
        app: Any = self.app.wsgi()
        with app.app_context():
            self.glance = Glance(db.engine.url)
        self.memory = Memory()
        self.patience = Patience()
        self.is_logged: bool = app.config["REQUEST_LOG"]
        self.count: Callable[[], None] = app.extensions.get("count_unchanged", lambda: None)
        self.heard = threading.local()
        self.wsgi = self.listening(app)  # type: ignore[assignment]

    def listening(self, app: WSGIApplication) -> WSGIApplication:
        """Return `app` with its answers 304 remembered, if this thread heard in which words it was asked."""

        def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            asked: bytes = self.heard.asked
            read_whole(environ)
            conn: TConn = self.heard.conn
            self.patience.end(conn)

            def start(status: str, headers: list[tuple[str, str]], *failed: Any) -> Any:
                self.patience.tell(conn)
                if asked and status.startswith("304 "):
                    self.memory.keep(asked, environ["PATH_INFO"], headers)
                return start_response(status, headers, *failed)

            return app(environ, start)

        return answer

    def handle(self, conn: TConn) -> bool:
        """Answer a request the long way. Runs in a thread of the pool."""
        asked = glimpse(conn.sock)
        self.heard.asked = asked if ASKS.fullmatch(asked) and not MORE.search(asked) else b""
        self.heard.conn = conn
        self.patience.hear(conn)
        try:
            return super().handle(conn)
        finally:
            self.patience.end(conn)

    def murder_keepalived(self, *how: Any, **more: Any) -> None:
        """Hang up on who says nothing for long, and on who does not end what they began. Runs each second at least."""
        super().murder_keepalived(*how, **more)
        self.patience.hang_up()

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answer what is no request."""
        discreet: Any = Discreet(client)
        super().handle_error(req, discreet, addr, exc)

    def on_client_socket_readable(self, conn: TConn, client: socket.socket) -> None:
        """Answer the next request of a connection, at once where that can be. Runs where nothing may wait."""
        asked = glimpse(client)
        known = self.memory.answers.get(asked)
        if known is None or not self.alive or self.is_logged or not self.glance.stands(known.board):
            super().on_client_socket_readable(conn, client)
            return
        self.keepalived_conns.remove(conn)
        try:
            client.recv(len(asked))
            client.sendall(told(known))
            self.count()
        except OSError:
            self.poller.unregister(client)
            self.nr_conns -= 1
            conn.close()
            return
        conn.set_timeout()
        self.keepalived_conns.append(conn)


def glimpse(client: socket.socket) -> bytes:
    """Return what lies in a connection to be read, and leave it there; nothing where it is encrypted or gone."""
    if isinstance(client, ssl.SSLSocket):
        return b""
    try:
        return client.recv(LONGEST, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except OSError:
        return b""


def told(known: Remembered) -> bytes:
    """Return the answer as it goes out now."""
    date, number = http_date().encode(), new_id().encode()
    head = (
        b"HTTP/1.1 304 NOT MODIFIED\r\nServer: gunicorn\r\nDate: %b\r\nConnection: keep-alive\r\nX-Request-Id: %b\r\n"
    )
    return head % (date, number) + known.headers + b"\r\n"
