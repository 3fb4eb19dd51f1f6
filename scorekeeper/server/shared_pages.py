"""Cache pages that are the same for everyone, so that the server makes each page once for all phones.

A page is cached by scheme, path, query and the headers on which the page may depend. For each request, the `Look` of
the page (`web.shared`) queries the version that the page has now. If the cached page has this version, it is sent.
A look starts only after the request arrived, so no response is older than its request. Requests that arrive during a
look share the next look, and requests for a page that is being made share that page.

Requests of the phone that scores go first, because people who reload a page every few seconds don't notice a delay of a
tenth of a second. Only a few pages of open clubs (leagues with public pages) are made at a time, because anybody may
request such pages (`server.open_pages`).
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING

from cachetools import LRUCache, TTLCache
from msgspec import Struct
from werkzeug.http import parse_etags

from scorekeeper.server.request_body import OpenHosts, is_open_page, reduced
from scorekeeper.web import request_log
from scorekeeper.web.shared import FIRST, SHARED, Look, Shared

if TYPE_CHECKING:
    from flask import Flask

    from scorekeeper.server.request_body import ASGIApp, Event, Receive, Scope, Send

PREFIXES = ("/watch/", "/nights/", "/clubs/", "/embed/", "/api/")
"""Beginnings of the paths of shared pages (pages that are the same for everyone). Not all pages there are shared."""
DEPENDS_ON = frozenset((b"host", b"accept-encoding", b"accept-language", b"x-forwarded-host", b"x-forwarded-proto"))
"""Request headers on which a page that is the same for everyone may depend. The client's address isn't included."""
VARIES = frozenset(("accept-encoding", "accept-language"))
"""A page is cached only if its `Vary` header has no other names than these."""
OF_A_304 = frozenset((b"cache-control", b"etag", b"vary", b"access-control-allow-origin"))
"""Headers that a response with status 304 keeps; the browser has the others, and each costs the server time."""
MOST_BYTES = 32 * 1024 * 1024
"""Largest size of the cache in each process; when it is full, the least recently used page is dropped."""
OVERHEAD = 2_000
"""Approximate size in bytes of a cached page without its body."""
PATIENCE = 0.1
"""Maximum seconds that a request for a cached page waits for other requests before the page's version is queried.

After the query it waits again, but at most until `PATIENCE` + `PAUSE` seconds after it arrived.
"""
LOOKS_APART = 0.1
"""Minimum seconds between two queries for the version of a page. Requests in between share the second query."""
MOST_LOOKS = 10_000
"""Maximum number of pages for which the time of the last query for their version is stored."""
PAUSE = 0.1
"""Seconds to wait before a page is made anew, so that the phone that changed it gets its response first."""
OPEN_AT_ONCE = 2
"""Maximum number of pages of open clubs (leagues with public pages) that are made at a time.

