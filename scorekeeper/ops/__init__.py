"""For who runs the score book: whether it is well, what it does, and what it writes down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.ops import health
from scorekeeper.web import request_log

if TYPE_CHECKING:
    from flask import Flask


def connect(app: Flask) -> None:
    """Give `app` its probes, and every request an id. Connected before what all pages share."""
    request_log.connect(app)
    health.connect(app)
