"""Serve the service worker, the script that lets a phone open a game while it is offline."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from flask import Response, render_template

from scorekeeper.config import asset_folder
from scorekeeper.web.assets import current_version, lean, static_url
from scorekeeper.web.headers import HEADERS

if TYPE_CHECKING:
    from flask import Flask

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


def connect(app: Flask) -> None:
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