The other threads stay free for phones at tables.
"""
TRIES = 3
"""Maximum number of attempts to answer a request from the cache. After these, the application answers the request."""
Key = tuple[object, ...]


class Page(Struct, frozen=True):
    """A response in the cache, with the version of the page that it shows."""

    shared: Shared
    headers: list[tuple[bytes, bytes]]
    etag: str
    body: bytes


async def pause() -> None:
    """Wait `PAUSE` seconds."""
    await asyncio.sleep(PAUSE)


class SharedPages:
    """ASGI middleware around `app` that caches the pages that the Flask application `flask_app` marks as shared."""

    def __init__(self, app: ASGIApp, flask_app: Flask) -> None:
        self.app = app
        self.flask_app = flask_app
        self.proxies: int = flask_app.config["PROXIES"]
        self.hosts = OpenHosts(flask_app.config["HOSTS"])
        self.pages: LRUCache[Key, Page] = LRUCache(MOST_BYTES, getsizeof=lambda page: len(page.body) + OVERHEAD)
        self.making: dict[Key, asyncio.Future[None]] = {}
        self.asking: dict[Look, asyncio.Task[str | None]] = {}
        self.looked: TTLCache[Look, float] = TTLCache(MOST_LOOKS, LOOKS_APART)
        self.turn = asyncio.Lock()
        self.line = asyncio.Lock()
        """Lock with which requests for cached pages wait for other requests one at a time, before the page is sent.

        So a request of the phone that scores can be handled between two of them. The lock isn't held while a page is
        sent, since a phone that receives slowly would delay all others.
        """
        self.room = asyncio.Semaphore(OPEN_AT_ONCE)
        self.others = 0
        self.quiet = asyncio.Event()
        self.quiet.set()
        self.looker = ThreadPoolExecutor(1, "look")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request from the cache if possible. Otherwise let the application answer the request.

        If the application marks its response as shared, the response is cached.
        """
        if is_open_page(scope):
            scope = self.hosts.admitted(reduced(scope, proxies=self.proxies))
        if scope["method"] != "GET" or not scope["path"].startswith(PREFIXES):
            await self.go_first(scope, receive, send)
            return
        began = perf_counter()
        key = key_of(scope)
        for _ in range(TRIES):
            page = self.pages.get(key)
            if page is not None:
                await self.let_others_go()
                if await self.is_current(page):
                    async with self.line:
                        await self.let_others_go(PATIENCE + PAUSE - (perf_counter() - began))
                    await self.answer_from_cache(page, scope, send, began)
                    return
            if self.pages.get(key) is not page:
                continue  # a newer one was just made
            if key not in self.making:
                await self.make(key, scope, receive, send, anew=page is not None)
                return
            await asyncio.shield(self.making[key])
        await self.reach(scope, receive, send)

    async def reach(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer a request for a shared page.

        A request for a page of an open club first waits until fewer than `OPEN_AT_ONCE` such pages are being made. Then
        the request also waits for the requests that `go_first` is handling.
        """
        if not is_open_page(scope):
            await self.app(scope, receive, send)
            return
        async with self.room:
            await self.let_others_go()
            await self.app(scope, receive, send)

    async def go_first(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer a request that can't be answered from the cache, such as saving a hand.

        Python runs only one thread at a time. So requests for cached pages wait a moment until the application has
        answered.
        """
        self.others += 1
        self.quiet.clear()
        try:
            await self.app(scope, receive, send)
        finally:
            self.others -= 1
            if not self.others:
                self.quiet.set()

    async def let_others_go(self, patience: float | None = None) -> None:
        """Wait until `go_first` handles no request, but no longer than `patience` seconds.

        None means `PATIENCE` seconds.
        """
        if self.others:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.quiet.wait(), PATIENCE if patience is None else patience)

    async def is_current(self, page: Page) -> bool:
        """Return whether the cached `page` is still up to date."""
        look = page.shared.look
        task = self.asking.get(look)
        if task is None:
            task = self.asking[look] = asyncio.create_task(self.ask(look))
        return await asyncio.shield(task) == page.shared.version

    async def ask(self, look: Look) -> str | None:
        """Wait for a turn, then return the current version of the page to which `look` belongs.

        The result is None if the page is gone or if the database doesn't answer. Only one version is queried at a time.
        The same `look` is queried again only after `LOOKS_APART` seconds.
        """
        loop = asyncio.get_running_loop()
        await asyncio.sleep(self.looked.get(look, 0.0) + LOOKS_APART - loop.time())
        async with self.turn:
            del self.asking[look]  # later requests need a new look
            self.looked[look] = loop.time()
            return await loop.run_in_executor(self.looker, self.version_of, look)

    def version_of(self, look: Look) -> str | None:
        """Call the function in `look` and return the page's current version, or None if the call fails.

        The call fails if the page is gone or if the database doesn't answer.
        """
        with self.flask_app.app_context():
            try:
                return look.ask(*look.arguments)
            except Exception:  # noqa: BLE001  the application meets it again and shows an error page
                return None

    async def make(self, key: Key, scope: Scope, receive: Receive, send: Send, *, anew: bool) -> None:
        """Let the application make a page and send it. If the page is shared, also cache it under `key`.

        `anew` means that the cache has an older version of the page. Then the server pauses before it makes the new
        one.
        """
        made = self.making[key] = asyncio.get_running_loop().create_future()
        told: list[Event] = []
        known = [value for name, value in scope["headers"] if name == b"if-none-match"]
        scope["headers"] = [each for each in scope["headers"] if each[0] != b"if-none-match"]

        async def hear(event: Event) -> None:
            told.append(event)

        try:
            if anew:
                await pause()
                await self.let_others_go()
            scope[FIRST] = not anew and is_open_page(scope)
            await self.reach(scope, receive, hear)
            page = page_of(scope, told)
            self.pages.pop(key, None)
            if page is not None:
                with suppress(ValueError):  # it is larger than the cache
                    self.pages[key] = page
        finally:
            del self.making[key]
            made.set_result(None)
        for event in answer_of(page, known, told) if page else told:
            await send(event)

    async def answer_from_cache(self, page: Page, scope: Scope, send: Send, began: float) -> None:
        """Send `page`, or status 304 if the browser already has this version.

        Report the request to the log and metrics. `began` is the `perf_counter` time at which the request arrived.
        """
        number = request_log.id_for(header_of(scope, b"x-request-id"), believe=self.proxies > 0)
        known = [value for name, value in scope["headers"] if name == b"if-none-match"]
        start, end = answer_of(page, known)
        start["headers"] = [*start["headers"], (b"x-request-id", number.encode())]
        environ = {
            request_log.REQUEST_ID: number,
            request_log.ROUTE: page.shared.route,
            request_log.PATH: page.shared.path,
            "REQUEST_METHOD": "GET",
            "REMOTE_ADDR": self.asker(scope),
        }
        request_log.tell(self.flask_app, environ, start["status"], perf_counter() - began)
        await send(start)
        await send(end)

    def asker(self, scope: Scope) -> str:
        """Return the client's address according to the trusted proxies, or "" if the address is unknown."""
        said = [part.strip() for part in header_of(scope, b"x-forwarded-for").split(",")]
        if self.proxies and len(said) >= self.proxies:
            return said[-self.proxies]
        client = scope.get("client")
        return client[0] if client else ""


