"""A hall of phones asks again and again for a few pages that are the same for everybody: each is made once.

A page is kept under what the parser read of the request: method, path, query and the headers that it may depend on. It
is given again for as long as one cheap look at the database says that it stands (`web.shared`). A look begins after the
request that it answers arrived, so nobody sees less than what was saved before they asked; all who ask while one look
is under way share the next one, and all who wait for a page share the one that is being made. The phone that scores
goes first: a crowd that asks every few seconds does not notice a tenth of one.
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

from scorekeeper.web import request_log
from scorekeeper.web.shared import SHARED, Look, Shared

if TYPE_CHECKING:
    from flask import Flask

    from scorekeeper.server.request_body import ASGIApp, Event, Receive, Scope, Send

PREFIXES = ("/watch/", "/nights/")
"""Where the shared pages are. What is not one of them there is never kept."""
DEPENDS_ON = frozenset((b"host", b"accept-encoding", b"accept-language", b"x-forwarded-host", b"x-forwarded-proto"))
"""Headers of a request on which the bytes of a shared page depend; which proxy asked counts for none of them."""
VARIES = frozenset(("accept-encoding", "accept-language"))
"""What a kept page may vary by."""
NOT_OF_A_304 = frozenset((b"content-length", b"content-type", b"content-encoding"))
MOST_BYTES = 32 * 1024 * 1024
"""Room for pages in each process; the one that was not asked for longest goes first."""
OVERHEAD = 2_000
"""Bytes that a page takes beside its body, roughly."""
PATIENCE = 0.1
"""Seconds for which those who ask for a kept page wait at most while any other request is being answered."""
PAUSE = 0.1
"""Seconds before a page is made anew: the phone whose tap changed it has its answer first, and taps on meanwhile."""
TRIES = 3
"""How often a page that was out of date as soon as it was made is waited for."""
Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """An answer that can be given again."""

    shared: Shared
    headers: list[tuple[bytes, bytes]]
    etag: str
    body: bytes


class SharedPages:
    """An ASGI application in front of `app`, which knows the pages that `flask_app` said are shared."""

    def __init__(self, app: ASGIApp, flask_app: Flask) -> None:
        self.app = app
        self.flask_app = flask_app
        self.proxies: int = flask_app.config["PROXIES"]
        self.pages: LRUCache[Key, Page] = LRUCache(MOST_BYTES, getsizeof=lambda page: len(page.body) + OVERHEAD)
        self.making: dict[Key, asyncio.Future[None]] = {}
        self.asking: dict[Look, asyncio.Task[str | None]] = {}
        self.turn = asyncio.Lock()
        self.others = 0
        self.quiet = asyncio.Event()
        self.quiet.set()
        self.looker = ThreadPoolExecutor(1, "look")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from memory where that can be, else pass the request on and keep what may be kept of the answer."""
        if scope["method"] != "GET" or not scope["path"].startswith(PREFIXES):
            await self.go_first(scope, receive, send)
            return
        began = perf_counter()
        key = key_of(scope)
        for _ in range(TRIES):
            page = self.pages.get(key)
            if page is not None:
                await self.let_others_go()
                if await self.stands(page):
                    await self.give_again(page, scope, send, began)
                    return
            if self.pages.get(key) is not page:
                continue  # a newer one was made meanwhile
            if key not in self.making:
                await self.make(key, scope, receive, send, anew=page is not None)
                return
            await asyncio.shield(self.making[key])
        await self.app(scope, receive, send)

    async def go_first(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer, while the crowd waits a little: a process runs one piece of Python at a time."""
        self.others += 1
        self.quiet.clear()
        try:
            await self.app(scope, receive, send)
        finally:
            self.others -= 1
            if not self.others:
                self.quiet.set()

    async def let_others_go(self) -> None:
        """Return once nobody else is being answered, or after `PATIENCE`."""
        if self.others:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.quiet.wait(), PATIENCE)

    async def stands(self, page: Page) -> bool:
        """Return whether the page is what the application would answer now."""
        look = page.shared.look
        task = self.asking.get(look)
        if task is None:
            task = self.asking[look] = asyncio.create_task(self.ask(look))
        return await asyncio.shield(task) == page.shared.version

    async def ask(self, look: Look) -> str | None:
        """Return the answer to a look that begins once those before it are done."""
        async with self.turn:
            del self.asking[look]  # who asks from here on was not there when it began
            return await asyncio.get_running_loop().run_in_executor(self.looker, self.version_of, look)

    def version_of(self, look: Look) -> str | None:
        """Return what the look says now; None where there is nothing to see, or the database does not answer."""
        with self.flask_app.app_context():
            try:
                return look.ask(*look.arguments)
            except Exception:  # noqa: BLE001  the application meets it again, and answers in words
                return None

    async def make(self, key: Key, scope: Scope, receive: Receive, send: Send, *, anew: bool) -> None:
        """Let the application make the page, after a pause where one is out of date; keep it if it is shared."""
        made = self.making[key] = asyncio.get_running_loop().create_future()
        told: list[Event] = []
        known = [value for name, value in scope["headers"] if name == b"if-none-match"]
        scope["headers"] = [each for each in scope["headers"] if each[0] != b"if-none-match"]

        async def hear(event: Event) -> None:
            told.append(event)

        try:
            if anew:
                await asyncio.sleep(PAUSE)
                await self.let_others_go()
            await self.app(scope, receive, hear)
            page = page_of(scope, told)
            self.pages.pop(key, None)
            if page is not None:
                with suppress(ValueError):  # it is larger than all the room there is
                    self.pages[key] = page
        finally:
            del self.making[key]
            made.set_result(None)
        for event in answer_of(page, known, told) if page else told:
            await send(event)

    async def give_again(self, page: Page, scope: Scope, send: Send, began: float) -> None:
        """Answer with the page, or with 304 to a browser that has it, and tell the log and the figures."""
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
        """Return the address of who asks, as the proxies that are believed say it."""
        said = [part.strip() for part in header_of(scope, b"x-forwarded-for").split(",")]
        if self.proxies and len(said) >= self.proxies:
            return said[-self.proxies]
        client = scope.get("client")
        return client[0] if client else ""


def key_of(scope: Scope) -> Key:
    """Return what tells this request from one that gets another page."""
    said = sorted((name, value) for name, value in scope["headers"] if name in DEPENDS_ON)
    return scope["scheme"], scope["raw_path"], scope["query_string"], tuple(said)


def header_of(scope: Scope, wanted: bytes) -> str:
    """Return the values of a header of the request, with commas between; empty where it is not there."""
    return ",".join(value.decode("latin-1") for name, value in scope["headers"] if name == wanted)


def page_of(scope: Scope, told: list[Event]) -> Page | None:
    """Return the answer in `told` as a page that can be given again, None where it is no shared page."""
    shared = scope.get(SHARED)
    if shared is None or not told or told[0]["status"] != 200:
        return None
    headers = [each for each in told[0]["headers"] if each[0] != b"x-request-id"]
    said = {name: value.decode("latin-1") for name, value in headers}
    varies = {part.strip().lower() for part in said.get(b"vary", "").split(",")} - {""}
    if b"set-cookie" in said or b"etag" not in said or not varies <= VARIES:
        logging.getLogger(__name__).error("%s is shared, but its answer is for one phone only", shared.route)
        return None
    body = b"".join(event.get("body", b"") for event in told[1:])
    return Page(shared, headers, said[b"etag"], body)


def answer_of(page: Page, known: list[bytes], told: list[Event] | None = None) -> tuple[Event, Event]:
    """Return the answer to a request with these `If-None-Match`, with the headers of `told` where it was just made."""
    headers = told[0]["headers"] if told else page.headers
    tags = parse_etags(b",".join(known).decode("latin-1"))
    if known and tags.contains_weak(page.etag.removeprefix("W/").strip('"')):
        lean = [each for each in headers if each[0] not in NOT_OF_A_304]
        return {"type": "http.response.start", "status": 304, "headers": lean}, {"type": "http.response.body"}
    start = {"type": "http.response.start", "status": 200, "headers": list(headers)}
    return start, {"type": "http.response.body", "body": page.body, "more_body": False}
