"""Answer requests until told to stop: gunicorn where it can run, waitress elsewhere."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from flask import Flask

    from scorekeeper.serve.encryption import Encryption


@dataclass(frozen=True, slots=True)
class Run:
    """How requests are answered."""

    opened: Callable[[], None]
    """Called once, when requests are answered and a signal stops it cleanly."""
    in_each_process: Callable[[], None]
    """Called in every process that answers, before it does."""
    workers: int
    """Processes."""
    threads: int
    """Threads of each process."""
    encryption: Encryption | None = None
    """None: answer plain HTTP."""


def can_encrypt() -> bool:
    """Return True where gunicorn runs, which speaks HTTPS; waitress does not."""
    return sys.platform != "win32" and importlib.util.find_spec("gunicorn") is not None


def run(app: Flask, listener: socket.socket, how: Run) -> None:
    """Answer requests on `listener` until Ctrl-C or SIGTERM; finish those that were begun, then exit with status 0."""
    if can_encrypt():
        from scorekeeper.serve.forking import run_gunicorn

        run_gunicorn(app, listener, how)
    else:
        from scorekeeper.serve.single import run_waitress

        run_waitress(app, listener, how)
