"""What a real server answers to what no browser sends: once, with every header, and with nothing of what was sent."""

from __future__ import annotations

import re
import socket
from contextlib import ExitStack
from time import sleep
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from scorekeeper.web.headers import HEADERS
from tests.server import command, kill_group, start

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
    "header too long": (b"GET / HTTP/1.1\r\nX-Told: " + b"hush-hush" * 2000 + END, 431),
    "address too long": (b"GET /" + b"hush-hush" * 2000 + b" HTTP/1.1" + END, 414),
    "two lengths": (b"POST /games HTTP/1.1\r\nContent-Length: 6\r\nContent-Length: 5" + END + b"123456", 400),
    "length and pieces": (
        b"POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n" + SECOND,
        400,
    ),
    "pieces of another kind": (
        b"POST /games HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n" + SECOND,
        501,
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
    told = dict(line.split(": ", 1) for line in head.splitlines()[1:])
    assert {name: told.get(name) for name in HEADERS} == HEADERS
    assert "charset=utf-8" in told["Content-Type"]
    assert "Cache-Control" in told
    assert told.get("Server", "gunicorn") == "gunicorn", "no version"
    assert "hush" not in answer
    assert "Index of" not in body


def heard(url: str, sent: bytes) -> str:
    """Return all that comes back until the server hangs up."""
    place = urlsplit(url)
    with socket.create_connection((place.hostname, place.port), timeout=20) as line:
        line.sendall(sent)
        pieces = []
        while piece := line.recv(65536):
            pieces.append(piece)
    return b"".join(pieces).decode("latin-1")


IMPATIENT = """
import sys
from scorekeeper.serve import patience
patience.SECONDS_TO_SEND = patience.SECONDS_TO_TAKE = 2
from scorekeeper.cli import main
main(sys.argv[1:])
"""
"""The real command, which waits for nobody."""
BEGUN = (b"", b"Content-Length: 9\r\n\r\na", b"Transfer-Encoding: chunked\r\n\r\n9\r\na")
"""What comes of a request: not all of the head, of a form, or of a piece of one."""


@pytest.mark.parametrize("unheard", [False, True])
def test_who_does_not_end_what_they_began_keeps_nobody_out(tmp_path: Path, unheard: bool) -> None:
    """As many as there are threads, each of which would wait for ever; or they do not take what they asked for."""
    python, *words = command(tmp_path, "--threads", "3")
    server = start([python, "-c", IMPATIENT, *words[2:]])
    place = urlsplit(server.url)
    style = re.search(r"/static/\w+/css/app.css", heard(server.url, b"GET / HTTP/1.1" + END))
    assert style is not None
    asked = f"GET {style[0].replace('css/app.css', 'fonts/noto-serif-bold.ttf')} HTTP/1.1\r\nHost: localhost\r\n\r\n"
    try:
        with ExitStack() as lines:
            for begun in BEGUN:
                line = lines.enter_context(socket.socket())
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                line.connect((place.hostname, place.port))
                line.sendall(asked.encode() * 60 if unheard else b"POST /score HTTP/1.1\r\nHost: localhost\r\n" + begun)
            sleep(1)
            with socket.create_connection((place.hostname, place.port), timeout=20) as waiting:
                waiting.sendall(b"GET /healthz HTTP/1.1" + END)
                assert waiting.recv(65536).startswith(b"HTTP/1.1 200 OK")
        assert server.stop() == 0
    finally:
        kill_group(server)
