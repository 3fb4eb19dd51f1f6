"""waitress, for machines that cannot fork."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

from waitress.server import create_server

if TYPE_CHECKING:
    import socket

    from flask import Flask

    from scorekeeper.serve.run import Run


def run_waitress(app: Flask, listener: socket.socket, how: Run) -> None:
    """Answer requests on `listener` as `run.run` says, in one process."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server = create_server(
        app, sockets=[listener], threads=how.threads, channel_timeout=30, clear_untrusted_proxy_headers=False
    )
    how.in_each_process()
    how.opened()
    server.run()  # returns after Ctrl-C or sys.exit(), when the requests that were begun are done
