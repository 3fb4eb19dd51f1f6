"""Styles, scripts and icons: kept by the phone for ever, under an address that changes with any of them.

The version stands in the path, not behind it: a module that imports its neighbour by a
relative address gets the neighbour of the same version. A page that is older than a file's name
gets 404 for it, and no mixture of old and new scripts: its forms then go their usual way.
"""

from __future__ import annotations

import hashlib
import mimetypes
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from flask import current_app, send_from_directory, url_for

from scorekeeper.config import asset_folder

if TYPE_CHECKING:
    from flask import Flask, Response

A_YEAR = 365 * 24 * 3600

# A machine's own register may call them something that browsers refuse to run.
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("image/svg+xml", ".svg")
mimetypes.add_type("application/manifest+json", ".webmanifest")


def connect(app: Flask) -> None:
    """Serve the folder `static` at `/static/<version>/…`; templates name a file with `static_url('css/app.css')`."""
    app.add_url_rule("/static/<version>/<path:filename>", "static", serve_asset)
    app.add_template_global(static_url)


def static_url(filename: str) -> str:
    """Return the address of `filename` in the folder `static`, this version of it."""
    return url_for("static", version=current_version(), filename=filename)


def serve_asset(version: str, filename: str) -> Response:
    """Answer with the file: to keep if `version` is this one, and to ask again where the page is an older one."""
    is_current = version == current_version()
    response = send_from_directory(asset_folder("static"), filename, max_age=A_YEAR if is_current else None)
    response.cache_control.immutable = is_current
    return response


def current_version() -> str:
    """Return the version of the assets, ten hexadecimal digits; read once, in debug mode each time."""
    return digest_of(asset_folder("static")) if current_app.debug else _digest_once()


def digest_of(folder: Path) -> str:
    """Return ten hexadecimal digits that change when any file under `folder` does, or its name."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(folder).as_posix()}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:10]


@cache
def _digest_once() -> str:
    return digest_of(asset_folder("static"))
