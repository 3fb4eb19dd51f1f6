"""Pass only complete requests to the application, and refuse a form that arrived only in part.

A request is read before it gets a thread, so a slow connection keeps no one else waiting.

Limit how many host names the server uses in pages of open clubs (leagues with public pages).

These pages contain their own address, so the cache has a separate page for each name and port in the `Host` header, and
anyone can make up ports, local names and addresses. The names of this server without a port, and the address at which a
request arrived, are always accepted. Of all other hosts, as with a router that forwards a port, `MOST` are accepted at
a time.

Simplify requests for pages of open clubs (leagues with public pages), so that the cache needs fewer entries.

Everything on which these pages don't depend is removed. Anyone may request them, as often as they like, so `?x=1`,
`?x=2` … or a made-up language must not each lead to a new page, since that would bypass the cache.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from functools import lru_cache
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from scorekeeper.config import AROUND_A_FILE, MAX_REQUEST_BYTES, MAX_UPLOAD_BYTES, UPLOADS
from scorekeeper.web.headers import is_of_a_house, name_of
from scorekeeper.web.locale import LANGUAGES
from scorekeeper.web.settings import ALLOWED
from scorekeeper.web.text import whole_number

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


MOST = 8
"""Maximum number of hosts that each process accepts at a time, in addition to those that are always accepted."""
IDLE = 600.0
"""Seconds without a request after which a host may be replaced by a new one."""


class OpenHosts:
    """Remembers which host names recent requests used, apart from the host names that are always accepted.

    Only a limited number of these other hosts are accepted at a time. `names` are this server's names on the internet,
    in lower case.
    """

    def __init__(self, names: Collection[str]) -> None:
        self.names = frozenset(names)
        self.used: dict[str, float] = {}

    def admitted(self, scope: Scope, now: float | None = None) -> Scope:
        """Return the request `scope`, with a host of this server if the request's host isn't accepted.

        A host isn't accepted if too many other hosts are in use. If the application will refuse the host anyway, the
        request is returned unchanged. `now` is a time in seconds from a clock that never goes back.
        """
        said = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "").lower()
        name = name_of(said)
        if not (name in self.names or is_of_a_house(name)):
            return scope
        own = name if name in self.names else address_of(scope)
        host = (
            said
            if said in (own, address_of(scope)) or self.has_room(said, monotonic() if now is None else now)
            else own
        )
        others = (each for each in scope["headers"] if each[0] != b"host")
        return {**scope, "headers": [(b"host", host.encode("latin-1")), *others]}

    def has_room(self, host: str, now: float) -> bool:
        """Return whether `host` is accepted.

        A host is accepted if it was used recently, or if room for another host is left. For an accepted host, `now` is
        stored as the time of its last use.
        """
        if host not in self.used and len(self.used) >= MOST:
            oldest = min(self.used, key=self.used.__getitem__)
            if now - self.used[oldest] < IDLE:
                return False
            del self.used[oldest]
        self.used[host] = now
        return True


def address_of(scope: Scope) -> str:
    """Return the server's address and port at which a request arrived, in the form of a `Host` header."""
    address, port = scope.get("server") or ("localhost", None)
    name = f"[{address}]" if ":" in address else address
    return f"{name}:{port}" if port else "localhost"


OPEN = ("/clubs/", "/embed/", "/api/")
"""Beginnings of the paths of pages of open clubs."""
SETTINGS = ("look", "language")
"""Names of the query arguments on which any page of an open club may depend."""
PAGE = "page"
"""Name of the query argument for the page number of a list, in the API only."""
LONGEST_PAGE = 4
"""Maximum number of digits of a page number."""
WRONG_PAGE = "0"
"""Stands for all page numbers that the API refuses."""
REPLACED = frozenset((b"host", b"accept-language", b"accept-encoding", b"x-forwarded-host", b"x-forwarded-proto"))
"""Request headers that are removed; some of them are then set to a simpler value."""
SCHEMES = ("http", "https")


def is_open_page(scope: Scope) -> bool:
    """Return whether the request is for a page of an open club."""
    return scope["method"] in {"GET", "HEAD"} and scope["path"].startswith(OPEN)


def reduced(scope: Scope, *, proxies: int) -> Scope:
    """Return the request with only the details on which the page depends.

    The path gets its standard spelling. Unknown arguments are removed. The language is one that we offer. A HEAD
    request becomes a GET request, and the server leaves out the body of the response later.

    Host and scheme are taken from the headers that the outermost of our proxies added, and these headers are removed.
    `proxies` is the number of our proxies.
    """
    host = _forwarded(scope, b"x-forwarded-host", proxies) or _said(scope, b"host")
    scheme = _forwarded(scope, b"x-forwarded-proto", proxies)
    return {
        **scope,
        "method": "GET",
        "scheme": scheme if scheme in SCHEMES else scope["scheme"],
        "raw_path": quote(scope["path"]).encode(),
        "query_string": urlencode(_arguments(scope)).encode(),
        "headers": [
            *([(b"host", host.encode("latin-1"))] if host else []),
            *(each for each in scope["headers"] if each[0] not in REPLACED),
            *_accepted(scope),
        ],
    }


def _forwarded(scope: Scope, header: bytes, proxies: int) -> str:
    """Return the value that the outermost of our `proxies` added to a header, or "" if the header has no such value."""
    told = [part.strip() for part in _said(scope, header).split(",")]
    return told[-proxies] if 0 < proxies <= len(told) else ""


def _arguments(scope: Scope) -> dict[str, str]:
    asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    told = dict(reversed(asked))  # the first of a name counts
    known = {name: told[name] for name in SETTINGS if told.get(name) in ALLOWED[name]}
    page = told.get(PAGE)
    if scope["path"].startswith("/api/") and page is not None:
        known[PAGE] = str(whole_number(page, LONGEST_PAGE) or WRONG_PAGE)
    return known


def _accepted(scope: Scope) -> tuple[tuple[bytes, bytes], ...]:
    return _accepts(_said(scope, b"accept-language"), _said(scope, b"accept-encoding"))


@lru_cache(maxsize=64)
def _accepts(languages: str, encodings: str) -> tuple[tuple[bytes, bytes], ...]:
    accepted = parse_accept_header(languages, LanguageAccept)
    asked = (tag.partition("-")[0].lower() for tag, quality in accepted if quality > 0)
    language = next((each for each in asked if each in LANGUAGES), next(iter(LANGUAGES)))
    packed = parse_accept_header(encodings)["gzip"]
    return ((b"accept-language", language.encode()), *([(b"accept-encoding", b"gzip")] if packed else []))


def _said(scope: Scope, wanted: bytes) -> str:
    return ",".join(value.decode("latin-1") for name, value in scope["headers"] if name == wanted)
