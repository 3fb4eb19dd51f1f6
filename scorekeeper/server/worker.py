"""Build the ASGI application of a server process, and start its background threads.

Run uvicorn until it is stopped. It uses this process, or several processes that this one supervises.
"""

from __future__ import annotations

import atexit
import gc
import logging
import multiprocessing
import os
import signal
import sys
import threading
from contextlib import ExitStack, suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import uvicorn
from a2wsgi import WSGIMiddleware
from msgspec import Struct
from sqlalchemy.exc import DBAPIError
from uvicorn.supervisors import Multiprocess

from scorekeeper import create_app
from scorekeeper.db.data_folder import held
from scorekeeper.ops import logs, metrics, scheduler
from scorekeeper.ops.inspection import BootError, explain
from scorekeeper.ops.metrics import Loads
from scorekeeper.ops.scheduler import repeat
from scorekeeper.server.listen import listens_everywhere, network_origin
from scorekeeper.server.request_body import WholeRequests
from scorekeeper.server.shared_pages import SharedPages
from scorekeeper.web.extensions import db
from scorekeeper.web.headers import name_of
from scorekeeper.web.trust import ASKED, AT_THE_DOOR, SENT

if TYPE_CHECKING:
    import socket
    import ssl
    from collections.abc import Callable, Iterable
    from multiprocessing.synchronize import Semaphore
    from wsgiref.types import StartResponse, WSGIEnvironment

    from flask import Flask

    from scorekeeper.config import Settings
    from scorekeeper.db.outages import DatabaseFile, Opened
    from scorekeeper.ops.backup.schedule import Schedule
    from scorekeeper.ops.metrics import Load
    from scorekeeper.server.request_body import ASGIApp, Receive, Scope, Send
    from scorekeeper.web.trust import Trust


SECONDS_TO_FINISH = 20
"""How long an open request may take after the server was asked to stop."""
HUNG_SECONDS = 30
"""Seconds after which a process that doesn't answer is replaced.

On a small machine, starting a process takes almost as long.
"""
KEEP_ALIVE_SECONDS = 45
"""Seconds that a connection stays open without a request: longer than a reader's phone waits between two requests."""
LONGEST_HEAD = 16 * 1024
"""Maximum number of bytes of an incomplete request line and headers. A longer request is refused."""
GARBAGE = (20_000, 20, 20)
"""Thresholds for `gc.set_threshold`. With Python's default of 700, requests of many phones delay each save."""
COLLECT_EVERY = timedelta(seconds=0.5)
"""Pause between two times at which a process looks whether it can collect garbage (`collect_when_idle`)."""
LITTLE_GARBAGE, ALL_AFTER = 1_000, 200
"""Fewest new objects for a collection, and number of collections after which old objects are looked at, too."""
READERS = 4
"""One in this many threads answers GET and HEAD requests; the others stay free for saving hands and other changes."""
TICKET = "scorekeeper.ticket"
"""Key in a request's ASGI scope; the value is the `Ticket` with which the request is counted."""


class Plan(Struct, frozen=True):
    """What a server process needs. Each process gets a copy when it starts."""

    settings: Settings
    host: str
    """The address to listen on."""
    port: int
    """The port of the plain-http listener."""
    threads: int
    access_log: bool
    banner: str
    banner_turn: Semaphore
    """Semaphore for the banner: the one process that acquires it prints the banner."""
    backups: Schedule | None
    trust: Trust | None
    """The certificate that phones must trust, and the HTTPS port; None on plain http."""
    door: socket.socket | None
    """The plain-http listener beside HTTPS; None without `--tls`."""
    opened: Opened | None
    """Identities of the SQLite file that was opened at the start, and of its write-ahead log; None for PostgreSQL.

    A process that starts later may find another file at the same path.
    """

    def application(self, app: Flask | None = None) -> ASGIApp:
        """Return the ASGI application of this process, and start the process's background threads.

        `app` is the Flask application if this process already has one. If it is None, this method creates the
        application.
        """
        gc.disable()
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
        app.config["NETWORK"] = partial(network_origin, self.host, self.port, self.trust)
        app.config["LAN"] = listens_everywhere(self.host)
        loads = Loads()
        answer = in_threads(app, self.threads, loads)
        if self.settings.metrics:
            metrics.connect(app, loads)
        if self.backups:
            self.backups.start(app.extensions["database_file"])
        if self.door:
            open_door(app, self.door)
        scheduler.start(app)
        if self.banner_turn.acquire(block=False):
            print(self.banner, flush=True)
        gc.collect()
        gc.freeze()  # don't scan permanent objects again: that would delay each response
        gc.set_threshold(*GARBAGE)
        gc.enable()
        repeat(partial(collect_when_idle, loads), "garbage")
        return WholeRequests(SharedPages(answer, app))


def collect_when_idle(loads: Loads) -> timedelta:
    """Collect garbage unless the process answers a request other than GET and HEAD, and return the pause.

    Otherwise Python would mostly collect while a hand is saved, because saving one creates the most objects. Usually
    only young objects are looked at, and all of them after `ALL_AFTER` such collections.
    """
    young, _, times = gc.get_count()
    if young >= LITTLE_GARBAGE and not loads.write.running:
        gc.collect(1 if times < ALL_AFTER else 2)
    return COLLECT_EVERY


