"""Let requests to the addresses of files be larger than a form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import request

from scorekeeper.config import AROUND_A_FILE, MAX_UPLOAD_BYTES, UPLOADS

if TYPE_CHECKING:
    from flask import Flask


def connect(app: Flask) -> None:
    """Set the limit for each request to `app` before the check of its form token reads it."""
    app.url_value_preprocessor(_allow_file)


def _allow_file(_endpoint: str | None, _values: object) -> None:
    if UPLOADS.fullmatch(request.path):
        request.max_content_length = request.max_form_memory_size = MAX_UPLOAD_BYTES + AROUND_A_FILE
