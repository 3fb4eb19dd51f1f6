"""What answers in each process: an ASGI application around the score book, and what runs beside it."""

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
from scorekeeper.ops import logs, metrics, retention
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
"""How long a request that was begun may take once the server was told to stop."""
HUNG_SECONDS = 30
"""After this a process that does not answer is replaced; a small machine needs a good part of it to start one."""
KEEP_ALIVE_SECONDS = 30
"""How long a phone that said nothing keeps its connection."""
LONGEST_HEAD = 16 * 1024
"""Bytes of the head of a request whose end has not arrived."""
GARBAGE = (20_000, 20, 20)
"""Objects that may come to be before Python looks for garbage: with its 700 a crowd of phones has every save wait."""
READERS = 4
"""One thread in so many is for pages that are looked at: a crowd of them must leave room for hands to be saved."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a process needs to know to answer; it is handed to each one as it starts."""

    settings: Settings
    host: str
    """The address to listen on."""
    threads: int
    access_log: bool
    banner: str
    banner_turn: Semaphore
    """Whoever gets it prints the banner."""
    backups: Schedule | None
    trust: Trust | None
    """What phones are told to trust; None on plain http."""
    door: socket.socket | None
    """Where plain http is answered beside HTTPS."""
    opened: Opened | None
    """The SQLite file that was opened at the start: a process that begins later may find another one in its place."""

    def application(self, app: Flask | None = None) -> ASGIApp:
        """Return what answers in this process, which is `app` where the process has one already."""
        if app is None:
            logs.set_up(as_json=self.settings.json_log)
            end_with_parent()
            app = create_app(self.settings)
            if self.opened:
                app.extensions["database_file"].take_over(self.opened)
            app.extensions["serving"] = still_open(self.settings)
            atexit.register(close_book, app)
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # what is no request is no news
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
        if self.banner_turn.acquire(block=False):
            print(self.banner, flush=True)
        gc.collect()
        gc.freeze()  # what is here now stays: looking through it again and again would hold up every answer
        gc.set_threshold(*GARBAGE)
        return WholeRequests(SharedPages(in_threads(app, self.threads), app))


def configured(app: Callable[..., Any], **more: Any) -> uvicorn.Config:
    """Return how uvicorn is to serve `app`."""
    return uvicorn.Config(
        app,
        http="h11",  # strict, and it takes no head above a limit
        h11_max_incomplete_event_size=LONGEST_HEAD,
        loop="auto",  # uvloop, where there is one: a crowd of watchers costs the phone that scores less
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # whom to believe is SCOREKEEPER_PROXIES' alone to say
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
        timeout_worker_healthcheck=HUNG_SECONDS,
        **more,
    )


def in_threads(app: Any, threads: int) -> ASGIApp:
    """Return `app` as an ASGI application: a few threads for pages that are looked at, the others for what is sent."""
    readers = max(1, threads // READERS)
    # Without a limit to the queue no thread waits for a phone that takes its answer slowly.
    looks = WSGIMiddleware(app, workers=readers, send_queue_size=0)
    changes = WSGIMiddleware(app, workers=max(1, threads - readers), send_queue_size=0)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        side = looks if scope["method"] in {"GET", "HEAD"} else changes
        await side(scope, receive, send)  # type: ignore[arg-type]

    return answer


def open_door(app: Flask, listener: socket.socket) -> None:
    """Answer on `listener` in a thread of this process, until it ends; see `web.trust` for what is answered.

    Several processes may share the listener: whoever comes first answers.
    """

    def at_the_door(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ[AT_THE_DOOR] = ASKED
        if environ["REQUEST_METHOD"] not in {"GET", "HEAD", "OPTIONS"}:
            environ |= {AT_THE_DOOR: SENT, "REQUEST_METHOD": "GET", "PATH_INFO": "/trust"}
        return app(environ, start_response)

    server = uvicorn.Server(configured(WholeRequests(in_threads(at_the_door, 2 * READERS))))
    threading.Thread(target=server.run, args=([listener],), name="door", daemon=True).start()


def end_with_parent() -> None:
    """Stop this process when the one that started it is gone, so that the port is free for the next start."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        with suppress(ProcessLookupError):
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="parent", daemon=True).start()


def still_open(settings: Settings) -> ExitStack:
    """Say to `scorekeeper restore` what `boot.serving` says, until this process ends: it may outlive its parent."""
    stack = ExitStack()
    with suppress(OSError):  # the folder may be gone; it is not made anew, so that it can be moved back
        stack.enter_context(held(settings.instance / "serving", shared=True))
    return stack


def open_book(app: Flask) -> Opened | None:
    """Open a connection of this process, to be kept until it ends; return the SQLite file, None for PostgreSQL.

    So the file and its write-ahead log stay what they are, and can be copied out of this process once deleted, though
    no other one may have asked for them yet. Raises `BootError`.
    """
    file: DatabaseFile | None = app.extensions["database_file"]
    atexit.register(close_book, app)
    if file is None:
        return None
    with app.app_context():
        try:
            db.engine.connect().close()  # it stays in the pool
        except DBAPIError as error:
            raise BootError(explain(error, db.engine.url)) from error
    return file.opened, file.log


def close_book(app: Flask) -> None:
    """Close the connections of a process that ends: the last one to do so leaves SQLite's score book in one file.

    Nothing else would, where a thread that sleeps still holds the application.
    """
    with app.app_context():
        db.engine.dispose()
