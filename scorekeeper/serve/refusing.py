"""What gunicorn answers by itself, to what is no request: with our headers, and without a word of what was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.web.headers import HEADERS

if TYPE_CHECKING:
    import socket


class Discreet:
    """A connection on which gunicorn says what is wrong; what it says is put into our words."""

    def __init__(self, client: socket.socket) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        """Return what the connection itself has by that name."""
        return getattr(self._client, name)

    def sendall(self, said: bytes) -> None:
        """Send the status alone of the answer in `said`."""
        self._client.sendall(plainly(said))


def plainly(said: bytes) -> bytes:
    """Return an answer with the status of the one in `said`, our headers, and the status in words for its body."""
    status = said.partition(b"\r\n")[0].removeprefix(b"HTTP/1.1 ").decode("latin-1")
    body = f"{status}\n"
    headers = {
        "Connection": "close",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        **HEADERS,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n{body}".encode("latin-1")
