"""The service worker: what stands between a phone and the network, so that a game opens without signal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from flask import Response, render_template

from scorekeeper.config import asset_folder
from scorekeeper.web.assets import current_version, static_url

if TYPE_CHECKING:
    from flask import Flask

SHELL = (
    "css/app.css",
    "css/pages.css",
    "css/games/outbox-badge.css",
    "css/share.css",
    "js/submit-once.js",
    "js/dom.js",
    "js/polling.js",
    "js/share.js",
    "js/games/board.js",
    "js/games/updates.js",
    "js/games/preview.js",
    "js/games/wake-lock.js",
    "js/games/rules.js",
    "js/games/outbox.js",
    "js/games/offline-board.js",
    "js/games/outbox-sender.js",
    "js/games/outbox-badge.js",
    "js/games/offline.js",
    "icons/icon.svg",
    "js/games/outbox-code.js",
    "vendor/lean-qr@2.7.4.js",
)
"""What a board needs to be drawn and played on."""
AWAY = "/no-signal"


def connect(app: Flask) -> None:
    """Serve it at the root, so that it may look after every page."""
    app.add_url_rule("/sw.js", view_func=service_worker)
    app.add_url_rule(AWAY, view_func=away)


def away() -> str:
    """Return the page that the worker shows in place of one that cannot be had without signal."""
    return render_template("web/away.html")


def service_worker() -> Response:
    """Answer with the worker of this version; asked for anew each time, or no other version would ever come."""
    known = {"VERSION": current_version(), "SHELL": [static_url(name) for name in SHELL], "AWAY": AWAY}
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in known.items())
    body = (asset_folder("static") / "sw.js").read_text(encoding="utf-8")
    return Response(head + body, mimetype="text/javascript", headers={"Cache-Control": "no-cache"})
