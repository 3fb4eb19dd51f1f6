"""What every page shares: headers, the guard against foreign forms, errors, assets, filters, a phone's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from scorekeeper.web import (
    assets,
    compression,
    contact,
    errors,
    filters,
    headers,
    heads,
    hosts,
    limits,
    links,
    locale,
    numbers,
    origin,
    privacy_page,
    sessions,
    settings,
    settings_page,
    trust,
    worker,
)

if TYPE_CHECKING:
    from flask import Flask


def connect(app: Flask) -> None:
    """Give `app` all of it. The guards come before any other check, so they must be connected first."""
    app.jinja_options = {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    proxies: int = app.config["PROXIES"]
    if proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, proxies, proxies, proxies)  # type: ignore[method-assign]
    app.session_interface = sessions.DeviceSessions()
    for part in (
        heads,
        numbers,
        hosts,
        origin,
        headers,
        trust,
        links,
        locale,
        compression,
        assets,
        filters,
        errors,
        limits,
        settings,
        settings_page,
        contact,
        privacy_page,
        worker,
    ):
        part.connect(app)
