"""Run the server: startup, checks, health, metrics, logs, backups and retention."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.ops import health
from scorekeeper.web import request_log

if TYPE_CHECKING:
    from flask import Flask


def connect(app: Flask) -> None:
    """Add health probes and request ids to `app`. Call this before the other packages connect."""
    request_log.connect(app)
    health.connect(app)
