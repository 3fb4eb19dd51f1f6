"""The server has one count of requests that wait for a thread, and another of requests that run in a thread."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from scorekeeper.ops.metrics import Load, Loads
from scorekeeper.server.worker import in_threads

if TYPE_CHECKING:
    from collections.abc import Iterable

TOGETHER = 5


async def answered(app: Any, method: str) -> int:
    """Send a request for `/` by `method` to the ASGI app `app`, and return the status of the response."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(event: Any) -> None:
        sent.append(event)

    scope = {
        "type": "http",
        "method": method,
        "path": "/",
        "query_string": b"",
        "http_version": "1.1",
        "headers": [],
        "server": ("127.0.0.1", 1),
    }
    await app(scope, receive, send)
    return int(sent[0]["status"])


def test_requests_that_wait_for_a_thread_are_told_from_those_that_have_one() -> None:
    """If five POST requests are sent at once, the server counts three as running and two as waiting for a thread.

    The server has four threads: one for pages, and three for changes.
    """
    go = threading.Event()
    loads = Loads()
    seconds: list[float] = []
    loads.write.waited = seconds.append

    def slow(_environ: object, start_response: Any) -> Iterable[bytes]:
        go.wait(20)
        start_response("200 OK", [])
        return [b"done"]

    async def crowd() -> list[int]:
        app = in_threads(slow, 4, loads)
        tasks = [asyncio.create_task(answered(app, "POST")) for _ in range(TOGETHER)]
        while loads.write.running < 3:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        assert (loads.write.threads, loads.write.running, loads.write.waiting) == (3, 3, TOGETHER - 3)
        assert (loads.read.threads, loads.read.running, loads.read.waiting) == (1, 0, 0)
        go.set()
        return await asyncio.gather(*tasks)

    with ThreadPoolExecutor(1) as apart:  # a browser test may have left a loop in this thread
        assert apart.submit(lambda: asyncio.run(crowd())).result() == [200] * TOGETHER
    assert (loads.write.running, loads.write.waiting) == (0, 0)
    assert len(seconds) == TOGETHER
    assert max(seconds) >= 0.05


def test_a_request_that_was_given_up_while_it_waited_counts_no_more() -> None:
    load = Load()
    ticket = load.arrive()
    load.leave(ticket)
    load.begin(ticket)  # a thread takes it from the queue all the same
    assert (load.waiting, load.running) == (0, 0)
