"""Send styles, scripts and the service worker, compressed.

Serve styles, scripts and icons under a versioned path, which browsers cache forever.

The version is in the path, so a script that imports another one by its relative address gets the same version. An older
page gets 404 for a renamed file, never a mix of old and new scripts; its forms then work without JavaScript.

Serve the service worker, the script that lets a phone open a game while it is offline.

Compress responses, for places with weak Wi-Fi.
"""

import gzip
import hashlib
import json
import mimetypes
import re
import zlib
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path

from flask import Flask, Response, current_app, render_template, request, send_from_directory

from scorekeeper.config import asset_folder
from scorekeeper.web.headers import HEADERS
from scorekeeper.web.links import link_to

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
    return link_to("static", version=current_version(), filename=filename)


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


SHELL = (
    "css/app.css",
    "css/pages.css",
    "css/games/outbox-badge.css",
    "css/share.css",
    "css/number-pad.css",
    "css/games/end.css",
    "css/games/moments.css",
    "css/games/print.css",
    "js/submit-once.js",
    "js/send-waiting.js",
    "js/dom.js",
    "js/polling.js",
    "js/share.js",
    "js/number-pad.js",
    "js/games/board.js",
    "js/games/updates.js",
    "js/games/preview.js",
    "js/games/moments.js",
    "js/games/wake-lock.js",
    "js/games/keyboard.js",
    "css/games/keyboard.css",
    "js/games/rules.js",
    "js/games/outbox.js",
    "js/games/offline-board.js",
    "js/games/offline-pages.js",
    "js/games/offline-auction.js",
    "js/games/offline-count.js",
    "js/games/card-rules.js",
    "js/games/count.js",
    "css/games/rules.css",
    "css/games/count.css",
    "js/games/outbox-sender.js",
    "js/games/outbox-badge.js",
    "js/games/offline.js",
    "js/games/home.js",
    "js/games/prepare.js",
    "js/local-time.js",
    "js/house-rules.js",
    "js/games/seat-names.js",
    "js/games/seating.js",
    "css/games/people.css",
    "css/games/faces.css",
    "css/house-rules.css",
    "icons/icon.svg",
    "js/games/outbox-code.js",
    "vendor/lean-qr@2.7.4.js",
)
"""Files in `static` that are needed by the home page, the new-game page and the page for scoring a game."""
AWAY = "/no-signal"
WORKER = ("sw.js", "sw-games.js")
"""The files in `static` that together are the service worker's script."""


def connect_pwa(app: Flask) -> None:
    """Add the service worker and the page `AWAY` to `app`.

    The script is at the root, so that it can control all pages.
    """
    app.add_url_rule("/sw.js", view_func=service_worker)
    app.add_url_rule(AWAY, view_func=away)


def away() -> str:
    """Show the page that the service worker displays when the phone is offline and a page can't be loaded."""
    return render_template("web/away.html")


def service_worker() -> Response:
    """Answer with the service worker script for this version of the app.

    Browsers must revalidate the script each time. A browser that didn't would never get a new version of the app.
    """
    shell, policy = [static_url(name) for name in SHELL], HEADERS["Content-Security-Policy"]
    known = {"VERSION": current_version(), "SHELL": shell, "AWAY": AWAY, "POLICY": policy}
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in known.items())
    parts = [(asset_folder("static") / name).read_text(encoding="utf-8") for name in WORKER]
    script = lean("\n".join((head, _rules(), *parts)))
    return Response(script, mimetype="text/javascript", headers={"Cache-Control": "no-cache"})


def _rules() -> str:
    """Return the phone's rules as a script that defines `RULES`. Not every service worker can import modules."""
    rules = (asset_folder("static") / "js/games/rules.js").read_text(encoding="utf-8")
    names = ", ".join(re.findall(r"^export (?:const|function) (\w+)", rules, re.MULTILINE))
    plain = re.sub(r"^export ", "", rules, flags=re.MULTILINE)
    return f"const RULES = (() => {{\n{plain}\nreturn {{ {names} }};\n}})();\n"


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


def connect_compression(app: Flask) -> None:
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
