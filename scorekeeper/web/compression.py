"""Compress responses, for places with weak Wi-Fi."""

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
"""Smallest body that is compressed: a smaller one fits into one network packet anyway."""
LEVEL = 6
GZIP = 16 + zlib.MAX_WBITS


def connect(app: Flask) -> None:
    """Compress the responses of `app` for browsers that accept gzip."""
    app.after_request(compress)


def compress(response: Response) -> Response:
    """Compress `response` with gzip if it is text and large enough, and return it.

    A stream is compressed piece by piece. The ETag of the response becomes weak, since the bytes differ. An unchanged
    page still gets 304, because `make_conditional` also accepts weak ETags.
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
    """Yield each piece in compressed form, so that the browser can read it before the next piece is made."""
    packer = zlib.compressobj(LEVEL, wbits=GZIP)
    for piece in pieces:
        yield packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH)
    yield packer.flush()