def key_of(scope: Scope) -> Key:
    """Return the cache key of a request. Requests with the same key get the same page."""
    said = sorted((name, value) for name, value in scope["headers"] if name in DEPENDS_ON)
    return scope["scheme"], scope["raw_path"], scope["query_string"], tuple(said)


def header_of(scope: Scope, wanted: bytes) -> str:
    """Return the values of a request header, joined with commas, or "" if the header is missing."""
    return ",".join(value.decode("latin-1") for name, value in scope["headers"] if name == wanted)


def page_of(scope: Scope, told: list[Event]) -> Page | None:
    """Return the application's response as a page for the cache, or None if the response isn't a shared page.

    `told` are the ASGI events of the response.
    """
    shared = scope.get(SHARED)
    if shared is None or not told or told[0]["status"] != 200:
        return None
    headers = [each for each in told[0]["headers"] if each[0] != b"x-request-id"]
    said = {name: value.decode("latin-1") for name, value in headers}
    varies = {part.strip().lower() for part in said.get(b"vary", "").split(",")} - {""}
    if b"set-cookie" in said or b"etag" not in said or not varies <= VARIES:
        logging.getLogger(__name__).error("%s is marked as shared, but its response is for one phone", shared.route)
        return None
    body = b"".join(event.get("body", b"") for event in told[1:])
    return Page(shared, headers, said[b"etag"], body)


def answer_of(page: Page, known: list[bytes], told: list[Event] | None = None) -> tuple[Event, Event]:
    """Return the two ASGI events that send `page`: first status and headers, then the body.

    `known` holds the request's `If-None-Match` headers. The status is 304 if one of them names this version of the
    page. If the application has just made the page, `told` holds the application's ASGI events, and the headers in
    `told` are sent. If `told` is None, the cached headers are sent.
    """
    headers = told[0]["headers"] if told else page.headers
    tags = parse_etags(b",".join(known).decode("latin-1"))
    if known and tags.contains_weak(page.etag.removeprefix("W/").strip('"')):
        lean = [each for each in headers if each[0] in OF_A_304]
        return {"type": "http.response.start", "status": 304, "headers": lean}, {"type": "http.response.body"}
    start = {"type": "http.response.start", "status": 200, "headers": list(headers)}
    return start, {"type": "http.response.body", "body": page.body, "more_body": False}
