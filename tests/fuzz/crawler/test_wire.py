"""Two workers get random and malformed requests over real connections, and requests over the rate limit."""

from __future__ import annotations

import http.client
import re
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

import pytest

from tests.fuzz.budget import SEED
from tests.fuzz.crawler.answers import LEAKS
from tests.fuzz.crawler.filling import filled
from tests.fuzz.crawler.reading import Form, Reader
from tests.fuzz.crawler.slips import HOSTILE
from tests.support import databases
from tests.support.server import command, environment, kill_group, running, start
from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.fuzz, pytest.mark.database]

REQUESTS = 400
READ = re.compile(r"^/(?!static)[^.]*(\?|$)")
"""Pattern that matches the addresses of pages, but not of files."""
LINES = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-1\r\n\r\n",
    b"GET /%ff%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET //example.org/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: scorekeeper=\xff\xfe\r\n\r\n",
    b"POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Length: abc\r\n\r\n",
    b"POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST /games HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET /" + b"a" * 9_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
)
"""Requests that are sent byte for byte; many of them are malformed."""


def test_two_workers_answer_all_that_comes(tmp_path: Path) -> None:
    """No request over a real connection gets an error 500 or a response with a traceback.

    After malformed requests, the server still answers the next request.
    """
    choice = Random(SEED)
    statuses: list[int] = []
    with running(tmp_path, "--workers", "2") as server, closing(WirePhone(server.url)) as phone:
        links, forms = ["/", "/leagues", "/games/new", "/settings", "/account/sign-in", "/carry", "/tv"], list[Form]()
        while len(statuses) < REQUESTS:
            if forms and choice.random() < 0.5:
                form = choice.choice(forms)
                fields = [(name, str(value)) for each in form.fields for name, value in filled(each, choice)]
                told = [(name, choice.choice(HOSTILE) if choice.random() < 0.1 else value) for name, value in fields]
                sent = urlencode([(name, value if name != "csrf_token" else phone.token) for name, value in told])
                headers = {"Content-Type": "application/x-www-form-urlencoded"}
                path, method = form.action, form.method
                if method == "POST":
                    answer = phone.ask("POST", path, sent.encode(), headers)
                else:
                    answer = phone.get(f"{path.partition('?')[0]}?{sent[:4_000]}")
            else:
                path, method = choice.choice(links), "GET"
                answer = phone.get(path)
            statuses.append(answer.status)
            assert answer.status < 500, f"{method} {path}: {answer.status}; SCOREKEEPER_FUZZ_SEED={SEED}"
            assert LEAKS.search(answer.body) is None, f"{method} {path}"
            if "<html" in answer.body:
                page = Reader(path, answer.body)
                links = [*links, *(link for link in page.links if link not in links and READ.search(link))][-80:]
                forms = [*forms, *(form for form in page.forms if "sign-out" not in form.action)][-40:]
            if answer.status == 303:
                links.append(answer.location)
        for line in LINES:
            said = _sent(server.url, line)
            assert b"Traceback" not in said, line
            assert b" 500 " not in said[:20], line
            assert phone.get("/healthz").status == 200, line
    print(f"{len(statuses)} requests over HTTP, {len(set(statuses))} kinds of answers")


def _sent(url: str, data: bytes) -> bytes:
    """Send `data` on a new connection, and return the first bytes of the response.

    Without a response, return empty bytes.
    """
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=10)
    connection.connect()
    with closing(connection):
        connection.sock.sendall(data)
        connection.sock.settimeout(3)
        try:
            return bytes(connection.sock.recv(4_000))
        except OSError:
            return b""


def test_who_is_told_to_wait_gets_a_whole_page(tmp_path: Path) -> None:
    """A request over the rate limit gets a valid page with status 429 that reveals nothing.

    Other pages can still be opened.
    """
    env = environment(SCOREKEEPER_LIMITS="on", **databases.variables_for(tmp_path))
    server = start(command(tmp_path, "--workers", "2"), env)
    try:
        with closing(WirePhone(server.url)) as phone:
            phone.get("/recovery")
            told = urlencode({"csrf_token": phone.token, "code": "bcdf-ghjk-mnpq"}).encode()
            answers = [
                phone.ask("POST", "/recovery", told, {"Content-Type": "application/x-www-form-urlencoded"})
                for _ in range(12)
            ]
            late = [answer for answer in answers if answer.status == 429]
            assert late
            assert {answer.status for answer in answers} <= {422, 429}
            for answer in late:
                assert not Reader("/recovery", answer.body).faults
                assert LEAKS.search(answer.body) is None
            assert phone.get("/").status == 200
        assert server.stop() == 0
    finally:
        kill_group(server)
