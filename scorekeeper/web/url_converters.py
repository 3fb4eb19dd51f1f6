"""Numbers in addresses: none that a database cannot hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from werkzeug.routing import IntegerConverter

if TYPE_CHECKING:
    from flask import Flask

MOST = 2**31 - 1
"""The largest that PostgreSQL keeps in an integer."""


class Number(IntegerConverter):
    """`<int:…>` in a route; at an address with a larger one there is nothing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"max": MOST, **kwargs})


def connect(app: Flask) -> None:
    """Let every route of `app` that is added from now on take such numbers only."""
    app.url_map.converters["int"] = Number
