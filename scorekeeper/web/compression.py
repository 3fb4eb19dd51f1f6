"""Compress pages, for halls with a bad signal."""

from __future__ import annotations

import gzip
import zlib
from typing import TYPE_CHECKING

from flask import request

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from flask import Flask, Response

TYPES = {
    "application/json",
    "application/manifest+json",
    "image/svg+xml",
    "text/css",
    "text/html",
    "text/javascript",
    "text/plain",
}
LEAST_BYTES = 500
"""Smallest body worth compressing: below this it fits into the same network packet."""
LEVEL = 6
GZIP = 16 + zlib.MAX_WBITS


def connect(app: Flask) -> None:
    """Compress the responses of `app` if the browser accepts it."""
    app.after_request(compress)


def compress(response: Response) -> Response:
    """Return `response`, compressed with gzip if it is text and large enough; a stream piece by piece.

    Make its entity tag weak, since the bytes differ; `make_conditional` compares weakly, so an unchanged page still
    gets 304.
    """
    if response.mimetype not in TYPES:
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code in {204, 206, 304} or "Content-Encoding" in response.headers:
        return response
    if not request.accept_encodings["gzip"] or (response.content_length or LEAST_BYTES) < LEAST_BYTES:
        return response
    if response.is_streamed and not response.direct_passthrough:
        response.response = _compressed(response.iter_encoded())
        response.headers["Content-Encoding"] = "gzip"
        return response
    response.direct_passthrough = False
    response.set_data(gzip.compress(response.get_data(), compresslevel=LEVEL, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
    response.headers.pop("Accept-Ranges", None)
    etag, _weak = response.get_etag()
    if etag is not None:
        response.set_etag(etag, weak=True)
    return response


def _compressed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield each piece flushed, so that the browser can read it before the next one is made."""
    packer = zlib.compressobj(LEVEL, wbits=GZIP)
    for piece in pieces:
        yield packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH)
    yield packer.flush()