def configured(app: Callable[..., Any], **more: Any) -> uvicorn.Config:
    """Return the uvicorn configuration for `app`, an ASGI application or its factory.

    `more` are further uvicorn options.
    """
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


def in_threads(app: Any, threads: int, loads: Loads | None = None) -> ASGIApp:
    """Return the WSGI application `app` as an ASGI application that runs in `threads` threads.

    A few threads answer GET and HEAD, and the others handle changes. `loads` counts the requests of each group.
    """
    loads = loads or Loads()
    loads.read.threads = max(1, threads // READERS)
    loads.write.threads = max(1, threads - loads.read.threads)
    looks, changes = (group_of_threads(app, load) for load in (loads.read, loads.write))

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        group = looks if scope["method"] in {"GET", "HEAD"} else changes
        await group(scope, receive, send)

    return answer


def group_of_threads(app: Any, load: Load) -> ASGIApp:
    """Return the WSGI application `app` as an ASGI application with `load.threads` threads.

    `load` counts the requests that these threads handle.
    """

    def begin(environ: Any, start_response: Any) -> Iterable[bytes]:
        load.begin(environ["asgi.scope"][TICKET])
        answer: Iterable[bytes] = app(environ, start_response)
        return answer

    # An unlimited queue: no thread waits for a phone that reads slowly.
    threads = WSGIMiddleware(begin, workers=load.threads, send_queue_size=0)

    async def counted(scope: Scope, receive: Receive, send: Send) -> None:
        ticket = scope[TICKET] = load.arrive()
        try:
            await threads(scope, receive, send)  # type: ignore[arg-type]
        finally:
            load.leave(ticket)

    return counted


def open_door(app: Flask, listener: socket.socket) -> None:
    """Answer plain-http requests on `listener` in a thread of this process, while another listener serves HTTPS.

    The module `web.trust` decides the answers. Several processes may share the listener. The first process to accept a
    connection answers it.
    """

    def at_the_door(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ[AT_THE_DOOR] = ASKED
        if environ["REQUEST_METHOD"] not in {"GET", "HEAD", "OPTIONS"}:
            environ |= {AT_THE_DOOR: SENT, "REQUEST_METHOD": "GET", "PATH_INFO": "/trust"}
        return app(environ, start_response)

    server = uvicorn.Server(configured(WholeRequests(in_threads(at_the_door, 2 * READERS))))
    threading.Thread(target=server.run, args=([listener],), name="door", daemon=True).start()


def end_with_parent() -> None:
    """Stop this process when its parent process ends, so that the port is free for the next start."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        with suppress(ProcessLookupError):
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="parent", daemon=True).start()


def still_open(settings: Settings) -> ExitStack:
    """Lock the data folder, as `boot.serving` does, in case this process outlives its parent.

    Closing the returned stack unlocks the folder. If the folder can't be locked, the stack is empty.
    """
    stack = ExitStack()
    with suppress(OSError):  # the folder may be gone; don't make it, so that it can be moved back
        stack.enter_context(held(settings.instance / "serving", shared=True))
    return stack


def open_book(app: Flask) -> Opened | None:
    """Open a database connection that lasts until this process ends.

    The open connection keeps the SQLite file and its write-ahead log alive. If someone deletes these files, their
    content can still be copied out of the process. Return the identities of the SQLite file and its log, or None for
    PostgreSQL. Raises `BootError` if the database can't be opened.
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
    """Close the database connections of this process, since background threads would otherwise keep them open.

    When the last process has closed its connections, the SQLite database is a single file.
    """
    with app.app_context():
        db.engine.dispose()


OPEN_FILES = 65_536
"""Number of files that we want to have open; each connected phone is one, and most systems allow 1,024 by default."""


def run(
    app: Flask, listener: socket.socket, plan: Plan, workers: int, context: Callable[..., ssl.SSLContext] | None
) -> None:
    """Answer requests on `listener` until Ctrl-C or SIGTERM. Then finish open requests and exit with status 0.

    `plan` says how to set up each server process, and `workers` is the number of processes. `context` is a function
    that creates the TLS context, or None for plain http.
    """
    allow_open_files()
    secure = {"ssl_context_factory": context} if context else {}
    if workers > 1:
        gc.enable()
        config = configured(plan.application, factory=True, workers=workers, **secure)
        Multiprocess(config, [listener]).run()
        return
    for name in ("SIGINT", "SIGTERM"):
        # uvicorn sends itself the signal again when it is done.
        signal.signal(getattr(signal, name), lambda *_: sys.exit(0))
    for name in ("SIGHUP", "SIGUSR1", "SIGUSR2"):
        if hasattr(signal, name):  # not on Windows
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    uvicorn.Server(configured(partial(plan.application, app), factory=True, **secure)).run([listener])


def allow_open_files() -> None:
    """Raise this process's limit on open files to `OPEN_FILES`, or as far as the system allows."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
