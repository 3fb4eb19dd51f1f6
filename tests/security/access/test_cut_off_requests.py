"""A form that isn't sent completely changes nothing, at every address that accepts forms and wherever it is cut off."""

from __future__ import annotations

import asyncio
import random
import socket
import threading
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING

import pytest
from werkzeug.test import EnvironBuilder

from scorekeeper.server import request_body
from tests.security.access.table import GETS, expected, lines
from tests.security.access.test_matrix import ROLES, Matrix
from tests.support.server_thread import heard, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.security.access.ground import Ground
    from tests.security.access.table import Line
    from tests.security.access.world import World

pytestmark = [
    pytest.mark.slow,
    pytest.mark.database,
    # Of a file whose end is missing, Werkzeug leaves the part that came to the garbage collector.
    pytest.mark.filterwarnings("ignore:.*SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning"),
]

CUTS = 3
"""Number of random places at which each request is cut off; one more cut is before its last byte."""
SHARE = 1 / 3
"""Share of the addresses that each run tries, chosen at random."""
SECONDS = 0.2
"""Seconds that the server waits for the rest of a request in this test."""


def test_a_form_that_is_cut_off_changes_nothing(
    world: World, ground: Ground, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """A form that is cut off doesn't change the database, no matter if the phone then stays silent or hangs up.

    The same form changes the database if it is sent completely. Each run tries other addresses.
    """
    monkeypatch.setattr(request_body, "SECONDS_TO_SEND", SECONDS)
    monkeypatch.setattr(request_body, "SECONDS_TO_UPLOAD", SECONDS)
    matrix = Matrix(world, ground)
    draw = random.Random(request.config.getoption("randomly_seed"))
    tried = 0
    with served(world.app) as direct, relayed(direct) as relay:
        for line in lines():
            role = who_may(line)
            if line.method != "POST" or role is None or draw.random() > SHARE:
                continue
            head, body = request_of(matrix, line, role)
            cuts = [draw.randrange(len(body)) for _ in range(CUTS)] + [len(body) - 1]
            for port in (direct, relay):
                statuses = {answer[9:12] for answer in cut_off(port, head, body, cuts, hang_up=False)}
                assert statuses == {b"400"}, line.name
                cut_off(port, head, body, cuts, hang_up=True)
            assert ground.changed() == {}, line.name
            status = sent(direct, head, body)
            assert status in {b"200", b"204", b"302", b"303", b"422"}, line.name
            assert ground.changed() or line.gets != "does", line.name
            ground.put_back()
            tried += 1
    assert tried > 80 * SHARE / 2


def who_may(line: Line) -> str | None:
    """Return a role that may send the request of `line` successfully, or None if there is no such role."""
    for role, stands in ROLES.items():
        if expected(line, role, line.of, stands) in (GETS["does"], GETS["noted"]):
            return role
    return None


def request_of(matrix: Matrix, line: Line, role: str) -> tuple[bytes, bytes]:
    """Return the head and the body of a request by `role` that would succeed at the address of `line`.

    The header `Content-Length` in the head is the length of the whole body.
    """
    rule = matrix.rules[line.rule, line.method]
    places = dict(matrix.things[line.of])
    if "rounds" in line.rule:
        places["number"] = 2
    built = rule.build({name: places[name] for name in rule.arguments})
    assert built is not None
    path = built[1]
    data = matrix.forms.json(rule.endpoint, line.of)
    fields = matrix.forms.of(rule.endpoint, path, line.of) | {"padding": "0123456789"}
    with closing(EnvironBuilder(method="POST", **({"data": fields} if data is None else {"json": data}))) as form:
        environ = form.get_environ()  # with a file, the form is sent as a browser sends files
        with environ["wsgi.input"] as stream:
            body, kind = stream.read(), environ["CONTENT_TYPE"]
    cookies = "; ".join(filter(None, (matrix.world.browser, matrix.world.cookies[role])))
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nCookie: {cookies}\r\n"
        f"X-CSRFToken: {matrix.world.token}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode(), body


def cut_off(port: int, head: bytes, body: bytes, cuts: list[int], *, hang_up: bool) -> list[bytes]:
    """Send one incomplete request for each number in `cuts`, and return the responses.

    Each number in `cuts` is how many bytes of `body` are sent. Each request has a separate connection. With `hang_up`,
    the phone stops sending and closes its side of the connection; otherwise it keeps the connection open.
    """
    with ExitStack() as stack:
        phones = []
        for cut in cuts:
            phone = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
            phone.sendall(head + body[:cut])
            if hang_up:
                phone.shutdown(socket.SHUT_WR)
            phones.append(phone)
        return [phone.recv(65536) if not hang_up else heard(phone) for phone in phones]


def sent(port: int, head: bytes, body: bytes) -> bytes:
    """Send the whole request and return the status of the response, as bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as phone:
        phone.sendall(head.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") + body)
        return heard(phone)[9:12]


@contextmanager
def relayed(port: int) -> Iterator[int]:
    """Yield the port of a proxy for the server at `port`.

    The proxy passes on all bytes. When one side stops sending, the proxy stops sending to the other side, too.
    """
    ready: list[int] = []
    started, stop = threading.Event(), threading.Event()

    async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while piece := await source.read(65536):
                target.write(piece)
                await target.drain()
            target.write_eof()
        except OSError:
            target.close()

    running = set()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        running.add(asyncio.current_task())  # the loop itself would forget it
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))
        far_writer.close()
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(relay, "127.0.0.1", 0)
        ready.append(server.sockets[0].getsockname()[1])
        started.set()
        while not stop.is_set():
            await asyncio.sleep(0.05)
        server.close()

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    assert started.wait(10)
    try:
        yield ready[0]
    finally:
        stop.set()
        thread.join(timeout=10)
