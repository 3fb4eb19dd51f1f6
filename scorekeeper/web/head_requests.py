"""HEAD asks what GET would say, without the page: it is no form, whatever a page would do with one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Request

if TYPE_CHECKING:
    from flask import Flask


class HeadAsGet(Request):
    """A request whose `method` is "GET" for HEAD too; only the answer is cut off, by what the server was sent."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.method == "HEAD":
            self.method = "GET"


def connect(app: Flask) -> None:
    """Let the pages of `app` tell a form from all else by asking for GET: who protects forms knows HEAD as harmless."""
    app.request_class = HeadAsGet
