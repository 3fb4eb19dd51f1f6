"""The page where somebody sets up this phone. It changes nothing in the score book."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import current_app, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import HTTPException

from scorekeeper.web.errors import way_back
from scorekeeper.web.locale import LANGUAGES
from scorekeeper.web.settings import keep_settings, settings_from

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.wrappers import Response

OWN_PATH = re.compile(r"/(?!/)[!-\[\]-~]*")
"""What browsers read as an address of this server: printable, and nothing that they turn into a second slash."""


def connect(app: Flask) -> None:
    """Serve the page at `/settings`."""
    app.add_url_rule("/settings", view_func=settings, methods=["GET", "POST"])


def settings() -> Response:
    """Show the settings of this phone; keep what was chosen, and go back to where they were opened from."""
    if request.method == "GET":
        return make_response(render_template("settings.html", back=nearest_page(way_back()), languages=LANGUAGES))
    response = redirect(nearest_page(request.form.get("back", "")), 303)
    keep_settings(response, settings_from(request.form.items()))
    return response


def nearest_page(address: str) -> str:
    """Return `address` if it is a page of ours that can be opened, else the nearest above it; at worst the first page.

    A hand that was refused is shown at the address of its form, and that one takes forms only.
    """
    if not OWN_PATH.fullmatch(address):
        return url_for("games.home")
    path = urlsplit(address).path
    own = current_app.url_map.bind(request.host)
    while path.strip("/"):
        try:
            own.match(path, "GET")
        except HTTPException:
            path = path.rpartition("/")[0]
            continue
        return address if path == urlsplit(address).path else path
    return url_for("games.home")
