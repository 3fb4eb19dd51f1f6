"""Allow requests that upload a file to be larger than a form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import request

from scorekeeper.config import AROUND_A_FILE, MAX_UPLOAD_BYTES, UPLOADS

if TYPE_CHECKING:
    from flask import Flask


def connect(app: Flask) -> None:
    """Give requests to `app` that upload a file a higher size limit than other requests.

    The limit is set before the form token is checked, because that check already reads the request.
    """
    app.url_value_preprocessor(_allow_file)


def _allow_file(_endpoint: str | None, _values: object) -> None:
    if UPLOADS.fullmatch(request.path):
        request.max_content_length = request.max_form_memory_size = MAX_UPLOAD_BYTES + AROUND_A_FILE
