"""gunicorn with threads, started from here rather than from its own command line."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any

from gunicorn.app.base import BaseApplication
from gunicorn.glogging import Logger

from scorekeeper.extensions import db
from scorekeeper.serve.watching import WatchingWorker

if TYPE_CHECKING:
    import socket

    from flask import Flask
    from gunicorn.arbiter import Arbiter
    from gunicorn.workers.base import Worker

    from scorekeeper.serve.run import Run

SECONDS_TO_FINISH = 20
"""How long a request that was begun may take once the server was told to stop."""

QUOTED = re.compile(r"(?<=: )b?['\"].*", re.DOTALL)
"""What gunicorn quotes of a request that is none, at the end of its complaint."""


class DiscreetLogger(Logger):
    """gunicorn's log of what goes wrong, in our form and without what no one can mend here."""

    def setup(self, cfg: Any) -> None:
        """Write as everything else is written."""
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(logging.getLogger().handlers[0].formatter)

    def warning(self, msg: Any, *args: Any, **kwargs: Any) -> None:
        """Log it without what was sent, which may be a cookie.

        Nothing where a phone that does not trust our certificate (or speaks plain HTTP) broke off the greeting.
        """
        if "[SSL: " not in str(msg):
            super().warning(QUOTED.sub("...", str(msg)), *args, **kwargs)


class ScoreBook(BaseApplication):
    """Our application, with the settings gunicorn would read from a file."""

    def __init__(self, app: Flask, options: dict[str, Any]) -> None:
        self.app = app
        self.options = options
        super().__init__()

    def load_config(self) -> None:
        """Hand the options to gunicorn."""
        for name, value in self.options.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """Return the WSGI application."""
        return self.app


def run_gunicorn(app: Flask, listener: socket.socket, how: Run) -> None:
    """Answer requests on `listener` as `run.run` says. Does not return: exits with status 0."""

    def forked(_arbiter: Arbiter, _worker: Worker) -> None:
        # Two processes on one connection would read each other's answers. It stays open for the process it belongs to.
        with app.app_context():
            db.engine.dispose(close=False)

    def worker_ready(worker: Worker) -> None:
        how.in_each_process()
        if worker.age == 1:
            how.opened()

    options: dict[str, Any] = {
        "bind": f"fd://{listener.detach()}",
        "worker_class": WatchingWorker,
        "workers": how.workers,
        "threads": how.threads,
        "worker_connections": 2000,
        "keepalive": 30,
        "graceful_timeout": SECONDS_TO_FINISH,
        "loglevel": "warning",
        "logger_class": DiscreetLogger,
        "control_socket_disable": True,
        "secure_scheme_headers": {},  # whom to believe is SCOREKEEPER_PROXIES' alone to say
        "post_fork": forked,
        "post_worker_init": worker_ready,
    }
    if encryption := how.encryption:
        options |= {
            "certfile": str(encryption.server_file),
            "ssl_context": lambda _config, _default: encryption.context(),
        }
    ScoreBook(app, options).run()
