"""Only whole requests reach the application: a form whose end never arrived is refused and not carried out.

A request is read before a thread is taken for it, so whoever sends slowly keeps nobody waiting.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from scorekeeper.config import MAX_REQUEST_BYTES

Scope = dict[str, Any]
Event = dict[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]

SECONDS_TO_SEND = 20.0
"""How long the body of a request may take to arrive."""
MOST_WAITING_BYTES = 64 * 1024 * 1024
"""What may lie here, of all the requests whose end has not arrived."""


class Gone(Exception):
    """The client hung up in the middle of its request."""


class Waiting:
    """How many bytes lie here of requests that are not whole yet."""

    def __init__(self) -> None:
        self.size = 0


def whole(app: ASGIApp) -> ASGIApp:
    """Return `app` behind a guard that reads each request to its end.

    Where the end does not arrive in time, the application gets the short body with the length that was promised, and
    Werkzeug refuses that with 400. More than `MAX_REQUEST_BYTES` are not read; the application answers 413. A request
    that names its length in two ways is refused, and a header with an underscore is dropped: WSGI could not tell
    `X_Forwarded_For` from the `X-Forwarded-For` of a proxy.
    """
    waiting = Waiting()

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
        names = dict(headers)
        if b"content-length" in names and b"transfer-encoding" in names:
            await refuse(send, 400, b"This request says in two ways how long it is.")
            return
        promised = int(names.get(b"content-length", b"-1"))
        if promised == 0 or (promised < 0 and b"transfer-encoding" not in names):
            body, ends_here = b"", False
        elif waiting.size > MOST_WAITING_BYTES:
            await refuse(send, 503, b"Too many requests are under way. Nothing was saved: try again in a moment.")
            return
        else:
            try:
                body, promised = await read(receive, promised, waiting)
            except Gone:
                return
            ends_here = len(body) < promised
            headers = [each for each in headers if each[0] not in {b"content-length", b"transfer-encoding"}]
            headers.append((b"content-length", b"%d" % promised))
        scope["headers"] = headers
        await app(scope, told_once(body), closing(send) if ends_here else send)

    return answer


async def read(receive: Receive, promised: int, waiting: Waiting) -> tuple[bytes, int]:
    """Return the body that arrived and the length it should have had, which is greater where the end is missing.

    `promised` is below 0 where the request comes in chunks. Raises `Gone`.
    """
    if promised > MAX_REQUEST_BYTES:
        return b"", promised
    body = bytearray()
    more = True
    try:
        async with asyncio.timeout(SECONDS_TO_SEND):
            while more and len(body) <= MAX_REQUEST_BYTES:
                event = await receive()
                if event["type"] == "http.disconnect":
                    raise Gone
                piece = event.get("body", b"")
                body += piece
                waiting.size += len(piece)
                more = event.get("more_body", False)
    except TimeoutError:
        return bytes(body), max(promised, len(body) + 1)
    finally:
        waiting.size -= len(body)
    return bytes(body), max(promised, len(body) + more)


def told_once(body: bytes) -> Receive:
    """Return a `receive` that gives `body` at once."""

    async def receive() -> Event:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def closing(send: Send) -> Send:
    """Return `send` for an answer after which the connection is of no use: the rest of the request may still come."""

    async def closed(event: Event) -> None:
        if event["type"] == "http.response.start":
            event["headers"] = [*event["headers"], (b"connection", b"close")]
        await send(event)

    return closed


async def refuse(send: Send, status: int, says: bytes) -> None:
    """Answer with a sentence and hang up."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"x-content-type-options", b"nosniff")]
    headers += [(b"content-length", b"%d" % len(says)), (b"connection", b"close"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": says, "more_body": False})
