"""A real server responds to malformed requests that no browser would send, and doesn't repeat their content."""

from __future__ import annotations

import re
import socket
from contextlib import ExitStack
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from scorekeeper.web.headers import HEADERS
from tests.support.server import command, kill_group, start

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.sqlite]

END = b"\r\nHost: localhost\r\nX-Told: hush-hush\r\nConnection: close\r\n\r\n"
SECOND = b"0\r\n\r\nGET /rules/setback-21 HTTP/1.1\r\nHost: localhost\r\n\r\n"
ODD = {
    "trace": (b"TRACE / HTTP/1.1" + END, 405),
    "track": (b"TRACK / HTTP/1.1" + END, 405),
    "no request": (b"hush-hush\r\n\r\n", 400),
    "no method": (b"hush-hush(; / HTTP/1.1" + END, 400),
    "no version": (b"GET /hush-hush HTTP/hush-hush" + END, 400),
    "header too long": (b"GET / HTTP/1.1\r\nX-Told: " + b"hush-hush" * 2000, 400),
    "address too long": (b"GET /" + b"hush-hush" * 2000, 400),
    "two lengths": (b"POST /games HTTP/1.1\r\nContent-Length: 6\r\nContent-Length: 5" + END + b"123456", 400),
    "length and pieces": (
        b"POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n" + SECOND,
        400,
    ),
    "pieces of another kind": (
        b"POST /games HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n" + SECOND,
        400,
    ),
    "a folder": (b"GET /static/ HTTP/1.1" + END, 404),
    "the history of the source": (b"GET /.git/config HTTP/1.1" + END, 404),
    "out of the folder": (b"GET /static/x/../../pyproject.toml HTTP/1.1" + END, 404),
    "out of the folder, written otherwise": (b"GET /static/x/..%2f..%2fpyproject.toml HTTP/1.1" + END, 404),
}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a server."""
    folder: Path = tmp_path_factory.mktemp("instance")
    server = start(command(folder))
    yield server.url
    kill_group(server)


@pytest.mark.parametrize("what", ODD)
def test_it_is_answered_once_with_our_headers_and_nothing_is_repeated(url: str, what: str) -> None:
    sent, status = ODD[what]
    answer = heard(url, sent)
    head, _, body = answer.partition("\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status} ")
    assert answer.count("HTTP/1.1 ") == 1, "one request, one answer"
    told = {name.lower(): value for name, value in (line.split(": ", 1) for line in head.splitlines()[1:])}
    if status != 400:  # what is no request never reaches the application: uvicorn answers it in plain text
        assert {name: told.get(name.lower()) for name in HEADERS} == HEADERS
        assert told["content-type"] == "text/html; charset=utf-8"
        assert "cache-control" in told
    assert "server" not in told
    assert "hush" not in answer
    assert "Index of" not in body


def heard(url: str, sent: bytes) -> str:
    """Send the bytes `sent`, and return everything that the server sends until it closes the connection."""
    place = urlsplit(url)
    with socket.create_connection((place.hostname, place.port), timeout=20) as line:
        line.sendall(sent)
        pieces = []
        while piece := line.recv(65536):
            pieces.append(piece)
    return b"".join(pieces).decode("latin-1")


BEGUN = {
    "half a head": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Told: ",
    "half a form": b"POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\na",
    "half a piece": b"POST /score HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n9\r\na",
    "nothing": b"",
}
"""Beginnings of requests whose rest never follows."""
TINY = 2048
"""Size in bytes of the receive buffer of a phone with a very slow connection."""


@pytest.mark.parametrize("what", [*BEGUN, "not taken"])
def test_who_does_not_end_what_they_began_keeps_nobody_out(url: str, what: str) -> None:
    """Other clients are served while eighty clients never finish their requests, or never read their responses."""
    place = urlsplit(url)
    style = re.search(r"/static/\w+/css/app.css", heard(url, b"GET / HTTP/1.1" + END))
    assert style is not None
    asked = f"GET {style[0].replace('css/app.css', 'fonts/noto-serif-bold.ttf')} HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with ExitStack() as lines:
        for _ in range(80):
            line = lines.enter_context(socket.socket())
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, TINY)
            line.connect((place.hostname, place.port))
            line.sendall(BEGUN.get(what, asked.encode()))
        for _ in range(20):
            with socket.create_connection((place.hostname, place.port), timeout=10) as waiting:
                waiting.sendall(b"GET /healthz HTTP/1.1" + END)
                assert waiting.recv(65536).startswith(b"HTTP/1.1 200 OK")
