"""Serve styles, scripts and icons under a versioned path, which browsers cache forever.

The version is in the path, so a script that imports another one by its relative address gets the same version. An older
page gets 404 for a renamed file, never a mix of old and new scripts; its forms then work without JavaScript.
"""

from __future__ import annotations

import hashlib
import mimetypes
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from flask import current_app, request, send_from_directory, url_for

from scorekeeper.config import asset_folder

if TYPE_CHECKING:
    from flask import Flask, Response

A_YEAR = 365 * 24 * 3600
VENDORED = "vendor/"
NOT_CODE = re.compile(r"^\s*(?:/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)[ \t]*\n|^\s+", re.MULTILINE)
"""Comments that take whole lines, blank lines and indentation."""

# The system's own list of types may contain something that browsers refuse to run.
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("image/svg+xml", ".svg")
mimetypes.add_type("application/manifest+json", ".webmanifest")


def connect(app: Flask) -> None:
    """Serve the folder `static` at `/static/<version>/…`, and give templates the function `static_url`."""
    app.add_url_rule("/static/<version>/<path:filename>", "static", serve_asset)
    app.add_template_global(static_url)


def static_url(filename: str) -> str:
    """Return the address of the file `filename` in the folder `static`, with the current version."""
    return url_for("static", version=current_version(), filename=filename)


def serve_asset(version: str, filename: str) -> Response:
    """Answer with the file `filename` from the folder `static`.

    If `version` is current, browsers may keep the file for a year. For any other version, browsers must revalidate the
    file each time. Our own styles and scripts are sent without comments (see `lean`).
    """
    is_current = version == current_version()
    max_age = A_YEAR if is_current else None
    response = send_from_directory(asset_folder("static"), filename, max_age=max_age, conditional=False)
    response.cache_control.immutable = is_current
    if response.mimetype in {"text/css", "text/javascript"} and not filename.startswith(VENDORED):
        response.direct_passthrough = False
        response.set_data(lean(response.get_data(as_text=True)))
    response.make_conditional(request.environ, accept_ranges=True, complete_length=response.content_length)
    return response


@lru_cache(maxsize=256)
def lean(code: str) -> str:
    """Return a style sheet or a script without comments on lines of their own, blank lines and indentation.

    Nothing else changes, since no string in our files spans lines (`tests/web/test_assets.py`).
    """
    return NOT_CODE.sub("", code)


def current_version() -> str:
    """Return the version of the folder `static`, ten hex digits. Outside of debug mode, it is calculated only once."""
    return digest_of(asset_folder("static")) if current_app.debug else _digest_once()


def digest_of(folder: Path) -> str:
    """Return ten hex digits that change if the name or content of any file under `folder` changes."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(folder).as_posix()}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:10]


@cache
def _digest_once() -> str:
    return digest_of(asset_folder("static"))
