"""Pass only complete requests to the application, and refuse a form that arrived only in part.

A request is read before it gets a thread, so a slow connection keeps no one else waiting.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from scorekeeper.config import AROUND_A_FILE, MAX_REQUEST_BYTES, MAX_UPLOAD_BYTES, UPLOADS

Scope = dict[str, Any]
Event = dict[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]

SECONDS_TO_SEND = 20.0
"""How long the body of a request may take to arrive."""
SECONDS_TO_UPLOAD = 120.0
"""How long the body of a request may take to arrive if it contains a file."""
LENGTHS = frozenset((b"content-length", b"transfer-encoding"))
MOST_WAITING_BYTES = 64 * 1024 * 1024
"""Maximum number of bytes of all incomplete requests together. While there are more, new requests are refused."""


class Gone(Exception):
    """The client disconnected before its request was complete."""


class WholeRequests:
    """Reads each request completely before passing it to the ASGI application `app`.

    If the end of a body doesn't arrive in time, `app` gets the short body with the declared length, and Werkzeug
    answers 400. At most `MAX_REQUEST_BYTES` are read, or about `MAX_UPLOAD_BYTES` for a league file or a photo. The
    application answers 413 to larger requests.

    A request with both `Content-Length` and `Transfer-Encoding` is refused. A header with an underscore in its name is
    dropped, because WSGI can't tell `X_Forwarded_For` from a proxy's `X-Forwarded-For`.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the complete request to the application, or refuse it."""
        headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
        lengths = {name: value for name, value in headers if name in LENGTHS}
        if len(lengths) > 1:
            await refuse(send, 400, b"This request has two length headers.")
            return
        if self.waiting > MOST_WAITING_BYTES:
            await refuse(send, 503, b"The server is busy. Nothing was saved. Try again in a moment.")
            return
        body = b""
        if lengths:
            try:
                is_upload = UPLOADS.fullmatch(scope["path"]) is not None
                length = int(lengths.get(b"content-length", b"-1"))
                body, promised = await self.read(receive, length, is_upload=is_upload)
            except Gone:
                return
            headers = [each for each in headers if each[0] not in LENGTHS] + [(b"content-length", b"%d" % promised)]
        await self.app(scope | {"headers": headers}, whole_body(body), send)

    async def read(self, receive: Receive, promised: int, *, is_upload: bool = False) -> tuple[bytes, int]:
        """Return the body that arrived, then its full length, which is larger than the body if the end is missing.

        `promised` is the declared length, or -1 if the request has none. With `is_upload`, the body may be larger and
        take longer to arrive. Raises `Gone` if the client disconnects.
        """
        most = MAX_UPLOAD_BYTES + AROUND_A_FILE if is_upload else MAX_REQUEST_BYTES
        body, more = bytearray(), promised <= most
        try:
            async with asyncio.timeout(SECONDS_TO_UPLOAD if is_upload else SECONDS_TO_SEND):
                while more and len(body) <= most:
                    event = await receive()
                    if event["type"] == "http.disconnect":
                        raise Gone
                    body += event.get("body", b"")
                    self.waiting += len(event.get("body", b""))
                    more = event.get("more_body", False)
        except TimeoutError:
            more = True
        finally:
            self.waiting -= len(body)
        return bytes(body), max(promised, len(body) + more)


def whole_body(body: bytes) -> Receive:
    """Return an ASGI `receive` function that returns the whole `body` at once."""

    async def receive() -> Event:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


async def refuse(send: Send, status: int, says: bytes) -> None:
    """Answer with `status` and the text `says`, and ask the client to close the connection."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"x-content-type-options", b"nosniff")]
    headers += [(b"content-length", b"%d" % len(says)), (b"connection", b"close"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": says, "more_body": False})
