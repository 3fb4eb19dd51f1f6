"""Build the ASGI application of a server process, and start its background threads."""

from __future__ import annotations

import atexit
import gc
import logging
import multiprocessing
import os
import signal
import threading
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import uvicorn
from a2wsgi import WSGIMiddleware
from sqlalchemy.exc import DBAPIError

from scorekeeper import create_app
from scorekeeper.db.lock import held
from scorekeeper.ops import logs, metrics, outbox, retention
from scorekeeper.ops.inspection import BootError, explain
from scorekeeper.server.request_body import WholeRequests
from scorekeeper.server.shared_pages import SharedPages
from scorekeeper.web.extensions import db
from scorekeeper.web.hosts import name_of
from scorekeeper.web.trust import ASKED, AT_THE_DOOR, SENT

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterable
    from multiprocessing.synchronize import Semaphore
    from wsgiref.types import StartResponse, WSGIEnvironment

    from flask import Flask

    from scorekeeper.config import Settings
    from scorekeeper.db.sqlite_file import DatabaseFile, Opened
    from scorekeeper.ops.backup.schedule import Schedule
    from scorekeeper.server.request_body import ASGIApp, Receive, Scope, Send
    from scorekeeper.web.trust import Trust

SECONDS_TO_FINISH = 20
"""How long an open request may take after the server was told to stop."""
HUNG_SECONDS = 30
"""A process that doesn't answer for so long is replaced; a small machine takes much of this to start one."""
KEEP_ALIVE_SECONDS = 30
"""How long an idle connection stays open."""
LONGEST_HEAD = 16 * 1024
"""Most bytes of an incomplete request head."""
GARBAGE = (20_000, 20, 20)
"""Thresholds of the garbage collector: with Python's default of 700, a crowd of phones delays each save."""
READERS = 4
"""One thread in so many is for reading pages: a crowd of readers must leave room for saving hands."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything a server process needs; each process gets a copy as it starts."""

    settings: Settings
    host: str
    """The address to listen on."""
    threads: int
    access_log: bool
    banner: str
    banner_turn: Semaphore
    """The process that acquires it prints the banner."""
    backups: Schedule | None
    trust: Trust | None
    """The certificate that phones must trust; None on plain http."""
    door: socket.socket | None
    """The plain-http listener beside HTTPS."""
    opened: Opened | None
    """The SQLite file opened at the start; a process that starts later may find another file in its place."""

    def application(self, app: Flask | None = None) -> ASGIApp:
        """Return the ASGI application of this process, built around `app` if the process already has one."""
        if app is None:
            logs.set_up(as_json=self.settings.json_log)
            end_with_parent()
            app = create_app(self.settings)
            if self.opened:
                app.extensions["database_file"].take_over(self.opened)
            app.extensions["serving"] = still_open(self.settings)
            atexit.register(close_database, app)
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # don't log malformed requests
        app.config["REQUEST_LOG"] = self.access_log
        app.config["HOSTS"] |= {name_of(self.host)}
        app.config["TRUST"] = self.trust
        if self.settings.metrics:
            metrics.connect(app)
        if self.backups:
            self.backups.start(app.extensions["database_file"])
        if self.door:
            open_door(app, self.door)
        retention.start(app)
        outbox.start(app)
        if self.banner_turn.acquire(block=False):
            print(self.banner, flush=True)
        gc.collect()
        gc.freeze()  # don't scan permanent objects again: that would delay each response
        gc.set_threshold(*GARBAGE)
        return WholeRequests(SharedPages(in_threads(app, self.threads), app))


def configured(app: Callable[..., Any], **more: Any) -> uvicorn.Config:
    """Return the uvicorn configuration for `app`."""
    return uvicorn.Config(
        app,
        http="h11",  # strict, and limits the size of a head
        h11_max_incomplete_event_size=LONGEST_HEAD,
        loop="auto",  # uvloop if installed: a crowd of watchers then slows saving less
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # only SCOREKEEPER_PROXIES decides which proxies to trust
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
        timeout_worker_healthcheck=HUNG_SECONDS,
        **more,
    )


def in_threads(app: Any, threads: int) -> ASGIApp:
    """Return `app` as an ASGI application, with a few threads for GET and HEAD and the others for changes."""
    readers = max(1, threads // READERS)
    # An unlimited queue: no thread waits for a phone that reads slowly.
    looks = WSGIMiddleware(app, workers=readers, send_queue_size=0)
    changes = WSGIMiddleware(app, workers=max(1, threads - readers), send_queue_size=0)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        side = looks if scope["method"] in {"GET", "HEAD"} else changes
        await side(scope, receive, send)  # type: ignore[arg-type]

    return answer


def open_door(app: Flask, listener: socket.socket) -> None:
    """Serve plain http on `listener` in a thread of this process; `web.trust` decides the responses.

    Several processes may share the listener; the first one to accept a connection answers it.
    """

    def at_the_door(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ[AT_THE_DOOR] = ASKED
        if environ["REQUEST_METHOD"] not in {"GET", "HEAD", "OPTIONS"}:
            environ |= {AT_THE_DOOR: SENT, "REQUEST_METHOD": "GET", "PATH_INFO": "/trust"}
        return app(environ, start_response)

    server = uvicorn.Server(configured(WholeRequests(in_threads(at_the_door, 2 * READERS))))
    threading.Thread(target=server.run, args=([listener],), name="door", daemon=True).start()


def end_with_parent() -> None:
    """Stop this process when its parent is gone, so that the port is free for the next start."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        with suppress(ProcessLookupError):
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="parent", daemon=True).start()


def still_open(settings: Settings) -> ExitStack:
    """Hold the lock of `boot.serving` until this process ends, which may be after its parent."""
    stack = ExitStack()
    with suppress(OSError):  # the folder may be gone; don't make it, so that it can be moved back
        stack.enter_context(held(settings.instance / "serving", shared=True))
    return stack


def open_book(app: Flask) -> Opened | None:
    """Open a database connection until this process ends; return the SQLite file, None for PostgreSQL.

    This keeps the file and its write-ahead log alive, so that they can be copied out of the process if someone deletes
    them. Raises `BootError`.
    """
    file: DatabaseFile | None = app.extensions["database_file"]
    atexit.register(close_database, app)
    if file is None:
        return None
    with app.app_context():
        try:
            db.engine.connect().close()  # it stays in the pool
        except DBAPIError as error:
            raise BootError(explain(error, db.engine.url)) from error
    return file.opened, file.log


def close_database(app: Flask) -> None:
    """Close the connections of this process; the last process to do so leaves the SQLite database in one file.

    Sleeping threads still hold the application, so nothing else would close them.
    """
    with app.app_context():
        db.engine.dispose()
