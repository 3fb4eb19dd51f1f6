"""Cache pages that are the same for everyone, so that a hall full of phones makes each page once.

A page is cached by method, path, query and the headers that it may depend on. It is reused as long as one cheap query,
its `Look` (`web.shared`), returns the version of the cached page. That query starts after the request arrived, so
nobody sees data older than their request. Requests that arrive while it runs share the next one, and requests for a
page that is being made share that page. The phone that scores goes first: a crowd that asks every few seconds doesn't
notice a tenth of one. Pages of open clubs, which anybody may ask for, are made few at a time (`server.open_pages`).
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from cachetools import LRUCache
from werkzeug.http import parse_etags

from scorekeeper.server.open_hosts import OpenHosts
from scorekeeper.server.open_pages import is_open_page, reduced
from scorekeeper.web import request_log
from scorekeeper.web.shared import FIRST, SHARED, Look, Shared

if TYPE_CHECKING:
    from flask import Flask

    from scorekeeper.server.request_body import ASGIApp, Event, Receive, Scope, Send

PREFIXES = ("/watch/", "/nights/", "/clubs/", "/embed/", "/api/")
"""Paths of the shared pages. Other pages under them are never cached."""
DEPENDS_ON = frozenset((b"host", b"accept-encoding", b"accept-language", b"x-forwarded-host", b"x-forwarded-proto"))
"""Request headers on which a shared page may depend; the address of the client isn't one."""
VARIES = frozenset(("accept-encoding", "accept-language"))
"""Headers by which a cached page may vary."""
NOT_OF_A_304 = frozenset((b"content-length", b"content-type", b"content-encoding"))
MOST_BYTES = 32 * 1024 * 1024
"""Size of the cache in each process; the least recently used page goes first."""
OVERHEAD = 2_000
"""Approximate bytes of a page besides its body."""
PATIENCE = 0.1
"""Most seconds that a request for a cached page waits while other requests are being answered."""
PAUSE = 0.1
"""Seconds before a page is remade, so that the phone that changed it gets its response first."""
OPEN_AT_ONCE = 2
"""How many open pages are made at once; the other threads for reading are for the phones at a table."""
TRIES = 3
"""How often to wait for a page that is out of date as soon as it is made."""
Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A cached response."""

    shared: Shared
    headers: list[tuple[bytes, bytes]]
    etag: str
    body: bytes


async def pause() -> None:
    """Wait for `PAUSE`."""
    await asyncio.sleep(PAUSE)


class SharedPages:
    """Caches the pages that `flask_app` marks as shared, in front of the ASGI application `app`."""

    def __init__(self, app: ASGIApp, flask_app: Flask) -> None:
        self.app = app
        self.flask_app = flask_app
        self.proxies: int = flask_app.config["PROXIES"]
        self.hosts = OpenHosts(flask_app.config["HOSTS"])
        self.pages: LRUCache[Key, Page] = LRUCache(MOST_BYTES, getsizeof=lambda page: len(page.body) + OVERHEAD)
        self.making: dict[Key, asyncio.Future[None]] = {}
        self.asking: dict[Look, asyncio.Task[str | None]] = {}
        self.turn = asyncio.Lock()
        self.room = asyncio.Semaphore(OPEN_AT_ONCE)
        self.others = 0
        self.quiet = asyncio.Event()
        self.quiet.set()
        self.looker = ThreadPoolExecutor(1, "look")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from the cache if possible, else pass the request on and cache the response if it is shared."""
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
        """Let the application answer; a request for an open page waits until few are being made, and for others."""
        if not is_open_page(scope):
            await self.app(scope, receive, send)
            return
        async with self.room:
            await self.let_others_go()
            await self.app(scope, receive, send)

    async def go_first(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer; requests for cached pages wait until then: Python runs one thread at a time."""
        self.others += 1
        self.quiet.clear()
        try:
            await self.app(scope, receive, send)
        finally:
            self.others -= 1
            if not self.others:
                self.quiet.set()

    async def let_others_go(self) -> None:
        """Wait until no other request is being answered, for `PATIENCE` at most."""
        if self.others:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.quiet.wait(), PATIENCE)

    async def is_current(self, page: Page) -> bool:
        """Return whether the cached page is still current."""
        look = page.shared.look
        task = self.asking.get(look)
        if task is None:
            task = self.asking[look] = asyncio.create_task(self.ask(look))
        return await asyncio.shield(task) == page.shared.version

    async def ask(self, look: Look) -> str | None:
        """Run the query of a `Look` after those before it, and return the version."""
        async with self.turn:
            del self.asking[look]  # later requests need a new look
            return await asyncio.get_running_loop().run_in_executor(self.looker, self.version_of, look)

    def version_of(self, look: Look) -> str | None:
        """Return the current version by a `Look`; None if there is no such page or the database doesn't answer."""
        with self.flask_app.app_context():
            try:
                return look.ask(*look.arguments)
            except Exception:  # noqa: BLE001  the application meets it again and shows an error page
                return None

    async def make(self, key: Key, scope: Scope, receive: Receive, send: Send, *, anew: bool) -> None:
        """Let the application make the page, after a pause if it replaces an old one; cache it if it is shared."""
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
        """Answer with the page, or with 304 if the browser has it, and record it in log and metrics."""
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
        """Return the client's address, as the trusted proxies give it."""
        said = [part.strip() for part in header_of(scope, b"x-forwarded-for").split(",")]
        if self.proxies and len(said) >= self.proxies:
            return said[-self.proxies]
        client = scope.get("client")
        return client[0] if client else ""


def key_of(scope: Scope) -> Key:
    """Return the cache key of a request."""
    said = sorted((name, value) for name, value in scope["headers"] if name in DEPENDS_ON)
    return scope["scheme"], scope["raw_path"], scope["query_string"], tuple(said)


def header_of(scope: Scope, wanted: bytes) -> str:
    """Return the values of a request header, joined with commas; "" if it is missing."""
    return ",".join(value.decode("latin-1") for name, value in scope["headers"] if name == wanted)


def page_of(scope: Scope, told: list[Event]) -> Page | None:
    """Return the response in the events `told` as a cached page, None if the page isn't shared."""
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
    """Return the response events for these `If-None-Match` values, with the headers of `told` if just made."""
    headers = told[0]["headers"] if told else page.headers
    tags = parse_etags(b",".join(known).decode("latin-1"))
    if known and tags.contains_weak(page.etag.removeprefix("W/").strip('"')):
        lean = [each for each in headers if each[0] not in NOT_OF_A_304]
        return {"type": "http.response.start", "status": 304, "headers": lean}, {"type": "http.response.body"}
    start = {"type": "http.response.start", "status": 200, "headers": list(headers)}
    return start, {"type": "http.response.body", "body": page.body, "more_body": False}
