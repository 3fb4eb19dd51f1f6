"""Run uvicorn until it is stopped. It uses this process, or several processes that this one supervises."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.supervisors import Multiprocess

from scorekeeper.server.worker import configured

if TYPE_CHECKING:
    import socket
    import ssl
    from collections.abc import Callable

    from flask import Flask

    from scorekeeper.server.worker import Plan

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
