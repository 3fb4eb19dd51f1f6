"""Operate the server: startup, checks, health, metrics, logs, backups and retention."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.ops import health
from scorekeeper.web import request_log

if TYPE_CHECKING:
    from flask import Flask


def connect(app: Flask) -> None:
    """Add the health pages and the request ids to `app`.

    Call this before the `connect` functions of all other packages.
    """
    request_log.connect(app)
    health.connect(app)
